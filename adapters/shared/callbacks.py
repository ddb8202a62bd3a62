"""What loops in Python share whose unit is a callback that can be taken back: asyncio, uvloop, Twisted."""

from programs import Frame, Run


class Armed:
    """A callback that was requested from the loop. `cancel` takes the request back, where there is a way."""

    def __init__(self):
        self.cancel = None
        self.is_over = False


class Wake:
    """What `send` sends to; each sending is a separate call."""

    def __init__(self, step):
        self.step = step
        self.runs = 0
        self.sent = set()  # those on their way


class CallbackRun(Run):
    """A program whose end is found by counting: `pending` callbacks will come without another's doing.

    A class made from it has `guarded(call)`, which calls the body of a callback and sees to the end of the program, and
    `post(callback)`, which asks the loop for a call as another thread does and returns what cancels it."""

    def __init__(self, message):
        Run.__init__(self, message)
        self.pending = 0

    def arm(self, step, start, run=1):
        """Schedules run number `run` of the step. `start` is given the callback and returns what cancels it."""
        armed = Armed()

        def callback(*_):
            if armed.is_over:
                return
            self.disarm(armed)
            frame = self.frame(step, run, lambda: self.arm(step, start, run + 1))
            self.guarded(lambda: self.run_body(step, frame))

        self.pending += 1
        self.name(step, armed)
        armed.cancel = start(callback)

    def disarm(self, armed):
        armed.is_over = True
        self.pending -= 1

    def frame(self, step, run, rearm):
        """Run number `run` of a step; `rearm` schedules the next one, where there is one."""
        return Frame(run, rearm if run < int(step.get("times", "1")) else None)

    def do_wake(self, step, _):
        wake = Wake(step)
        self.name(step, wake)
        if not step.get("unsent"):
            self.send(wake)

    def do_send(self, step, _):
        if step["target"] in self.things:
            self.send(self.things[step["target"]])

    def send(self, wake):
        armed = Armed()

        def callback():
            if armed.is_over:
                return
            wake.sent.discard(armed)
            self.disarm(armed)
            wake.runs += 1
            frame = self.frame(wake.step, wake.runs, lambda: wake.step.get("unsent") or self.send(wake))
            self.guarded(lambda: self.run_body(wake.step, frame))

        self.pending += 1
        wake.sent.add(armed)
        armed.cancel = self.post(callback)

    def take_back(self, thing):
        """`clear` of what this class made."""
        for armed in [thing] if isinstance(thing, Armed) else list(thing.sent):
            if not armed.is_over:
                self.disarm(armed)
                armed.cancel()
        if isinstance(thing, Wake):
            thing.sent.clear()
