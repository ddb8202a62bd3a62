"""An adapter for conform: it is given programs, runs each on an event loop of asyncio, and answers with the labels
that came. It decides nothing.

`isolation: session`: this process runs many programs, one after the other, each on a fresh loop.
"""

import asyncio
import json
import math
import platform
import sys
import time

# What this adapter has. `log`, `busy`, `only` and `again` need not be named.
OPS = ["soon", "timeout", "clear", "throw", "exit", "on uncaught"]
UNIVERSAL = ["log", "busy", "only", "again"]

# Nobody waits this long for a program: a timer that is further away counts as one that never comes.
FAR_AWAY_S = 60


def say(message):
    """Standard output belongs to the protocol: one message a line, and nothing else. Print to sys.stderr to debug."""
    sys.stdout.write(json.dumps(message) + "\n")
    sys.stdout.flush()


def capability(step):
    """What `ops` names, and what is missing when a program asks for more: `on uncaught`, `timeout as promise`."""
    if step["op"] == "on":
        return "on " + step["event"]
    return step["op"] + (" as " + step["kind"] if "kind" in step else "")


def missing(steps):
    """The first capability of the program that is not here, or None."""
    for step in steps:
        if capability(step) not in OPS + UNIVERSAL:
            return capability(step)
        inside = missing(step.get("body", []))
        if inside:
            return inside
    return None


class Thrown(Exception):
    """What the step `throw` raises."""


class Frame:
    """One run of a callback, counted from 1. `rearm` asks for the next run of its chain, once."""

    def __init__(self, run, rearm=None):
        self.run = run
        self._rearm = rearm

    def rearm(self):
        rearm, self._rearm = self._rearm, None
        if rearm:
            rearm()


class Run:
    """One program on a loop of its own. Nothing of it may reach into the next run."""

    def __init__(self, message):
        self.message = message
        self.events = []
        self.things = {}  # by name, the newest thing
        self.pending = set()  # what the loop still has to call,
        self.far_away = set()  # and the timers that are not waited for
        self.listeners = []  # of uncaught errors
        self.loop = asyncio.new_event_loop()
        self.loop.set_exception_handler(self.uncaught)

    # -- What a step means --------------------------------------------------------------------------------------------

    def perform(self, steps, frame):
        for step in steps:
            getattr(self, "do_" + step["op"])(step, frame)

    def do_log(self, step, _):
        self.emit(step["label"])

    def do_busy(self, step, _):
        end = time.monotonic() + (float(step["argument"]) + 2) / 1000
        while time.monotonic() < end:
            pass

    def do_only(self, step, frame):
        if int(step["only_from"]) <= frame.run <= int(step["only_to"]):
            self.perform(step["body"], frame)

    def do_again(self, _, frame):
        frame.rearm()

    def do_soon(self, step, _):
        self.arm(step, self.loop.call_soon)

    def do_timeout(self, step, _):
        text = step["argument"]
        milliseconds = 0.0 if text == "none" else float(text)
        if not math.isfinite(milliseconds):
            milliseconds = 0.0  # asyncio knows no such delay
        self.arm(step, lambda callback: self.loop.call_later(milliseconds / 1000, callback))

    def do_on(self, step, _):
        self.listeners.append({"step": step, "runs": 0})
        if "label" in step:
            self.things[step["label"]] = self.listeners[-1]

    def do_clear(self, step, _):
        thing = self.things.get(step["target"])  # a thing that does not exist yet: nothing happens
        if isinstance(thing, asyncio.Handle):
            thing.cancel()
            self.pending.discard(thing)
            self.far_away.discard(thing)
        self.listeners = [listener for listener in self.listeners if listener is not thing]

    def do_throw(self, step, _):
        raise Thrown(step.get("argument", ""))

    def do_exit(self, step, _):
        raise SystemExit(int(step.get("argument", "0")))  # asyncio lets this one through, out of run_forever

    # -- Callbacks ----------------------------------------------------------------------------------------------------

    def arm(self, step, schedule, run=1):
        """Asks the loop for run number `run` of the step. `xN` makes a chain: each run asks for the next."""

        def callback():
            self.pending.discard(handle)
            chained = run < int(step.get("times", "1"))
            frame = Frame(run, (lambda: self.arm(step, schedule, run + 1)) if chained else None)
            try:
                if "label" in step:
                    self.emit(step["label"])
                self.perform(step.get("body", []), frame)
                frame.rearm()
            finally:
                self.stop_when_done()

        handle = schedule(callback)
        is_far = isinstance(handle, asyncio.TimerHandle) and handle.when() > self.loop.time() + FAR_AWAY_S
        (self.far_away if is_far else self.pending).add(handle)
        if "label" in step:
            self.things[step["label"]] = handle

    def stop_when_done(self):
        """asyncio runs until it is told to stop, so that the end of the program has to be found."""
        if not self.pending:
            self.loop.stop()

    def uncaught(self, _, context):
        """The exception handler of the loop: an error in a callback ends that callback, and the loop goes on."""
        try:
            for listener in self.listeners:
                step, name = listener["step"], str(context["exception"])
                listener["runs"] += 1
                if "label" in step:
                    self.emit(step["label"] + ("=" + name if name else ""))
                self.perform(step.get("body", []), Frame(listener["runs"]))
        finally:
            self.stop_when_done()

    # -- From the message to the trace --------------------------------------------------------------------------------

    def emit(self, label):
        self.events.append({"label": label, "t_ns": time.monotonic_ns()})
        if self.message.get("flush") == "each":
            self.write(more=True)

    def write(self, more):
        say({"type": "trace", "seq": self.message["seq"], "events": self.events, "more": more})
        self.events = []

    def answer(self):
        try:
            self.perform(self.message["program"], Frame(1))
            while self.pending:
                self.loop.run_forever()
            if self.far_away:
                self.emit("exit=never")
        except SystemExit as end:
            if end.code:
                self.emit(f"exit={end.code}")
        except Thrown:
            self.emit("exit=1")  # an error of the main body ends a Python program with code 1
        self.loop.close()
        self.write(more=False)


def answer(message):
    if message["type"] == "hello":
        implementation = {"name": "my-loop", "version": platform.python_version()}
        say({"type": "ready", "protocol": 1, "implementation": implementation, "ops": OPS, "isolation": "session"})
    elif message["type"] == "run":
        lacks = "native" if "native" in message else missing(message["program"])
        if message["entry"] != "script":
            lacks = "entry " + message["entry"]
        if lacks:
            say({"type": "unsupported", "seq": message["seq"], "op": lacks})
        else:
            Run(message).answer()


for line in sys.stdin:
    said = json.loads(line)
    if said["type"] == "stop":
        break
    answer(said)
