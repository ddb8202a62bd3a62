"""The browser adapter: what it promises beside the protocol."""

import contextlib
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time

import pytest

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path.insert(0, str(HERE))
sys.path.insert(0, str(HERE.parent / "shared"))

import browsers  # noqa: E402
from needs import hint, implementations, parameters  # noqa: E402
from speaking import labels, run, step  # noqa: E402

PATIENCE_S = 60
LOOPBACK = {"0100007F", "00000000000000000000000001000000", "0000000000000000FFFF00000100007F"}
NOBODY = {"00000000", "0" * 32}


def on(event, label, *body):
    return {"op": "on", "event": event, "label": label, "body": list(body)}


class Conversation:
    """An adapter that is spoken to message by message, in its own temporary folder."""

    def __init__(self, name, folder):
        self.folder = folder
        self.process = subprocess.Popen(
            ["/usr/bin/python3", str(HERE / "adapter.py"), name],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, start_new_session=True,
            env={"PATH": os.environ["PATH"], "TMPDIR": str(folder)},
        )
        self.say({"type": "hello", "protocol": [1, 1]})

    def say(self, message):
        self.process.stdin.write(json.dumps(message) + "\n")
        self.process.stdin.flush()

    def hear(self):
        return json.loads(self.process.stdout.readline())

    def order(self, *steps):
        self.say(run(1, steps))
        return labels(self.hear())

    def pids(self):
        """The adapter and all that it started."""
        parents = {}
        for stat in pathlib.Path("/proc").glob("[0-9]*/stat"):
            with contextlib.suppress(OSError):
                fields = stat.read_text().rpartition(")")[2].split()
                parents[int(stat.parent.name)] = int(fields[1])
        family = {self.process.pid}
        while grown := {pid for pid, parent in parents.items() if parent in family} - family:
            family |= grown
        return family

    def end(self):
        self.process.stdin.close()
        self.process.wait(PATIENCE_S)

    def kill(self):
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()


@pytest.fixture(scope="module")
def sessions(request):
    """By name: the browsers that tests were selected for. Started together, because starting takes the longest."""
    selected = {item.callspec.params.get("session") for item in request.session.items if hasattr(item, "callspec")}
    started = {}
    for name, browser in browsers.BROWSERS.items():
        if name in selected and browsers.find(browser) is not None:
            # Not below pytest's folder: the paths of sockets must be short.
            started[name] = Conversation(name, pathlib.Path(tempfile.mkdtemp()))
    for session in started.values():
        session.ready = session.hear()
    yield started
    for session in started.values():
        session.kill()
        shutil.rmtree(session.folder)


@pytest.fixture(scope="module", autouse=True)
def smoke():
    """What conform says of Chromium, while the other tests run. Firefox runs the same code, and starts slowly."""
    conform = os.environ.get("CONFORM", ROOT / "build/release/runners/cli/conform")
    return subprocess.Popen(
        [conform, "adapter", "smoke", str(HERE), "--impl=chromium"], stdout=subprocess.PIPE, text=True,
        env={**os.environ, "CONFORM_HOME": str(ROOT)},
    )


DESCRIBED = implementations("browser")


@pytest.fixture(params=parameters(DESCRIBED))
def session(request, sessions):
    assert request.param in sessions, hint(DESCRIBED[request.param])
    return sessions[request.param]


def test_it_says_what_it_is_and_claims_the_html_profile(session):
    assert session.ready["claims"]["profile"] == "html"
    assert int(session.ready["implementation"]["version"].split(".")[0]) > 100
    assert {"timeout", "message", "microtask", "on uncaught", "on unhandled", "on handled"} <= set(session.ready["ops"])
    assert not {"tick", "immediate", "file", "exit"} & set(session.ready["ops"])


def test_the_main_body_is_a_task_of_its_own(session):
    order = session.order(step("timeout A 0", step("then P")), step("then Q"), step("log S"))
    assert order == "S Q A P"


