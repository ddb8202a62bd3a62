"""The JavaScript adapter keeps to the protocol. Runs with the `node` on PATH, which has to be 16 or later."""

import json
import os
import pathlib
import shutil
import socket
import subprocess
import tempfile

import pytest

HERE = pathlib.Path(__file__).resolve().parent
NODE = shutil.which("node")
HELLO = {"type": "hello", "protocol": [1, 1]}
STOP = {"type": "stop"}
DEADLINE_S = 20

assert NODE, "it needs: apt install nodejs; ./test does that"


def step(op, label=None, body=None, **fields):
    made = {"op": op, **fields}
    if label:
        made["label"] = label
    if body:
        made["body"] = body
    return made


def talk(*messages, main="adapter.cjs", via=(), sockets=(), deadline_s=DEADLINE_S):
    """Holds a whole conversation, and returns the answers, the exit code (None: it had to be ended), and its folder."""
    text = "".join(json.dumps(message) + "\n" for message in messages)
    temporary = pathlib.Path(tempfile.mkdtemp())
    descriptors = [one.fileno() for one in sockets]
    process = subprocess.Popen(
        [*via, NODE, str(HERE / main)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={"PATH": os.environ["PATH"], "TMPDIR": str(temporary)},
        pass_fds=descriptors,
    )
    code = None
    try:
        output, _ = process.communicate(text.encode(), timeout=deadline_s)
        code = process.returncode
    except subprocess.TimeoutExpired:
        process.kill()
        output, _ = process.communicate()
    left_behind = sorted(path.name for path in temporary.iterdir())
    shutil.rmtree(temporary)
    return [json.loads(line) for line in output.decode().splitlines() if line], code, left_behind


def run_program(program, entry="script", **fields):
    main = fields.pop("main", "entry.mjs" if entry == "esm" else "adapter.cjs")
    kept = {name: fields.pop(name) for name in ("sockets", "deadline_s") if name in fields}
    run = {"type": "run", "seq": 7, "entry": entry, "program": program, **fields}
    return talk(HELLO, run, STOP, main=main, **kept)


def labels_of(answers):
    assert answers[0]["type"] == "ready"
    traces = answers[1:]
    assert traces and all(trace["type"] == "trace" and trace["seq"] == 7 for trace in traces), answers
    return [event["label"] for trace in traces for event in trace["events"]]


def order_of(program, **fields):
    answers, code, left_behind = run_program(program, **fields)
    assert left_behind == []
    return " ".join(labels_of(answers) + ([] if code == 0 else [f"exit={code}"]))


def test_a_conversation_without_a_run_names_the_ops():
    answers, code, left_behind = talk(HELLO, STOP)
    assert (len(answers), code, left_behind) == (1, 0, [])
    ready = answers[0]
    assert ready["type"] == "ready" and ready["protocol"] == 1 and ready["isolation"] == "process"
    version = subprocess.run([NODE, "--version"], capture_output=True, text=True, check=True).stdout.strip()[1:]
    assert ready["implementation"]["name"] == "node" and ready["implementation"]["version"] == version
    assert ready["claims"] == {"profile": "node", "version": version}
    expected = ["tick", "await", "timeout as promise", "read", "on beforeExit", "on unhandled", "entry esm await"]
    assert [name for name in expected if name not in ready["ops"]] == []
    assert "soon" not in ready["ops"] and "idle" not in ready["ops"]


# What a busy machine does to a process: it stands still as long as its patience would last, before anything has come.
STANDS_STILL = "setTimeout(() => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5000), 1);"


def test_a_busy_machine_takes_no_op_away(tmp_path):
    (tmp_path / "still.js").write_text(STANDS_STILL)
    (ready,), _, _ = talk(HELLO, STOP)
    (late,), _, _ = talk(HELLO, STOP, via=["env", f"NODE_OPTIONS=-r {tmp_path}/still.js"])
    assert late["ops"] == ready["ops"]


def test_labels_come_in_one_trace_with_rising_times():
    program = [step("timeout", "A", argument="5"), step("tick", "T"), step("log", "S"), step("busy", argument="5")]
    answers, code, _ = run_program(program)
    assert (len(answers), code) == (2, 0)
    times = [event["t_ns"] for event in answers[1]["events"]]
    assert labels_of(answers) == ["S", "T", "A"] and times == sorted(times) and times[1] - times[0] >= 5_000_000


def test_a_program_that_emits_nothing_has_an_empty_trace():
    assert order_of([]) == ""
    assert order_of([], flush="each") == ""


def test_each_label_is_written_at_once_where_that_is_asked_for():
    program = [step("log", "S"), step("interval", "V", argument="1", times="2"), step("interval", argument="1000")]
    answers, code, _ = run_program(program, flush="each", deadline_s=2)
    assert code is None and labels_of(answers) == ["S", "V", "V"]
    assert [len(trace["events"]) for trace in answers[1:]] == [0, 1, 1, 1]


def test_more_labels_than_the_protocol_allows_are_an_error():
    answers, _, _ = run_program([step("tick", "T", times="250001")])
    assert [answer["type"] for answer in answers] == ["ready", "error"]


def test_the_exit_code_is_the_program_s():
    assert order_of([step("log", "A"), step("exit", argument="3")]) == "A exit=3"
    assert order_of([step("tick", "A", [step("throw")])]) == "A exit=1"


def test_what_exit_listeners_emit_is_written_through():
    program = [step("on", "E", [step("then", "P"), step("log", "F")], event="exit"), step("on", "G", event="exit")]
    assert order_of(program) == "E F G P"


def test_labels_survive_an_error_in_the_handler_of_errors():
    program = [step("on", "X", [step("only", body=[step("throw")], only_from="1", only_to="1")], event="uncaught")]
    assert order_of(program + [step("log", "S"), step("throw", argument="E")]) == "S X=E exit=7"


@pytest.mark.parametrize(
    "program, missing",
    [
        ([step("log", "A"), step("idle", "H")], "idle"),
        ([step("tick", "T", kind="lazy")], "tick as lazy"),
        ([step("on", "X", event="blue-moon")], "on blue-moon"),
        ([step("timeout", "A", argument="1"), step("close", "C", target="A")], "close of timeout"),
        ([step("file", "F"), step("clear", target="F")], "clear of file"),
    ],
)
def test_what_is_missing_is_named_before_the_first_step(program, missing):
    answers, code, _ = run_program([step("exit", argument="9")] + program)
    assert code == 0 and answers[1:] == [{"type": "unsupported", "seq": 7, "op": missing}]


def test_descriptors_are_read_in_the_order_in_which_they_are_given():
    pairs = [socket.socketpair() for _ in range(3)]
    for _, other_end in pairs:
        other_end.send(b"x")
    program = [step("read", "A", [step("tick", "T")]), step("read", "B", times="2")]
    ours = [pair[0] for pair in pairs]
    assert order_of(program, descriptors=[one.fileno() for one in ours], sockets=ours) == "A T B B"
    for pair in pairs:
        for one in pair:
            one.close()


def test_a_read_without_a_descriptor_is_an_error():
    answers, _, _ = run_program([step("read", "A")])
    assert answers[1]["type"] == "error" and "descriptor" in answers[1]["message"]


def test_sockets_leave_no_file_behind():
    connected = [step("close", target="K"), step("close", target="S"), step("close", target="L")]
    program = [step("listen", "L"), step("accept", "S", target="L"), step("connect", "K", connected, target="L")]
    assert order_of(program) == "S K"
    assert order_of([step("listen", "L"), step("exit")]) == ""


def test_names_mean_the_newest_and_what_is_not_there_yet_is_left_alone():
    program = [
        step("clear", target="A"),
        step("timeout", "A", argument="1"),
        step("timeout", "A", argument="1", body=[step("log", "second")]),
        step("clear", target="A"),
    ]
    assert order_of(program) == "A"
    shared = [step("log", "A"), step("tick", "A"), step("timeout", "A", argument="1"), step("clear", target="A")]
    assert order_of(shared) == "A A"


def test_chains_count_their_runs():
    second = step("only", body=[step("log", "two")], only_from="2", only_to="2")
    assert order_of([step("tick", "T", [second], times="3")]) == "T T two T"
    assert order_of([step("interval", "V", [second], argument="1", times="2")]) == "V V two"
    assert order_of([step("tick", "T", [step("again"), step("tick", "U")], times="2")]) == "T T U U"
    late = step("async", "F", [step("pause", "P"), step("again")])
    assert order_of([step("tick", "T", [late], times="2")]) == "T T P P"


def test_async_functions_pause_for_one_job():
    body = [step("log", "A"), step("pause", "B"), step("only", body=[step("pause", "C")], only_from="1", only_to="1")]
    program = [step("async", "F", body), step("log", "S"), step("then", "P", [step("then", "Q")])]
    assert order_of(program + [step("then", "D", target="F")]) == "A S B P C Q D"


def test_signals_come_as_they_were_raised():
    signals = [step("signal", "W", kind="winch"), step("signal", "H", kind="hup"), step("signal", "U")]
    raising = [step("raise", target=name) for name in ("W", "U", "H")]
    assert order_of([*signals, *raising, step("timeout", "T", argument="40")]) == "W U H T"


def test_errors_are_caught_in_place_and_around_an_await():
    failing = [step("promise", "Q"), step("reject", argument="E", target="Q")]
    caught = [step("try", "X", [step("pause", "A", target="Q"), step("log", "B")]), step("log", "C")]
    assert order_of(failing + [step("async", body=caught), step("log", "S"), step("then", "P")]) == "S X=E C P"
    assert order_of(failing + [*caught, step("log", "S")], entry="esm", main="entry_await.mjs") == "X=E C S"
    only = step("only", body=[step("throw", argument="F")], only_from="2", only_to="2")
    assert order_of([step("tick", "T", [step("try", "X", [only]), step("log", "B")], times="2")]) == "T B T X=F B"
    # An error without a name, and one that the engine makes.
    assert order_of([step("try", "X", [step("throw")])]) == "X"
    awaited = step("async", body=[step("try", "X", [step("pause", target="N")])])
    assert order_of([*failing, step("combine", "N", target="Q", kind="any"), awaited]) == "X=AggregateError"


def test_a_module_drains_microtasks_before_ticks():
    program = [step("tick", "T"), step("then", "P"), step("log", "S")]
    assert order_of(program, entry="esm") == "S P T"


def test_a_module_can_pause_at_its_top():
    program = [step("tick", "T"), step("pause", "A"), step("pause", "B"), step("then", "P")]
    assert order_of(program, entry="esm", main="entry_await.mjs") == "A B P T"
    waiting = [step("promise", "D"), step("log", "S"), step("pause", "A", target="D")]
    assert order_of(waiting, entry="esm", main="entry_await.mjs") == "S exit=13"
    # A module without `await` cannot.
    assert run_program(program, entry="esm")[0][1] == {"type": "unsupported", "seq": 7, "op": "entry esm await"}


def test_a_worker_runs_its_program_and_passes_its_end_on():
    assert order_of([step("then", "P"), step("tick", "T"), step("log", "S")], entry="worker") == "S T P"
    assert order_of([step("log", "S"), step("exit", argument="4")], entry="worker") == "S exit=4"


def test_a_native_script_is_the_main_script(tmp_path):
    script = tmp_path / "native.cjs"
    script.write_text(
        "log(require.main === module ? 'main' : 'other');\n"
        "log(process.argv[1] === __filename ? 'named' : 'nameless');\n"
        "process.nextTick(() => log('T'));\nPromise.resolve().then(() => log('P'));\n"
    )
    answers, code, _ = talk(HELLO, {"type": "run", "seq": 7, "entry": "script", "native": str(script)}, STOP)
    assert (labels_of(answers), code) == (["main", "named", "T", "P"], 0)


def test_a_native_module_is_the_main_module(tmp_path):
    module = tmp_path / "native.mjs"
    module.write_text("process.nextTick(() => log('T'));\nawait null;\nlog('A');\nprocess.exitCode = 5;\n")
    run = {"type": "run", "seq": 7, "entry": "esm", "native": str(module)}
    answers, code, _ = talk(HELLO, run, STOP, main="entry.mjs")
    assert (labels_of(answers), code) == (["A", "T"], 5)


def test_busy_outlasts_every_timer_that_was_armed_before():
    program = [step("timeout", "A", argument="20"), step("timeout", "B", argument="1"), step("busy", argument="20")]
    answers, _, _ = run_program([step("log", "S"), *program, step("log", "E"), step("tick", "T")])
    assert labels_of(answers)[:3] == ["S", "E", "T"]
    times = {event["label"]: event["t_ns"] for event in answers[1]["events"]}
    assert times["E"] - times["S"] > 20_000_000


def test_what_native_cases_need_is_looked_for(tmp_path):
    """Method: take something away before the adapter is loaded, and see that it is missed and nothing else."""
    missing = tmp_path / "missing.cjs"
    missing.write_text("delete global.EventTarget; delete require('stream').pipeline;", encoding="utf-8")
    said = json.dumps(HELLO) + "\n" + json.dumps(STOP) + "\n"

    def ops(*more):
        command = [NODE, *more, str(HERE / "adapter.cjs")]
        ended = subprocess.run(command, input=said, capture_output=True, encoding="utf-8", timeout=DEADLINE_S)
        return set(json.loads(ended.stdout)["ops"])

    assert ops() - ops("-r", str(missing)) == {"EventTarget", "stream.pipeline"}


@pytest.mark.parametrize("count", [3, 6000])
def test_the_conversation_may_come_in_a_variable_if_it_is_short(count):
    """As Bun gets it. What is too long for a variable comes as to the others."""
    labels = [f"L{number}" for number in range(count)]
    run = {"type": "run", "seq": 7, "entry": "script", "program": [step("log", label) for label in labels]}
    answers, code, _ = talk(HELLO, run, STOP, via=["sh", str(HERE / "bun.sh")])
    assert [event["label"] for event in answers[-1]["events"]] == labels and code == 0
