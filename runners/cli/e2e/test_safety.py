"""Robustness and security: locks, links, limits, closed descriptors, hostile text."""

import json
import os
import re
import resource
import signal
import subprocess
import time

import pytest

CASE = "program:\n  - timeout A 0\n  - timeout B 50\nexpect: A B\n"
# A timer is never early, so that the run is still there when it is looked at.
LONG = "program:\n  - timeout A 600000\nexpect: A\n"


@pytest.fixture
def start(conform, tmp_path):
    """start(…): conform in the background."""
    started = []

    def run(*arguments):
        words = [str(conform), *map(str, arguments)]
        started.append(subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, encoding="utf-8"))
        return started[-1]

    yield run
    for process in started:
        process.kill()
        process.wait()


def wait_for_lines(file, count, process):
    while not file.exists() or file.read_bytes().count(b"\n") < count:
        assert process.poll() is None, process.stderr.read()
        time.sleep(0.01)


@pytest.fixture
def adapter(tmp_path):
    """adapter("mine", name="node", version="1"): the folder of an adapter that leaves a file `started` in it."""

    def create(folder, name="mine", version="1.0.0"):
        path = tmp_path / folder
        path.mkdir()
        (path / "adapter.yaml").write_text(f"name: {folder}\ncommand: [python3, adapter.py]\n")
        ready = {"type": "ready", "protocol": 1, "implementation": {"name": name, "version": version, "details": {}}}
        ready |= {"claims": {"profile": "node", "version": "24.21.0"}, "ops": ["timeout"], "isolation": "process"}
        (path / "adapter.py").write_text(
            "import json, pathlib, sys\n"
            "pathlib.Path(__file__).with_name('started').touch()\n"
            f"print(json.dumps({ready!r}))\n"
            "for line in sys.stdin:\n"
            "    run = json.loads(line)\n"
            "    labels = [{'label': step['label']} for step in run.get('program', [])]\n"
            "    if run['type'] == 'run': print(json.dumps({'type': 'trace', 'seq': run['seq'], 'events': labels}))\n"
        )
        return path

    return create


def test_one_results_file_has_one_writer(call, start, results, write, tmp_path):
    file = tmp_path / "r.jsonl"
    cases = [write("a.yaml", CASE), write("long.yaml", LONG)]
    words = ["run", *cases, "--impl=ref:real", "--as=node@24", f"--output={file}"]
    first = start(*words)
    wait_for_lines(file, 2, first)
    before = file.read_bytes()
    others = [words, ["run", "--resume", file], ["report", results, f"--json={file}"]]
    for second in [call(*other) for other in others]:
        assert second.returncode == 3 and not second.stdout
        holder = r"r.jsonl: is being written by process \d+ \(\S*conform\S* run .*--output=\S*r.jsonl\)"
        assert re.search(holder, second.stderr), second.stderr
    assert file.read_bytes() == before
    # A lock that a dead process held does not count.
    first.kill()
    first.wait()
    resumed = start("run", "--resume", file)
    assert "resuming: conform run" in resumed.stderr.readline()
    second = call("run", "--resume", file)
    assert second.returncode == 3 and "is being written by process" in second.stderr, second.stderr
    assert resumed.poll() is None and file.read_bytes() == before


# Goal: a slip of the fingers costs no file that was hours in the making. Method: each output is one of the inputs.
def test_no_command_replaces_what_it_reads(call, results, write, tmp_path):
    parts = [tmp_path / "1.jsonl", tmp_path / "2.jsonl"]
    for number, part in enumerate(parts, 1):
        assert call("run", "drain/", f"--shard={number}/2", f"--output={part}").returncode == 0
    case, script, link = write("wrong.yaml", CASE.replace("A B", "B A")), write("a.js", "log('A');"), tmp_path / "link"
    failed, baseline = tmp_path / "failed.jsonl", tmp_path / "known.yaml"
    assert call("run", case, "--as=node@24", f"--output={failed}").returncode == 1
    assert call("gate", failed, f"--baseline={baseline}", "--update").returncode == 0
    link.symlink_to(parts[0])
    before = {file: file.read_bytes() for file in tmp_path.iterdir()}
    for words in (
        ["merge", *parts, f"--output={parts[1]}"],
        ["merge", *parts, f"--output={link}"],
        ["report", results, f"--json={results}"],
        ["report", results, f"--badge={tmp_path}/../{tmp_path.name}/results.jsonl"],
        ["report", results, f"--html={results}", "--single"],
        ["report", failed, f"--baseline={baseline}", f"--markdown={baseline}"],
        ["run", case, "--as=node@24", f"--output={case}"],
        ["run", case, f"--failed={failed}", "--as=node@24", f"--output={failed}"],
        ["lift", script, f"--output={script}"],
    ):
        ended = call(*words)
        assert ended.returncode == 2 and "is also one of the files to be read" in ended.stderr, (words, ended.stderr)
        assert {file: file.read_bytes() for file in tmp_path.iterdir()} == before, words


