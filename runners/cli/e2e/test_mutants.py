"""conform mutants: the catalogue notices a loop that is wrong, and says which case does."""

import json
import re

TICKS = """title: Ticks run in the order in which they were scheduled
clauses: [ticks.first-in-first-out]
why: It is a queue.
program:
  - tick A
  - tick B
expect: {node: A B}
"""


def test_a_deviation_is_killed_by_a_case_that_shows_it(call):
    ended = call("mutants", "--rule=tick-order", "--format=json")
    assert ended.returncode == 0, ended.stdout + ended.stderr
    (mutant,) = json.loads(ended.stdout)["mutants"]
    assert mutant["state"] == "killed"
    (kill,) = mutant["kills"]
    shown = call("explore", kill["case"], f"--profile={kill['profile']}", "--format=json")
    assert shown.returncode == 0, shown.stderr
    assert kill["order"] not in [one["order"] for one in json.loads(shown.stdout)["runs"]]


def test_a_mutant_that_no_case_asks_about_survives(call):
    ended = call("mutants", "drain/between-timers", "--rule=close-callbacks=same-phase")
    assert ended.returncode == 1
    assert "survives  libuv:close-callbacks=same-phase" in ended.stdout
    assert "clause: close.nested-waits" in ended.stdout
    assert "0 killed of 1, 0 equivalent, 1 survive" in ended.stdout


def test_a_rule_is_tried_in_every_stretch_of_versions(call):
    ended = call("mutants", "--rule=immediate-drain", "--format=json")
    assert ended.returncode == 0, ended.stdout + ended.stderr
    ids = {one["mutant"] for one in json.loads(ended.stdout)["mutants"]}
    assert {"node:immediate-drain=between@0.10.48", "node:immediate-drain=after-batch@11.0.0"} <= ids


def test_an_entry_for_a_mutant_that_is_killed_is_an_error(call, home):
    entry = "equivalent:\n  - {family: node, rule: tick-order, reason: none}\n"
    (home / "spec/mutants.yaml").write_text(entry, encoding="utf-8")
    (home / "cases/main/ticks.yaml").write_text(TICKS, encoding="utf-8")
    ended = call("mutants", "main/ticks", "--rule=tick-order", home=home)
    assert ended.returncode == 1
    assert "spec/mutants.yaml calls it equivalent" in ended.stdout


def test_an_entry_says_why_and_only_what_is_known(call, home):
    file = home / "spec/mutants.yaml"
    file.write_text("equivalent:\n  - {family: node, rule: x}\n", encoding="utf-8")
    ended = call("mutants", "--rule=tick-order", home=home)
    assert ended.returncode == 2 and "mutants.yaml:2:5: the entry has no 'reason'" in ended.stderr
    file.write_text("equivalent:\n  - {family: node, rul: x, reason: y}\n", encoding="utf-8")
    ended = call("mutants", "--rule=tick-order", home=home)
    assert ended.returncode == 2 and "did you mean 'rule'" in ended.stderr


def test_a_name_that_is_unknown_brings_the_nearest(call):
    ended = call("mutants", "--rule=tick-oder")
    assert ended.returncode == 2 and "did you mean 'tick-order'" in ended.stderr
    ended = call("mutants", "--rule=tick-order=newest-frist")
    assert ended.returncode == 2 and "did you mean 'newest-first'" in ended.stderr


def test_a_case_that_kills_nothing_is_kept_for_a_reason(call, home):
    case = home / "cases/main/nothing-to-see.yaml"
    text = "title: Nothing happens\nclauses: [ticks.first-in-first-out]\nwhy: x\nprogram:\n  - log A\nexpect: A\n"
    case.write_text(text, encoding="utf-8")
    (home / "cases/main/ticks.yaml").write_text(TICKS, encoding="utf-8")
    asked = ("mutants", "main/nothing-to-see", "main/ticks", "--rule=tick-order", "--needed")
    ended = call(*asked, home=home)
    assert ended.returncode == 1, ended.stdout + ended.stderr
    assert "not needed  main/nothing-to-see  kills no mutant" in ended.stdout
    kept = "kept:\n  - for: the sake of the argument\n    cases: [main/nothing-to-see]\n"
    (home / "spec/mutants.yaml").write_text(kept, encoding="utf-8")
    ended = call(*asked, home=home)
    assert ended.returncode == 0, ended.stdout
    assert "1 needed for a mutant or a clause, 1 kept for another reason, 0 for nothing" in ended.stdout


def test_every_case_is_needed_or_says_what_else_it_is_for(call, validate):
    # For a new case, `conform mutants --needed --record=spec/needed.yaml` finds out what it is needed for.
    ended = call("mutants", "--needed", "--recorded", "--format=json")
    found = json.loads(ended.stdout)
    validate(found, "needed")
    idle = [one["case"] for one in found["cases"] if "need" not in one and not one["for"]]
    assert ended.returncode == 0, (idle, found["problems"])


def test_what_is_recorded_has_to_be_true(call, home):
    for name in ("ticks", "again"):
        (home / f"cases/main/{name}.yaml").write_text(TICKS, encoding="utf-8")
    needed, kept = home / "spec/needed.yaml", home / "spec/mutants.yaml"
    asked = ("mutants", "--needed", "--recorded")
    needed.write_text("main/ticks: node:tick-order=newest-first\n", encoding="utf-8")
    kept.write_text("kept:\n  - {for: the argument, cases: [main/again]}\n", encoding="utf-8")
    ended = call(*asked, "main/ticks", "main/again", home=home)
    assert ended.returncode == 0, ended.stdout + ended.stderr
    needed.write_text("main/ticks: node:immediate-order=newest-first\n", encoding="utf-8")
    ended = call(*asked, "main/ticks", home=home)
    assert ended.returncode == 1
    assert "main/ticks is recorded for `node:immediate-order=newest-first`, which it does not kill" in ended.stdout
    needed.write_text("main/again: node:tick-order=newest-first\nmain/gone: clause x\n", encoding="utf-8")
    ended = call(*asked, home=home)
    assert ended.returncode == 1
    assert "not needed  main/ticks" in ended.stdout
    assert "mutants.yaml keeps main/again, which is needed for `node:tick-order=newest-first`" in ended.stdout
    assert "needed.yaml: main/gone is not a case" in ended.stdout


def test_the_mutants_of_a_rule_are_all_killed(call, validate):
    # A part: the whole is `conform mutants`, and takes minutes.
    ended = call("mutants", "--rule=drain", "--format=json")
    found = json.loads(ended.stdout)
    validate(found, "mutants")
    assert ended.returncode == 0, [one["mutant"] for one in found["mutants"] if one["state"] == "survives"]
    assert found["killed"] == len(found["mutants"]) > 10


def test_the_readme_tells_of_all_mutants_that_there_are(call, root):
    mutants = re.findall(r"^\S+$", call("mutants", "--list").stdout, re.MULTILINE)
    readme = " ".join((root / "README.md").read_text(encoding="utf-8").split())
    said = re.search(r"Of (\d+) mutants, (\d+) are killed, (\d+) are shown to be equivalent and (\d+) survive", readme)
    assert said, "README.md does not give the score"
    of, killed, equivalent, survive = (int(number) for number in said.groups())
    assert of == len(mutants) == killed + equivalent + survive
