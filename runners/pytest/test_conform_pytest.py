"""The driver as people call it: pytest in a separate process, on the program under test."""

import json
import os
import pathlib
import re
import subprocess
import sys
import xml.etree.ElementTree as ElementTree

import pytest

FOLDER = pathlib.Path(__file__).resolve().parent
ROOT = FOLDER.parents[1]
WRONG = """\
title: Two lines come in the order that they have
why: A wrong expectation, to see what is said of it.
clauses: [main.before-everything]
program: [log A, log B, log C]
expect: {node: A C B}
"""


@pytest.fixture
def drive(tmp_path):
    """drive("--impl=ref", …): pytest with the driver, away from the settings of this one."""

    def call(*words, cwd=ROOT, **variables):
        environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
        environment.setdefault("CONFORM", str(ROOT / "build/release/runners/cli/conform"))
        return subprocess.run(
            [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", *map(str, words)],
            cwd=cwd,
            env={**environment, **variables},
            capture_output=True,
            encoding="utf-8",
            timeout=300,
        )

    return call


@pytest.fixture
def own_cases(tmp_path):
    """A folder with a case of one's own, and how to call pytest there."""
    folder = tmp_path / "my"
    folder.mkdir()
    (folder / "wrong.yaml").write_text(WRONG)
    (folder / "other.yaml").write_text("a: file that is no case\n")
    return folder, ["-p", "conform_pytest", folder], {"PYTHONPATH": str(FOLDER)}


def test_every_case_of_the_catalogue_is_one_test(drive):
    conform = os.environ.get("CONFORM", ROOT / "build/release/runners/cli/conform")
    listed = subprocess.run([conform, "list", "cases", "--format=json"], capture_output=True, timeout=300, check=True)
    done = drive("--collect-only", "-q", "--impl=ref", "cases/")
    assert done.returncode == 0, done.stdout[-3000:]
    ids = [line.rsplit("::", 1)[1] for line in done.stdout.splitlines() if "::" in line]
    assert sorted(ids) == sorted(f"{case['id']}[ref]" for case in json.loads(listed.stdout)["cases"])


def test_a_folder_passes_on_the_reference_loop_with_two_workers(drive):
    done = drive("-q", "--impl=ref", "-n", "2", "cases/drain")
    assert done.returncode == 0, done.stdout[-3000:]
    counts = {outcome: int(number) for number, outcome in re.findall(r"(\d+) (passed|skipped)", done.stdout)}
    assert counts["passed"] > 20 and sum(counts.values()) == len(list((ROOT / "cases/drain").glob("*.yaml")))


def test_a_wrong_expectation_fails_with_the_first_difference(drive, own_cases):
    _, words, variables = own_cases
    done = drive("--impl=ref", "--as=node@24", *words, **variables)
    assert done.returncode == 1, done.stdout
    assert "wrong[ref]" in done.stdout and "expected: A C B" in done.stdout
    assert "first difference at 2: observed B, expected C" in done.stdout
    assert "Traceback" not in done.stdout and "1 failed" in done.stdout.splitlines()[-1]


BASELINE = """\
format: 1
known:
  ref:
    wrong:
      verdict: fail
      reason: C was never seen first.
"""


@pytest.fixture
def counted(tmp_path):
    """A conform that writes down how it is called."""
    real = os.environ.get("CONFORM", ROOT / "build/release/runners/cli/conform")
    program = tmp_path / "counted"
    program.write_text(f'#!/bin/sh\necho "$1" >>"{tmp_path}/calls"\nexec "{real}" "$@"\n')
    program.chmod(0o755)
    return program, lambda: (tmp_path / "calls").read_text().split().count("run")


def test_a_batch_of_cases_is_one_call_and_each_case_keeps_its_own_words(drive, own_cases, counted):
    folder, words, variables = own_cases
    program, runs = counted
    (folder / "right.yaml").write_text(WRONG.replace("A C B", "A B C"))
    (folder / "also-wrong.yaml").write_text(WRONG.replace("A C B", "B A C"))
    done = drive("--impl=ref", "--as=node@24", f"--conform={program}", *words, **variables)
    assert "2 failed, 1 passed" in done.stdout and runs() == 1, done.stdout
    also, wrong = done.stdout.split("case: also-wrong\n")[1].split("case: wrong\n")
    assert "expected: B A C" in also and "expected: A C B" in wrong and "expected: A C B" not in also

    (folder / "also-wrong.yaml").write_text(WRONG.replace("log A", "lug A"))
    done = drive("--impl=ref", "--as=node@24", f"--conform={program}", *words, **variables)
    assert "2 failed, 1 passed" in done.stdout and "also-wrong.yaml:4" in done.stdout, done.stdout
    assert "first difference at 2: observed B, expected C" in done.stdout


# Method: 40 cases for two workers are eight batches, and each is one call.
def test_workers_run_batches_too(drive, own_cases, counted):
    folder, words, variables = own_cases
    program, runs = counted
    for number in range(39):
        (folder / f"right-{number}.yaml").write_text(WRONG.replace("A C B", "A B C"))
    words = ["--impl=ref", "--as=node@24", f"--conform={program}", "-n", "2", *words]
    done = drive(*words, **variables)
    assert "1 failed, 39 passed" in done.stdout and runs() == 8, done.stdout
    assert "first difference at 2: observed B, expected C" in done.stdout
    done = drive(*words, "--dist=loadscope", **variables)
    assert "1 failed, 39 passed" in done.stdout and runs() == 8 + 40, done.stdout


def test_a_known_failure_is_expected_and_must_go_on_failing(drive, own_cases, tmp_path):
    folder, words, variables = own_cases
    known = tmp_path / "known.yaml"
    known.write_text(BASELINE)
    words = ["-rxX", "--impl=ref", "--as=node@24", f"--baseline={known}", *words]
    done = drive(*words, **variables)
    assert done.returncode == 0 and "1 xfailed" in done.stdout, done.stdout
    assert "C was never seen first." in done.stdout

    (folder / "wrong.yaml").write_text(WRONG.replace("A C B", "A B C"))
    done = drive(*words, **variables)
    assert done.returncode == 1 and "[XPASS(strict)] now pass; known as fail" in done.stdout, done.stdout

    known.write_text("format: 1\nknowm: {}\n")
    done = drive(*words, **variables)
    assert done.returncode == 1 and "known.yaml:2" in done.stdout, done.stdout


def test_names_have_the_id_and_the_implementation_and_clauses_can_be_chosen(drive):
    chosen = "drain.after-each-callback and between-timers"
    done = drive("--collect-only", "-q", "--impl=ref,node@24", "cases/drain", "-k", chosen)
    ids = [line.rsplit("::", 1)[1] for line in done.stdout.splitlines() if "::" in line]
    assert {"drain/between-timers[ref]", "drain/between-timers[node@24]"} <= set(ids), done.stdout


def test_pytests_own_report_has_the_verdict(drive, tmp_path):
    done = drive("--impl=ref", "--as=node@24", "cases/drain/between-timers.yaml", f"--junitxml={tmp_path}/x.xml")
    assert done.returncode == 0, done.stdout
    case = next(ElementTree.parse(tmp_path / "x.xml").iter("testcase"))
    properties = {each.get("name"): each.get("value") for each in case.iter("property")}
    assert case.get("name") == "drain/between-timers[ref]"
    assert properties["conform.verdict"] == "pass" and properties["conform.profile"].startswith("node@24")


def test_what_cannot_be_run_is_skipped_with_the_reason(drive):
    done = drive("-rs", "--impl=ref", "--as=libuv", "cases/drain/between-timers.yaml")
    assert done.returncode == 0 and "1 skipped" in done.stdout, done.stdout
    assert "unsupported" in done.stdout or "unspecified" in done.stdout, done.stdout


def test_an_unknown_implementation_is_an_error_in_the_words_of_conform(drive):
    done = drive("--impl=nodx", "cases/drain/between-timers.yaml")
    assert done.returncode == 4 and done.stderr.count("there is no implementation 'nodx'") == 1, done.stderr


def test_a_missing_program_ends_the_session(drive):
    done = drive("--impl=ref", "--conform=./nowhere", "cases/drain")
    assert done.returncode == 3 and "--conform says where conform is" in done.stdout + done.stderr, done.stdout


def test_without_an_implementation_nothing_is_collected(drive, own_cases):
    _, words, variables = own_cases
    assert "no tests ran" in drive(*words, **variables).stdout
    assert drive("--impl=,", *words, **variables).returncode == 4
