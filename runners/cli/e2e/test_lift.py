"""conform lift, and conform explore of a script"""

import collections
import json
import pathlib
import sys

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).parent))

import lifted_runs  # noqa: E402
import round_trip  # noqa: E402

SCRIPTS = lifted_runs.SCRIPTS
PROFILES = ["node@24", "node@10"]


@pytest.fixture(scope="module", autouse=True)
def node(need):
    return need("node", "nodejs")


@pytest.fixture()
def lift(call, tmp_path):
    """lift(source): conform lift of a script with this text."""

    def run(source, *options, name="script.js"):
        (tmp_path / name).write_text(source)
        return call("lift", name, *options, cwd=tmp_path)

    return run


def test_says_that_it_runs_the_script(lift):
    ended = lift("console.log('A');", "--runs=3")
    assert ended.returncode == 0
    assert "conform: runs script.js 3 times to see what it schedules\n" in ended.stderr


def test_two_allowed_orders_are_flaky_by_right(lift):
    ended = lift("setTimeout(() => console.log('T'), 0);\nsetImmediate(() => console.log('I'));\n")
    assert ended.returncode == 0
    assert "  both orders are allowed, so a test that asserts one is flaky by right\n" in ended.stdout
    assert "    - timeout T 0\n    - immediate I\n" in ended.stdout


def test_works_in_the_folder_of_the_sources(call, root, tmp_path):
    (tmp_path / "a.js").write_text("console.log('A');")
    assert call("lift", tmp_path / "a.js", "--runs=1", cwd=root).returncode == 0


def test_says_since_when_there_is_only_one_order(call):
    ended = call("lift", SCRIPTS[0].parent / "two_timers.js", "--format=json")
    value = json.loads(ended.stdout)
    assert (ended.returncode, value["verdict"]) == (0, "since Node 11.0.0 this is the only order, whatever is late")
    assert value["releases"][-1]["changed_by"]


def test_json_is_as_the_schema_says(lift, validate):
    ended = lift("const t = setInterval(() => {}, 1);\nsetTimeout(() => clearInterval(t), 30);\n", "--format=json")
    validate(json.loads(ended.stdout), "lift")


def test_explore_explains_each_order_of_a_script(call, tmp_path, validate):
    (tmp_path / "race.js").write_text("setTimeout(() => console.log(1));\nsetImmediate(() => console.log(2));\n")
    ended = call("explore", "race.js", "--profile=node@24", cwd=tmp_path)
    assert ended.returncode == 0
    assert "  on time:  2 orders\n" in ended.stdout
    assert "     conform explore race.js --profile=node@24" in ended.stdout
    assert "    n1 is '1'\n" in ended.stdout
    validate(json.loads(call("explore", "race.js", "--format=json", cwd=tmp_path).stdout), "explore")


def test_the_case_it_writes_passes_lint(call, lift, tmp_path):
    ended = lift((SCRIPTS[0].parent / "two_timers.js").read_text(), "--output=made.yaml")
    assert ended.returncode == 0
    assert "  node >=11.0.0: timer-1 tick promise timer-2\n" in (tmp_path / "made.yaml").read_text()
    assert call("lint", "made.yaml", cwd=tmp_path).returncode == 0
    assert call("run", "made.yaml", cwd=tmp_path).returncode == 0


# What cannot be lifted.


@pytest.mark.parametrize(
    ("source", "answer"),
    [
        ("\nsetInterval(() => console.log('A'), 20);", "script.js:2: does not end: setInterval is not ended here"),
        ("for (;;);", "script.js: does not return to its event loop within 2 s"),
        ("\n\nprocess.stdin.on('data', console.log);", "script.js:3: reads its standard input"),
        ("require('fs').readFileSync(0);", "script.js:1: reads its standard input"),
        ("let a = ;", "script.js:1: is not JavaScript that this Node.js understands: "),
        ("\nrequire('not-there');", "script.js:2: cannot be loaded: Cannot find module 'not-there'"),
        ("\nsetTimeout(() => {}, 1e6);", "script.js:2: does not end: setTimeout starts a timer here that has not run"),
        ("(function f() { process.nextTick(f); })();", "script.js:1: does not end: process.nextTick is called here"),
        ("", "script.js: schedules and prints nothing that has a step"),
    ],
)
def test_gives_a_clear_answer_to_what_it_cannot_lift(lift, source, answer):
    ended = lift(source, "--timeout=2")
    assert (ended.returncode, ended.stdout) == (2, "")
    assert f"conform: {answer}" in ended.stderr


