"""The adapters of asyncio, uvloop and Trio by their protocol: spoken to as conform does."""

import os
import pathlib
import subprocess
import sys

import pytest

FOLDER = pathlib.Path(__file__).resolve().parent
ROOT = FOLDER.parents[1]
sys.path.insert(0, str(FOLDER.parent / "shared"))

from speaking import TIMEOUT_S, labels, orders, program_of, run, talk  # noqa: E402

PYTHON = "/usr/bin/python3"
QUIET = {"PYTHONDONTWRITEBYTECODE": "1"}
LOOPS = ["asyncio", "uvloop"]


@pytest.fixture
def command():
    """command("uvloop"): what starts the adapter."""

    def find(name):
        if name != "asyncio":
            found = subprocess.run([PYTHON, "-c", f"import {name}"], capture_output=True).returncode == 0
            assert found, f"it needs: apt install python3-{name}; ./test does that"
        return [PYTHON, FOLDER.parent / "trio/adapter.py"] if name == "trio" else [PYTHON, FOLDER / "adapter.py", name]

    return find


# What the documentation of asyncio promises, and both loops keep.
PROMISES = {
    "callbacks run in the order in which they were scheduled": ("[soon A, wake B, soon C]", "A B C"),
    "what a callback schedules waits for the next pass": ("[{soon A: [soon A2]}, soon B]", "A B A2"),
    "what is cancelled does not come": (
        "[soon A, read R, timeout T 1, wake W, clear A, clear R, clear T, clear W]",
        "",
    ),
    "an error goes to the handler, and the loop continues": ("[on uncaught X, {soon A: [throw E]}, soon B]", "A X=E B"),
    "a handler can be replaced": ("[on uncaught X, on uncaught Y, {soon A: [throw E]}]", "A Y=E"),
    "without a handler the loop continues as well": ("[{soon A: [throw E]}, soon B]", "A B"),
    "a done callback never runs immediately": ("[promise D, then P of D, {soon S: [resolve D, log L]}]", "S L P"),
    "done callbacks run in their order": ("[promise D, then P of D, then Q of D, resolve D]", "P Q"),
    "a task starts later": ("[{async F: [log A]}, log L]", "L A"),
    "to wait for what is done does not interrupt": (
        "[promise D, resolve D, {async F: [log A, pause B of D, log C]}, soon S]",
        "A B C S",
    ),
    "a pause lets others go first": ("[{async F: [log A, pause B]}, {async G: [log C, pause D]}]", "A C B D"),
    "a task that fails fails who waits for it": ("[{async F: [throw E]}, await W of F, soon S, then P of F]", "S"),
    "to cancel a task cancels what it waits for": (
        "[promise D, {async F: [pause B of D]}, {async G: [pause C of D]}, {soon S: [clear F, resolve D]}]",
        "S",
    ),
    "a task that cancels itself ends where it waits": (
        "[promise D, then P of D, {async F: [clear F, log A, pause C of D]}, {await W: [clear W]}, then Q of W]",
        "A W",
    ),
    "a task that waits forever does not keep the program alive": ("[promise D, await W of D, soon S]", "S"),
    "cancelled work is reported as such": ("[work K, clear K, log L]", "L K=ECANCELED"),
    "a signal comes": ("[signal S, {soon A: [raise S]}]", "A S"),
    "an error of the main body ends the program": ("[soon A, throw E]", "exit=1"),
}


@pytest.mark.parametrize("name", LOOPS)
def test_it_keeps_what_its_documentation_promises(command, name):
    got = orders(command(name), *[program for program, _ in PROMISES.values()], **QUIET)
    assert dict(zip(PROMISES, got)) == {claim: order for claim, (_, order) in PROMISES.items()}


@pytest.mark.parametrize("name", [*LOOPS, "trio"])
def test_smoke(command, name):
    command(name)
    conform = os.environ.get("CONFORM", ROOT / "build/release/runners/cli/conform")
    assert pathlib.Path(conform).exists(), f"{conform} is not built"
    folder = ROOT / "adapters" / ("trio" if name == "trio" else "asyncio")
    words = [conform, "adapter", "smoke", folder, f"--impl={name}"]
    variables = {**os.environ, **QUIET, "CONFORM_HOME": str(ROOT)}
    done = subprocess.run(words, env=variables, capture_output=True, text=True, timeout=TIMEOUT_S)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("name", LOOPS)
def test_it_claims_asyncio_at_the_version_of_its_python(command, name):
    (ready,), done = talk(command(name), [{"type": "hello", "protocol": [1, 1]}, {"type": "stop"}], **QUIET)
    version = subprocess.run([PYTHON, "-V"], capture_output=True, text=True).stdout.split()[1].rstrip("+")
    assert done.returncode == 0 and ready["implementation"]["name"] == name
    assert ready["claims"] == {"profile": "asyncio", "version": version}
    assert ready["isolation"] == "session" and "tick" not in ready["ops"]


@pytest.mark.parametrize("name", LOOPS)
def test_nothing_is_left_of_a_program(command, name):
    left = "[timeout A 30, timeout B 60000, signal S, read R, promise D, await W of D, work K, {soon T: [exit 2]}]"
    first, second = orders(command(name), left, "[timeout T 50, read R]", **QUIET)
    # A slow machine may let the timer run before the exit. What counts is that none of it comes in the second program.
    assert "T" in first.split() and first.endswith("exit=2") and sorted(second.split()) == ["R", "T"]


def test_what_it_has_not_is_unsupported(command):
    programs = ["[{soon S: [tick T]}]", "[timeout T NaN]", "[run once R]", "[promise D, await W of D as eager]"]
    asked = [run(i, program_of(program)) for i, program in enumerate(programs, 1)]
    answers, _ = talk(command("asyncio"), asked, **QUIET)
    assert [answer.get("op") for answer in answers] == ["tick", "delay NaN", "run once", "await as eager"]


def test_another_python_can_be_named(command, tmp_path):
    other = tmp_path / "python"
    other.write_text(f'#!/bin/sh\necho another >&2\nexec {PYTHON} "$@"\n')
    other.chmod(0o755)
    messages = [run(1, program_of("[soon A]"))]
    answers, done = talk(command("asyncio"), messages, CONFORM_PYTHON=str(other), **QUIET)
    assert labels(answers[0]) == "A" and done.stderr == "another\n"


def test_without_uvloop_the_package_is_named(tmp_path):
    (tmp_path / "uvloop.py").write_text("raise ImportError")
    variables = {**QUIET, "PYTHONPATH": str(tmp_path)}
    _, done = talk([PYTHON, FOLDER / "adapter.py", "uvloop"], [{"type": "stop"}], **variables)
    assert done.returncode == 1 and "python3-uvloop" in done.stderr


def test_trio_has_no_order(command):
    """The negative control. A coin is tossed for each batch of tasks: 60 runs that agree would be one in 2^59."""
    seen = set(orders(command("trio"), *["[soon A, soon B, soon C]"] * 60, **QUIET))
    assert len(seen) > 1 and {"".join(sorted(order)).strip() for order in seen} == {"ABC"}
