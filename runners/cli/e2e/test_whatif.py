"""conform whatif: what another value of a rule would change."""

import json


def test_names_the_cases_and_clauses_that_change(call, validate):
    ended = call("whatif", "immediate-drain=after-batch", "--profile=node@24", "--format=json")
    assert ended.returncode == 0, ended.stderr
    found = json.loads(ended.stdout)
    validate(found, "whatif")
    # The mutant is killed by the cases that change.
    mutant = call("mutants", "--rule=immediate-drain=after-batch", "--format=json")
    kills = {kill["case"] for one in json.loads(mutant.stdout)["mutants"] for kill in one["kills"]}
    changed = {one["case"] for one in found["cases"] if one["effect"] in ("fails", "may-fail")}
    assert kills & changed
    assert "drain.after-each-callback" in {one["clause"] for one in found["clauses"]}
    assert found["asked"] > 300 > len(found["cases"])


def test_a_release_with_the_value_gives_the_orders_that_were_predicted(call):
    found = json.loads(call("whatif", "immediate-drain=after-batch", "--case=drain", "--format=json").stdout)
    one = next(one for one in found["cases"] if one["effect"] == "fails")
    shown = call("explore", one["case"], "--profile=node@10", "--format=json")
    assert one["after"][0] in [run["order"] for run in json.loads(shown.stdout)["runs"]]


def test_judges_results_again(call, tmp_path, validate):
    file = tmp_path / "old.jsonl"
    ran = call("run", "drain/between-immediates", "--impl=ref", "--as=node@24", f"--output={file}")
    assert ran.returncode == 0, ran.stdout + ran.stderr
    ended = call("whatif", "immediate-drain=after-batch", "--profile=node@24", f"--runs={file}", "--format=json")
    found = json.loads(ended.stdout)
    validate(found, "whatif")
    assert found["judged_again"] == 1
    assert [(one["before"], one["after"]) for one in found["results"]] == [("pass", "fail")]


def test_says_what_the_change_means(call):
    ended = call("whatif", "tick-order=newest-first", "--case=ticks", "--limit=1")
    assert ended.returncode == 0, ended.stderr
    assert "with tick-order=newest-first\n" in ended.stdout
    assert "the newest tick runs first" in ended.stdout
    assert "would fail on any machine" in ended.stdout


def test_an_unknown_rule_or_value_is_answered_with_the_nearest(call):
    ended = call("whatif", "tick-oder=newest-first")
    assert (ended.returncode, ended.stdout) == (2, "")
    assert "did you mean 'tick-order'?" in ended.stderr
    ended = call("whatif", "tick-order=newest-frist")
    assert ended.returncode == 2 and "did you mean 'newest-first'?" in ended.stderr
    ended = call("whatif", "tick-order=oldest-first")
    assert ended.returncode == 2 and "already has tick-order=oldest-first" in ended.stderr
