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

// The steps of a body for one frame, each `only` replaced by its body or by nothing. A body with pauses has to be run
// by one function, which cannot descend.
function decided(body, frame) {
  let steps = [];
  for (const step of body) {
    if (step.op !== 'only') steps.push(step);
    else if (load('./ops.cjs').isIn(frame.run, step)) steps = steps.concat(decided(step.body, frame));
  }
  return steps;
}

// An async function returns on its own, inside of the callback in which it was called.
function frameInside(frame) {
  const inner = newFrame(frame.run, null);
  inner.around = frame.around || frame;
  return inner;
}

async function runWithPauses(steps, frame, interpreter) {
  for (const step of steps) {
    if (step.op === 'pause') {
      await awaited(step, interpreter);
      if (step.label) interpreter.log(step.label);
    } else {
      interpreter.perform(step, frame);
    }
    if (frame.returned) return frame.value;
  }
}

table.async = {
  makes: 'promise',
  act: function (step, frame, thing, interpreter) {
    const steps = decided(step.body || [], frame);
    const promise = runWithPauses(steps, frameInside(frame), interpreter);
    interpreter.remember(step.label, 'promise', promise);
  }
};

// The main body of a module with `await` at its top. Runs it, and yields what each of its pauses waits for.
function* mainBody(run) {
  if (run.native) load('./another_process.cjs').runNative(run);
  const interpreter = prepare(run);
  const frame = newFrame(1, null);
  for (const step of decided(run.program, frame)) {
    if (step.op !== 'pause') {
      interpreter.perform(step, frame);
      continue;
    }
    yield awaited(step, interpreter);
    if (step.label) interpreter.log(step.label);
  }
}

// Not performed as other steps are: a function that runs a body with pauses awaits itself.
table.pause = {};

module.exports = { table, mainBody };
