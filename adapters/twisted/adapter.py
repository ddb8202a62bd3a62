"""Twisted: each program gets a new reactor in this process, the one with epoll, which is Twisted's choice on Linux.

CONFORM_PYTHON names another Python to run in: `--impl=twisted=/usr/local/bin/python3.13`.
"""

import os
import pathlib
import platform
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "shared"))

from callbacks import CallbackRun  # noqa: E402
from programs import Frame, serve  # noqa: E402

try:
    import twisted
    from twisted.internet import threads
    from twisted.internet.abstract import FileDescriptor
    from twisted.internet.epollreactor import EPollReactor
except ImportError:
    twisted = None

OPS = ["soon", "timeout", "wake", "send", "read", "work", "clear", "exit", "stop"]
ENDED = []  # reactors whose program is over: their sockets stay until the process ends


class TwistedRun(CallbackRun):
    def __init__(self, message):
        CallbackRun.__init__(self, message)
        self.reactor = EPollReactor()
        self.ending = None  # the SystemExit of `exit`

    def guarded(self, call):
        """The callback. An exit must not be left to the reactor, which would log it and continue."""
        if self.ending is not None:
            return
        try:
            call()
        except SystemExit as ending:
            self.ending = ending
        self.end_if_nothing_is_left()

    def end_if_nothing_is_left(self):
        if (self.pending == 0 or self.ending is not None) and self.reactor.running:
            self.reactor.crash()

    def do_soon(self, step, _):
        self.arm(step, self.post)

    def post(self, callback):
        self.reactor.callFromThread(callback)
        return lambda: None  # it comes, and finds that it is not wanted

    def do_timeout(self, step, _):
        seconds = max(0, float(step["argument"]) / 1000)
        self.arm(step, lambda callback: self.reactor.callLater(seconds, callback).cancel)

    def do_read(self, step, _):
        self.arm(step, self.start_reading)

    def start_reading(self, callback):
        reader = self.waiting_socket()
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
            seconds = float(step.get("argument", "0")) / 1000
            pool = self.reactor.getThreadPool()
            threads.deferToThreadPool(self.reactor, pool, time.sleep, seconds).addCallback(callback)
            return lambda: None

        self.arm(step, start)

    def do_clear(self, step, _):
        thing = self.things.get(step["target"])
        if thing is not None:
            self.take_back(thing)

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
        CallbackRun.clean_up(self)
        ENDED.append(self.reactor)


def main():
    other = os.environ.pop("CONFORM_PYTHON", "")
    if other:
        os.execv(other, [other, __file__])
    if twisted is None:
        sys.exit("this Python has no Twisted; Debian's package is python3-twisted")
    details = {"python": platform.python_version(), "reactor": "epoll"}
    implementation = {"name": "twisted", "version": twisted.__version__, "details": details}
    claims = {"profile": "twisted", "version": twisted.__version__}
    serve({"implementation": implementation, "claims": claims}, TwistedRun, OPS)


main()
