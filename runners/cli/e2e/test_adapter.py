"""conform adapter: new ones work, and what is wrong with one is found and said."""

import json
import os
import re
import shutil
import subprocess

import pytest

LANGUAGES = ("js", "python", "c")


@pytest.fixture(scope="module", autouse=True)
def cache(tmp_path_factory):
    """What these tests build stays theirs."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("CONFORM_CACHE", str(tmp_path_factory.mktemp("cache")))
        yield


@pytest.fixture(scope="module")
def made(call, tmp_path_factory):
    """made("python"): the folder of a new adapter. It is shared: copy it to change it."""
    folder = tmp_path_factory.mktemp("adapters")

    def make(language):
        path = folder / f"my-{language}-loop"
        if not path.exists():
            done = call("adapter", "new", path, f"--lang={language}")
            assert done.returncode == 0, done.stderr
        return path

    return make


@pytest.fixture
def changed(made, tmp_path):
    """changed(old, new): the folder of the adapter in Python, with a part of one of its files replaced."""

    def change(*replacements):
        folder = tmp_path / "changed"
        shutil.copytree(made("python"), folder)
        for old, new in replacements:
            files = [file for file in folder.glob("*.py") if old in file.read_text(encoding="utf-8")]
            assert files, old
            for file in files:
                file.write_text(file.read_text(encoding="utf-8").replace(old, new), encoding="utf-8")
        return folder

    return change


def smoke(call, folder, *options):
    done = call("adapter", "smoke", folder, "--format=json", *options)
    return done.returncode, json.loads(done.stdout)


def wrong(report):
    return [check for check in report["checks"] if check["outcome"] == "wrong"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_new_adapter_passes_smoke(call, made, validate, language):
    code, report = smoke(call, made(language))
    validate(report, "smoke")
    assert wrong(report) == [] and code == 0
    assert len(report["checks"]) > 25


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_new_adapter_is_named_after_its_folder(made, language):
    folder = made(language)
    assert f"name: {folder.name}\n" in (folder / "adapter.yaml").read_text()
    assert not any("my-loop" in file.read_text() for file in folder.iterdir() if file.suffix)


@pytest.mark.parametrize("name", ["My Loop", "ref", "é"])
def test_a_folder_whose_name_is_none_gives_none(call, tmp_path, name):
    assert call("adapter", "new", tmp_path / name, "--lang=js").returncode == 0
    assert "name: my-loop\n" in (tmp_path / name / "adapter.yaml").read_text()


def test_the_templates_are_what_is_made(root, made):
    for language in LANGUAGES:
        template = root / "adapters/templates" / language
        tracked = subprocess.run(["git", "ls-files", "."], cwd=template, capture_output=True, text=True, check=False)
        names = tracked.stdout.split() or [file.name for file in template.iterdir()]
        for name in names:
            expected = (template / name).read_text().replace("my-loop", made(language).name)
            assert (made(language) / name).read_text() == expected, name


def test_templates_are_no_implementations(call):
    assert "my-loop" not in call("list", "impls").stdout


def test_nothing_is_written_over(call, tmp_path):
    (tmp_path / "kept").write_text("mine")
    for place in (tmp_path, tmp_path / "kept", tmp_path / "kept/inside"):
        done = call("adapter", "new", place, "--lang=js")
        assert done.returncode == 2 and done.stderr.startswith("conform: ")
    assert [file.name for file in tmp_path.iterdir()] == ["kept"]
    (tmp_path / "empty").mkdir()
    assert call("adapter", "new", tmp_path / "empty", "--lang=js").returncode == 0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["adapter"], "a command of 'adapter' is missing"),
        (["adapter", "smok"], "did you mean 'smoke'?"),
        (["adapter", "smoke"], "DIR is required"),
        (["adapter", "smoke", "x", "--imple=y"], "'adapter smoke' has no option '--imple' (did you mean '--impl'?)"),
        (["adapter", "smoke", "not-there"], "not-there: is not a folder"),
        (["adapter", "new", "x"], "--lang is required"),
        (["adapter", "new", "x", "--lang=cobol"], "cobol"),
    ],
)
def test_bad_usage(call, arguments, message):
    done = call(*arguments)
    assert done.returncode == 2 and message in done.stderr


@pytest.mark.parametrize("command", [["adapter"], ["adapter", "new"], ["adapter", "smoke"]])
def test_help_fits_on_a_terminal(call, command):
    done = call(*command, "--help")
    assert done.returncode == 0 and max(map(len, done.stdout.split("\n"))) <= 80


def test_an_implementation_that_the_adapter_does_not_have(call, made):
    done = call("adapter", "smoke", made("python"), "--impl=my-pyton-loop")
    assert done.returncode == 2 and "did you mean 'my-python-loop'?" in done.stderr
    assert call("adapter", "smoke", made("python"), "--impl=my-python-loop=/bin/sh").returncode == 1


def test_a_folder_with_several_implementations(call, root):
    done = call("adapter", "smoke", root / "adapters/javascript")
    assert done.returncode == 2 and "--impl=" in done.stderr


def test_a_binary_can_be_chosen(call, made, root, need):
    node = need("node", "nodejs")
    code, report = smoke(call, made("js"), f"--impl=my-js-loop={node}")
    assert code == 0 and os.path.samefile(report["command"][0], node)
    code, report = smoke(call, root / "adapters/javascript", f"--impl=node={node}")
    assert wrong(report) == [] and code == 0
    code, report = smoke(call, made("js"), "--impl=my-js-loop=/nowhere/node")
    assert code == 1 and "/nowhere/node" in wrong(report)[0]["got"]


def test_an_adapter_that_cannot_be_built(call, made, tmp_path):
    shutil.copytree(made("c"), tmp_path / "broken")
    (tmp_path / "broken/loop.c").write_text("#error not today\n")
    code, report = smoke(call, tmp_path / "broken")
    assert code == 1 and "not today" in wrong(report)[0]["got"] and report["checks"][0]["outcome"] == "right"


def test_a_program_of_the_folder_that_is_not_there(call, tmp_path):
    (tmp_path / "adapter.yaml").write_text("name: x\ncommand: [./x]\ninstall: a-package\n")
    code, report = smoke(call, tmp_path)
    got = wrong(report)[0]["got"]
    assert code == 1 and "names './x', which is not in this folder" in got and "a-package" in got


def test_adapter_yaml_that_cannot_be_read(call, made, tmp_path, validate):
    (tmp_path / "adapter.yaml").write_text("name: x\ncomand: [x]\n")
    code, report = smoke(call, tmp_path)
    validate(report, "smoke")
    assert code == 1 and "adapter.yaml:2:1" in wrong(report)[0]["got"]


# The next run of a chain is not armed.
FORGETS_TO_REARM = ("        frame.rearm()\n\n    def waiting", "\n    def waiting")

FAULTS = {
    "forgets-to-rearm": (*FORGETS_TO_REARM, "xN makes N runs: soon A x3", "emitted A"),
    "wrong-seq": ('"seq": self.message["seq"], "ev', '"seq": 1, "ev', "a program that emits nothing", "answered run 1"),
    "keeps-labels": ('self.message.get("flush") == "each"', "False", "flush: each", "at the end of the run"),
    "loses-outcomes": ('("=" + outcome if outcome else "")', '""', "an uncaught error", "emitted A X"),
    "loses-the-code": ("if end.code:", "if False:", "the code of exit is a label", "emitted A"),
    "runs-in-the-past": ("int(time.monotonic()", "-int(time.monotonic()", "busy takes its time", "ns by its own clock"),
    "exits": ("raise SystemExit(", "import os; os._exit(", "exit ends the program", "without an answer"),
    "carries-out-half": ("if lacks:", "if False:", "is unsupported: soon as nonsense", "answered with a trace"),
    "looks-too-late": ("if lacks:", "if False:", "is unsupported: tick", "without an answer"),
    "names-it-otherwise": ('"op": lacks', '"op": lacks.upper()', "is unsupported: tick", "names 'TICK'"),
    "never-stops": ('message["type"] == "stop"', "False", "ends after stop while its input is open", "did not end"),
    "reaches-over": (
        [
            ("asyncio.new_event_loop()\n", "asyncio.get_event_loop()\n        CallbackRun.newest = self\n"),
            ("self.loop.close()", "None"),
            ("self.events.append(", "self.newest.events.append("),
        ],
        "nothing from one run affects the next",
        "emitted A B",
    ),
    "an-error-of-its-own": ("        self.emit(step[", "        self.nothing(step[", "log emits", "ended with code 1"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_what_is_wrong_is_found(call, changed, validate, fault):
    *replacement, claim, got = FAULTS[fault]
    replacements = replacement[0] if isinstance(replacement[0], list) else [replacement]
    patience = ["--timeout=10"] if fault == "never-stops" else []  # it is waited for to the end
    code, report = smoke(call, changed(*replacements), *patience)
    validate(report, "smoke")
    found = [check for check in wrong(report) if claim in check["claim"]]
    assert code == 1 and found, [check["claim"] for check in wrong(report)]
    assert got in found[0]["got"] + " ".join(found[0]["received"])
    assert found[0]["expected"] and found[0]["section"]


def test_complaints_cite_sections_of_the_protocol(root):
    headings = re.findall(r"^#+ (.*)$", (root / "spec/adapter-protocol.md").read_text(encoding="utf-8"), re.MULTILINE)
    headings = [heading.replace("`", "") for heading in headings]
    cited = []
    for file in ("harness/smoke.cc", "harness/smoke_talk.cc", "cli/adapter_command.cc"):
        text = (root / "runners" / file).read_text(encoding="utf-8")
        cited += re.findall(r'constexpr char k\w+\[\] = "([^"]+)"|section = "([^"]+)"', text)
    cited = {one or other for one, other in cited}
    assert len(cited) > 8 and cited <= set(headings), cited - set(headings)


def test_the_text_fits_on_a_terminal(call, changed):
    noisy = ("        self.message = message\n", "        print('x' * 500)\n        self.message = message\n")
    done = call("adapter", "smoke", changed(noisy))
    head, rest = done.stdout.split("\n\n", 1)
    assert "changed" in head  # a path, which is not broken
    assert done.returncode == 1 and max(map(len, rest.split("\n"))) <= 80
    assert re.search(r"^WRONG    log emits its label: log A, log B$", done.stdout, re.MULTILINE)
    for word in ("sent", "got", "that is", "expected", "hint", "see"):
        assert re.search(rf"^         {word} +\S", done.stdout, re.MULTILINE), word
    assert re.search(r"^\d+ right, \d+ wrong, \d+ skipped$", done.stdout, re.MULTILINE)


def test_what_is_said_is_as_the_schemas_say(call, changed, tmp_path, validate):
    record = tmp_path / "record"
    folder = changed(
        ("        message = json", f"        open({str(record)!r}, 'a').write(line)\n        message = json"),
        ("def say(m", f"def keep(m):\n    print(json.dumps(m), file=open({str(record)!r}, 'a'))\n\n\ndef say(m"),
        ("    sys.stdout.write(", "    keep(message)\n    sys.stdout.write("),
    )
    assert smoke(call, folder)[0] == 0
    messages = [json.loads(line) for line in record.read_text().split("\n") if line]
    for message in messages:
        validate(message, f"protocol/{message['type']}")
    assert {message["type"] for message in messages} == {"hello", "ready", "run", "trace", "unsupported", "stop"}


def test_no_process_is_left(call, changed):
    mark = f"left-by-{os.getpid()}"
    child = f"        import subprocess; subprocess.Popen(['sh', '-c', ': {mark}; sleep 300; :'])\n"
    call("adapter", "smoke", changed(("        self.message = message\n", child + "        self.message = message\n")))
    assert mark not in subprocess.run(["ps", "-eo", "args"], capture_output=True, text=True, check=True).stdout


def tutorial_commands(root):
    text = (root / "spec/adapter-tutorial.md").read_text(encoding="utf-8")
    return re.findall(r"^```sh\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)


def test_the_commands_of_the_tutorial_work(root, conform, tmp_path):
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin/conform").symlink_to(conform)
    environment = {**os.environ, "PATH": f"{tmp_path}/bin:{os.environ['PATH']}"}
    blocks = tutorial_commands(root)
    assert len(blocks) >= 4
    for block in blocks:
        done = subprocess.run(
            ["bash", "-euo", "pipefail", "-c", block],
            cwd=tmp_path,
            env=environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            encoding="utf-8",
            timeout=300,
        )
        # An implementation that is judged may be found wanting.
        judged = "--as=" in block
        assert done.returncode == 0 or (judged and done.returncode == 1), block + done.stdout + done.stderr
        if "python3 my-loop/adapter.py" in block:
            ready, trace = map(json.loads, done.stdout.split("\n")[:2])
            assert ready["type"] == "ready" and [event["label"] for event in trace["events"]] == ["B", "A"]


def test_the_complaint_of_the_tutorial_is_real(root, call, changed):
    text = (root / "spec/adapter-tutorial.md").read_text(encoding="utf-8")
    block = re.search(r"```text\n(WRONG.*?)```", text, re.DOTALL).group(1)
    printed = call("adapter", "smoke", changed(FORGETS_TO_REARM)).stdout
    for line in block.split("\n"):
        assert line.split("…")[0] in printed, line
