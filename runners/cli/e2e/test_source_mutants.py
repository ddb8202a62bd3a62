"""conform mutants --of: mutants of real sources are built and run, and what survives is listed."""

import json
import os

import pytest

TICKS = "internal/process/task_queues:processTicksAndRejections remove runMicrotasks();"
UNKNOWN = "internal/process/task_queues:nextTick remove nothing();"


@pytest.fixture(scope="module")
def node(call):
    ended = call("runtimes", "install", "node@24", timeout=900)
    if ended.returncode == 3:
        pytest.skip("no runtimes without a network: " + ended.stderr.strip().splitlines()[-1])
    return "node@24"


@pytest.fixture
def place(home, root):
    """A home that can be changed, and has adapters."""
    (home / "adapters").symlink_to(root / "adapters")
    return home


def known(home, kind, mutant):
    text = f"node:\n  {kind}:\n    - mutants: ['{mutant}']\n      reason: for the test\n"
    (home / "spec/source-mutants.yaml").write_text(text, encoding="utf-8")


def test_without_apt_nothing_can_be_fetched(call, tmp_path):
    ended = call("mutants", "--of=libuv", PATH=str(tmp_path), CONFORM_CACHE=str(tmp_path / "cache"))
    assert ended.returncode == 3
    assert "there is no apt-get" in ended.stderr and "apt install dpkg-dev gcc" in ended.stderr
    assert not list((tmp_path / "cache/sources").iterdir())


def test_apt_gets_lists_of_its_own_and_its_trouble_is_reported(call, tmp_path):
    tools = tmp_path / "bin"
    tools.mkdir()
    apt = f'echo "$@" > {tmp_path}/said; echo "E: no archive" >&2; exit 100'
    for name, script in (("apt-get", apt), ("dpkg-source", "")):
        (tools / name).write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
        (tools / name).chmod(0o755)
    ended = call("mutants", "--of=libuv", PATH=f"{tools}:{os.environ['PATH']}", CONFORM_CACHE=str(tmp_path / "cache"))
    assert ended.returncode == 3
    assert "libuv's source package cannot be fetched: apt-get ended with code 100: E: no archive" in ended.stderr
    said = (tmp_path / "said").read_text(encoding="utf-8")
    assert f"Dir::Etc::sourceparts={tmp_path}/cache/" in said and "Dir::Etc::sourcelist=/dev/null" in said


def test_a_source_that_is_unknown(call):
    ended = call("mutants", "--of=bun")
    assert ended.returncode == 2 and "write libuv, node, or node@24" in ended.stderr


def test_a_mutant_of_node_is_killed_and_the_result_kept(call, node, validate, tmp_path):
    log = tmp_path / "node.jsonl"
    asked = ("mutants", "drain/between-timers", f"--of={node}", f"--only={TICKS}", f"--output={log}", "--format=json")
    ended = call(*asked)
    assert ended.returncode == 0, ended.stdout + ended.stderr
    found = json.loads(ended.stdout)
    validate(found, "source-mutants")
    (mutant,) = found["mutants"]
    assert (mutant["state"], mutant["case"], found["made"]) == ("killed", "drain/between-timers", 1)
    again = json.loads(call(*asked).stdout)
    assert (again["mutants"], again["made"]) == (found["mutants"], 0)


def test_the_parts_of_a_selection_share_its_mutants_between_them(call, node):
    only = "--only=*:processTicksAndRejections remove *"
    asked = ("mutants", "drain/between-timers", f"--of={node}", only, "--count=3")
    drawn = call(*asked, "--list").stdout.splitlines()
    assert len(drawn) == 3
    parts = [json.loads(call(*asked, f"--shard={i}/2", "--format=json").stdout)["mutants"] for i in (1, 2)]
    assert all(parts)
    assert sorted(one["mutant"] for part in parts for one in part) == sorted(drawn)


def test_a_mutant_that_is_reached_and_not_noticed_survives_or_has_an_entry(call, node, place):
    known(place, "beyond", TICKS)
    (place / "cases/main/ticks.yaml").write_text(
        "title: A tick runs\nclauses: [ticks.first-in-first-out]\nwhy: x\nprogram:\n  - tick A\nexpect: {node: A}\n",
        encoding="utf-8",
    )
    asked = ("mutants", "main/ticks", f"--of={node}", f"--only={TICKS}")
    ended = call(*asked, home=place)
    assert ended.returncode == 0, ended.stdout + ended.stderr
    (place / "spec/source-mutants.yaml").write_text("node: {}\n", encoding="utf-8")
    ended = call(*asked, home=place)
    assert ended.returncode == 1 and f"a statement removed\n    {TICKS}" in ended.stdout


def test_an_entry_that_is_wrong_is_found(call, node, place):
    asked = ("mutants", "drain/between-timers", f"--of={node}", f"--only={TICKS}")
    known(place, "equivalent", TICKS)
    ended = call(*asked, home=place)
    assert ended.returncode == 1
    assert "spec/source-mutants.yaml calls it equivalent, but drain/between-timers" in ended.stdout
    known(place, "equivalent", UNKNOWN)
    ended = call(*asked, home=place)
    assert ended.returncode == 1 and "source-mutants.yaml:3: " in ended.stdout and "covers no mutant" in ended.stdout


@pytest.mark.long
def test_mutants_of_libuv_are_built_and_killed(call, validate):
    only = "timer.c:uv__run_timers *"
    cases = ("timers", "libuv/timer*", "libuv/*interval*")
    ended = call("mutants", *cases, "--of=libuv", f"--only={only}", "--format=json", timeout=1800)
    found = json.loads(ended.stdout)
    validate(found, "source-mutants")
    states = {one["mutant"].removeprefix(only[:-1]): one["state"] for one in found["mutants"]}
    assert states["remove uv_timer_again(handle);"] == states["remove handle->timer_cb(handle);"] == "killed"
    assert ended.returncode == 0, states
