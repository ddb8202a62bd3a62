"""A Node.js that is broken in one place fails the cases that ask about it. shims/broken_node.cjs has the table."""

import json
import pathlib
import subprocess

import pytest

SHIMS = pathlib.Path(__file__).parent / "shims/broken_node.cjs"
FAMILIES = "children close events exit main microtasks poll streams ticks timers workers".split()


@pytest.fixture(scope="session")
def node(call):
    """The binary of Node.js 24."""
    ended = call("runtimes", "install", "node@24.21.0", timeout=1500)
    if ended.returncode == 3:
        pytest.skip("no runtimes without a network: " + ended.stderr.strip().splitlines()[-1])
    listed = json.loads(call("runtimes", "list", "--format=json").stdout)
    return next(one["binary"] for one in listed["runtimes"] if (one["name"], one["version"]) == ("node", "24.21.0"))


@pytest.fixture(scope="session")
def table(node):
    """From family to shim to the cases that must fail."""
    code = f"console.log(JSON.stringify(require({json.dumps(str(SHIMS))})))"
    return json.loads(subprocess.run([node, "-e", code], check=True, capture_output=True, text=True).stdout)


@pytest.fixture
def break_node(node, tmp_path):
    """break_node(shim): the path of a Node.js that is broken so."""

    def write(shim):
        file = tmp_path / "node"
        file.write_text(f"#!/bin/sh\nBROKEN='{shim}' NODE_OPTIONS='-r {SHIMS}' exec {node} \"$@\"\n")
        file.chmod(0o755)
        return file

    return write


def run(call, file, binary, cases):
    """The verdicts by case, and the exit code."""
    ended = call("run", *cases, f"--impl=node={binary}", f"--output={file}", timeout=300)
    lines = [json.loads(line) for line in file.read_text().splitlines()]
    return {line["case"]: line["verdict"] for line in lines if line["type"] == "result"}, ended.returncode


def check(call, break_node, tmp_path, shims):
    for number, (shim, row) in enumerate(shims):
        verdicts, code = run(call, tmp_path / f"{number}.jsonl", break_node(shim), row["cases"])
        assert (verdicts, code) == (dict.fromkeys(row["cases"], "fail"), 1), shim


def test_every_family_has_three_shims(table):
    assert set(table) == set(FAMILIES)
    assert all(len(shims) >= 3 for shims in table.values())


@pytest.mark.parametrize("family", FAMILIES)
def test_a_broken_library_fails(call, table, break_node, tmp_path, family):
    check(call, break_node, tmp_path, list(table[family].items())[:1])


@pytest.mark.long
@pytest.mark.parametrize("family", FAMILIES)
def test_every_way_to_break_the_library_fails(call, table, break_node, tmp_path, family):
    check(call, break_node, tmp_path, list(table[family].items())[1:])
