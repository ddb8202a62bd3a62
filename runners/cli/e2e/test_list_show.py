"""conform list and conform show"""

import json
import re
import subprocess

import pytest


def test_cases_are_listed_with_their_titles(call):
    ended = call("list")
    assert ended.returncode == 0
    assert ended.stdout == call("list", "cases").stdout
    assert any(line.startswith("main/timeout-against-immediate ") for line in ended.stdout.splitlines())


def test_clauses_are_listed_with_level_cases_and_coverage(call):
    ended = call("list", "clauses")
    assert ended.returncode == 0
    assert ended.stdout.splitlines()[-1].endswith("MUST clauses have a case (100.0 %)")


def test_implementations_and_profiles_are_listed(call):
    assert "ref:real" in call("list", "impls").stdout
    profiles = call("list", "profiles").stdout
    assert "\nlibuv " in profiles and "\nnode " in profiles


@pytest.mark.parametrize("what", ["cases", "impls", "clauses", "profiles"])
def test_json_of_lists_is_as_the_schema_says(call, validate, what):
    ended = call("list", what, "--format=json")
    assert ended.returncode == 0
    value = json.loads(ended.stdout)
    validate(value, "list")
    assert value[what]


def test_cases_are_as_the_schema_says(call, validate, root):
    """As many cases as it takes to see every key and every word of the language that the catalogue uses."""
    cases = json.loads(call("list", "cases", "--format=json").stdout)["cases"]
    seen, chosen = set(), []
    for case in cases:
        text = (root / f"cases/{case['id']}.yaml").read_text(encoding="utf-8")
        keys = re.findall(r"^\w+:", text, re.MULTILINE)
        steps = text[text.index("\nprogram:") : text.index("\nexpect:")] if "\nprogram:" in text else ""
        words = {*keys, *re.findall(r"\b[a-z][\w-]*\b", steps)}
        if not words <= seen:
            seen |= words
            chosen.append(case)
    assert 20 < len(chosen) < len(cases) and {"tick", "timeout", "promise", "native:"} <= seen
    for case in chosen:
        shown = json.loads(call("show", case["id"], "--format=json").stdout)
        validate(shown, "show")
        assert shown["case"]["content_hash"] == case["content_hash"]


def test_a_case_is_shown_with_all_that_is_said_of_it(call):
    text = call("show", "main/timeout-against-immediate").stdout
    for part in (
        "main/timeout-against-immediate\n",
        "timers.threshold  MUST",
        "program:\n  - timeout A 0\n  - immediate I\n",
        "expect:\n  node: A I | I A\n",
        "A delay of 0 means 1 ms.",
    ):
        assert part in text, text
    assert all(len(line) <= 80 for line in text.splitlines())


def test_a_native_case_is_shown_and_explored_by_its_model(call):
    shown = call("show", "streams/destroy-with-error").stdout
    assert "native: destroy-with-error.cjs\n" in shown
    assert "model:\n  node >=10:\n    - tick error:\n        - log close\n" in shown
    explored = call("explore", "streams/destroy-with-error", "--profile=node@8").stdout
    assert "late:     1 order\n" in explored and "1. after error tick promise\n" in explored


def test_the_program_that_is_shown_can_be_run_again(call, write):
    shown = call("show", "drain/between-timers").stdout
    program = shown[shown.index("program:") : shown.index("expect:")]
    file = write("again.yaml", program + "expect:\n  node >=11: A T P B\n  node <11: A B T P\n")
    assert call("lint", file).returncode == 0


@pytest.mark.parametrize("language, sign", [("js", "setTimeout("), ("python", "asyncio"), ("c", "uv_timer_start(")])
def test_a_case_becomes_a_program(call, write, language, sign):
    file = write("x.yaml", "title: Two timers\nprogram:\n  - timeout A 1\n  - timeout B 1\nexpect: A B\n")
    ended = call("show", file, f"--as={language}")
    if language == "python" and ended.returncode == 2:
        assert "asyncio has no" in ended.stderr
        return
    assert ended.returncode == 0, ended.stderr
    assert sign in ended.stdout and "Two timers" in ended.stdout


def test_the_program_in_python_runs_alone(call, write, tmp_path):
    file = write("x.yaml", "program:\n  - soon A\n  - soon B\nexpect: A B\n")
    ended = call("show", file, "--as=python")
    assert ended.returncode == 0, ended.stderr
    script = tmp_path / "x.py"
    script.write_text(ended.stdout, encoding="utf-8")
    ran = subprocess.run(["/usr/bin/python3", script], capture_output=True, text=True, timeout=60)
    assert ran.stdout.split() == ["A", "B"]


def test_what_a_language_has_not_is_bad_input_with_its_name(call, write):
    ended = call("show", write("x.yaml", "program:\n  - tick T\nexpect: T\n"), "--as=c")
    assert ended.returncode == 2 and "libuv has no tick" in ended.stderr and ended.stdout == ""


def test_a_clause_is_shown_with_the_cases_about_it(call, validate):
    text = call("show", "timers.deadline-order").stdout
    assert text.startswith("timers.deadline-order  MUST · node, libuv\n") and "timers/by-delay\n" in text
    value = json.loads(call("show", "timers.deadline-order", "--format=json").stdout)
    validate(value, "show")
    assert "timers/by-delay" in value["cases"]
    assert call("show", "timers.deadline-order", "--as=js").returncode == 2


def test_a_clause_is_shown_in_the_width_of_a_terminal(call):
    for clause in ("close.after-check", "documented.priorities"):
        lines = call("show", clause).stdout.splitlines()
        assert max(map(len, lines)) <= 80, lines
    assert any(line.startswith("- libev: ") for line in lines) and any(line.startswith("  ") for line in lines)


def test_list_takes_words_and_api_names(call):
    everything = call("list").stdout.splitlines()
    found = call("list", "setImmediate", "close").stdout.splitlines()
    assert 0 < len(found) < len(everything)
    assert {line.split()[0] for line in found} <= {line.split()[0] for line in everything}
    assert call("list", "cases", "setImmediate", "close").stdout.splitlines() == found
    clauses = call("list", "clauses", "deadline").stdout
    assert "timers.deadline-order" in clauses and "ticks.before-microtasks" not in clauses
    assert [line.split()[0] for line in call("list", "impls", "qt6").stdout.splitlines()] == ["qt6", "qt6-unix"]


def test_show_takes_a_program(call):
    done = call("show", "-e", "timeout A 0; immediate B", "--as=js")
    assert done.returncode == 0 and "setImmediate(function () { log('B'); });" in done.stdout
    assert "expected" not in done.stdout


def test_help_and_version_are_commands_too(call):
    assert call().stdout == call("help").stdout == call("--help").stdout != ""
    assert call("help", "run").stdout == call("run", "--help").stdout
    assert call("version").stdout == call("--version").stdout
