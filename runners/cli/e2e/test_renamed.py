"""Ids that were changed: wherever an id is looked up, the old one is answered with the new one."""

import json

import pytest
import yaml

OLD, NEW = "ticks/asked-in-microtask-waits", "ticks/queued-in-microtask-waits"
ANSWER = f"'{OLD}' was renamed to '{NEW}'"


@pytest.fixture(scope="module")
def renamed(root):
    return yaml.safe_load((root / "spec/renamed.yaml").read_text(encoding="utf-8"))


@pytest.fixture
def old_results(call, tmp_path):
    """Results as they were recorded when the case had its old id."""
    file = tmp_path / "old.jsonl"
    assert call("run", NEW, "ticks/first-in-first-out", "--as=node@24", f"--output={file}").returncode == 0
    file.write_text(file.read_text().replace(NEW, OLD))
    return file


def test_the_example_is_in_the_table(renamed):
    assert renamed["cases"][OLD] == NEW


def test_every_old_id_selects_the_renamed_case(call, renamed):
    ended = call("run", "--impl=ref", "--format=json", *renamed["cases"])
    assert ended.returncode == 0, ended.stderr
    ran = {result["case"] for result in json.loads(ended.stdout)["results"]}
    assert ran == set(renamed["cases"].values())


@pytest.mark.parametrize(
    "words",
    [
        ["run", OLD, "--as=node@24"],
        ["show", OLD],
        ["show", OLD, "--as=js"],
        ["explore", OLD, "--profile=node@24"],
        ["history", OLD],
        ["verify", OLD, "--repeat=2", "--as=node@24"],
        ["lint", OLD],
        ["diff", "ref", "ref:real", f"--case={OLD}", "--as=node@24"],
    ],
    ids=lambda words: " ".join(words[:1] + words[2:]),
)
def test_an_old_id_on_the_command_line_is_answered_with_the_new_one(call, words):
    ended = call(*words)
    assert ended.returncode == 0 or words[0] == "diff", ended.stdout + ended.stderr  # a late run may differ
    assert ANSWER in ended.stderr


def test_the_new_id_is_not_remarked_upon(call):
    assert "renamed" not in call("show", NEW).stderr


def test_reports_show_old_results_under_the_new_id(call, old_results, tmp_path):
    report = tmp_path / "report.json"
    ended = call("report", old_results, f"--json={report}")
    assert ended.returncode == 0, ended.stderr
    assert ANSWER in ended.stderr
    assert NEW in report.read_text() and f'"{OLD}"' not in report.read_text()


def test_a_diff_matches_old_results_with_new_ones(call, old_results, tmp_path):
    new = tmp_path / "new.jsonl"
    assert call("run", NEW, "ticks/first-in-first-out", "--as=node@24", f"--output={new}").returncode == 0
    ended = call("diff", old_results, new)
    assert ended.returncode == 0, ended.stdout
    assert "2 the same" in ended.stdout and ANSWER in ended.stderr


def test_a_baseline_under_the_old_id_holds_and_is_updated(call, validate, write, tmp_path):
    results = tmp_path / "r.jsonl"
    assert call("run", NEW, "--impl=ref", "--as=node@24", f"--output={results}").returncode == 0
    baseline = write("known.yaml", f"# Mine.\nformat: 1\nknown:\n  ref:\n    {OLD}:\n      verdict: fail\n")
    gate = ["gate", results, f"--baseline={baseline}", "--only-what-ran"]
    ended = call(*gate)
    assert ended.returncode == 1 and "improved" in ended.stdout  # it passes, and the entry was found
    assert "was renamed to" in ended.stdout and "--update renames the entry" in " ".join(ended.stdout.split())
    found = json.loads(call(*gate, "--format=json").stdout)
    validate(found, "gate")
    assert found["findings"][0]["known"]["renamed_from"] == OLD

    inconclusive = baseline.read_text().replace("verdict: fail", "verdict: inconclusive")
    baseline.write_text(inconclusive)
    updated = call(*gate, "--update")
    assert updated.returncode == 0 and ANSWER in updated.stdout
    assert baseline.read_text() == inconclusive.replace(OLD, NEW)
    assert "renamed" not in call(*gate).stdout


