"""The libuv adapter by its protocol: it is built into a temporary folder and spoken to as conform does."""

import json
import os
import pathlib
import shutil
import subprocess
import sys

import pytest

FOLDER = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(FOLDER.parent / "shared"))

from needs import hint, implementations  # noqa: E402
from speaking import TIMEOUT_S, labels, run, step, talk  # noqa: E402


@pytest.fixture(scope="session")
def built(tmp_path_factory):
    out = tmp_path_factory.mktemp("libuv")
    done = subprocess.run(
        ["make", "-s"], cwd=FOLDER, env={**os.environ, "OUT": str(out)}, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, f"{done.stderr}\n{hint(implementations('libuv')['libuv'])}"
    return out


@pytest.fixture
def orders(built):
    """Runs programs in one session and gives their orders."""

    def ask(*programs):
        answers, done = talk([built / "adapter"], [run(i, program) for i, program in enumerate(programs, 1)])
        assert done.returncode == 0, done.stderr
        assert [answer["seq"] for answer in answers] == list(range(1, len(programs) + 1))
        return [labels(answer) for answer in answers]

    return ask


def test_it_introduces_itself(built):
    answers, done = talk([built / "adapter"], [{"type": "hello", "protocol": [1, 1]}, {"type": "stop"}])
    assert done.returncode == 0
    (ready,) = answers
    assert ready["type"] == "ready" and ready["protocol"] == 1 and ready["isolation"] == "session"
    assert ready["implementation"]["name"] == "libuv"
    assert ready["claims"] == {"profile": "libuv", "version": ready["implementation"]["version"]}
    assert {"timeout", "idle", "wake", "refused as path", "run"} <= set(ready["ops"])
    assert "tick" not in ready["ops"]


def test_one_process_runs_many_programs_and_nothing_is_left_of_them(orders):
    left_behind = [
        step("timeout 60000"),
        step("idle"),
        step("signal"),
        step("work"),
        step("child"),
        step("listen L"),
        step("connect to L"),
        step("run nowait R"),
    ]
    assert orders(left_behind, [step("alive A"), step("timeout T 1")]) == ["R=1", "A=0 T"]


def test_phases_come_in_order(orders):
    program = [
        step("socket S"),
        step("close C of S"),
        step("check K x1"),
        step("read R"),
        step("prepare P x1"),
        step("idle I x1"),
        step("timeout T 0"),
    ]
    assert orders(program) == ["T I P R K C"]


def test_outcomes_are_part_of_the_label(orders):
    assert orders(
        [step("refused E"), step("close C of E")],
        [step("refused E as path")],
        [step("timeout T 1000"), step("run nowait R"), step("alive L"), step("unref T"), step("run default Q")],
        [step("timeout A 0", step("exit 3"), step("log no")), step("timeout B 1")],
    ) == ["E=ECANCELED C", "E", "R=1 L=1 Q=0", "A exit=3"]


def test_a_request_that_waits_for_a_thread_is_cancelled(built):
    """The thread may be quicker than `clear`, and then it is too late for it; but not every time."""
    program = [step("work A"), step("work B"), step("work C"), step("clear C")]
    asked = [run(number, program) for number in range(1, 101)]
    answers, _ = talk([built / "adapter"], asked, UV_THREADPOOL_SIZE="1")
    seen = {labels(answer) for answer in answers}
    cancelled = {"C=ECANCELED A B", "A C=ECANCELED B", "A B C=ECANCELED"}
    assert seen <= cancelled | {"A B C"} and seen & cancelled


def test_sockets_wake_ups_signals_and_children(orders):
    then = step(
        "close C of K",
        step("wake H x2", {"op": "only", "only_from": "2", "only_to": "2", "body": [step("clear H"), step("child N")]}),
    )
    program = [
        step("listen L"),
        step("accept A of L", step("close of L")),
        step("connect K to L", step("write W to K", step("close of A"), then)),
    ]
    signal = [step("signal S", step("clear S")), step("raise S")]
    assert orders(program, signal) == ["A K W C H H N", "S"]


def test_work_keeps_its_thread_and_signals_have_their_kinds(built):
    work = [step("work A 40"), step("work B 1"), step("timeout T 20")]
    waiting = ["signal W as winch", "signal H as hup", "signal U"]
    signals = [step(one, step("clear " + one[7])) for one in waiting] + [step("raise " + name) for name in "WHU"]
    answers, _ = talk([built / "adapter"], [run(1, work), run(2, signals)], UV_THREADPOOL_SIZE="1")
    assert [labels(answer) for answer in answers] == ["T A B", "W H U"]


def test_shutdown_and_datagrams(orders):
    streams = [
        step("listen L"),
        step("accept A of L", step("close of L")),
        step(
            "connect K to L",
            step("write W to K"),
            step("shutdown S of K"),
            step("shutdown T of K"),
            step("timeout 30", step("close of K"), step("close of A")),
        ),
    ]
    closing = step("timeout 40", step("close of R"))
    datagrams = [step("receive R"), step("datagram A to R"), step("datagram B to R"), closing]
    cancelled = [step("receive R"), step("datagram A to R"), step("datagram B to R"), step("close X of R")]
    assert orders(streams, datagrams, cancelled) == ["A K W S", "A B R R", "A B=ECANCELED X"]


def test_a_session_starts_one_child_after_the_other(orders):
    assert orders(*[[step("child K", step("clear T")), step("timeout T 60000")]] * 3) == ["K"] * 3


def test_data_is_read_stopped_and_started(orders):
    first = step("only 1", step("clear D"), step("timeout T 20", step("start D")))
    streams = [
        step("listen L"),
        step("accept A of L", step("write W to A x3", step("only 3", step("close of A"))), step("close of L")),
        step("connect K to L"),
        step("timeout 40", step("data D of K", first), step("data E of K")),
    ]
    early = [step("listen L"), step("connect K to L", step("close of K"), step("close of L")), step("data D of K")]
    receiver = step("receive R", step("clear R"))
    stopped = [receiver, step("clear R"), step("datagram A to R"), step("timeout T 20", step("start R"))]
    assert orders(streams, early, stopped) == ["A K W W W D T D D D=EOF", "K", "A T R"]


def test_a_wait_without_end_is_found_out_and_the_session_goes_on(orders):
    assert orders(
        [step("idle H x1"), step("check C x1")],
        [step("signal S"), step("log X")],
        [step("wake H unsent"), step("run once R"), step("log no")],
        [step("timeout T 1")],
    ) == ["H exit=never", "X exit=never", "exit=never", "T"]


def test_what_may_still_come_is_waited_for(orders):
    waits = [step("signal S"), step("child K", step("clear S"))]
    timer = [step("signal S"), step("timeout T 100", step("clear S"))]
    work = [step("wake H unsent"), step("work W x20", step("send H"))]
    assert orders(waits, timer, work)[0:2] == ["K", "T"]


def test_what_it_has_not_is_unsupported(built):
    programs = [[step("tick T")], [step("timeout T NaN")], [step("file F as promise")]]
    answers, _ = talk([built / "adapter"], [run(i, program) for i, program in enumerate(programs, 1)])
    assert [answer["op"] for answer in answers] == ["tick", "delay NaN", "file as promise"]
    answers, _ = talk(
        [built / "adapter"], [run(1, [], entry="esm"), {"type": "run", "seq": 2, "entry": "script", "native": "x"}]
    )
    assert [answer["op"] for answer in answers] == ["entry esm", "native"]


def test_each_label_can_be_written_at_once(built):
    answers, _ = talk([built / "adapter"], [run(1, [step("log A"), step("timeout B 1")], flush="each")])
    assert [labels(answer) for answer in answers] == ["A", "B", ""]
    assert [answer.get("more", False) for answer in answers] == [True, True, False]


def test_a_message_that_is_none_ends_it(built):
    for line in ["nonsense", '{"type":"what"}', "[]"]:
        done = subprocess.run(
            [built / "adapter"], input=line + "\n", capture_output=True, text=True, check=False, timeout=TIMEOUT_S
        )
        assert done.returncode == 1 and "unknown message" in done.stderr


def test_a_library_that_is_no_libuv_is_not_mistaken_for_one(built):
    other = built / "other.so"
    subprocess.run(["g++", "-shared", "-fPIC", "-x", "c++", "/dev/null", "-o", other], check=True)
    for library in ["/nowhere/libuv.so", str(other)]:
        _, done = talk([built / "adapter"], [{"type": "hello", "protocol": [1, 1]}], LD_PRELOAD=library)
        assert done.returncode == 1 and "is not libuv" in done.stderr


def test_it_runs_inside_of_node(built):
    node = shutil.which("node")
    assert node, "it needs: apt install nodejs; ./test does that"
    messages = [{"type": "hello", "protocol": [1, 1]}, run(1, [step("idle I x1"), step("timeout A 0")])]
    answers, done = talk([node, FOLDER / "load.cjs", built / "addon.node"], messages)
    assert done.returncode == 0, done.stderr
    versions = json.loads(subprocess.run([node, "-p", "JSON.stringify(process.versions)"], capture_output=True).stdout)
    assert answers[0]["claims"]["version"] == versions["uv"].split("-")[0]
    assert answers[0]["implementation"]["details"]["inside"] == "Node.js " + versions["node"]
    assert labels(answers[1]) == "A I"
