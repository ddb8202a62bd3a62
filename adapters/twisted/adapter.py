"""Twisted: each program gets a new reactor in this process, the one with epoll, which is Twisted's choice on Linux.

CONFORM_PYTHON names another Python to run in: `--impl=twisted=/usr/local/bin/python3.13`.
"""

import os
import pathlib
import platform
import socket
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "shared"))

from programs import Frame, Run, serve  # noqa: E402

try:
    import twisted
    from twisted.internet import threads
    from twisted.internet.abstract import FileDescriptor
    from twisted.internet.epollreactor import EPollReactor
except ImportError:
    twisted = None

OPS = ["soon", "timeout", "wake", "send", "read", "work", "clear", "exit", "stop"]
ENDED = []  # reactors whose program is over: their sockets stay until the process ends


class Armed:
    """A callback that the reactor was asked for. `cancel` takes the request back, where there is a way."""

    def __init__(self):
        self.cancel = None
        self.is_over = False


class Wake:
    """What `send` sends to; each sending is a call of its own."""

    def __init__(self, step):
        self.step = step
        self.runs = 0


class TwistedRun(Run):
    def __init__(self, message):
        Run.__init__(self, message)
        self.reactor = EPollReactor()
        self.descriptors = list(message.get("descriptors", []))
        self.sockets = []
        self.pending = 0
        self.ending = None  # the SystemExit of `exit`

    def arm(self, step, start, run=1):
        """Asks for run number `run` of the step. `start` is given the callback and returns what cancels it."""
        armed = Armed()

        def callback(*_):
            if armed.is_over:
                return
            self.disarm(armed)
            chained = run < int(step.get("times", "1"))
            self.guarded(step, Frame(run, (lambda: self.arm(step, start, run + 1)) if chained else None))

        self.pending += 1
        self.name(step, armed)
        armed.cancel = start(callback)

    def disarm(self, armed):
        armed.is_over = True
        self.pending -= 1

    def guarded(self, step, frame):
        """The callback. An exit must not be left to the reactor, which would log it and go on."""
        if self.ending is not None:
            return
        try:
            self.run_body(step, frame)
        except SystemExit as ending:
            self.ending = ending
        self.end_if_nothing_is_left()

    def end_if_nothing_is_left(self):
        if (self.pending == 0 or self.ending is not None) and self.reactor.running:
            self.reactor.crash()

    def do_soon(self, step, _):
        def start(callback):
            self.reactor.callFromThread(callback)
            return lambda: None  # it comes, and finds that it is not wanted

        self.arm(step, start)

    def do_timeout(self, step, _):
        seconds = max(0, float(step["argument"]) / 1000)
        self.arm(step, lambda callback: self.reactor.callLater(seconds, callback).cancel)

    def do_wake(self, step, _):
        wake = Wake(step)
        self.name(step, wake)
        if not step.get("unsent"):
            self.send(wake)

    def do_send(self, step, _):
        if step["target"] in self.things:
            self.send(self.things[step["target"]])

    def send(self, wake):
        def callback():
            self.pending -= 1
            wake.runs += 1
            chained = wake.runs < int(wake.step.get("times", "1"))
            self.guarded(wake.step, Frame(wake.runs, (lambda: self.send(wake)) if chained else None))

        self.pending += 1
        self.reactor.callFromThread(callback)

    def do_read(self, step, _):
        self.arm(step, self.start_reading)

    def start_reading(self, callback):
        if self.descriptors:
            reader = socket.socket(fileno=self.descriptors.pop(0))
        else:
            reader, writer = socket.socketpair()
            writer.send(b"x")
            self.sockets.append(writer)
        self.sockets.append(reader)
        descriptor = FileDescriptor(self.reactor)
        descriptor.fileno = reader.fileno

        def do_read():
            reader.recv(1)
            cancel()
            callback()

        def cancel():
            self.reactor.removeReader(descriptor)
            reader.close()

        descriptor.doRead = do_read
        self.reactor.addReader(descriptor)
        return cancel

    def do_work(self, step, _):
        def start(callback):
            threads.deferToThreadPool(self.reactor, self.reactor.getThreadPool(), int).addCallback(callback)
            return lambda: None

        self.arm(step, start)

    def do_clear(self, step, _):
        thing = self.things.get(step["target"])
        if isinstance(thing, Armed) and not thing.is_over:
            self.disarm(thing)
            thing.cancel()

    def do_stop(self, _, __):
        self.reactor.crash()

    def run_program(self):
        self.perform(self.message["program"], Frame())
        if self.pending:
            self.reactor.run(installSignalHandlers=False)
        if self.ending is not None:
            raise self.ending

    def clean_up(self):
        self.ending = self.ending or SystemExit(0)
        for call in self.reactor.getDelayedCalls():
            call.cancel()
        self.reactor.removeAll()
        if self.reactor.threadpool is not None:
            self.reactor.threadpool.stop()
        for each in self.sockets:
            each.close()
        ENDED.append(self.reactor)


def main():
    other = os.environ.pop("CONFORM_PYTHON", "")
    if other:
        os.execv(other, [other, __file__])
    if twisted is None:
        sys.exit("this Python has no Twisted; Debian's package is python3-twisted")
    details = {"python": platform.python_version(), "reactor": "epoll"}
    implementation = {"name": "twisted", "version": twisted.__version__, "details": details}
    serve({"implementation": implementation}, TwistedRun, OPS)


main()
