"""conform lint: the hand-written pattern is the set that the model computes."""

import json
import re

import pytest


def change(file, old, new):
    text = file.read_text(encoding="utf-8")
    assert old in text
    file.write_text(text.replace(old, new, 1), encoding="utf-8")


def rule_in(profile, name):
    """The lines of one rule."""
    return re.search(rf"(?ms)^  {name}:.*?(?=^  \S)", profile.read_text(encoding="utf-8")).group(0)


def test_the_catalogue_is_clean(call):
    ended = call("lint")
    assert ended.returncode == 0, ended.stdout + ended.stderr
    assert re.search(r" 0 disagree, 0 incomplete", ended.stdout)
    have, all_of_them = re.search(r"(\d+) of (\d+) MUST clauses have a case", ended.stdout).groups()
    assert have == all_of_them and int(have) > 80


def test_a_copy_is_clean_until_it_is_changed(call, home):
    assert call("lint", "main/", "drain/", home=home).returncode == 0


def test_a_changed_expectation_is_found_with_an_order_of_each_side(call, home):
    change(home / "cases/drain/between-timers.yaml", "node >=11: A T P B", "node >=11: A P T B")
    ended = call("lint", "drain/", home=home)
    assert ended.returncode == 1
    assert "disagrees  drain/between-timers  node@11.0.0" in ended.stdout
    assert "the model allows `A T P B`, the pattern does not" in ended.stdout
    assert "the pattern allows `A P T B`, the model does not" in ended.stdout


def test_a_pattern_that_leaves_one_order_out_is_found(call, home):
    change(home / "cases/main/timeout-against-immediate.yaml", "A I | I A", "A I")
    ended = call("lint", "main/timeout-against-immediate", home=home)
    assert ended.returncode == 1
    assert "the model allows `I A`, the pattern does not" in ended.stdout
    assert "the pattern allows" not in ended.stdout


def test_a_moved_boundary_of_a_rule_is_found(call, home):
    profile = home / "spec/profiles/node.yaml"
    rule = rule_in(profile, "immediate-drain")
    assert '"<11"' in rule and '">=11"' in rule
    change(profile, rule, rule.replace("11", "12"))
    ended = call("lint", "drain/between-immediates", home=home)
    assert ended.returncode == 1, ended.stdout + ended.stderr
    assert "disagrees  drain/between-immediates  node@11.0.0" in ended.stdout


def test_a_profile_without_a_rule_that_the_model_needs_is_bad_input(call, home):
    profile = home / "spec/profiles/node.yaml"
    change(profile, rule_in(profile, "immediate-drain"), "")
    ended = call("lint", "main/", home=home)
    assert ended.returncode == 2
    assert "node.yaml" in ended.stderr and "immediate-drain" in ended.stderr


def test_an_unknown_clause_is_found_with_its_place_and_the_nearest_name(call, home):
    change(home / "cases/main/timeout-against-immediate.yaml", "timers.threshold", "timers.treshold")
    ended = call("lint", "main/", home=home)
    assert ended.returncode == 1
    assert re.search(r"timeout-against-immediate\.yaml:2:\d+: there is no clause 'timers.treshold'", ended.stdout)
    assert "did you mean 'timers.threshold'?" in ended.stdout


def test_a_must_clause_without_a_case_is_found(call, home):
    with (home / "spec/03-timers.md").open("a", encoding="utf-8") as chapter:
        chapter.write("\n### timers.nobody-asks\n**MUST** · node\n\nNobody asks.\n")
    ended = call("lint", home=home)
    assert ended.returncode == 1
    assert "the MUST clause 'timers.nobody-asks' has no case" in ended.stdout


def test_an_unknown_profile_is_found_with_the_nearest_name(call, home):
    change(home / "cases/main/timeout-against-immediate.yaml", "  node: ", "  noed: ")
    ended = call("lint", "main/", home=home)
    assert ended.returncode == 1
    assert "there is no profile 'noed'" in ended.stdout and "did you mean 'node'?" in ended.stdout


def test_agreement_with_no_version_at_all_is_a_problem(call, write):
    ended = call("lint", write("x.yaml", "title: x\nprogram:\n  - file F as promis\nexpect: F\n"))
    assert ended.returncode == 1
    assert "no known version of any profile can run the case" in ended.stdout


def test_an_unreadable_case_is_bad_input_and_the_others_are_linted(call, home):
    (home / "cases/main/broken.yaml").write_text("program:\n  - timeuot A 0\nexpect: A\n", encoding="utf-8")
    ended = call("lint", "main/", home=home)
    assert ended.returncode == 2
    assert "broken.yaml:2:" in ended.stderr and "did you mean 'timeout'?" in ended.stderr
    assert re.search(r"^\d+ cases", ended.stdout, re.MULTILINE)


def test_a_case_beyond_the_limits_is_reported_by_the_limit(call, write):
    ended = call("lint", write("x.yaml", "program:\n  - tick T x1000000\nexpect:\n  node: T*\n"), timeout=120)
    assert ended.returncode == 3
    assert "the limit on callbacks in one run was hit" in ended.stdout


# Goal: a pattern with more interleavings than anybody could list is compared, or refused by a limit. Method: fourteen
# callbacks in any order, which is 14! orders of a program that has one; then twenty.
@pytest.mark.parametrize(
    ("count", "code", "said"), [(14, 1, "the pattern allows `L0 L1 L10"), (20, 2, "needs more than 1000000 states")]
)
def test_a_pattern_with_many_interleavings_comes_to_an_end(call, write, count, code, said):
    names = [f"L{number}" for number in range(count)]
    program = "".join(f"  - immediate {name}\n" for name in names)
    ended = call("lint", write("x.yaml", f"program:\n{program}expect:\n  node: {' & '.join(names)}\n"))
    assert ended.returncode == code and said in ended.stdout + ended.stderr, ended


def test_sizes_are_told_on_request(call):
    ended = call("lint", "main/timeout-against-immediate", "--sizes")
    assert ended.returncode == 0
    assert re.search(r"^main/timeout-against-immediate +2 +2$", ended.stdout, re.MULTILINE)


def test_json_is_as_the_schema_says(call, validate, home):
    change(home / "cases/main/timeout-against-immediate.yaml", "A I | I A", "A I")
    ended = call("lint", "--format=json", "--sizes", home=home)
    assert ended.returncode == 1
    report = json.loads(ended.stdout)
    validate(report, "lint")
    wrong = [case for case in report["cases"] if case["agreement"] == "disagrees"]
    assert [case["case"] for case in wrong] == ["main/timeout-against-immediate"]
    assert wrong[0]["profiles"][0]["only_model"] == ["I", "A"]


def test_one_job_and_many_say_the_same(call):
    assert call("lint", "drain/", "--jobs=1").stdout == call("lint", "drain/", "--jobs=8").stdout
