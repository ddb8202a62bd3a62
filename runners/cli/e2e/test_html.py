"""conform on the HTML profile: the cases hold on the reference loop, in virtual time and for real."""

import json

import pytest


@pytest.mark.parametrize("implementation, may_be", [("ref", {"pass"}), ("ref:real", {"pass", "inconclusive"})])
def test_the_cases_hold_on_the_reference_loop(call, implementation, may_be):
    result = call("run", f"--impl={implementation}", "--as=html", "--format=json")
    assert result.returncode == 0, result.stdout + result.stderr
    verdicts = [entry["verdict"] for entry in json.loads(result.stdout)["results"]]
    assert len(verdicts) > 60 and set(verdicts) <= may_be


def test_what_the_standard_leaves_open_is_a_choice(call):
    said = call("explore", "html/timer-against-message", "--profile=html").stdout
    assert "on time:  2 orders" in said
    assert "timer A (1 of 2)" in said and "message M (2 of 2)" in said