def test_other_files_than_scripts_are_refused(call, tmp_path):
    ended = call("lift", "drain/between-timers")
    assert (ended.returncode, "drain/between-timers: is not a script" in ended.stderr) == (2, True)
    ended = call("lift", "missing.js", cwd=tmp_path)
    assert (ended.returncode, "missing.js" in ended.stderr) == (2, True)
    (tmp_path / "typed.ts").write_text("let a: number;")
    assert "is TypeScript" in call("lift", "typed.ts", cwd=tmp_path).stderr


def test_says_what_to_install_where_there_is_no_node(call, tmp_path):
    (tmp_path / "a.js").write_text("console.log('A');")
    ended = call("lift", "a.js", cwd=tmp_path, PATH=str(tmp_path), CONFORM_CACHE=str(tmp_path))
    assert (ended.returncode, "conform runtimes install node" in ended.stderr) == (2, True)


def test_a_module_is_lifted_as_one(lift):
    source = "process.nextTick(() => console.log('T'));\nawait Promise.resolve();\nconsole.log('M');\n"
    ended = lift(source, name="script.mjs")
    assert ended.returncode == 0
    assert "  entry: esm\n  program:\n    - tick T\n    - pause M\n" in ended.stdout
    assert "`M T`" in ended.stdout


def test_a_script_that_throws_is_lifted(lift):
    ended = lift("setTimeout(() => { console.log('A'); throw new Error('E'); }, 0);\nsetTimeout(console.log, 60);")
    assert ended.returncode == 0
    assert "`A exit=1`" in ended.stdout
    assert "    line 1: throws Error: E\n" in ended.stdout


@pytest.mark.parametrize(
    ("source", "thrown"),
    [
        ("\nthrow new Error('E');", "line 2: throws Error: E"),
        ("function f() { f(); }\nf();", "line 1: throws RangeError: Maximum call stack size exceeded"),
        ("JSON.parse('no');", "line 1: throws SyntaxError: Unexpected token"),
    ],
)
def test_what_is_thrown_at_the_top_is_said(lift, source, thrown):
    ended = lift(source, "--runs=2")
    assert (ended.returncode, thrown in ended.stdout) == (0, True), ended.stdout + ended.stderr
    assert "`exit=1`" in ended.stdout


@pytest.mark.parametrize(
    ("source", "answer", "hint"),
    [
        ("import 'not-there';", "cannot be loaded: Cannot find package 'not-there'", "npm install"),
        ("let a = ;", "script.mjs:1: is not JavaScript that this Node.js understands", ""),
        ("require('fs');", "is a module, where there is no require", "call the file .cjs"),
    ],
)
def test_a_module_that_cannot_be_loaded_is_said_to_be(lift, source, answer, hint):
    ended = lift(source, "--runs=2", name="script.mjs")
    assert (ended.returncode, ended.stdout) == (2, "")
    assert answer in ended.stderr and hint in ended.stderr


def test_explore_takes_how_a_script_is_run(call, tmp_path):
    (tmp_path / "a.js").write_text("console.log('A');")
    ended = call("explore", "a.js", "--runs=2", cwd=tmp_path)
    assert (ended.returncode, "runs a.js 2 times" in ended.stderr) == (0, True)
    ended = call("explore", "drain/between-timers", "--runs=2")
    assert (ended.returncode, "a case is not run" in ended.stderr) == (2, True)


UNKNOWN = "const t = setTimeout(() => console.log('A'), 9000);\nsetTimeout(() => clearTimeout(t), 1);\n"


def test_explore_says_what_ran_in_no_run(call, tmp_path):
    (tmp_path / "a.js").write_text(UNKNOWN)
    ended = call("explore", "a.js", "--late", cwd=tmp_path)
    assert (ended.returncode, "may run, in an order that no run showed" in ended.stdout) == (3, True)
    value = json.loads(call("explore", "a.js", "--late", "--format=json", cwd=tmp_path).stdout)
    assert value["lifted"]["unknown"]


# What is not said silently.


@pytest.mark.parametrize(
    ("source", "note"),
    [
        ("require('dns').lookup('localhost', () => console.log('A'));\nconsole.log('B');", "line 1: "),
        ("console.log('B');\nrequire('zlib').gzip('x', () => console.log('A'));", "line 2: 'A' is printed by a"),
        ("console.log('B');\n(async () => {\n  for await (const x of [1, 2]) console.log(x);\n})();", "line 3: "),
        (
            "const { isMainThread, Worker } = require('worker_threads');\n"
            "if (isMainThread) new Worker(__filename).on('exit', (code) => console.log('ended', code));",
            "line 2: 'ended 0' is printed by a",
        ),
    ],
)
def test_what_has_no_step_is_named_with_its_line(lift, source, note):
    ended = lift(source)
    assert ended.returncode == 3
    assert note in ended.stdout


