"""One program on one event loop of asyncio.

asyncio runs until it is stopped, so that the end of the program has to be found: `pending` counts the callbacks
that will come without another's doing, and the loop is stopped when there are none. A task or a callback that waits for
a future does not count; once the future is done, it does.
"""

import concurrent.futures
import os
import signal
import threading
import time

from callbacks import Armed, Wake
from futures import Futures
from programs import Frame

OPS = [
    "soon",
    "wake",
    "send",
    "timeout",
    "timeout as at",
    "read",
    "work",
    "signal",
    "raise",
    "then",
    "await",
    "promise",
    "resolve",
    "reject",
    "async",
    "pause",
    "clear",
    "throw",
    "on uncaught",
    "exit",
    "stop",
    "run",
]

SIGNAL = signal.SIGUSR2


def refuses(step):
    """What asyncio has no words for, although it has the op."""
    if step["op"] == "run" and step["argument"] == "once":
        return "run once"  # a single pass never waits
    if step["op"] == "resolve" and "with" in step:
        return "resolve with"
    if step["op"] == "reject" and "target" not in step:
        return "reject without a promise"
    if step.get("plain"):
        return "await plain"
    return None


class LoopRun(Futures):
    def __init__(self, message, loop):
        Futures.__init__(self, message, loop)
        self.start = loop.time()
        self.executor = None
        self.listener = None  # of uncaught errors: asyncio has one handler
        self.listener_runs = 0
        self.signal = None
        self.has_run = False
        loop.set_exception_handler(self.uncaught)

    # -- Callbacks of the loop ----------------------------------------------------------------------------------------

    def do_soon(self, step, _):
        self.arm(step, lambda callback: self.loop.call_soon(callback).cancel)

    def do_timeout(self, step, _):
        seconds = float(step["argument"]) / 1000
        if "kind" in step:
            self.arm(step, lambda callback: self.loop.call_at(self.start + seconds, callback).cancel)
        else:
            self.arm(step, lambda callback: self.loop.call_later(seconds, callback).cancel)

    def do_read(self, step, _):
        self.arm(step, self.start_reading)

    def start_reading(self, callback):
        reader = self.waiting_socket()

        def is_ready():
            reader.recv(1)
            cancel()
            callback()

        def cancel():
            self.loop.remove_reader(reader)
            reader.close()

        self.loop.add_reader(reader, is_ready)
        return cancel

    def do_work(self, step, _, run=1):
        if self.executor is None:
            threads = int(os.environ.get("UV_THREADPOOL_SIZE", "4"))
            self.executor = concurrent.futures.ThreadPoolExecutor(threads)
        seconds = float(step.get("argument", "0")) / 1000
        future = self.loop.run_in_executor(self.executor, time.sleep if seconds else int, seconds)

        def callback(_):
            self.pending -= 1
            frame = self.frame(step, run, lambda: self.do_work(step, None, run + 1))
            self.guarded(lambda: self.run_body(step, frame, "ECANCELED" if future.cancelled() else ""))

        self.pending += 1
        self.name(step, future)
        future.add_done_callback(callback)

    # -- From other threads, and signals ------------------------------------------------------------------------------

    def post(self, callback):
        """From another thread, which has ended when the step is over: the place in the queue is certain."""
        made = []
        thread = threading.Thread(target=lambda: made.append(self.loop.call_soon_threadsafe(callback)))
        thread.start()
        thread.join()
        return made[0].cancel

    def do_signal(self, step, _):
        mine = {"step": step, "runs": 0, "raised": 0}

        def callback():
            if mine["raised"]:
                mine["raised"] -= 1
                self.pending -= 1
            mine["runs"] += 1
            self.guarded(lambda: self.run_body(step, Frame(mine["runs"])))

        self.signal = mine
        self.name(step, mine)
        self.loop.add_signal_handler(SIGNAL, callback)

    def do_raise(self, step, _):
        if self.signal is not None and self.things.get(step["target"]) is self.signal:
            self.pending += 1
            self.signal["raised"] += 1
            os.kill(os.getpid(), SIGNAL)

    # -- The rest -----------------------------------------------------------------------------------------------------

    def do_clear(self, step, _):
        thing = self.things.get(step["target"])  # a thing that does not exist yet: nothing happens
        if thing is None:
            return
        if isinstance(thing, (Armed, Wake)):
            self.take_back(thing)
        elif thing is self.listener:
            self.listener = None
        elif thing is self.signal:
            # What was raised and is not yet on its way is lost.
            self.loop.remove_signal_handler(SIGNAL)
            self.pending -= thing["raised"]
            thing["raised"] = 0
            self.signal = None
        elif isinstance(thing, dict):
            pass  # a listener or handler that another one has replaced
        elif hasattr(thing, "waiting"):
            self.cancel_future(thing)
        else:
            thing.cancel()  # work: its callback runs and gets the error

    def do_on(self, step, _):
        self.listener = {"step": step}
        self.listener_runs = 0
        self.name(step, self.listener)

    def uncaught(self, _, context):
        """The exception handler of the loop. A task whose error was never retrieved is reported to it too, when it is
        collected; that is at no certain time and is not the error of a callback."""
        if self.listener is None or "handle" not in context:
            return
        self.listener_runs += 1
        self.run_body(self.listener["step"], Frame(self.listener_runs), str(context["exception"]))

    def do_stop(self, _, __):
        self.loop.stop()

    def do_run(self, step, _):
        self.has_run = True
        if step["argument"] == "nowait" or not self.pending:
            self.loop.stop()
        self.loop.run_forever()
        if "label" in step:
            self.emit(step["label"] + ("=1" if self.pending else "=0"))

    def run_program(self):
        self.perform(self.message["program"], Frame())
        if not self.has_run:
            self.do_run({"op": "run", "argument": "default"}, None)

    def clean_up(self):
        self.is_over = True
        if self.executor is not None:
            self.executor.shutdown()
        self.loop.close()
        Futures.clean_up(self)
