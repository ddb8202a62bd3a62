"""An adapter for conform: it is given programs, runs each on an event loop of asyncio, and answers with the labels
that came. It decides nothing.

`isolation: session`: this process runs many programs, one after the other, each on a fresh loop. What is the same for
every loop is beside this file: `programs.py` has the conversation and the steps that need no loop, `callbacks.py`
callbacks with their chains, and the count of those that are still to come.
"""

import asyncio
import platform

from callbacks import Armed, CallbackRun
from programs import Frame, serve

# What this adapter has. `log`, `busy`, `only` and `again` need not be named.
OPS = ["soon", "timeout", "clear", "throw", "exit", "on uncaught"]


class LoopRun(CallbackRun):
    """One program on its own loop. Nothing of it may reach into the next run."""

    def __init__(self, message):
        super().__init__(message)
        self.listeners = []  # of uncaught errors
        self.loop = asyncio.new_event_loop()
        self.loop.set_exception_handler(self.uncaught)

    # -- What a step means: a method for each op ----------------------------------------------------------------------

    def do_soon(self, step, _):
        """`arm` makes the callback, which emits the label and runs the body; it is scheduled here. What this
        returns takes the request back."""
        self.arm(step, lambda callback: self.loop.call_soon(callback).cancel)

    def do_timeout(self, step, _):
        seconds = float(step["argument"]) / 1000
        self.arm(step, lambda callback: self.loop.call_later(seconds, callback).cancel)

    def do_on(self, step, _):
        self.listeners.append({"step": step, "runs": 0})
        self.name(step, self.listeners[-1])

    def do_clear(self, step, _):
        thing = self.things.get(step["target"])  # a thing that does not exist yet: nothing happens
        if isinstance(thing, Armed):
            self.take_back(thing)
        self.listeners = [listener for listener in self.listeners if listener is not thing]

    # -- The loop -----------------------------------------------------------------------------------------------------

    def run_program(self):
        self.perform(self.message["program"], Frame())
        while self.pending:
            self.loop.run_forever()

    def guarded(self, call):
        """A callback of the program. asyncio runs until it is stopped, so that the end has to be found."""
        try:
            call()
        finally:
            self.stop_when_done()

    def stop_when_done(self):
        if not self.pending:
            self.loop.stop()

    def uncaught(self, _, context):
        """The exception handler of the loop: an error in a callback ends that callback, and the loop continues."""
        try:
            for listener in self.listeners:
                listener["runs"] += 1
                self.run_body(listener["step"], Frame(listener["runs"]), str(context["exception"]))
        finally:
            self.stop_when_done()

    def clean_up(self):
        super().clean_up()
        self.loop.close()


serve({"implementation": {"name": "my-loop", "version": platform.python_version()}}, LoopRun, OPS)
