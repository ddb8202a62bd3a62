"""What a verdict rests on: proof, repetition, times, what is missing, and what was seen of a process."""

import json
import pathlib
import subprocess

import pytest

SHIM = pathlib.Path(__file__).parent / "shims/broken_loop.cjs"
# A delay between the two calls would explain `A B`.
TWO_TIMERS = "program:\n  - timeout A 50\n  - timeout B 1\nexpect:\n  node: B A\n"
IMMEDIATE = "program:\n  - immediate A\n  - timeout B 30\nexpect:\n  node: A B\n"


@pytest.fixture(scope="session")
def node(call):
    """The binary of Node.js 24."""
    ended = call("runtimes", "install", "node@24.21.0", timeout=1500)
    if ended.returncode == 3:
        pytest.skip("no runtimes without a network: " + ended.stderr.strip().splitlines()[-1])
    listed = json.loads(call("runtimes", "list", "--format=json").stdout)
    return next(one["binary"] for one in listed["runtimes"] if (one["name"], one["version"]) == ("node", "24.21.0"))


@pytest.fixture
def broken(node, tmp_path):
    """broken(shim): the path of a Node.js whose loop is broken so."""

    def write(shim):
        file = tmp_path / f"node-{shim}"
        file.write_text(f"#!/bin/sh\nBROKEN_LOOP={shim} exec {node} -r {SHIM} \"$@\"\n")
        file.chmod(0o755)
        return file

    return write


@pytest.fixture
def run(call, tmp_path, validate):
    """run(binary, text of a case): the exit code and the one result."""

    def run_case(binary, text, *more):
        case, output = tmp_path / "case.yaml", tmp_path / "results.jsonl"
        case.write_text(text)
        ended = call("run", case, f"--impl=node={binary}", f"--output={output}", *more)
        assert ended.returncode in (0, 1), ended.stderr
        lines = [json.loads(line) for line in output.read_text().splitlines()]
        for line in lines:
            validate(line, "results")
        return ended.returncode, next(line for line in lines if line["type"] == "result")

    return run_case


def labels(result):
    return [event["label"] for event in result["tries"][-1]["events"]]


def processes(result):
    return sum(one.get("processes", 1) for one in result["tries"])


def test_what_the_claimed_version_has_is_missing_and_a_judgement(run, call, broken, tmp_path):
    code, result = run(broken("loses-immediate"), IMMEDIATE)
    assert (code, result["verdict"]) == (1, "missing")
    assert result["reason"].endswith("has no immediate, which node@24.21.0 has")
    # Nothing is promised to whoever holds it to something else.
    code, result = run(broken("loses-immediate"), IMMEDIATE, "--as=node@24")
    assert (code, result["verdict"]) == (0, "unsupported")


def test_a_spin_is_seen_by_its_processor_time_in_three_processes(run, broken):
    code, result = run(broken("spins"), IMMEDIATE)
    assert (code, result["verdict"]) == (1, "timeout")
    assert result["reason"].startswith("spins: it has used ")
    assert labels(result) == ["A"] and processes(result) == 3


def test_a_wrong_wait_is_an_order_and_fails_by_proof(run, broken):
    code, result = run(broken("waits"), IMMEDIATE)
    assert (code, result["verdict"], result["basis"]) == (1, "fail", "proof")
    assert labels(result) == ["B", "exit=never"] and processes(result) == 3
    assert "waits forever" in result["reason"]


def test_a_right_wait_passes(run, node, call):
    text = "program:\n  - listen L\n  - log A\nexpect:\n  node: A exit=never\n"
    code, result = run(node, text)
    assert (code, result["verdict"], result["basis"]) == (0, "pass", "proof")
    assert labels(result) == ["A", "exit=never"]


def test_a_delay_that_the_times_of_the_run_rule_out_is_suspect(run, broken, node):
    assert run(node, TWO_TIMERS)[1]["verdict"] == "pass"
    code, result = run(broken("swaps-timers"), TWO_TIMERS)
    assert (code, result["verdict"], result["basis"]) == (1, "suspect", "times")
    assert {one["standing"] for one in result["tries"]} == {"refuted"}


@pytest.fixture
def native(tmp_path):
    """native(expect, statement): the text of a case that logs A, then B."""

    def write(expect, statement):
        (tmp_path / "case.cjs").write_text("log('A');\nprocess.nextTick(() => log('B'));\n")
        return f"native: case.cjs\n{statement}expect:\n  node: {expect}\n"

    return write


def test_a_case_without_a_model_fails_by_repetition_where_nothing_depends_on_time(run, node, native):
    code, result = run(node, native("B A", "timeless: true\n"))
    assert (code, result["verdict"], result["basis"]) == (1, "fail", "repetition")
    assert len(result["tries"]) == 20
    assert sum(one.get("disturbed", False) for one in result["tries"]) == 10
    code, result = run(node, native("A B", "timeless: true\n"))
    assert (code, result["verdict"], result["basis"], len(result["tries"])) == (0, "pass", "repetition", 1)


def test_without_the_statement_it_cannot_fail(run, node, native):
    code, result = run(node, native("B A", ""))
    assert (code, result["verdict"]) == (0, "inconclusive")
    assert "basis" not in result


@pytest.mark.long
def test_verify_refutes_the_statement_of_a_case_that_varies(call, node, tmp_path):
    (tmp_path / "varies.cjs").write_text("log(Date.now() % 2 ? 'A' : 'B');\n")
    (tmp_path / "varies.yaml").write_text("native: varies.cjs\ntimeless: true\nexpect:\n  node: A | B\n")
    ended = call("verify", tmp_path / "varies.yaml", f"--impl=node={node}", "--repeat=20")
    assert ended.returncode == 1, ended.stdout
    assert ended.stdout.startswith("refuted ")
    assert "nothing in it depends on time" in ended.stdout


def test_a_pattern_that_contradicts_the_model_is_reported_as_that(run, node):
    code, result = run(node, "program:\n  - timeout A 1\n  - timeout B 50\nexpect:\n  node: B A\n")
    assert result["verdict"] == "inconclusive" and len(result["tries"]) == 1
    assert result["reason"].startswith("the pattern contradicts the model, which gives A B on time")


def test_without_a_loopback_interface_what_needs_it_is_unsupported(conform, node):
    """Goal: a container without a network is not taken for a broken loop."""
    apart = ["unshare", "--map-root-user", "--net"]
    if subprocess.run([*apart, "true"], capture_output=True).returncode:
        pytest.skip("this machine does not allow namespaces")
    words = ["run", "drain/between-refusals", "poll/http-exchange", "ticks/before-promise-queued-first",
             f"--impl=node={node}"]
    ended = subprocess.run([*apart, conform, *words], capture_output=True, encoding="utf-8", timeout=120)
    assert ended.returncode == 0, ended.stdout + ended.stderr
    assert "1 pass, 2 unsupported" in ended.stdout and "has no loopback interface" in ended.stdout, ended.stdout
