// What needs async functions; an engine without them cannot read this file. A body with pauses is run by a loop inside of
// one real async function: a pause is one real `await` of it, so that it takes the jobs that `await` takes here.
'use strict';

module.exports = function (interpreter) {
  const newFrame = interpreter.constructor.newFrame;

  // What a `pause` or an `await` waits for.
  function awaited(step) {
    if (step.plain) return null;
    if (step.target === undefined) return Promise.resolve();
    const thing = interpreter.things[step.target];
    return thing && thing.value;
  }

  async function runWithPauses(steps, frame) {
    for (const step of steps) {
      if (step.op === 'pause') {
        await awaited(step);
        if (step.label) interpreter.log(step.label);
      } else {
        interpreter.perform(step, frame);
      }
      if (frame.returned) return frame.value;
    }
  }

  const table = {};

  table.await = {
    of: { promise: true, thenable: true },
    makes: 'promise',
    start: async function (callback, step) {
      await awaited(step);
      return callback();
    }
  };

  table.async = {
    makes: 'promise',
    act: function (step, frame) {
      const inner = newFrame(frame.run, null);
      inner.around = frame.around || frame;
      const promise = runWithPauses(interpreter.decided(step.body || [], frame), inner);
      interpreter.remember(step.label, 'promise', promise);
    }
  };

  // Never performed: the loops that run a body with pauses see to it themselves.
  table.pause = { awaited: awaited };

  return table;
};
