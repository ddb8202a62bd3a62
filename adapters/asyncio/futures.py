"""Futures and tasks: the steps `promise`, `resolve`, `reject`, `then`, `await`, `async` and `pause`."""

import asyncio

from callbacks import CallbackRun
from programs import Frame


class Future:
    """A future or a task that steps can name."""

    def __init__(self):
        self.future = None
        self.waiting = 0  # callbacks and tasks that will come once it is done
        self.waits_for = None  # of a task: the Future that it waits for
        self.must_cancel = False  # of a task: cancelled while it waited for nothing


class Futures(CallbackRun):
    def __init__(self, message, loop):
        CallbackRun.__init__(self, message)
        self.loop = loop
        self.is_over = False

    def guarded(self, call):
        """Whatever happens in a callback: the loop is stopped when nothing is left. An error propagates to the loop."""
        try:
            call()
        finally:
            self.stop_when_done()

    def stop_when_done(self):
        if not self.pending and not self.is_over:
            self.loop.stop()

    # -- Futures ------------------------------------------------------------------------------------------------------

    def track(self, future):
        """Its first callback counts those behind it. Until then the future itself is counted, from the moment on at
        which it is done or, for a task, is going to run."""
        made = Future()
        made.future = future
        future.add_done_callback(lambda _: self.is_done(made))
        return made

    def is_done(self, made):
        self.pending += made.waiting - 1
        made.waiting = 0
        self.stop_when_done()

    def new_future(self):
        return self.track(self.loop.create_future())

    def done_future(self):
        made = Future()
        made.future = self.loop.create_future()
        made.future.set_result(None)
        return made

    def expect(self, source):
        """Something will come once `source` is done."""
        if source.future.done():
            self.pending += 1
        else:
            source.waiting += 1

    def do_promise(self, step, _):
        self.name(step, self.new_future())

    def do_resolve(self, step, _):
        self.settle(self.things.get(step["target"]), lambda future: future.set_result(None))

    def do_reject(self, step, _):
        error = Exception(step.get("argument", ""))
        self.settle(self.things.get(step["target"]), lambda future: future.set_exception(error))

    def settle(self, made, how):
        if made is not None and not made.future.done():
            self.pending += 1
            how(made.future)

    def cancel_future(self, made):
        if not made.future.done():
            self.count_cancelled(made)
            made.future.cancel()

    def count_cancelled(self, made):
        """A task that waits hands the cancellation on to what it waits for. A future is settled by it."""
        while made.waits_for is not None and not made.waits_for.future.done():
            made = made.waits_for
        if isinstance(made.future, asyncio.Task):
            made.must_cancel = True
        else:
            self.pending += 1

    def do_then(self, step, _, run=1):
        source = self.things.get(step["target"]) if "target" in step else self.done_future()
        if source is None:
            return
        made = self.new_future()  # a future that is done when the callback has run
        self.name(step, made)

        def callback(future):
            self.pending -= 1
            if future.cancelled() or future.exception() is not None:
                return self.stop_when_done()
            frame = self.frame(step, run, lambda: self.do_then(step, None, run + 1))

            def body():
                self.run_body(step, frame)
                self.settle(made, lambda future: future.set_result(None))

            return self.guarded(body)

        self.expect(source)
        source.future.add_done_callback(callback)

    # -- Tasks --------------------------------------------------------------------------------------------------------

    def start_task(self, step, coroutine):
        """`coroutine` is given the Future that the task becomes."""
        made = Future()
        self.pending += 1  # its first step
        made.future = self.loop.create_task(coroutine(made))
        made.future.add_done_callback(lambda _: self.is_done(made))
        self.name(step, made)

    async def wait(self, made, target):
        """Waits in the task `made`: for a turn of the loop, or for the future of that name."""
        source = self.things.get(target) if target else None
        if source is None:
            await asyncio.sleep(0)
        elif source.future.done():
            await source.future
        else:
            self.pending -= 1
            source.waiting += 1
            made.waits_for = source
            if made.must_cancel:  # by itself: what it begins to wait for is cancelled in its place
                made.must_cancel = False
                self.count_cancelled(source)
            self.stop_when_done()
            try:
                await source.future
            finally:
                made.waits_for = None

    def do_await(self, step, _, run=1):
        if "target" in step and step["target"] not in self.things:
            return

        async def task(made):
            await self.wait(made, step.get("target"))
            frame = self.frame(step, run, lambda: self.do_await(step, None, run + 1))
            self.run_body(step, frame)

        self.start_task(step, task)

    def do_async(self, step, _):
        async def task(made):
            await self.perform_in_task(step.get("body", []), Frame(), made)

        self.start_task(step, task)

    async def perform_in_task(self, steps, frame, made):
        for step in steps:
            if step["op"] == "pause":
                await self.wait(made, step.get("target"))
                if "label" in step:
                    self.emit(step["label"])
            elif step["op"] == "only":
                if self.is_meant(step, frame):
                    await self.perform_in_task(step["body"], frame, made)
            else:
                self.do(step, frame)
