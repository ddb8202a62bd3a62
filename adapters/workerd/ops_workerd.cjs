// What the steps mean on workerd, where that is not what they mean on Node.js. The shape of an entry is described in
// ops.cjs of the JavaScript adapter. Here is no event that says that nothing is left to do, so what is still to
// come is kept in `live`.
'use strict';

const { replaceAll } = require('./ops.cjs');

const live = new Set();

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
      callback();
    });
    return timer;
  }
};

function stop(timer) {
  live.delete(timer);
  clearInterval(timer);
}

const interval = { makes: 'interval', start: (callback, step) => startTimer(setInterval, step, callback), stop };

// A timer is a number here, and both functions clear both kinds.
function clearingBy(clear) {
  return {
    of: { timeout: true, interval: true },
    act(step, frame, thing) {
      live.delete(thing.value);
      clear(thing.value);
    }
  };
}

// The clock stands still in the Workers that one can rent, and moves in `workerd test`. It has whole milliseconds.
const BUSY_MARGIN_MS = 3;
const MOST_READINGS = 1e6;

function clockMoves() {
  const start = Date.now();
  for (let i = 0; i < MOST_READINGS; i += 1) if (Date.now() !== start) return true;
  return false;
}

const busy = {
  has: clockMoves,
  act(step) {
    const end = Date.now() + Number(step.argument) + BUSY_MARGIN_MS;
    while (Date.now() < end);
  }
};

// A channel, and the function that sends a message through it.
function openChannel() {
  const channel = new MessageChannel();
  const callbacks = [];
  channel.port1.onmessage = () => {
    const callback = callbacks.shift();
    live.delete(callback);
    callback();
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

function rejectionEvent(name, hasOutcome) {
  return {
    outcome: hasOutcome,
    start(callback) { addEventListener(name, (event) => { callback(event.reason); }); }
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
  'on unhandled': rejectionEvent('unhandledrejection', true),
  'on handled': rejectionEvent('rejectionhandled', false)
};

replaceAll(KEPT, table);

module.exports = { table: {}, live };
