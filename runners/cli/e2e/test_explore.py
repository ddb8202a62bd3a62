"""conform explore"""

import json
import re
import resource
import shlex
import subprocess

import pytest

REPLAY = re.compile(r"^ +conform (explore .*)$", re.MULTILINE)
RACE = "program:\n  - timeout A 0\n  - immediate B\nexpect:\n  node: A B | B A\n"
IN_FILE = "program:\n  - file F:\n      - timeout A 0\n      - immediate B\nexpect:\n  node: F B A\n"


def orders(text):
    return re.findall(r"^ +\d+\. (.*)$", text, re.MULTILINE)


def test_a_timeout_and_an_immediate_have_both_orders_in_the_main_script(call, write):
    ended = call("explore", write("race.yaml", RACE))
    assert ended.returncode == 0, ended.stderr
    assert orders(ended.stdout) == ["A B", "B A"]
    assert "on time:  2 orders" in ended.stdout and "late:     2 orders" in ended.stdout


def test_inside_a_callback_of_the_pool_only_the_immediate_comes_first(call, write):
    ended = call("explore", write("file.yaml", IN_FILE))
    assert ended.returncode == 0
    assert orders(ended.stdout) == ["F B A"]
    assert "on time:  1 order\n" in ended.stdout and "late:     1 order\n" in ended.stdout


def test_each_order_is_explained_by_events_and_clauses(call, write):
    text = call("explore", write("file.yaml", IN_FILE)).stdout
    assert re.search(r"^ +\d+ +poll +F +\S+\.\S+$", text, re.MULTILINE)
    assert re.search(r"^ +\d+ +check +B +(\S+\.\S+)$", text, re.MULTILINE)
    clause = re.search(r"^ +\d+ +check +B +(\S+)$", text, re.MULTILINE).group(1)
    assert re.search(rf"^{re.escape(clause)}\n    \S", text, re.MULTILINE)


# Method: programs with and without choices, as a file, a case and a text; on time and late; by a profile of one's own.
@pytest.mark.parametrize(
    "arguments, expected",
    [
        (["race.yaml"], ["A B", "B A"]),
        (["race.yaml", "--late"], ["A B", "B A"]),
        (["race.yaml", "--profile=my own.yaml"], ["A B", "B A"]),
        (["drain/between-timers", "--profile=node@24"], ["A T P B"]),
        (["drain/between-timers", "--profile=node@24", "--late"], ["A T P B"]),
        (["-e", "then P; tick T"], ["T P"]),
        (["-e", "idle A x2; timeout B 0"], ["B A A"]),
    ],
)
def test_the_printed_command_replays_each_order(call, write, tmp_path, arguments, expected):
    write("race.yaml", RACE)
    write("my own.yaml", "base: node@24\nrules:\n  immediate-drain: after-batch\n")
    text = call("explore", *arguments, cwd=tmp_path).stdout
    replayed = [call(*shlex.split(command), cwd=tmp_path) for command in REPLAY.findall(text)]
    assert [orders(one.stdout) for one in replayed] == [[order] for order in expected], [one.stderr for one in replayed]


def test_a_path_for_a_run_without_choices_is_answered(call):
    ended = call("explore", "drain/between-timers", "--path=0")
    assert ended.returncode == 2 and "the path has 1 choice, but the run has only 0 choices" in ended.stderr


def test_the_same_path_gives_the_same_bytes(call, write):
    file = write("race.yaml", RACE)
    assert call("explore", file, "--path=1").stdout == call("explore", file, "--path=1").stdout


def test_the_profile_decides(call):
    older = call("explore", "drain/between-timers", "--profile=node@10").stdout
    newer = call("explore", "drain/between-timers", "--profile=node@11").stdout
    assert orders(older) != orders(newer)
    assert "on node@10.24.1" in older


def test_late_lists_what_takes_lateness_and_says_so(call, write):
    file = write("x.yaml", "program:\n  - timeout A 10\n  - timeout B 1\nexpect:\n  node: B A\n")
    on_time, late = call("explore", file), call("explore", file, "--late")
    assert orders(on_time.stdout) == ["B A"]
    assert orders(late.stdout) == ["A B", "B A"]
    assert late.stdout.count("only when something is late") == 1


def test_an_incomplete_set_names_its_limit(call, write):
    ended = call("explore", write("x.yaml", "program:\n  - tick T x1000000\nexpect:\n  node: T*\n"), timeout=120)
    assert ended.returncode == 3
    assert "not complete: the limit on callbacks in one run was hit" in ended.stdout


def test_the_limit_cuts_the_list_and_says_so(call, write):
    files = "".join(f"  - file F{n}\n" for n in range(3))
    file = write("x.yaml", "program:\n" + files + "expect:\n  node: F0 & F1 & F2\n")
    ended = call("explore", file, "--limit=2")
    assert len(orders(ended.stdout)) == 2
    assert "2 of 6 orders are listed" in ended.stdout