# The first run leaves a file behind, which the others find.
ONCE = "const fs = require('fs');\nif (fs.existsSync('here')) WHAT;\nfs.writeFileSync('here', '');\nconsole.log('B');\n"


@pytest.mark.parametrize("what", ["process.nextTick(() => {})", "console.log('A')"])
def test_runs_that_differ_are_reported_at_the_line(lift, what):
    ended = lift(ONCE.replace("WHAT", what))
    assert ended.returncode == 3
    assert "what happens from here on depends on the order or on data" in ended.stdout
    assert "  of what was lifted: this is the only order in every release, whatever is late\n" in ended.stdout


def test_a_text_that_changes_in_each_run_is_called_after_its_line(lift):
    ended = lift("\nconsole.log(Math.random());\nprocess.nextTick(() => console.log('T'));\n")
    assert "line 2: prints another text in each run; it is called line-2" in ended.stdout
    assert "`line-2 T`" in ended.stdout


def test_nothing_is_added_to_the_queues_of_the_script(lift):
    source = """
process.on('exit', () => console.log(process.listenerCount('exit')));
setTimeout(() => console.log(process._getActiveHandles().length), 1);
"""
    ended = lift(source, "--format=json")
    assert json.loads(ended.stdout)["seen"][0] == ["n0", "n1"]


# The scripts that interviews and articles use.


def releases(call):
    """Two releases of Node that are here."""
    listed = json.loads(call("runtimes", "list", "--format=json").stdout)["runtimes"]
    nodes = [one for one in listed if one["name"] == "node" and int(one["version"].split(".")[0]) >= 16]
    return [nodes[0], nodes[-1]] if len({one["version"] for one in nodes}) > 1 else nodes


RUNS = 10  # lifted_runs.py alone runs each a thousand times, and prints a table


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: script.stem)
def test_every_order_that_node_prints_is_among_the_answers(call, conform, tmp_path, script):
    answers = lifted_runs.Answers(conform, script, tmp_path)
    for runtime in releases(call):
        row = lifted_runs.compared(answers, script, "node@" + runtime["version"], runtime["binary"], RUNS)
        assert lifted_runs.outside(row) == [], lifted_runs.by_order(row)


def test_orders_that_lift_does_not_give_are_counted_as_such():
    allowed = {("A", "B"): True, ("B", "A"): False}
    plain = collections.Counter({("A", "B"): 8, ("B", "A"): 1, ("B",): 1})
    row = lifted_runs.Row("race", "node@24.21.0", allowed, plain, collections.Counter())
    assert lifted_runs.outside(row) == [("B",)]
    assert lifted_runs.in_table(row) == "| race | node@24.21.0 | 1 of 1 | 1 of 1 | 1 |"
    assert "race node@24.21.0, NOT AN ANSWER: 1 of 10: B" in lifted_runs.by_order(row)


# The round trip.


def cases_of_node(call):
    listed = json.loads(call("list", "--format=json").stdout)["cases"]
    found = []
    for case in listed:
        text = (pathlib.Path(call.root) / "cases" / (case["id"] + ".yaml")).read_text()
        is_of_node = "\n  node" in text or "\nexpect: " in text
        if not case["native"] and is_of_node and "\nmodel:" not in text:
            found.append(case["id"])
    return found


@pytest.fixture()
def call_with_root(call, root):
    call.root = root
    return call


def check_round_trip(call, cases, folder, capsys):
    outcomes = [one for one in (round_trip.round_trip(call, case, folder, PROFILES) for case in cases) if one]
    silent = [one for one in outcomes if not one.same and not one.said]
    assert not silent, "\n".join(one.case + "\n" + one.why for one in silent)
    same = sum(one.same for one in outcomes)
    with capsys.disabled():
        print(f"\n{same} of {len(outcomes)} are the same, and the others say what is missing")
    assert same >= 0.85 * len(outcomes), "\n".join(one.case + ": " + one.why for one in outcomes if not one.same)


def test_a_sample_of_cases_comes_back_as_it_was(call_with_root, tmp_path, capsys):
    cases = [case for case in cases_of_node(call_with_root) if case.split("/")[0] in ("ticks", "microtasks")]
    check_round_trip(call_with_root, cases[::8], tmp_path, capsys)


@pytest.mark.long
def test_every_case_of_node_comes_back_as_it_was(call_with_root, tmp_path, capsys):
    check_round_trip(call_with_root, cases_of_node(call_with_root), tmp_path, capsys)
