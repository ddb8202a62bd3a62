// What needs async functions; an engine without them cannot read this file. A body with pauses is run by a loop inside
// of one real async function: a pause is one real `await` of it, and takes the jobs that an `await` takes here.
'use strict';

const { load, newFrame, prepare } = require('./adapter.cjs');

const table = {};

// What a `pause` or an `await` waits for.
function awaited(step, interpreter) {
  if (step.plain) return null;
  if (step.target === undefined) return Promise.resolve();
  const thing = interpreter.things[step.target];
  return thing && thing.value;
}

table.await = {
  of: { promise: true, thenable: true },
  makes: 'promise',
  start: async function (callback, step, thing, interpreter) {
    await awaited(step, interpreter);
    return callback();
  }
};

// Runs a body, and yields what each of its pauses waits for. Whoever awaits that throws back here what it is rejected
// with: a body with pauses has to be run by one function, which cannot call another for a part of it.
function* walk(body, frame, interpreter) {
  for (let i = 0; i < body.length && !frame.returned; i += 1) {
    const step = body[i];
    if (step.op === 'pause') {
      yield awaited(step, interpreter);
      if (step.label) interpreter.log(step.label);
    } else if (step.op === 'only') {
      if (load('./ops.cjs').isIn(frame.run, step)) yield* walk(step.body, frame, interpreter);
    } else if (step.op === 'try') {
      try {
        yield* walk(step.body, frame, interpreter);
      } catch (error) {
        interpreter.logCaught(step, error);
      }
    } else {
      interpreter.perform(step, frame);
    }
  }
}

// An async function returns on its own, inside of the callback in which it was called.
function frameInside(frame) {
  const inner = newFrame(frame.run, null);
  inner.around = frame.around || frame;
  return inner;
}

async function runWithPauses(body, frame, interpreter) {
  const steps = walk(body, frame, interpreter);
  for (let next = steps.next(); !next.done;) {
    let failure = null;
    try {
      await next.value;
    } catch (error) {
      failure = { error };
    }
    next = failure ? steps.throw(failure.error) : steps.next();
  }
  return frame.value;
}

table.async = {
  makes: 'promise',
  act: function (step, frame, thing, interpreter) {
    const promise = runWithPauses(step.body || [], frameInside(frame), interpreter);
    interpreter.remember(step.label, 'promise', promise);
  }
};

// The main body of a module with `await` at its top. Runs it, and yields what each of its pauses waits for.
function* mainBody(run) {
  if (run.native) load('./another_process.cjs').runNative(run);
  const interpreter = prepare(run);
  yield* walk(run.program, newFrame(1, null), interpreter);
}

// Not performed as other steps are: a function that runs a body with pauses awaits itself.
table.pause = {};

module.exports = { table, mainBody };
