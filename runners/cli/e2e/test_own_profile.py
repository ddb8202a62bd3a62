"""--as=./my.yaml: profiles of one's own."""

import json

import pytest

CHANGED = "base: node@24\nrules:\n  immediate-drain: after-batch\n"
CASE = "drain/between-immediates"
FAMILY = """
family: mine
title: My loop
releases: [1.0.0, 2.0.0]
recipe: documented
rules:
  timers-by-deadline:
    clause: documented.timers-by-deadline
    summary: Timers run by deadline
    values:
      - {value: kept, range: ""}
capabilities:
  timeout: ""
"""
OWN_CASE = "program:\n  - timeout A 40\n  - timeout B 1\nexpect:\n  mine: B A\n"


# Goal: changed rules are what is expected. Method: a release that has the rule as it was changed, and one that has not.
def test_a_changed_rule_changes_what_is_expected(call, write):
    mine = write("my.yaml", CHANGED)
    done = call("run", CASE, f"--as={mine},node@24", "--format=json")
    assert done.returncode == 0, done.stderr
    expected = {one["profile"]: one["expected"] for one in json.loads(done.stdout)["results"]}
    assert expected == {str(mine): "A B T P", "node@24.21.0": "A T P B"}
    assert "A B T P" in call("explore", CASE, f"--as={mine}").stdout


def test_it_is_named_where_a_result_can_be_had_again(call, write):
    mine = write("my.yaml", CHANGED.replace("after-batch", "between"))
    done = call("run", CASE, f"--as={mine}", "--format=json")
    assert f"--as={mine}" in json.loads(done.stdout)["results"][0]["reproduce"]


# Goal: no sentence accuses an order that keeps it. Method: the profile changes what the clause of the case says.
def test_a_failure_does_not_quote_what_the_profile_has_changed(call, write):
    mine = write("my.yaml", CHANGED)
    done = call("run", CASE, "--impl=node", f"--as={mine}")
    assert done.returncode == 1 and "observed: `A T P B`" in done.stdout, done.stdout + done.stderr
    assert f"drain.after-each-callback, with the rules of {mine}" in " ".join(done.stdout.split())
    assert "MUST be drained" not in done.stdout


def test_it_can_be_changed_further_and_explain_a_failure(call, write, tmp_path):
    mine = write("my.yaml", CHANGED)
    changed = call("whatif", "tick-order=newest-first", f"--profile={mine}", "--case=ticks", "--format=json")
    assert changed.returncode == 0 and json.loads(changed.stdout)["cases"], changed.stderr
    call("run", "drain", "immediates", "--impl=ref", "--as=node@24", f"--output={tmp_path}/run.jsonl")
    found = call("causes", f"{tmp_path}/run.jsonl", f"--as={mine}", "--format=json")
    causes = json.loads(found.stdout)["causes"]
    assert [cause["change"]["rule"] for cause in causes] == ["immediate-drain"], found.stderr


def test_random_programs_are_drawn_for_a_family_of_ones_own(call, write):
    mine = write("mi'ne.yaml", FAMILY)
    done = call("fuzz", "--impl=ref:real", f"--as={mine}", "--seed=1", "--count=3")
    assert done.returncode == 0 and "3 in the late set" in done.stdout, done.stdout + done.stderr


def test_a_family_of_ones_own_judges_ones_own_cases(call, write):
    mine, case = write("mine.yaml", FAMILY), write("own.yaml", OWN_CASE)
    done = call("run", case, f"--as={mine}")
    assert done.returncode == 0 and "1 pass" in done.stdout, done.stdout + done.stderr
    wrong = write("wrong.yaml", OWN_CASE.replace("mine: B A", "mine: A B"))
    assert call("run", wrong, f"--as={mine}").returncode == 1


@pytest.mark.parametrize(
    "text, message",
    [
        (CHANGED.replace("after-batch", "sometimes"), ":3:20: 'sometimes' is not a value of the rule"),
        (CHANGED.replace("immediate-drain", "imediate-drain"), ":3:3: node@24.21.0 has no rule 'imediate-drain'"),
        (CHANGED.replace("node@24", "nod@24"), ":1:7: there is no profile 'nod' (did you mean 'node'?)"),
        (CHANGED.replace("rules", "rulse"), ":2:1: "),
        ("rules: {}\n", "has no 'base'"),
        (FAMILY.replace("mine", "node"), "the family 'node' is already defined"),
        (FAMILY.replace("value: kept", "value: broken"), "broken"),
    ],
)
def test_errors_have_a_place(call, write, text, message):
    mine = write("my.yaml", text)
    done = call("run", CASE, f"--as={mine}")
    assert done.returncode == 2 and str(mine) in done.stderr and message in done.stderr, done.stderr


def test_a_file_that_is_not_there_is_named(call):
    done = call("run", CASE, "--as=./nowhere.yaml")
    assert done.returncode == 2 and "nowhere.yaml" in done.stderr
