"""Every command in a README and in a page of spec/ is run, and prints what is shown below it.

Each distinct command is run once, in a copy of a folder that has what the pages speak of: files of one's own, results,
libraries, a Node that somebody has built. What the pages run on the whole catalogue runs here on a few cases of it.
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys

import pytest
import yaml

sys.path.insert(0, str(pathlib.Path(__file__).parent))

from markdown_commands import commands_of  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parents[3]
FOLDERS = ["spec", "adapters", "cases", "reference-impl", "reports", "runners"]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md"] + sorted(
    page for folder in FOLDERS for page in (ROOT / folder).rglob("*.md") if "third-party" not in page.parts
)

# Not run here, and why. A pattern that no command matches any more is a failure.
NOT_RUN = {
    r"\./test( --long( e2e)?)?": "it would run this test",
    r"(sudo )?runners/ci/fresh.*": "it makes a machine, as root; test_ci.py tries what needs no root",
    r"pytest .* --tx ssh=one .*": "it takes two other machines",
    r"CONFORM=\$\(runners/ci/download .*": "the address and the checksum stand for others; test_ci.py has its own",
    r"cmake --preset release .*": "that is how what is tested here was built",
    r"/usr/bin/python3 -m pytest .*|spin .*|echo t\.mi .*": "test_second_model.py runs the same",
    r"cases/families/generate\.py": "it writes into this tree; with --check it is run",
    r"conform bench( --rows=(explore|study --before=\S+))?": "it takes minutes, and an idle machine; --quick is run",
    r"reports/playground/make .*": "it takes emscripten; test_playground.py makes the page",
    r"conform (report --html|show --(as=js|format=json))": "a form of the command, without the case that it takes",
    r"conform mutants( --needed( --record=\S+)?)?": "the whole hunt takes an hour; test_mutants.py runs parts of it",
}
# Only with ./test --long, and why.
LONG = {
    r"conform mutants .*--of=.*": "builds libuv, or many small ones of Node",
    r"conform bisect .*": "installs releases",
    r"conform infer .*": "asks an implementation several hundred times",
    r"conform causes --impl=.*": "makes failing programs smaller",
    r"conform survey( --(markdown|impl)=\S+( --format=json)?)?": "puts every question to several loops",
    r"conform runtimes install node@20 .*": "installs releases that nothing else here uses",
    r"conform lint|conform mutants --rule=\S+|conform history --all --markdown": "the model at every version",
    r"conform mutants --needed --recorded.*": "the model at every version",
    r"conform run --impl=libuv@node-.*": "compiles libuv from its sources",
    r"pytest .*|.*/check .*": "many runs; test_ci.py and test_conform_pytest.py have smaller ones",
    r"conform fuzz .*--against=.*": "many runs of each program; test_fuzz.py has fewer programs",
    r"conform run --impl=node,node@10,bun,deno": "four runtimes, each of which is run elsewhere on this page",
}
# As it is run here, and no less is tried.
REPLACED = {
    "/usr/local/bin/python3.13": "/usr/bin/python3",
    "--count=2000": "--count=3",
    "--count=500": "--count=3",
    "--count=150": "--count=2",
    "--learn=5": "--learn=2",
    "mutants --of=libuv": "mutants --count=8 --of=libuv",
}
# What asks the whole catalogue, which is then these cases.
ASKS_ALL = {"run", "lint", "gate", "diff", "report", "site", "causes", "infer", "whatif", "mutants", "fuzz"}
CASES = [
    "asyncio/soon-in-order", "documented/timers-by-deadline", "drain/between-immediates", "drain/between-timers",
    "libuv/alive-states", "main/timeout-against-immediate", "poll/one-thread-keeps-order",
    "ticks/queued-in-microtask-waits", "timers/by-delay", "timers/clear-self",
]  # fmt: skip
INSTALLED = "node@10.24.1 node@11.15.0 node@24.21.0 node@26.10.0 bun@1.4.4 deno@2.9.6 workerd".split()
FROM_NPM = re.compile(r"\b(bun|deno|workerd|node@|runtimes)\b")
SCRIPT = """\
setTimeout(() => { LOG('A'); process.nextTick(() => LOG('T')); }, 0);
setTimeout(() => LOG('B'), 0);
const until = Date.now() + 5;
while (Date.now() < until);
"""
FILES = {
    "race.yaml": "program:\n  - timeout A 0\n  - immediate B\nexpect:\n  node: A B | B A\n",
    "my.yaml": "base: node@24\nrules:\n  immediate-drain: after-batch\n",
    "found.yaml": "base: node@24\nrules:\n  immediate-drain: after-batch\n",
    "race.js": "setTimeout(() => console.log('timeout'), 0);\nsetImmediate(() => console.log('immediate'));\n",
    "my-script.js": SCRIPT.replace("LOG", "log"),
    "playground.html": '<title>x</title><header><span class="brand">conform<span>playground</span></span></header>',
}
LIBRARIES = {
    "build/libuv.so": "libuv.so", "libev.so": "libev.so", "libevent_core.so": "libevent_core.so",
    "libglib-2.0.so": "libglib-2.0.so", "libsystemd.so": "libsystemd.so", "libtcl8.6.so": "libtcl8.6.so",
    "libQt6Core.so": "libQt6Core.so",
}  # fmt: skip


def reason_in(table, text):
    return next((reason for pattern, reason in table.items() if re.fullmatch(pattern, text)), None)


def typed(command):
    """As somebody types it who has conform on the PATH."""
    return command.text.replace("./conform ", "conform ")


def is_name(command):
    """Quoted to speak of it, not to be typed: `conform lift`, `conform report --html`."""
    return command.quoted and (command.is_template or not [word for word in command.words[2:] if word != "new"])


ALL = [(page, command) for page in PAGES for command in commands_of(page.read_text(encoding="utf-8"))]
NAMES = sorted({typed(command) for _, command in ALL if is_name(command)})


def runs():
    """Every distinct command, with all outputs that are shown for it."""
    found = {}
    for page, command in ALL:
        text = typed(command)
        if is_name(command) or reason_in(NOT_RUN, text):
            continue
        kind = page.parent.name if page.parent.parent.name == "templates" else ""
        shown = found.setdefault((text, kind), [])
        if command.shown and any(line.strip() for line in command.shown):
            shown.append(command.shown)
    large = large_implementations()
    for (text, kind), shown in found.items():
        is_long = reason_in(LONG, text) or any(re.search(rf"[=,]{name}\b", text) for name in large)
        yield pytest.param(text, kind, shown, id=text[:90], marks=pytest.mark.long if is_long else ())


def large_implementations():
    names = set()
    for file in ROOT.glob("adapters/*/adapter.yaml"):
        adapter = yaml.safe_load(file.read_text())
        for name, one in (adapter.get("implementations") or {adapter["name"]: {}}).items():
            if (one or {}).get("large") or adapter.get("large"):
                names.add(name)
    return names


@pytest.fixture(scope="session")
def installed(call):
    ended = call("runtimes", "install", *INSTALLED, timeout=1500)
    if ended.returncode == 3:
        pytest.skip("no runtimes without a network: " + ended.stderr.strip().splitlines()[-1])
    assert ended.returncode == 0, ended.stderr


@pytest.fixture(scope="session")
def small_home(tmp_path_factory):
    """The spec, the adapters and a few cases."""
    home = tmp_path_factory.mktemp("home")
    for name in ("adapters", "runners"):
        (home / name).symlink_to(ROOT / name)
    shutil.copytree(ROOT / "spec", home / "spec")
    (home / "spec/renamed.yaml").unlink()  # it names cases that are not here
    for case in CASES:
        (home / "cases" / case).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / f"cases/{case}.yaml", home / f"cases/{case}.yaml")
    shutil.copy(ROOT / "cases/conftest.py", home / "cases")
    return home


@pytest.fixture(scope="session")
def workshop(call, conform, need, small_home, tmp_path_factory):
    """What the pages speak of. It is shared: a command runs in a copy."""
    folder = tmp_path_factory.mktemp("workshop")
    for name, text in FILES.items():
        (folder / name).write_text(text)
    for name, library in LIBRARIES.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).symlink_to(next(iter(pathlib.Path("/usr/lib").glob(f"*/{library}")), f"/no/{library}"))
    cache = pathlib.Path(os.environ.get("CONFORM_CACHE") or pathlib.Path.home() / ".cache/conform")
    (folder / "build/bun").symlink_to(cache / "runtimes/bun/1.4.4/bin/bun")  # there once `installed` has run
    (folder / "out/Release").mkdir(parents=True)
    (folder / "out/Release/node").symlink_to(need("node", "nodejs"))
    for name in ("adapters", "reports", "runners"):
        (folder / name).symlink_to(ROOT / name)
    (folder / "conform").symlink_to(ROOT)
    (folder / "cases").symlink_to(small_home / "cases")
    (folder / "spec").mkdir()
    for name, language in [("my-loop", "python"), ("my-c-loop", "c"), ("my-js-loop", "js")]:
        assert call("adapter", "new", folder / name, f"--lang={language}").returncode == 0
    for name, implementation in [("bun", "ref"), ("node", "ref:real")]:  # results are not looked at here
        words = [f"--impl={implementation}", "--as=node@24", f"--output={folder}/{name}.jsonl"]
        assert call("run", "drain/between-timers", *words).returncode == 0
    for name in [*(f"bun-{i}" for i in range(1, 6)), "again"]:
        shutil.copy(folder / "bun.jsonl", folder / f"{name}.jsonl")
    for part in (1, 2):
        file = folder / f"parts/{part}/results.jsonl"
        file.parent.mkdir(parents=True)
        words = ["--impl=ref", "--as=node@24", f"--shard={part}/2", f"--output={file}"]
        assert call("run", "drain/between-timers", "drain/between-immediates", *words).returncode == 0
    for name in ("bun.yaml", "conform-baseline.yaml"):
        done = call("gate", folder / "bun-1.jsonl", f"--baseline={folder / name}", "--update", home=small_home)
        assert done.returncode == 0, done.stderr
    programs = folder / "bin"
    programs.mkdir()
    (programs / "conform").symlink_to(conform)
    (programs / "pytest").write_text('#!/bin/sh\nexec /usr/bin/python3 -m pytest -p no:cacheprovider "$@"\n')
    (programs / "pytest").chmod(0o755)
    return folder


@pytest.fixture
def run_in_workshop(conform, workshop, small_home, tmp_path):
    def run(text, kind, on_all_cases):
        folder = tmp_path / "workshop"
        shutil.copytree(workshop, folder, symlinks=True)
        for old, new in REPLACED.items():
            text = text.replace(old, new)
        words = text.split()
        if words[0] == "conform" and (words[1] in ("lift", "explore") or "--console" in words):
            (folder / "my-script.js").write_text(SCRIPT.replace("LOG", "console.log"))
        if text.startswith("conform adapter new "):  # it is the first command that makes them
            shutil.rmtree(folder / words[3])
        environment = {**os.environ, "PATH": f"{workshop}/bin:{os.environ['PATH']}", "CONFORM": str(conform)}
        environment.pop("CONFORM_HOME", None)
        if not on_all_cases:
            environment["CONFORM_HOME"] = str(small_home)
        where = {"python": folder / "my-loop", "c": folder / "my-c-loop", "js": folder / "my-js-loop"}.get(kind, folder)
        where = ROOT if text.startswith("cases/") else where
        return subprocess.run(
            ["bash", "-c", text], cwd=where, env=environment, stdin=subprocess.DEVNULL, capture_output=True,
            encoding="utf-8", timeout=900,
        )  # fmt: skip

    return run


def matches(shown, printed, any_version):
    """`…` stands for any lines where it stands alone, and for the rest of a line where it ends one."""
    pattern = ""
    for line in shown:
        if line.strip() == "…":
            pattern += "(?:.*\n)*?"
            continue
        cut = line.rstrip().endswith("…")
        escaped = re.escape(line.rstrip().removesuffix("…").rstrip() if cut else line.rstrip())
        if any_version:  # of what is installed here
            escaped = re.sub(r"@\d+(\\\.\d+)*", r"@[0-9.]+", escaped)
        pattern += escaped + (".*\n" if cut else " *\n")
    return re.fullmatch(pattern, printed)


@pytest.mark.parametrize("text, kind, shown", runs())
def test_is_run_and_prints_what_is_shown(request, run_in_workshop, text, kind, shown):
    if FROM_NPM.search(text):
        request.getfixturevalue("installed")
    words = text.split()
    asks_all = words[0] != "conform" or words[1] in ASKS_ALL
    done = run_in_workshop(text, kind, on_all_cases=bool(shown) or not asks_all)
    judges = "--impl" in text or words[0] != "conform" or words[1] in ("gate", "diff", "run", "mutants")
    assert done.returncode in ((0, 1) if judges else (0,)), done.stdout[-2000:] + done.stderr
    for lines in shown:
        assert matches(lines, done.stdout, any_version="@" not in text), done.stdout


def test_nothing_is_left_out_but_for_a_reason():
    texts = [typed(command) for _, command in ALL if not is_name(command)]
    run = {parameters.values[0] for parameters in runs()}
    assert {text for text in texts if text not in run} == {text for text in texts if reason_in(NOT_RUN, text)}
    for pattern in [*NOT_RUN, *LONG]:
        assert any(re.fullmatch(pattern, text) for text in texts), f"no command is like {pattern}"
    for part in REPLACED:
        assert any(part in command.text for _, command in ALL), f"no command has {part}"
    assert len(run) > 100 and len(set(PAGES)) > 50
    for page in PAGES:  # a block that is read as something else
        lines = page.read_text(encoding="utf-8").splitlines()
        prompts = [number for number, line in enumerate(lines, 1) if re.match(r"( {4})?\$ ", line)]
        found = {command.line for one, command in ALL if one == page}
        assert set(prompts) <= found, page


# Method: every word that is a command or an option is looked up in the help.
@pytest.mark.parametrize("text", NAMES)
def test_what_is_only_named_exists(call, text):
    words = text.replace("NAME", "junit").split()[1:]
    command = [word for word in words[:2] if re.fullmatch("[a-z]+", word)]
    while command:
        done = call(*command, "--help")
        if done.returncode == 0 and (len(command) == 1 or f"conform {' '.join(command)} " in done.stdout):
            break
        command.pop()
    assert command, text
    for option in (word.partition("=")[0] for word in words if word.startswith("--")):
        assert re.search(rf"^ +(-\w,)?{option}(?![\w-])", done.stdout, re.MULTILINE), text


def test_there_are_ten_questions_and_the_readme_links_them():
    page = ROOT / "spec/questions.md"
    assert page.read_text(encoding="utf-8").count("\n## ") == 10
    assert sum(one == page and bool(command.shown) for one, command in ALL) == 10
    assert "(spec/questions.md)" in (ROOT / "README.md").read_text(encoding="utf-8")


PAGE = """\
Say `conform show
x/y`, or `conform lift`, or `conform show CASE`.