def test_a_run_that_is_terminated_is_resumed(call, start, tmp_path):
    whole, file = tmp_path / "whole.jsonl", tmp_path / "r.jsonl"
    words = ["run", "main/", "--impl=ref"]
    assert call(*words, f"--output={whole}").returncode == 0
    count = whole.read_bytes().count(b"\n")
    process = start(*words, f"--output={file}")
    ends = 0
    while file.exists() is False or b'"type":"end"' not in file.read_bytes():
        wait_until = time.time() + 0.05 * (ends + 1)
        while process.poll() is None and time.time() < wait_until:
            time.sleep(0.005)
        process.send_signal(signal.SIGTERM)
        assert process.wait() in (0, 128 + signal.SIGTERM, -signal.SIGTERM), process.stderr.read()
        ends += 1
        assert ends < 200
        process = start("run", "--resume", file) if file.exists() else start(*words, f"--output={file}")
    process.wait()
    lines = file.read_text().splitlines()
    assert len(lines) == count and lines[1:] == whole.read_text().splitlines()[1:]


def test_nothing_is_started_before_the_file_is_checked(call, write, adapter, tmp_path):
    case, own = write("a.yaml", CASE), adapter("mine")
    file = tmp_path / "r.jsonl"
    ended = call("run", case, write("b.yaml", CASE.replace("50", "60")), f"--impl=adapter={own}", f"--output={file}")
    assert ended.returncode == 0, ended.stderr
    lines = file.read_text().splitlines()
    (own / "started").unlink()
    run, result = json.loads(lines[0]), json.loads(lines[1])
    for first, second in (
        ({**run, "conform": "0.0.1"}, result),
        (run, {**result, "hash": "0123456789abcdef"}),
        (run, {**result, "case": "other"}),
        ({**run, "arguments": ["no-such-case", *run["arguments"][1:]]}, result),
    ):
        text = json.dumps(first) + "\n" + json.dumps(second) + '\n{"type":"resu'
        file.write_text(text)
        refused = call("run", "--resume", file)
        assert refused.returncode == 2, refused.stderr
        assert file.read_text() == text and not (own / "started").exists(), refused.stderr
    file.write_text(lines[0] + "\n" + lines[1] + "\n")
    resumed = call("run", "--resume", file)
    assert resumed.returncode == 0 and (own / "started").exists()
    assert f"resuming: conform run {case}" in resumed.stderr and str(own) in resumed.stderr


# Goal: a run is resumed whatever chooses its cases or changes how they run. Method: a whole run loses its last result.
@pytest.mark.parametrize(
    "words",
    [
        ["a.js", "--console", "--repeat=2", "--impl=node,asyncio"],
        ["a.js", "--timeout=20", "--repeat=2", "--impl=node,asyncio"],
        ["drain/between-timers", "--clause=drain", "--as=node@10,node@24"],
        ["wrong.yaml", "--failed=failed.jsonl", "--as=node@10,node@24"],
    ],
)
def test_a_run_is_resumed_as_it_was_started(call, write, tmp_path, words):
    write("a.js", "console.log('A'); if (globalThis.log) log('B');\n")
    write("wrong.yaml", CASE.replace("A B", "B A"))
    assert call("run", "wrong.yaml", "--as=node@24", "--output=failed.jsonl", cwd=tmp_path).returncode == 1
    whole = call("run", *words, "--output=r.jsonl", cwd=tmp_path)
    file = tmp_path / "r.jsonl"
    lines = file.read_text().splitlines(keepends=True)
    assert len(lines) == 4, whole.stderr
    file.write_text("".join(lines[:2]))
    resumed = call("run", "--resume", "r.jsonl", cwd=tmp_path)
    assert resumed.returncode == whole.returncode, resumed.stderr
    results = [json.loads(line) for line in file.read_text().splitlines()[1:3]]
    assert [(one["case"], one["hash"]) for one in results] == [
        (one["case"], one["hash"]) for one in map(json.loads, lines[1:3])
    ]