def test_an_interrupted_run_is_resumed_under_the_new_id(call, old_results):
    first, *results, _ = old_results.read_text().splitlines(keepends=True)
    old_results.write_text("".join([first, *(line for line in results if OLD in line)]))
    ended = call("run", "--resume", old_results)
    assert ended.returncode == 0, ended.stderr
    assert ANSWER in ended.stderr and "2 pass" in ended.stdout


def test_an_old_clause_is_an_error_that_names_the_new_one(call, write):
    case = "clauses: [documented.cancelled-is-told]\nprogram: [tick A]\nexpect: {node: A}\n"
    ended = call("lint", write("x.yaml", case))
    assert ended.returncode == 1
    assert "(renamed to 'documented.cancellation-is-reported')" in " ".join((ended.stdout + ended.stderr).split())


@pytest.mark.parametrize(
    ("words", "now"),
    [
        (["whatif", "cancelled-is-told=open", "--profile=asio"], "cancellation-is-reported"),
        (["whatif", "handled-rejection=never-told", "--profile=html"], "handled-rejection=never-reported"),
        (["mutants", "--rule=cancelled-is-told", "--list"], "cancellation-is-reported"),
        (["mutants", "--rule=handled-rejection=told-as-unhandled"], "handled-rejection=reported-as-unhandled"),
    ],
    ids=lambda value: value[1] if isinstance(value, list) else "",
)
def test_an_old_rule_or_value_is_an_error_that_names_the_new_one(call, words, now):
    ended = call(*words)
    assert ended.returncode == 2
    assert f"(renamed to '{now}')" in " ".join(ended.stderr.split())


@pytest.mark.parametrize(
    ("text", "place", "now"),
    [
        ("base: asio\nrules:\n  cancelled-is-told: open\n", ":3:3", "cancellation-is-reported"),
        ("base: html\nrules:\n  handled-rejection: never-told\n", ":3:22", "handled-rejection=never-reported"),
        (
            "family: mine\ntitle: Mine\nrecipe: documented\nreleases: [1.0.0]\nrules:\n  cancelled-is-told:\n"
            "    clause: documented.cancellation-is-reported\n    summary: X\n"
            "    values:\n      - {value: kept, range: ''}\ncapabilities: {timeout: ''}\n",
            "",
            "cancellation-is-reported",
        ),
    ],
)
def test_so_is_one_in_a_profile_of_ones_own(call, write, text, place, now):
    ended = call("explore", "-e", "timeout A 0", f"--profile={write('mine.yaml', text)}")
    assert ended.returncode == 2
    said = " ".join(ended.stderr.split())
    assert f"mine.yaml{place}:" in said and f"(renamed to '{now}')" in said


def test_lint_checks_the_table(call, home):
    table = "cases:\n  main/a: main/none\n  main/phase-tour: main/phase-tour\n  main/b: main/a\n"
    table += "rules:\n  x: tick-ordre\n"
    (home / "spec/renamed.yaml").write_text(table)
    ended = call("lint", home=home)
    assert ended.returncode == 2
    said = " ".join(ended.stderr.split())
    assert "renamed.yaml:2:3: 'main/a' was renamed to 'main/none', which is not a case" in said
    assert "renamed.yaml:3:3: the case 'main/phase-tour' exists, and is listed as renamed" in said
    assert "renamed.yaml:6:3: 'x' was renamed to 'tick-ordre', which is not a rule" in said
    assert "'main/a' was renamed itself: name 'main/none' here" in said


def test_a_table_that_cannot_be_read_is_an_error(call, home):
    (home / "spec/renamed.yaml").write_text("cases: [a]\n")
    ended = call("run", "main/", home=home)
    assert ended.returncode == 2 and "renamed.yaml:1:8" in ended.stderr
