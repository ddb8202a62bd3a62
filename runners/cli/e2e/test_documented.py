"""Loops that are held to their documentation: the reference loop gives exactly the orders that each of them promises.

What the real ones do is in adapters/shared."""

import json

import pytest
import yaml


@pytest.fixture(scope="module")
def families(root):
    profiles = [yaml.safe_load(file.read_text(encoding="utf-8")) for file in (root / "spec/profiles").glob("*.yaml")]
    return {profile["family"] for profile in profiles if profile.get("recipe") == "documented"}


def test_the_patterns_are_what_the_model_allows(call):
    result = call("lint", "documented", "--format=json")
    assert result.returncode == 0, result.stdout + result.stderr
    compared = [profile for case in json.loads(result.stdout)["cases"] for profile in case["profiles"]]
    assert len(compared) >= 90 and {profile["agreement"] for profile in compared} == {"agrees"}


def test_every_family_can_be_run_and_is_judged(call, families):
    assert len(families) >= 9
    for family in families:
        result = call("run", "documented", "--impl=ref,ref:real", f"--as={family}", "--format=json")
        assert result.returncode == 0, result.stdout + result.stderr
        assert {entry["verdict"] for entry in json.loads(result.stdout)["results"]} <= {"pass", "inconclusive"}


def test_a_broken_promise_is_noticed(call, families):
    for family in families:
        result = call("mutants", "documented", f"--family={family}", "--format=json")
        assert result.returncode == 0, result.stdout + result.stderr
