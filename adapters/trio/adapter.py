"""Trio: each program is one call of trio.run, and each of its callbacks a task in one nursery.

CONFORM_PYTHON names another Python to run in: `--impl=trio=/usr/local/bin/python3.13`.
"""

import os
import pathlib
import platform
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "shared"))

from programs import Frame, Run, serve  # noqa: E402

try:
    import trio
except ImportError:
    trio = None

OPS = ["soon", "timeout", "read", "work", "clear", "exit"]


class TrioRun(Run):
    def __init__(self, message):
        Run.__init__(self, message)
        self.nursery = None

    def arm(self, step, start, run=1):
        """A task that waits and then is the callback; `clear` cancels what is around it. `start` is called at once and
        returns what the task calls to wait."""
        scope = trio.CancelScope()
        wait = start()

        async def task():
            with scope:
                await wait()
                chained = run < int(step.get("times", "1"))
                rearm = (lambda: self.arm(step, start, run + 1)) if chained else None
                self.run_body(step, Frame(run, rearm))

        self.nursery.start_soon(task)
        self.name(step, scope)

    def do_soon(self, step, _):
        async def wait():
            pass

        self.arm(step, lambda: wait)

    def do_timeout(self, step, _):
        """The time counts from here, and not from when the task is first run."""
        seconds = max(0, float(step["argument"]) / 1000)

        def start():
            deadline = trio.current_time() + seconds
            return lambda: trio.sleep_until(deadline)

        self.arm(step, start)

    def do_read(self, step, _):
        async def wait():
            reader = self.waiting_socket()
            await trio.lowlevel.wait_readable(reader)
            reader.recv(1)
            reader.close()

        self.arm(step, lambda: wait)

    def do_work(self, step, _):
        seconds = float(step.get("argument", "0")) / 1000
        self.arm(step, lambda: lambda: trio.to_thread.run_sync(time.sleep, seconds))

    def do_clear(self, step, _):
        if step["target"] in self.things:
            self.things[step["target"]].cancel()

    def run_program(self):
        async def main():
            async with trio.open_nursery() as self.nursery:
                self.perform(self.message["program"], Frame())

        trio.run(main)


def main():
    other = os.environ.pop("CONFORM_PYTHON", "")
    if other:
        os.execv(other, [other, __file__])
    if trio is None:
        sys.exit("this Python has no trio; Debian's package is python3-trio")
    details = {"python": platform.python_version()}
    implementation = {"name": "trio", "version": trio.__version__, "details": details}
    serve({"implementation": implementation}, TrioRun, OPS)


main()
