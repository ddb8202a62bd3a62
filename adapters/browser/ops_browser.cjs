// What the steps mean in a page, where that is not what they mean on Node.js. The shape of an entry is described in
// ops.cjs of the JavaScript adapter. No event says that nothing is left to do, so what is still to come is kept in
// `live`, and `afterTask` is called at the end of each task of the program.
'use strict';

const { replaceAll } = require('./ops.cjs');

const live = new Set();
const hooks = { afterTask() {}, activity: 0 };

// An error goes on to where the platform reports it.
function runTask(callback, argument) {
  hooks.activity += 1;
  try {
    callback(argument);
  } finally {
    hooks.afterTask();
  }
}

function startTimer(set, step, callback) {
  const delay = step.argument === 'none' ? [] : [Number(step.argument)];
  const timer = set(callback, ...delay);
  live.add(timer);
  return timer;
}

const timeout = {
  makes: 'timeout',
  start(callback, step) {
    const timer = startTimer(setTimeout, step, () => {
      live.delete(timer);
      runTask(callback);
    });
    return timer;
  }
};

const interval = {
  makes: 'interval',
  start: (callback, step) => startTimer(setInterval, step, () => runTask(callback)),
  stop(timer) {
    live.delete(timer);
    clearInterval(timer);
  }
};

// A timer is a number here, and both functions clear both kinds.
function clearingBy(clear) {
  return {
    of: { timeout: true, interval: true, listener: true },
    act(step, frame, thing) {
      if (thing.kind === 'listener') return removeEventListener(thing.value.event, thing.value.listener);
      live.delete(thing.value);
      clear(thing.value);
    }
  };
}

// Browsers blur their clocks: the margin is more than the blur.
const BUSY_MARGIN_MS = 2;

const busy = {
  act(step) {
    const end = performance.now() + Number(step.argument) + BUSY_MARGIN_MS;
    while (performance.now() < end);
  }
};

// A channel, and the function that sends a message through it.
function openChannel() {
  const channel = new MessageChannel();
  const callbacks = [];
  channel.port1.onmessage = () => {
    const callback = callbacks.shift();
    live.delete(callback);
    runTask(callback);
  };
  return (callback) => {
    callbacks.push(callback);
    live.add(callback);
    channel.port2.postMessage(null);
    return channel.port1;
  };
}

const message = {
  has: () => typeof MessageChannel === 'function',
  makes: 'port',
  start(callback, step, thing, interpreter) {
    if (!step.via) return openChannel()(callback);
    const { channels } = interpreter;
    if (!channels[step.via]) channels[step.via] = openChannel();
    return channels[step.via](callback);
  }
};

// What the adapter itself rejects, to know that all rejections before it have been told of.
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

const KEPT = [
  'microtask', 'then', 'catch', 'finally', 'thenable', 'promise', 'resolve', 'reject', 'return', 'log', 'throw', 'only',
  'again'
];

const table = {
  timeout,
  interval,
  busy,
  message,
  'clear': clearingBy(clearTimeout),
  'clear as timeout': clearingBy(clearTimeout),
  'clear as interval': clearingBy(clearInterval),
  'clear as number': clearingBy((timer) => clearTimeout(+timer)),
  'clear as string': clearingBy((timer) => clearTimeout(String(timer))),
  'on uncaught': windowEvent('error', (told) => told.error),
  'on unhandled': windowEvent('unhandledrejection', (told) => told.reason),
  'on handled': windowEvent('rejectionhandled', null)
};

replaceAll(KEPT, table);

module.exports = { table: {}, live, hooks, sentinel };