```yaml
$ conform not-this
```

```
$ conform one 'a # b'  # comment
out
  conform explore again --path=0

more
$ conform two
```

```sh
conform three \\
  --more
```

    conform four    # comment
    runners/ci/check

- item

    conform in-a-list

~~~text
$ conform five
~~~
"""


def test_commands_are_read_from_every_kind_of_block():
    found = [(command.line, command.text, len(command.shown)) for command in commands_of(PAGE)]
    assert found == [
        (1, "conform show x/y", 0),
        (2, "conform lift", 0),
        (2, "conform show CASE", 0),
        (9, "conform one 'a # b'", 4),
        (11, "conform explore again --path=0", 0),
        (14, "conform two", 0),
        (19, "conform three   --more", 0),
        (22, "conform four", 0),
        (23, "runners/ci/check", 0),
        (30, "conform five", 0),
    ]
    assert [command.is_template for command in commands_of(PAGE)][:3] == [False, False, True]


def test_output_matches_only_as_it_is_shown():
    assert matches(["a", "…", "z"], "a\nb\nc\nz\n", False) and not matches(["a", "z"], "a\nb\nz\n", False)
    assert matches(["a, …"], "a, b\n", False) and not matches(["a, …"], "b\n", False)
    assert matches(["on x@1.2.3"], "on x@4.5\n", True) and not matches(["on x@1.2.3"], "on x@4.5\n", False)