def test_printed_lines_and_calls_of_log_are_not_mixed(call, write, tmp_path):
    write("a.js", "console.log('A'); if (globalThis.log) log('B');\n")
    words = ["run", "a.js", "--console", "--repeat=2", "--impl=node,asyncio", "--output=r.jsonl"]
    call(*words, cwd=tmp_path)
    file = tmp_path / "r.jsonl"
    lines = file.read_text().splitlines(keepends=True)
    file.write_text(lines[0].replace('"--console",', "") + lines[1])
    refused = call("run", "--resume", "r.jsonl", cwd=tmp_path)
    assert refused.returncode == 2 and "the case a.js has changed" in refused.stderr


def test_the_name_of_an_implementation_is_not_taken_by_an_adapter(call, write, adapter, tmp_path):
    impostor, file = adapter("impostor", "node", "24.21.0"), tmp_path / "r.jsonl"
    ended = call("run", write("a.yaml", CASE), f"--impl=adapter={impostor},node", f"--output={file}")
    assert ended.returncode == 0, ended.stderr
    names = [json.loads(line).get("implementation") for line in file.read_text().splitlines()[1:-1]]
    assert names[0] == f"adapter={impostor}" and len(names) == 2 and names[1].startswith("node@")
    one, other = adapter("one", "mine"), adapter("other", "mine")
    refused = call("run", write("a.yaml", CASE), f"--impl=adapter={one},adapter={other}")
    assert refused.returncode == 2 and "both introduce themselves as mine@1.0.0" in refused.stderr


def test_pages_are_not_written_through_links(call, results, tmp_path):
    mine, report = tmp_path / "mine", tmp_path / "report"
    mine.mkdir()
    (mine / "page.html").write_text("mine")
    for name in ("cases", "index.html"):
        report.mkdir()
        (report / name).symlink_to(mine if name == "cases" else mine / "page.html")
        ended = call("report", results, f"--html={report}")
        assert ended.returncode == 2 and f"holds '{name}', which is not part of a report" in ended.stderr
        assert (mine / "page.html").read_text() == "mine"
        (report / name).unlink()
        report.rmdir()
    assert call("report", results, f"--html={report}").returncode == 0
    assert call("report", results, f"--html={report}").returncode == 0, "its own report is replaced"


@pytest.mark.parametrize("closed", [(0,), (1,), (2,), (0, 1), (1, 2), (0, 1, 2)])
def test_closed_descriptors_lose_nothing(conform, write, tmp_path, closed):
    file = tmp_path / "r.jsonl"
    ended = subprocess.run(
        [str(conform), "run", str(write("a.yaml", CASE)), "--as=node@24", f"--output={file}"],
        stdin=subprocess.DEVNULL, capture_output=True, encoding="utf-8", timeout=600,
        preexec_fn=lambda: [os.close(descriptor) for descriptor in closed],
    )  # fmt: skip
    assert [json.loads(line)["type"] for line in file.read_text().splitlines()] == ["run", "result", "end"]
    # A report that cannot be written is trouble; one that is written is not.
    assert ended.returncode == (3 if 1 in closed else 0)
    assert ("1 pass" in ended.stdout) == (1 not in closed)
    assert ("cannot be written" in ended.stderr) == (1 in closed and 2 not in closed)


def test_a_limit_on_descriptors_is_trouble(limited):
    words = ["run", "poll/", "--impl=ref:real", "--as=node@24", "--jobs=4"]
    codes = {}
    for number in (4, 5, 6, 7, 8, 9, 10, 12, 14, 16, 20, 24, 256):
        ended = limited(resource.RLIMIT_NOFILE, number, words)
        codes[number] = ended.returncode
        assert ended.returncode in (0, 3), (number, ended)
        assert "was killed" not in ended.stderr, (number, ended)
    assert codes[4] == codes[6] == codes[8] == codes[10] == 3 and codes[256] == 0


