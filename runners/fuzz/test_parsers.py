"""Every parser under libFuzzer for a few seconds, from seeds that are taken from the tree itself.

FUZZ is the program (default: that of the preset `fuzz`), FUZZ_SECONDS the time for each parser (default 1), CONFORM the
program that makes a results file. What is found is written to the folder that pytest names; it belongs below
found/PARSER, where every run starts with it.
"""

import json
import os
import pathlib
import re
import resource
import subprocess
import tempfile

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = pathlib.Path(os.environ.get("FUZZ", ROOT / "build/fuzz/runners/fuzz/parsers_fuzz"))
CONFORM = os.environ.get("CONFORM", ROOT / "build/release/runners/cli/conform")
SECONDS = int(os.environ.get("FUZZ_SECONDS", "1"))
LONGEST = 8192  # bytes of an input: a parser is not quicker to break with more
HANGS_S = 300  # on one input; the program itself sees to the processor time, of which a busy machine takes no more

SANITIZERS = {
    "ASAN_OPTIONS": "detect_stack_use_after_return=1",
    "UBSAN_OPTIONS": "print_stacktrace=1:halt_on_error=1",
}


def texts(*patterns):
    return [cut(path.read_bytes()) for pattern in patterns for path in sorted(ROOT.glob(pattern))]


def cut(text):
    """As much of a file as an input holds, up to the start of an item."""
    if len(text) <= LONGEST:
        return text
    return text[: [item.start() for item in re.finditer(rb"^(\w|#| *- )", text[:LONGEST], re.MULTILINE)][-1]]


def lines(file, start):
    """What follows `start` in lines of a page of the spec."""
    found = re.findall(rf"^{re.escape(start)}(.*)$", (ROOT / file).read_text(encoding="utf-8"), re.MULTILINE)
    assert found, f"{file} has no line that starts with {start}"
    return found


def blocks(file, language):
    page = (ROOT / file).read_text(encoding="utf-8")
    found = re.findall(rf"^```{language}\n(.*?)^```", page, re.MULTILINE | re.DOTALL)
    assert found, f"{file} has no block of {language}"
    return [block.encode() for block in found]


# What program.cjs makes of records.
LIFTED = json.dumps(
    {
        "steps": [{"text": "timeout A 0", "line": 1, "file": "/x.js", "body": [{"text": "log n1", "body": []}]}],
        "labels": {"n1": "1"},
        "made_up": {"A": {"line": 7, "file": "/x.js", "what": "needs a name", "is_unknown": True}},
        "notes": [{"line": 9, "file": "/lib.js", "what": "later", "is_remark": True}],
        "orders": [["n1"], []],
        "entry": "esm",
    }
)

# What a page reads of what `conform survey --format=json` prints.
ANSWERS = {
    "loops": ["libuv@1.52.1"],
    "missing": [{"name": "qt"}],
    "rules": [
        {
            "rule": "soon",
            "question": "In which order?",
            "cases": ["a"],
            "answers": {"libuv@1.52.1": {"state": "one", "answer": "last", "orders": [{"order": "A B", "count": 3}]}},
        }
    ],
}


def expectations():
    """(ranges, patterns) of the catalogue."""
    found = [re.findall(r"^ +\w+ ?([^:\n]*): +(.+)$", text.decode(), re.MULTILINE) for text in texts("cases/*/*.yaml")]
    pairs = [pair for one in found for pair in one]
    return [sorted({part.strip() for part in parts if part.strip()}) for parts in zip(*pairs)]


def results():
    """What the page shows, a run with two profiles, and one with times."""
    found = ["".join(f'{{"type"{line}\n' for line in lines("spec/results-format.md", '{"type"'))]
    for words in (["--as=node@10,node@24"], ["--impl=ref:real", "--repeat=3"]):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "results.jsonl"
            command = [CONFORM, "run", "drain/between-timers", *words, f"--output={file}"]
            subprocess.run(command, check=True, capture_output=True, timeout=HANGS_S)
            found.append(file.read_bytes())
    return found


