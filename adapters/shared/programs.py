"""What the adapters in Python share: the conversation with conform, and what every step means on every loop.

An adapter makes a class from Run, with a method `do_OP` for each op that it has, and calls `serve`.
"""

import json
import socket
import sys
import time

UNIVERSAL = ["log", "busy", "only", "again"]
LONGEST_DELAY_MS = 1e9

# `busy` takes this much longer than it is asked to: what it should make due is then due on every clock.
MARGIN_MS = 2


def say(message):
    """Standard output belongs to the protocol: one message a line, and nothing else."""
    sys.stdout.write(json.dumps(message) + "\n")
    sys.stdout.flush()


def capability(step):
    """The name of what a step needs: `on uncaught`, `timeout as at`."""
    if step["op"] == "on":
        return "on " + step["event"]
    return step["op"] + (" as " + step["kind"] if "kind" in step else "")


def refused_delay(step):
    """A delay that a loop in Python cannot take, as the name of a capability, or None."""
    if step["op"] != "timeout":
        return None
    text = step["argument"]
    try:
        fits = abs(float(text)) <= LONGEST_DELAY_MS
    except ValueError:
        fits = False  # `none`
    return None if fits else "delay " + text


def missing(steps, ops, refuses):
    """The first thing that a program needs and that is not there, or None."""
    for step in steps:
        name = capability(step)
        if name not in ops and name not in UNIVERSAL:
            return name
        reason = refused_delay(step) or refuses(step) or missing(step.get("body", []), ops, refuses)
        if reason:
            return reason
    return None


class Thrown(Exception):
    """What the step `throw` raises."""


class Frame:
    """One run of a callback, counted from 1. `rearm` schedules the next run of its chain, once."""

    def __init__(self, run=1, rearm=None):
        self.run = run
        self._rearm = rearm

    def rearm(self):
        rearm, self._rearm = self._rearm, None
        if rearm:
            rearm()


class Run:
    """One program. Nothing of it may reach into the next."""

    def __init__(self, message):
        self.message = message
        self.events = []
        self.things = {}  # by name, the newest thing
        self.descriptors = list(message.get("descriptors", []))  # of sockets that conform has made ready
        self.sockets = []

    def perform(self, steps, frame):
        for step in steps:
            self.do(step, frame)

    def do(self, step, frame):
        getattr(self, "do_" + step["op"])(step, frame)

    def do_log(self, step, _):
        self.emit(step["label"])

    def do_busy(self, step, _):
        """Sleeps first, so that other threads of this process get on with their work; then spins."""
        end = time.monotonic() + (float(step["argument"]) + MARGIN_MS) / 1000
        time.sleep(float(step["argument"]) / 1000)
        while time.monotonic() < end:
            pass

    def do_only(self, step, frame):
        if self.is_meant(step, frame):
            self.perform(step["body"], frame)

    def is_meant(self, step, frame):
        return int(step["only_from"]) <= frame.run <= int(step["only_to"])

    def do_again(self, _, frame):
        frame.rearm()

    def do_throw(self, step, _):
        raise Thrown(step.get("argument", ""))

    def do_exit(self, step, _):
        raise SystemExit(int(step.get("argument", "0")))

    def name(self, step, thing):
        if "label" in step:
            self.things[step["label"]] = thing

    def run_body(self, step, frame, outcome=""):
        """A callback runs: its label, its body, the next run of its chain."""
        if "label" in step:
            self.emit(step["label"] + ("=" + outcome if outcome else ""))
        self.perform(step.get("body", []), frame)
        frame.rearm()

    def waiting_socket(self):
        """A socket from which one byte can be read."""
        if self.descriptors:
            reader = socket.socket(fileno=self.descriptors.pop(0))
        else:
            reader, writer = socket.socketpair()
            writer.send(b"x")
            self.sockets.append(writer)
        self.sockets.append(reader)
        return reader

    def emit(self, label):
        self.events.append({"label": label, "t_ns": int(time.monotonic() * 1e9)})
        if self.message.get("flush") == "each":
            self.write(more=True)

    def write(self, more):
        say({"type": "trace", "seq": self.message["seq"], "events": self.events, "more": more})
        self.events = []

    def answer(self):
        """Runs the program to its end and writes the trace."""
        try:
            self.run_program()
        except SystemExit as end:
            if end.code:
                self.emit("exit=%d" % end.code)
        except Thrown:
            self.emit("exit=1")  # an error that leaves the main body ends a Python program with code 1
        self.clean_up()
        self.write(more=False)

    def run_program(self):
        raise NotImplementedError

    def clean_up(self):
        for each in self.sockets:
            each.close()


def serve(ready, run, ops, refuses=lambda step: None):
    """Answers until it is told to stop. `ready` introduces the implementation, `run` makes a Run of a message;
    `refuses` names what is wrong with a step although its op is there."""
    for line in sys.stdin:
        message = json.loads(line)
        if message["type"] == "stop":
            break
        if message["type"] == "hello":
            say(dict({"type": "ready", "protocol": 1, "ops": ops, "isolation": "session"}, **ready))
        elif message["type"] == "run":
            lacks = "native" if "native" in message else missing(message["program"], ops, refuses)
            if message["entry"] != "script":
                lacks = "entry " + message["entry"]
            if lacks:
                say({"type": "unsupported", "seq": message["seq"], "op": lacks})
            else:
                run(message).answer()
