"""An adapter that answers as it should, except where a program has the label `Bad`: there it does what its first
argument names. The second argument is its isolation; the third a file that it may leave a process id in.

    hostile.py none|silent|never-ready|… process|session FILE
"""

import json
import os
import signal
import sys
import time

FAULT, ISOLATION, FILE = sys.argv[1:4]
OUT = sys.stdout.buffer


def put(data, flush=True):
    OUT.write(data)
    if flush:
        OUT.flush()


def line(message):
    return json.dumps(message).encode() + b"\n"


def trace(run, labels, **more):
    return line({"type": "trace", "seq": run["seq"], "events": [{"label": label} for label in labels], **more})


def for_ever(do=lambda: time.sleep(1)):
    while True:
        do()


def labels_of(run):
    return [step["label"] for step in run["program"] if "label" in step]


def slowly(data):
    for byte in data:
        put(bytes([byte]))
        time.sleep(0.05)


def leave_a_child(own_session):
    running, started = os.pipe()
    child = os.fork()
    if child == 0:
        if own_session:
            os.setsid()
        os.execvp("sleep", ["sleep", "1000"])
    os.close(started)
    os.read(running, 1)  # ends when the child runs: until then it may still be in our group, and be killed with it
    with open(FILE, "a", encoding="utf-8") as file:
        file.write(f"{child}\n")


def misbehave(run):
    """What comes back is written; most faults never return."""
    right = trace(run, labels_of(run))
    if FAULT == "silent":
        for_ever()
    if FAULT in ("waits-for-nothing", "spins", "emits-without-end"):
        each = run.get("flush") == "each"
        if each:
            put(trace(run, ["Bad"], more=True))
        while True:
            if FAULT == "waits-for-nothing":
                signal.pause()
            if FAULT == "emits-without-end" and each:
                put(trace(run, ["Bad"], more=True))
    if FAULT == "crashes-midway":
        put(trace(run, ["Bad"], more=True))
        print("Error: it went wrong", file=sys.stderr, flush=True)
        os.kill(os.getpid(), signal.SIGSEGV)
    if FAULT == "crashes-at-once-unless-each":
        if run.get("flush") == "each":
            put(trace(run, ["Bad"], more=True))
        os.abort()
    if FAULT == "exits-zero-without-answer":
        os._exit(0)
    if FAULT == "exits-seven-without-answer":
        print("out of luck", file=sys.stderr, flush=True)
        os._exit(7)
    if FAULT == "exits-seven-after-its-answer":
        put(right)
        os._exit(7)
    if FAULT == "floods-stdout":
        for_ever(lambda: put(b"x" * 65536 + b"\n"))
    if FAULT == "floods-stdout-with-traces":
        for_ever(lambda: put(trace(run, ["Bad"] * 1000, more=True)))
    if FAULT == "floods-stderr":
        for _ in range(400):
            os.write(2, b"x" * 65536)
        return right
    if FAULT == "floods-stderr-for-ever":
        for_ever(lambda: os.write(2, b"x" * 65536))
    if FAULT == "half-a-line":
        put(right[: len(right) // 2])
        os._exit(0)
    if FAULT == "a-line-without-its-end":
        put(right[:-1])
        os._exit(0)
    if FAULT == "invalid-utf8":
        return right.replace(b"Bad", b"B\xff")
    if FAULT == "no-json":
        return b"Hello, world!\n"
    if FAULT == "no-message":
        return line({"type": "trace", "seq": run["seq"], "events": [{"label": 5}]})
    if FAULT == "wrong-seq":
        return trace({"seq": run["seq"] + 1}, labels_of(run))
    if FAULT == "wrong-seq-once-used":
        return trace({"seq": run["seq"] + (run["seq"] > 1)}, labels_of(run))
    if FAULT == "answers-twice":
        return right + right
    if FAULT == "refuses-twice":
        return 2 * line({"type": "unsupported", "seq": run["seq"], "op": "tick"})
    if FAULT == "answers-and-refuses":
        return right + line({"type": "unsupported", "seq": run["seq"], "op": "tick"})
    if FAULT == "ready-twice":
        return ready() + right
    if FAULT == "says-error":
        return line({"type": "error", "seq": run["seq"], "message": "the loop\nis broken"})
    if FAULT == "says-broken":
        return line({"type": "error", "seq": run["seq"], "message": "uv_loop_close: EBUSY", "broken": True})
    if FAULT == "has-not":
        return line({"type": "unsupported", "seq": run["seq"], "op": "a thing"})
    if FAULT == "lies-about-ops":
        return line({"type": "unsupported", "seq": run["seq"], "op": "timeout"})
    if FAULT == "ignores-sigterm":
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            signal.signal(number, signal.SIG_IGN)
        for_ever()
    if FAULT == "leaves-a-child":
        leave_a_child(own_session=False)
        return right
    if FAULT == "leaves-a-child-in-another-session":
        leave_a_child(own_session=True)
        return right
    if FAULT == "closes-stdout":
        os.close(1)
        for_ever()
    if FAULT == "100-MB-line":
        put(right[:-1] + b" " * 100_000_000 + b"\n")
    if FAULT == "deep-json":
        return right[:-2] + b',"x":' + b"[" * 100_000 + b"]" * 100_000 + b"}\n"
    if FAULT == "slow-drip":
        for_ever(lambda: slowly(right[:-1]))
    return right


def ready():
    return line(
        {
            "type": "ready",
            "protocol": 1,
            "implementation": {"name": "fake", "version": "1.0"},
            "claims": {"profile": "node", "version": "20.0.0"},
            "ops": ["timeout", "immediate", "read", "native", "tick", "entry esm"],
            "isolation": ISOLATION,
        }
    )


def main():
    if FAULT == "never-ready":
        for_ever()
    for text in sys.stdin:
        message = json.loads(text)
        if message["type"] == "hello":
            put(ready())
        elif message["type"] == "run" and "Bad" in labels_of(message):
            put(misbehave(message))
        elif message["type"] == "run":
            put(trace(message, labels_of(message)), flush=FAULT != "never-flushes")
        elif message["type"] == "stop":
            return


main()