SEEDS = {
    "case": lambda: texts("cases/*/*.yaml"),
    "pattern": lambda: expectations()[1],
    "profile": lambda: texts("spec/profiles/*.yaml"),
    "results": results,
    "baseline": lambda: blocks("spec/gate.md", "yaml"),
    "message": lambda: [json.dumps(json.loads(line)) for line in messages()],
    "adapter": lambda: texts("adapters/*/adapter.yaml"),
    "survey": lambda: texts("spec/survey.yaml"),
    "renamed": lambda: texts("spec/renamed.yaml"),
    "version": lambda: expectations()[0],
    "words": lambda: ["node@24,node=./out/node,adapter=x,libuv@node-24.21.0,2/8,timeout A 0 x3,immediate B"],
    "clauses": lambda: texts("spec/[0-9]*.md"),
    "yaml": lambda: texts("spec/*.yaml", "cases/main/*.yaml"),
    "npm": lambda: [
        '["24.21.0", "1.0.0-rc.1"]',
        '{"integrity": "sha512-' + "A" * 86 + '==", "shasum": "' + "0" * 40 + '"}',
        '{"error": {"code": "E404", "summary": "Not Found"}}',
    ],
    "needs": lambda: texts("spec/needed.yaml"),
    "mutants": lambda: texts("spec/mutants.yaml", "spec/source-mutants.yaml"),
    "program": lambda: ["timeout A 0; immediate B", "timeout A 0: tick T; then P; busy 5", "log A; again x3"],
    "lifted": lambda: [LIFTED, json.dumps({"ending": {"how": "never", "line": 3, "file": "/x.js", "text": "a timer"}})],
    "answers": lambda: [json.dumps(ANSWERS)],
    "arguments": lambda: ["drain/\n--impl=node@24\n--repeat=3\n--console", "--shard\n1/2\n--timeout=5\n-x\na.js"],
    "look": lambda: ["12345 678 90\n", "232 0x3 0x7 0x400 0xffffffff 0x0 0x8 0x7 0x7f\n", "running\n", "-1 0x0\n"],
    "markdown": lambda: texts("README.md", "spec/*.md"),
    "small-yaml": lambda: texts("cases/main/*.yaml", "spec/profiles/*.yaml"),
    "terminal": lambda: ["a\x1b[31m\u202e\u2066x\x9b\x00 é 日本\t\n"],
}


def messages():
    """The answers that the page of the protocol shows; one is folded there."""
    page = (ROOT / "spec/adapter-protocol.md").read_text(encoding="utf-8")
    return re.findall(r"^<- (\{.*?\})\n(?=->|<-|```)", page, re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("parser", SEEDS)
def test_parser(parser, tmp_path):
    assert PROGRAM.exists(), f"{PROGRAM} is not built: cmake --preset fuzz, cmake --build --preset fuzz -t parsers_fuzz"
    seeds = tmp_path / "seeds"
    seeds.mkdir()
    for number, text in enumerate(SEEDS[parser]()):
        (seeds / str(number)).write_bytes(text if isinstance(text, bytes) else text.encode())
    new = tmp_path / "new"
    new.mkdir()
    found = pathlib.Path(__file__).parent / "found" / parser
    command = [
        PROGRAM, new, seeds, *([found] if found.exists() else []),
        f"-max_total_time={SECONDS}", f"-max_len={LONGEST}", f"-timeout={HANGS_S}", "-rss_limit_mb=2000",
        "-print_final_stats=1", "-print_funcs=0", f"-artifact_prefix={tmp_path}/",
    ]  # fmt: skip
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    done = subprocess.run(
        [str(word) for word in command],
        env={**os.environ, "PARSER": parser, **SANITIZERS},
        capture_output=True, encoding="utf-8", errors="replace", timeout=SECONDS + 2 * HANGS_S,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-6000:]
    runs = int(re.search(r"number_of_executed_units: (\d+)", done.stderr)[1])
    accepted = int(re.search(r"accepted: (\d+)", done.stderr)[1])
    coverage = re.findall(r" cov: (\d+)", done.stderr)[-1]
    used = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before
    print(f"{parser}: {runs} executions in {used:.1f} s of processor time, {accepted} accepted, coverage {coverage}")
    assert runs > len(list(seeds.iterdir()))
    assert accepted > 0, "no text was accepted: the seeds are not of this format"