@pytest.mark.skipif(os.getuid() != 0, reason="only root may become another user, whose processes are counted apart")
def test_a_limit_on_processes_is_trouble(limited):
    for number in (1, 3, 4, 5, 8):
        for words in (["--impl=ref:real", "--jobs=4"], ["--impl=asyncio", "--perturb=3"]):
            words = ["run", "drain/between-timers", "poll/", *words]
            ended = limited(resource.RLIMIT_NPROC, number, words, as_nobody=True)
            assert ended.returncode in (0, 2, 3), (number, words, ended)
            assert "terminate" not in ended.stderr and "check failed" not in ended.stderr, ended.stderr
    assert limited(resource.RLIMIT_NPROC, 1, ["run", "drain/"], as_nobody=True).returncode == 3


# Goal: nothing that others wrote steers a terminal. Method: it is put wherever text comes from, and no command lets a
# control character or one that turns the direction of writing through.
HOSTILE = "\x1b]0;x\x07\x1b[31m\u202e\u2066\x9b2J"
HARMFUL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]")


def test_no_text_of_others_steers_the_terminal(call, results, tmp_path):
    folder = tmp_path / f"x{HOSTILE}"
    folder.mkdir()
    bidi = "\u202etitle\u2066"
    case = folder / f"a{HOSTILE}.yaml"
    case.write_text(f"title: {bidi}\nwhy: {bidi}\n" + CASE, encoding="utf-8")
    broken = folder / f"b\n{HOSTILE}.yaml"
    broken.write_text(f"{bidi}: x\n", encoding="utf-8")
    lines = [json.loads(line) for line in results.read_text().splitlines()]
    lines[1] |= {"case": HOSTILE, "implementation": f"a{HOSTILE}@1", "reason": HOSTILE, "verdict": "fail"}
    lines[1]["tries"][0]["events"][0]["label"] = HOSTILE
    lines[2]["totals"] = {"fail": 1}
    hostile = folder / "r.jsonl"
    hostile.write_text("".join(json.dumps(line) + "\n" for line in lines))
    for words in (
        ["run", case, "--as=node@24"],
        ["run", case, "--as=node@24", "--format=json"],
        ["run", case, "--impl=" + HOSTILE],
        ["run", broken],
        ["run", HOSTILE],
        ["run", "--resume", hostile],
        ["show", case],
        ["show", case, "--as=js"],
        ["explore", case, "--profile=node@24"],
        ["lint", case],
        ["lint", broken],
        ["diff", hostile, results],
        ["diff", hostile, results, "--format=json"],
        ["gate", hostile, f"--baseline={folder}/none.yaml"],
        ["gate", hostile, f"--baseline={broken}"],
        ["report", hostile, "--markdown=-", "--tap=-", "--junit=-", "--json=-"],
        ["merge", hostile, f"--output={folder}/x/y"],
        ["runtimes", "install", HOSTILE],
        ["history", case],
        [HOSTILE],
        ["run", "--" + HOSTILE],
    ):
        ended = call(*words)
        found = HARMFUL.search(ended.stdout + ended.stderr)
        assert not found, (words, ended.stdout[-600:], ended.stderr[-600:])
        assert ended.returncode in (0, 1, 2, 3)
    text = call("run", case, "--as=node@24", "--format=json").stdout
    assert f"a{HOSTILE}" in json.loads(text)["results"][0]["case"], "JSON has the same value"


# Goal: --update writes nothing that the gate cannot read again. Method: a case that fails, under each of these names.
NAMES = ["a\tb", "a\nb", "a\x01b", "a\x7fb", "a\u0085b", "a\u202eb", "null", "~", "- a: b #", "*", "'", '"\\']


@pytest.mark.parametrize("name", NAMES)
def test_a_baseline_is_readable_whatever_a_case_is_called(call, write, tmp_path, name):
    case = write(f"{name}.yaml", CASE.replace("A B", "B A"))
    results, baseline = tmp_path / "results.jsonl", tmp_path / "baseline.yml"
    assert call("run", case, "--as=node@24", f"--output={results}").returncode == 1
    updated = call("gate", results, f"--baseline={baseline}", "--update")
    assert updated.returncode == 0, updated.stderr
    gated = call("gate", results, f"--baseline={baseline}")
    assert gated.returncode == 0 and " 1 as-known " in " ".join(gated.stdout.split()), gated.stdout + gated.stderr
    baseline.write_bytes(baseline.read_bytes().replace(b"verdict: fail", b"verdict: crash"))
    assert call("gate", results, f"--baseline={baseline}").returncode == 1
