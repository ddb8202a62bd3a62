"""conform search"""

import json

import pytest


@pytest.mark.parametrize(
    "name",
    ["setImmediate", "process.nextTick", "nextTick()", "queueMicrotask", "uv_idle_start", "call_soon", "Promise.race"],
)
def test_finds_cases_by_what_loops_call_a_step(call, name):
    ended = call("search", name)
    assert ended.returncode == 0
    assert not ended.stdout.endswith("\n0 cases, 0 clauses\n")


def test_what_is_about_a_name_comes_first(call):
    found = json.loads(call("search", "setImmediate", "--format=json").stdout)["cases"]
    assert all("mmediate" in case["title"] or "mmediate" in case["id"] for case in found[:10]), found[:10]


def test_finds_a_native_case_by_a_name_in_its_file(call):
    found = json.loads(call("search", "createReadStream", "--format=json").stdout)
    assert any(case["id"].startswith("streams/") for case in found["cases"])


def test_finds_words_of_titles_and_clauses(call):
    ended = call("search", "drained", "callback")
    assert ended.returncode == 0
    assert "drain.after-each-callback  MUST\n" in ended.stdout


def test_every_word_has_to_match(call):
    ended = call("search", "uv_idle_start", "queueMicrotask")
    assert ended.returncode == 2
    assert "no case and no clause matches all of these words" in ended.stderr


def test_an_unknown_name_is_answered_with_the_nearest(call):
    ended = call("search", "setImediate")
    assert (ended.returncode, ended.stdout) == (2, "")
    assert "did you mean 'setImmediate'?" in ended.stderr


def test_lists_as_many_as_wanted_and_counts_the_rest(call):
    ended = call("search", "setTimeout", "--limit=1")
    assert ended.stdout.count("    ") < 10
    assert "more cases\n" in ended.stdout


def test_json_is_as_the_schema_says(call, validate):
    ended = call("search", "immediate", "--format=json")
    assert ended.returncode == 0
    value = json.loads(ended.stdout)
    validate(value, "search")
    assert value["cases"] and value["clauses"]
