"""conform fuzz: random programs, and what they find."""

import json
import shutil
import subprocess

import pytest

# Immediates run last in, first out: no release does that.
BROKEN = """
'use strict';
var real = setImmediate, waiting = [];
global.setImmediate = function (callback) {
  waiting.unshift(callback);
  return real(function () { waiting.shift()(); });
};
"""


@pytest.fixture
def node():
    found = shutil.which("node")
    assert found, "node is not installed"
    return found


def test_programs_are_the_same_byte_for_byte(call):
    def programs(*options):
        ended = call("fuzz", "--impl=ref:real", "--as=node@24.21.0", "--seed=5", "--print", *options)
        assert ended.returncode == 0, ended.stderr
        return ended.stdout.split("---\n")[:-1]

    ten = programs("--count=10")
    assert len(ten) == 10 and len(set(ten)) == 10
    assert ten == programs("--count=10")
    assert programs("--first=7", "--count=1") == [ten[6]]


@pytest.mark.parametrize("profile", ["node@24", "node@10", "libuv", "asyncio", "html"])
def test_the_reference_loop_gives_nothing_else_than_its_model(call, validate, profile):
    ended = call("fuzz", "--impl=ref:real", f"--as={profile}", "--seed=1", "--count=25", "--format=json")
    found = json.loads(ended.stdout)
    validate(found, "fuzz")
    assert ended.returncode == 0 and found["outside"] == 0, found["findings"]
    assert found["programs"] == 25 and found["inside"] + found["undecided"] == 25


def test_a_real_node_is_found_to_do_as_its_model(call, node):
    ended = call("fuzz", f"--impl=node={node}", "--seed=1", "--count=20", "--ops=timeout,immediate,tick,then,file")
    assert ended.returncode == 0, ended.stdout + ended.stderr
    assert "20 random programs on node" in ended.stdout and "  20 in the late set\n" in ended.stdout


def test_a_broken_runtime_is_found_and_the_program_made_small(call, node, validate, tmp_path):
    (tmp_path / "broken.cjs").write_text(BROKEN)
    shim = tmp_path / "node"
    shim.write_text(f"#!/bin/sh\nexec {node} --require {tmp_path}/broken.cjs \"$@\"\n")
    shim.chmod(0o755)
    options = [f"--impl=node={shim}", "--seed=1", "--count=3", "--ops=timeout,immediate,tick,clear"]
    ended = call("fuzz", *options, f"--output={tmp_path}/found", "--format=json")
    assert ended.returncode == 1, ended.stdout + ended.stderr
    found = json.loads(ended.stdout)
    validate(found, "fuzz")
    smallest = min((finding["text"] for finding in found["findings"]), key=len)
    assert smallest == "- immediate A\n- immediate B\n"
    # No release has that order of immediates, but a rule has.
    [cause] = found["causes"]
    changes = [cause["change"], *cause["cannot_be_told_apart_from"]]
    assert "immediate-order=newest-first" in [f"{one['rule']}={one['to']}" for one in changes]
    assert sorted(cause["numbers"]) == [finding["number"] for finding in found["findings"]]
    assert found["unexplained"] == []
    # Beside each file is a program that needs nothing else.
    first = sorted((tmp_path / "found").glob("*.yaml"))[0]
    alone = subprocess.run([shim, first.with_suffix(".js")], capture_output=True, text=True, timeout=60)
    assert alone.stdout.split() != subprocess.run([node, first.with_suffix(".js")], capture_output=True, text=True,
                                                  timeout=60).stdout.split()
    # The file shows it again, with the judge of `run`.
    again = call("run", first, f"--impl=node={shim}")
    assert again.returncode == 1 and "1 fail" in again.stdout, again.stdout + again.stderr
    assert call("run", first, f"--impl=node={node}").returncode == 0


def test_two_implementations_are_compared_without_a_model(call, node, validate, tmp_path):
    (tmp_path / "broken.cjs").write_text(BROKEN)
    shim = tmp_path / "node"
    shim.write_text(f"#!/bin/sh\nexec {node} --require {tmp_path}/broken.cjs \"$@\"\n")
    shim.chmod(0o755)
    options = [f"--against=node={node}", "--as=node@24", "--seed=1", "--count=3", "--ops=immediate,tick"]
    ended = call("fuzz", f"--impl=node={shim}", *options, f"--output={tmp_path}/found", "--format=json")
    assert ended.returncode == 1, ended.stdout + ended.stderr
    found = json.loads(ended.stdout)
    validate(found, "fuzz-against")
    files = sorted(file.suffix for file in (tmp_path / "found").iterdir())
    assert files == [".js"] * len(found["findings"]) + [".yaml"] * len(found["findings"])
    for file in (tmp_path / "found").glob("*.yaml"):
        assert call("run", file, f"--impl=node={node}").returncode == 0
    smallest = min(found["findings"], key=lambda finding: len(finding["text"]))
    assert smallest["text"] == "- immediate A\n- immediate B\n"
    assert smallest["orders"] == [{"order": ["B", "A"], "count": 20}]
    assert smallest["orders_against"] == [{"order": ["A", "B"], "count": 20}]
    same = call("fuzz", f"--impl=node={node}", *options)
    assert same.returncode == 0 and "  3 in the same order\n" in same.stdout, same.stdout + same.stderr


def test_parts_are_the_whole_and_a_log_is_continued(call, tmp_path):
    def numbers(log):
        return [json.loads(line)["number"] for line in log.read_text().splitlines()[1:]]

    def fuzz(log, *options):
        return call("fuzz", "--impl=ref:real", "--as=node@24", "--count=6", f"--log={log}", "--format=json", *options)

    logs = [tmp_path / f"{part}.jsonl" for part in (1, 2)]
    for part, log in enumerate(logs, 1):
        assert fuzz(log, "--seed=3", f"--shard={part}/2").returncode == 0
    assert [len(numbers(log)) for log in logs] == [3, 3]
    assert sorted(numbers(logs[0]) + numbers(logs[1])) == [1, 2, 3, 4, 5, 6]
    # As if it had been killed in a line: that one is run again, the seed is that of the log.
    lines = logs[0].read_text()
    logs[0].write_text(lines[:-4])
    ended = fuzz(logs[0])
    found = json.loads(ended.stdout)
    assert ended.returncode == 0 and (found["seed"], found["programs"]) == (3, 6), ended.stderr
    known = [json.loads(line)["number"] for line in logs[0].read_text().splitlines()[1:] if line.endswith("}")]
    assert sorted(known) == [1, 2, 3, 4, 5, 6]
    other = fuzz(logs[0], "--seed=4")
    assert other.returncode == 2 and "is the log of other programs" in other.stderr


@pytest.mark.parametrize(
    "options, message",
    [
        (["--impl=ref", "--as=node@24"], "ref runs in virtual time"),
        (["--impl=ref:real"], "choose one with --as"),
        (["--impl=ref:real,ref", "--as=node@24"], "names several implementations"),
        (["--impl=ref:real", "--as=node@24", "--ops=imediate"], "did you mean 'immediate'?"),
        (["--impl=ref:real", "--as=node@24", "--count=0"], "--count"),
        ([], "--impl"),
    ],
)
def test_what_cannot_be_done_is_said(call, options, message):
    ended = call("fuzz", *options)
    assert ended.returncode == 2 and message in ended.stderr, ended.stdout + ended.stderr
