"""conform bisect: the release that changed the orders of a program."""

import json
import os
import pathlib
import sys

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).parent))

from registry import Registry  # noqa: E402

pytestmark = pytest.mark.skipif(
    (os.uname().sysname, os.uname().machine) != ("Linux", "x86_64"), reason="the packages served are those of Linux x64"
)

RELEASES = [f"{major}.{minor}.0" for major in range(20, 26) for minor in range(4)]
SCRIPT = "setTimeout(() => log('A'), 1);\nlog(process.env.RELEASE_CHANGED ? 'B' : 'C');\n"


class Line:
    """Releases of a runtime that are all the same node, and know whether they have a change."""

    def __init__(self, folder, root, node):
        self.registry = Registry(folder, root)
        self.node = node
        self.registry.versions("node", *RELEASES)

    def add(self, version, changed):
        word = "RELEASE_CHANGED=1 " if changed else ""
        script = f'#!/bin/sh\n[ "$1" = --version ] && exec echo v{version}\n{word}exec {self.node} "$@"\n'
        self.registry.add("node", version, script)


@pytest.fixture
def line(tmp_path, root, need):
    made = Line(tmp_path, root, need("node", "nodejs"))
    (tmp_path / "x.js").write_text(SCRIPT)
    return made


@pytest.fixture
def bisect(call, line, tmp_path):
    def run(*arguments):
        return call("bisect", tmp_path / "x.js", "--impl=node", *arguments, **line.registry.variables)

    return run


def test_the_first_release_that_differs_is_named(line, bisect, validate):
    for release in RELEASES:
        line.add(release, changed=release >= "22.2.0")
    ended = bisect("--probes=0", "--repeat=10", "--format=json")
    assert ended.returncode == 0, ended.stderr
    found = json.loads(ended.stdout)
    validate(found, "bisect")
    assert [(change["before"], change["after"]) for change in found["changes"]] == [("22.1.0", "22.2.0")]
    assert found["releases"] == len(RELEASES)
    # Both ends first, and then as few as halving takes.
    assert line.registry.packs() == len(found["run"]) <= 2 + 5
    orders = {one["release"]: [order["order"] for order in one["orders"]] for one in found["run"]}
    assert orders["22.1.0"] == [["C", "A"]] and orders["22.2.0"] == [["B", "A"]]
    text = bisect("--installed", "--repeat=10").stdout
    assert "\n  changed in 22.2.0\n    22.1.0  10 × C A\n    22.2.0  10 × B A\n" in text


def test_ends_that_agree_are_answered_as_such(line, bisect):
    for release in RELEASES:
        line.add(release, changed=False)
    ended = bisect("--from=20", "--to=22.1.0", "--probes=0")
    assert ended.returncode == 1, ended.stderr
    assert "on node, 20.3.0 to 22.1.0: 7 releases, 2 run\n" in ended.stdout
    assert "  20.3.0 and 22.1.0 agree, and so do those between them that were run\n" in ended.stdout
    assert line.registry.packs() == 2


def test_a_change_that_came_and_went_is_found_by_a_probe(line, bisect):
    for release in RELEASES:
        line.add(release, changed=release[:2] in ("22", "23"))
    ended = bisect("--repeat=10")
    assert ended.returncode == 0, ended.stderr
    assert "\n  changed in 22.0.0, and back in 24.0.0\n" in ended.stdout
    assert "\n  changed in 24.0.0\n" in ended.stdout


def test_a_release_that_cannot_be_installed_is_skipped_and_named(line, bisect):
    for release in RELEASES:
        if release != "22.2.0":
            line.add(release, changed=release > "22.2.0")
    ended = bisect("--probes=0", "--repeat=10")
    assert ended.returncode == 0, ended.stderr
    assert "changed in 22.3.0, or in 22.2.0, which could not be judged" in ended.stdout
    assert "  skipped 22.2.0: " in ended.stdout


def test_errors_name_what_is_wrong(line, bisect, call):
    line.add("20.0.0", changed=False)
    ended = bisect("--from=24", "--to=20")
    assert (ended.returncode, ended.stdout) == (2, "")
    assert "--from=24.3.0 is not older than --to=20.3.0" in ended.stderr
    assert "--to=19: no release of node that fits exists" in bisect("--to=19").stderr
    assert "fewer than two releases of node are installed" in bisect("--installed").stderr
    ended = bisect("--from=20.0.0", "--to=20.1.0")
    assert ended.returncode == 2 and "20.1.0" in ended.stderr
    assert "'node@20' is one release" in call("bisect", "-e", "tick T", "--impl=node@20").stderr
    assert "name a case, a file or a script" in call("bisect", "--impl=node").stderr
    assert call("bisect", "-e", "tick T", "--impl=asyncio").returncode == 2


def test_a_script_that_logs_nothing_is_refused(line, bisect, tmp_path):
    for release in RELEASES:
        line.add(release, changed=False)
    (tmp_path / "x.js").write_text("setTimeout(() => {}, 1);\n")
    ended = bisect("--from=20.0.0", "--to=20.1.0", "--repeat=10")
    assert (ended.returncode, ended.stdout) == (2, "")
    assert "logs nothing to compare" in ended.stderr
