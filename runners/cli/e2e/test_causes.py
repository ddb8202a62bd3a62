"""conform causes: from failing cases to the rules behind them."""

import json

import pytest


def run_as_node_10(call, folder, *cases):
    """What Node 10 does, by the reference loop."""
    file = folder / "old.jsonl"
    ended = call("run", *cases, "--impl=ref", "--as=node@10", f"--output={file}")
    assert ended.returncode == 0, ended.stdout + ended.stderr
    return file


@pytest.fixture(scope="module")
def old(call, tmp_path_factory):
    return run_as_node_10(call, tmp_path_factory.mktemp("old"), "drain", "ticks", "immediates", "timers")


def test_an_older_release_is_explained_by_the_rules_that_changed(call, validate, old):
    ended = call("causes", old, "--as=node@24", "--format=json")
    assert ended.returncode == 1, ended.stderr
    found = json.loads(ended.stdout)
    validate(found, "causes")
    assert found["failing"] > 3
    assert not found["unexplained"] and not found["contradicted"]
    rules = {cause["change"]["rule"] for cause in found["causes"]}
    assert "immediate-drain" in rules
    for cause in found["causes"]:
        # Each is a value that releases had, or is indistinguishable from one.
        words = [change["words"] for change in [cause["change"], *cause["cannot_be_told_apart_from"]]]
        assert any(one.startswith("as in ") for one in words), words
        assert cause["explains"] or cause["without_delay"]


def test_the_text_names_rule_values_clause_and_program(call, tmp_path):
    old = run_as_node_10(call, tmp_path, "immediates", "drain/between-immediates")
    text = call("causes", old, "--as=node@24").stdout
    assert "cause  immediate-drain=after-batch" in text
    assert "When ticks and microtasks run among immediates: after-batch, not between\n" in text
    assert "clause: drain.after-each-callback\n" in text
    assert "smallest program:\n" in text and " --as=js\n" in text
    page = call("causes", old, "--as=node@24", "--format=markdown").stdout
    assert page.startswith("## Why `ref` fails as `node@24.21.0`\n")
    assert "Rule `immediate-drain`: `after-batch`" in page


def test_where_nothing_fails_there_is_no_cause(call, old):
    ended = call("causes", old)
    assert ended.returncode == 0, ended.stderr
    assert ended.stdout.startswith("ref, held to node@10.24.1: 0 cases with a model fail, ")


def test_results_of_several_implementations_need_a_choice(call, old, tmp_path):
    other = tmp_path / "other.jsonl"
    other.write_text(old.read_text().replace('"implementation":"ref"', '"implementation":"other@1.0.0"'))
    ended = call("causes", old, other)
    assert (ended.returncode, ended.stdout) == (2, "")
    assert "of several implementations: other@1.0.0, ref (choose one with --impl)" in ended.stderr
    assert call("causes", old, other, "--impl=other").returncode == 0


def test_results_of_older_cases_are_left_out_and_counted(call, old, tmp_path):
    older = tmp_path / "older.jsonl"
    lines = [json.loads(line) for line in old.read_text().splitlines()]
    for line in lines[1:3]:
        line["hash"] = "0" * 16
    older.write_text("".join(json.dumps(line) + "\n" for line in lines))
    assert "2 results left out: of other versions of a case\n" in call("causes", older).stdout
    for line in lines:
        if line["type"] == "result":
            line["hash"] = "0" * 16
    older.write_text("".join(json.dumps(line) + "\n" for line in lines))
    ended = call("causes", older)
    assert ended.returncode == 2 and "run the cases again" in ended.stderr


def test_needs_results_or_an_implementation(call):
    ended = call("causes")
    assert ended.returncode == 2
    assert "name results files, or an implementation to run with --impl" in ended.stderr


def test_confirming_needs_one_implementation(call, old):
    ended = call("causes", old, "--as=node@24", "--confirm")
    assert ended.returncode == 2 and "--confirm needs an implementation to run" in ended.stderr
    ended = call("causes", old, "--as=node@24", "--confirm", "--impl=ref,ref:real")
    assert ended.returncode == 2 and "names several implementations" in ended.stderr


def test_half_of_the_cases_can_be_withheld(call, validate, old):
    ended = call("causes", old, "--as=node@24", "--half=1", "--no-programs", "--format=json")
    found = json.loads(ended.stdout)
    validate(found, "causes")
    withheld = found["withheld"]
    assert withheld["seed"] == 1 and 0 < withheld["explained"] <= withheld["failing"]
    everything = json.loads(call("causes", old, "--as=node@24", "--no-programs", "--format=json").stdout)
    assert "withheld" not in everything
    assert found["failing"] + withheld["failing"] == everything["failing"]
    assert found["passing"] + withheld["passing"] == everything["passing"]
    text = call("causes", old, "--as=node@24", "--half=1", "--no-programs").stdout
    assert f"they explain {withheld['explained']} of the {withheld['failing']} that fail" in text


def test_the_report_can_be_written_to_a_file(call, old, tmp_path):
    file = tmp_path / "why.md"
    words = ["causes", old, "--as=node@24", "--no-programs", "--format=markdown"]
    ended = call(*words, f"--output={file}")
    assert (ended.returncode, ended.stdout) == (1, "")
    assert file.read_text() == call(*words).stdout
    assert call(*words, f"--output={tmp_path}/none/why.md").returncode == 3


def test_more_causes_than_may_be_are_announced(call, old):
    assert "there may be more" in call("causes", old, "--as=node@24", "--no-programs", "--causes=1").stdout
