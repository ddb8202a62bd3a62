// What the steps mean in a page alone; ops_web.cjs of the JavaScript adapter has the rest. `afterTask` is called at the
// end of each task of the program.
'use strict';

const { LANGUAGE, replaceAll } = require('./ops.cjs');
const { clears, live, tasks } = require('./ops_web.cjs');

const hooks = { afterTask() {}, activity: 0 };

// An error propagates to where the platform reports it.
function runTask(callback, argument) {
  hooks.activity += 1;
  try {
    callback(argument);
  } finally {
    hooks.afterTask();
  }
}

// Browsers blur their clocks: the margin is more than the blur.
const BUSY_MARGIN_MS = 2;

const busy = {
  act(step) {
    const end = performance.now() + Number(step.argument) + BUSY_MARGIN_MS;
    while (performance.now() < end);
  }
};

// What the adapter itself rejects, to know that all rejections before it have been reported.
const sentinel = new Error('of the adapter');

// preventDefault keeps the browser from writing the error to its console, which takes time.
function windowEvent(event, errorOf) {
  return {
    outcome: errorOf !== null,
    makes: 'listener',
    start(callback) {
      const listener = (told) => {
        if (told.reason === sentinel) return;
        told.preventDefault();
        runTask(callback, errorOf ? errorOf(told) : undefined);
      };
      addEventListener(event, listener);
      return { event, listener };
    }
  };
}

// A listener can be cleared too.
function clearing(entry) {
  return {
    of: { ...entry.of, listener: true },
    act(step, frame, thing) {
      if (thing.kind === 'listener') return removeEventListener(thing.value.event, thing.value.listener);
      return entry.act(step, frame, thing);
    }
  };
}

const table = {
  ...tasks(runTask),
  ...Object.fromEntries(Object.entries(clears).map(([name, entry]) => [name, clearing(entry)])),
  busy,
  'on uncaught': windowEvent('error', (told) => told.error),
  'on unhandled': windowEvent('unhandledrejection', (told) => told.reason),
  'on handled': windowEvent('rejectionhandled', null)
};

replaceAll(LANGUAGE, table);

module.exports = { table: {}, live, hooks, sentinel };