def test_programs_do_not_reach_into_each_other(session):
    # Timers, a promise that stays rejected, and listeners: none of it is there for the next program.
    left = [
        on("uncaught", "X"), on("unhandled", "U"), {"op": "reject"},
        step("timeout A 0 x10", step("only 10", {"op": "throw"})),
    ]
    assert sorted(session.order(*left).split()) == ["A"] * 10 + ["U", "X"]
    assert session.order({"op": "reject"}, step("timeout B 0", {"op": "throw"})) == "B"


def test_rejections_are_all_told_of_before_the_end(session):
    order = session.order(
        on("unhandled", "U", step("only 1", {"op": "reject", "argument": "F"}),
           step("only 2", step("message M", step("catch C of D")))),
        on("handled", "H"), step("promise D"), {"op": "reject", "argument": "E", "target": "D"},
    )
    assert order == "U=E U=F M C H"


def test_no_socket_leads_away_from_loopback(session):
    session.order(step("timeout A 500"))
    inodes = set()
    for pid in session.pids():
        with contextlib.suppress(OSError):
            inodes |= {os.readlink(one)[8:-1] for one in pathlib.Path(f"/proc/{pid}/fd").iterdir() if is_socket(one)}
    peers = set()
    for table in ("tcp", "tcp6", "udp", "udp6"):
        for line in pathlib.Path("/proc/net", table).read_text().splitlines()[1:]:
            fields = line.split()
            if fields[9] in inodes:
                peers.add(fields[2].split(":")[0])
    assert peers & LOOPBACK, "the page's own connections were not found"
    assert peers <= LOOPBACK | NOBODY


def is_socket(descriptor):
    with contextlib.suppress(OSError):
        return os.readlink(descriptor).startswith("socket:[")
    return False


# The code is the same for all, and Firefox starts slowly.
@pytest.mark.parametrize("session", ["chromium"], indirect=True)
def test_a_browser_that_dies_is_an_error_and_the_next_run_gets_a_new_one(session):
    session.say(run(7, [step("timeout A 20000")]))
    # One of them has the page; Chromium keeps another ready.
    for pid in session.pids():
        if "--type=renderer" in command_of(pid):
            os.kill(pid, signal.SIGKILL)
    answer = session.hear()
    assert (answer["type"], answer["seq"]) == ("error", 7)
    assert "the page ended" in answer["message"]

    session.say(run(8, [step("timeout A 20000")]))
    wait_for(lambda: any("--user-data-dir" in command_of(pid) for pid in session.pids()))
    os.kill(min(session.pids() - {session.process.pid}), signal.SIGKILL)
    answer = session.hear()
    assert (answer["type"], answer["seq"]) == ("error", 8)
    assert "the browser ended with code -9" in answer["message"]
    assert session.order(step("log A")) == "A"


def command_of(pid):
    with contextlib.suppress(OSError):
        return pathlib.Path(f"/proc/{pid}/cmdline").read_text()
    return ""


def wait_for(condition):
    end = time.monotonic() + PATIENCE_S
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.01)


# Behind all tests that need the sessions: it ends them.
def test_a_browser_ends_with_its_adapter_and_leaves_nothing_behind(session):
    name = session.ready["implementation"]["name"]
    family = session.pids() - {session.process.pid}
    if name == "chromium":
        # The adapter alone, as if the system had killed it.
        os.kill(session.process.pid, signal.SIGKILL)
        session.process.wait()
        assert list(session.folder.iterdir())
    else:
        session.end()
        assert session.process.returncode == 0
    wait_for(lambda: not any(os.path.exists(f"/proc/{pid}") for pid in family))
    if name == "chromium":
        successor = Conversation(name, session.folder)
        assert successor.hear()["type"] == "ready"
        successor.end()
    assert not list(session.folder.iterdir())


def test_a_browser_that_is_missing_is_named_with_its_package(tmp_path):
    for name, browser in browsers.BROWSERS.items():
        done = subprocess.run(
            ["/usr/bin/python3", str(HERE / "adapter.py"), name], input='{"type":"hello","protocol":[1,1]}\n',
            env={"PATH": str(tmp_path)}, capture_output=True, text=True, timeout=PATIENCE_S,
        )
        assert done.returncode != 0
        assert f"install {browser.package}" in done.stderr


def test_smoke(smoke):
    said = smoke.communicate(timeout=2 * PATIENCE_S)[0]
    assert smoke.returncode == 0, said
