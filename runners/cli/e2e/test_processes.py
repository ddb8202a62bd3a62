"""What a run starts ends with it, whatever it does to get away."""

import json
import os
import pathlib
import signal
import subprocess
import time

import pytest

CASE = "program:\n  - timeout A 600000\nexpect: A\n"  # with time to look at the run while it waits
WAIT_S = 120  # far more than it takes: who waits as long as this has found a process that stays

# Leaves a process in a session of its own, without an environment and without an open file, and its number in the file
# `left`. Then it does what its argument says, and answers.
ADAPTER = '''
import json, os, pathlib, signal, sys, time

FOLDER = pathlib.Path(__file__).parent


def leave_one():
    told, tell = os.pipe()
    if os.fork() == 0:
        os.setsid()
        if os.fork():
            os._exit(0)
        os.write(tell, str(os.getpid()).encode())
        os.closerange(0, 256)
        os.execve("/bin/sleep", ["sleep", "1000000"], {})
    with open(FOLDER / "left", "ab") as left:
        left.write(os.read(told, 20) + b"\\n")


def number_of_the_guard():
    number = os.getpid()
    while True:
        name, _, rest = pathlib.Path(f"/proc/{number}/stat").read_text().rpartition(") ")
        if name.endswith("(conform-guard"):
            return number
        number = int(rest.split()[1])


print(json.dumps(READY), flush=True)
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] != "run":
        continue
    leave_one()
    if WHAT == "kills":
        os.kill(number_of_the_guard(), signal.SIGKILL)
    if WHAT == "stops":
        os.kill(number_of_the_guard(), signal.SIGSTOP)
    if WHAT in ("kills", "waits"):
        time.sleep(1e6)
    print(json.dumps({"type": "trace", "seq": message["seq"], "events": [{"label": "A"}]}), flush=True)
'''
READY = {"type": "ready", "protocol": 1, "implementation": {"name": "mine", "version": "1.0.0"},
         "claims": {"profile": "node", "version": "24.21.0"}, "ops": ["timeout"], "isolation": "process"}


@pytest.fixture
def adapter(tmp_path):
    """adapter("kills"): the words for a run of one case on an adapter that does this, and its folder."""

    def create(what):
        folder = tmp_path / "mine"
        folder.mkdir()
        (folder / "adapter.yaml").write_text("name: mine\ncommand: [/usr/bin/python3, adapter.py]\n")
        (folder / "adapter.py").write_text(f"READY = {READY!r}\nWHAT = {what!r}\n{ADAPTER}")
        (tmp_path / "a.yaml").write_text(CASE)
        return ["run", str(tmp_path / "a.yaml"), f"--impl=adapter={folder}"], folder

    yield create
    for number in filter(lives, left_by(tmp_path / "mine")):
        os.kill(number, signal.SIGKILL)


def lives(number):
    try:
        return ") Z " not in pathlib.Path(f"/proc/{number}/stat").read_text()
    except OSError:
        return False


def left_by(folder):
    """The numbers of the processes that it left, as far as they are written whole."""
    file = folder / "left"
    return [int(line) for line in file.read_text().splitlines(keepends=True) if "\n" in line] if file.exists() else []


# The guard has ended everything before conform itself ends, so that nothing is waited for here.
@pytest.mark.parametrize("what", ["answers", "stops"])
def test_what_left_its_session_and_its_environment_ends_with_the_run(call, adapter, tmp_path, what):
    words, folder = adapter(what)
    file = tmp_path / "r.jsonl"
    ended = call(*words, f"--output={file}")
    assert ended.returncode == 0, ended.stderr
    left = left_by(folder)
    assert left and not any(map(lives, left))
    assert [json.loads(line)["type"] for line in file.read_text().splitlines()] == ["run", "result", "end"]


def test_a_guard_that_is_killed_is_noticed_and_nothing_stays(call, adapter, tmp_path):
    words, folder = adapter("kills")
    file = tmp_path / "r.jsonl"
    ended = call(*words, f"--output={file}")
    assert ended.returncode == 3
    assert "the guard of this run was killed" in ended.stderr
    left = left_by(folder)
    assert left and not any(map(lives, left))
    assert '"type":"end"' not in file.read_text(), "the run is not complete"


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
def test_what_got_away_ends_when_conform_is_ended(conform, adapter, number):
    words, folder = adapter("waits")
    running = subprocess.Popen([str(conform), *words], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    deadline = time.monotonic() + WAIT_S
    while not left_by(folder):
        assert running.poll() is None and time.monotonic() < deadline
        time.sleep(0.01)
    left = left_by(folder)
    assert all(map(lives, left))
    running.send_signal(number)
    running.wait(WAIT_S)
    while any(map(lives, left)):
        assert time.monotonic() < deadline
        time.sleep(0.01)