def test_json_is_as_the_schema_says(call, validate, write):
    for options in ([], ["--late"], ["--path=1"]):
        ended = call("explore", write("race.yaml", RACE), "--format=json", *options)
        assert ended.returncode == 0
        report = json.loads(ended.stdout)
        validate(report, "explore")
        assert ["B", "A"] in [run["order"] for run in report["runs"]]
    without_choices = json.loads(call("explore", "-e", "tick T", "--format=json").stdout)
    validate(without_choices, "explore")
    assert without_choices["runs"][0]["path"] == ""


def test_what_cannot_be_explored_is_bad_input(call, write):
    race = write("race.yaml", RACE)
    for arguments, message in [
        (["--path=5"], "alternatives"),
        (["--path=x"], "'x' is not a choice"),
        (["--path=0,0,0,0,0,0,0,0,0"], "has only"),
        (["--profile=libuv@99"], "is not known"),
        (["--profile=noed"], "did you mean 'node'?"),
    ]:
        ended = call("explore", race, *arguments)
        assert ended.returncode == 2 and message in ended.stderr, ended.stderr
    several = call("explore", "main/")
    assert several.returncode == 2 and "name one" in several.stderr
    tick = call("explore", write("t.yaml", "program:\n  - tick T\nexpect: T\n"), "--profile=libuv")
    assert tick.returncode == 2 and "has no tick" in tick.stderr


def test_a_program_can_be_typed_instead_of_a_file(call):
    ended = call("explore", "-e", "timeout A 0; immediate B", "--profile=node@24")
    assert ended.returncode == 0, ended.stderr
    assert orders(ended.stdout) == ["A B", "B A"]
    assert "on libuv@" in call("explore", "-e", "idle A x1; timeout B 0").stdout


def test_what_keeps_a_loop_alive_for_ever_is_a_clause_of_its_family(call):
    for program, profile in [("wake W", "libuv"), ("signal S", "libuv"), ("promise P; await A of P", "node@24")]:
        text = call("explore", "-e", program, f"--profile={profile}").stdout
        assert "exit.code" not in text, text
    assert re.search(r"exit +exit=never +liveness.ref-counts$", call("explore", "-e", "wake W").stdout, re.MULTILINE)


def test_a_typed_program_with_a_mistake_is_answered_with_its_column(call):
    ended = call("explore", "-e", "timeout A 0; imediate B")
    assert ended.returncode == 2
    assert ended.stderr == "conform: -e:1:14: unknown op 'imediate' (did you mean 'immediate'?)\n"
    nothing = call("explore")
    assert nothing.returncode == 2 and "explore needs a case" in nothing.stderr


def test_a_program_needs_no_expectation_to_be_explored(call, write):
    ended = call("explore", write("bare.yaml", "program:\n  - tick A\n  - then B\n"))
    assert ended.returncode == 0, ended.stderr
    assert orders(ended.stdout) == ["A B"]
    linted = call("lint", write("bare.yaml", "program:\n  - tick A\n"))
    assert linted.returncode != 0 and "'expect' is missing" in linted.stderr + linted.stdout


def test_the_program_is_shown_in_the_names_of_the_api(call):
    assert "setImmediate(function () { log('B'); });" in call("explore", "-e", "timeout A 0; immediate B").stdout
    assert "uv_idle_start(" in call("explore", "-e", "idle A x1; timeout B 0", "--as=libuv").stdout
    assert "call_later(5 / 1000, on_A)" in call("explore", "-e", "timeout A 5", "--as=asyncio").stdout


def test_orders_outside_the_expectation_are_marked(call, write):
    wrong = write("wrong.yaml", RACE.replace("A B | B A", "A B"))
    text = call("explore", wrong).stdout
    assert text.count("outside the expectation") == 1
    assert "  2. B A\n     outside the expectation\n     differs from 1 at label 1: B, by check.immediates-" in text
    runs = json.loads(call("explore", wrong, "--format=json").stdout)["runs"]
    assert [run["expected"] for run in runs] == [True, False]
    assert runs[1]["differs"] == {"from": 0, "label": 0, "clause": "check.immediates-after-poll"}


def test_a_long_chain_needs_no_deep_stack(conform):
    """Goal: the states of a run, each of which continues from the one before it, are let go one by one."""

    def with_a_small_stack():
        resource.setrlimit(resource.RLIMIT_STACK, (256 << 10, 256 << 10))

    words = [conform, "explore", "-e", "timeout A 0 x20000", "--profile=node@24"]
    ended = subprocess.run(words, capture_output=True, encoding="utf-8", preexec_fn=with_a_small_stack, timeout=120)
    assert ended.returncode == 0, ended.stderr
