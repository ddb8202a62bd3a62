// What the steps mean that need no input and no output: queues, timers, promises, events, and all that is done at once.
// The shape of an entry is described in adapter.cjs.
'use strict';

var table = {};

function hasPromises() { return typeof Promise === 'function'; }

function newError(name) { return name === undefined ? new Error() : new Error(name); }

// A call without a number is another call than one with `undefined`.
function hasNumber(step) { return step.argument !== undefined && step.argument !== 'none'; }

// Queues between callbacks.

table.tick = {
  has: function () { return typeof process.nextTick === 'function'; },
  start: function (callback) { process.nextTick(callback); }
};

table.microtask = {
  has: function () { return typeof queueMicrotask === 'function'; },
  start: function (callback) { queueMicrotask(callback); }
};

function reaction(method) {
  return {
    has: function () { return hasPromises() && typeof Promise.prototype[method] === 'function'; },
    of: { promise: true, thenable: true },
    makes: 'promise',
    start: function (callback, step, thing) { return (thing ? thing.value : Promise.resolve())[method](callback); }
  };
}

table.then = reaction('then');
table.catch = reaction('catch');
table.finally = reaction('finally');

table.thenable = {
  has: hasPromises,
  makes: 'thenable',
  start: function (callback) {
    return {
      then: function (resolve) {
        callback();
        resolve();
      }
    };
  }
};

// Timers and immediates.

table.timeout = {
  makes: 'timeout',
  start: function (callback, step) {
    return hasNumber(step) ? setTimeout(callback, Number(step.argument)) : setTimeout(callback);
  }
};

table.interval = {
  makes: 'interval',
  start: function (callback, step) {
    return hasNumber(step) ? setInterval(callback, Number(step.argument)) : setInterval(callback);
  },
  stop: function (timer) { clearInterval(timer); }
};

table.immediate = {
  has: function () { return typeof setImmediate === 'function'; },
  makes: 'immediate',
  start: function (callback) { return setImmediate(callback); }
};

table['timeout as promise'] = {
  modules: ['timers/promises'],
  makes: 'promise',
  start: function (callback, step) {
    var timers = require('timers/promises');
    return (hasNumber(step) ? timers.setTimeout(Number(step.argument)) : timers.setTimeout()).then(callback);
  }
};

table['immediate as promise'] = {
  modules: ['timers/promises'],
  makes: 'promise',
  start: function (callback) { return require('timers/promises').setImmediate().then(callback); }
};

table.clear = {
  of: { timeout: true, interval: true, immediate: true, listener: true },
  act: function (step, frame, thing) {
    if (thing.kind === 'timeout') clearTimeout(thing.value);
    if (thing.kind === 'interval') clearInterval(thing.value);
    if (thing.kind === 'immediate') clearImmediate(thing.value);
    if (thing.kind === 'listener') thing.value.emitter.removeListener(thing.value.event, thing.value.callback);
  }
};

// The functions that are meant for something else, and what can stand for a timer.
function clearingBy(clear) {
  return {
    of: { timeout: true, interval: true, immediate: true },
    act: function (step, frame, thing) { clear(thing.value); }
  };
}

table['clear as timeout'] = clearingBy(function (timer) { clearTimeout(timer); });
table['clear as interval'] = clearingBy(function (timer) { clearInterval(timer); });
table['clear as immediate'] = clearingBy(function (timer) { clearImmediate(timer); });
table['clear as number'] = clearingBy(function (timer) { clearTimeout(+timer); });
table['clear as string'] = clearingBy(function (timer) { clearTimeout(String(timer)); });

// Only a trial tells whether an immediate can be unreferenced. It leaves nothing behind on releases where it can.
function canUnrefImmediate() {
  var immediate = setImmediate(function () {});
  clearImmediate(immediate);
  return typeof immediate.unref === 'function';
}

var REFERENCED = {
  timeout: true, interval: true, immediate: canUnrefImmediate, socket: true, server: true, port: true, child: true
};

table.ref = { of: REFERENCED, act: function (step, frame, thing) { thing.value.ref(); } };
table.unref = { of: REFERENCED, act: function (step, frame, thing) { thing.value.unref(); } };

table.refresh = {
  of: { timeout: true, interval: true },
  act: function (step, frame, thing) { thing.value.refresh(); }
};

// Promises.

table.promise = {
  has: hasPromises,
  makes: 'promise',
  act: function (step, frame, thing, interpreter) {
    interpreter.remember(step.label, 'promise', new Promise(function (resolve, reject) {
      interpreter.settlers[step.label] = { resolve: resolve, reject: reject };
    }));
  }
};

table.resolve = {
  has: hasPromises,
  of: { promise: true },
  act: function (step, frame, thing, interpreter) {
    var settlers = interpreter.settlers[step.target];
    var value = step.with && interpreter.things[step.with];
    if (settlers) settlers.resolve(value ? value.value : undefined);
  }
};

table.reject = {
  has: hasPromises,
  of: { promise: true },
  act: function (step, frame, thing, interpreter) {
    var settlers = step.target && interpreter.settlers[step.target];
    if (!step.target) Promise.reject(newError(step.argument));
    else if (settlers) settlers.reject(newError(step.argument));
  }
};

table.return = {
  has: hasPromises,
  act: function (step, frame, thing, interpreter) {
    interpreter.endOfBody(frame);
    frame.returned = true;
    frame.value = thing && thing.value;
  }
};

// Events of the process and of handles, and signals.

var HANDLES = { socket: true, server: true, port: true, child: true };

function listen(emitter, event, callback) {
  emitter.on(event, callback);
  return { emitter: emitter, event: event, callback: callback };
}

function processEvent(name, hasOutcome) {
  return {
    of: HANDLES,
    outcome: hasOutcome,
    makes: 'listener',
    start: function (callback, step, thing) {
      return thing ? listen(thing.value, step.event, callback) : listen(process, name, callback);
    }
  };
}

table['on exit'] = processEvent('exit', false);
table['on beforeExit'] = processEvent('beforeExit', false);
table['on uncaught'] = processEvent('uncaughtException', true);
table['on monitor'] = processEvent('uncaughtExceptionMonitor', true);
table['on unhandled'] = processEvent('unhandledRejection', true);
table['on handled'] = processEvent('rejectionHandled', false);

['listening', 'connection', 'connect', 'end', 'error', 'close', 'spawn'].forEach(function (event) {
  table['on ' + event] = {
    of: HANDLES,
    makes: 'listener',
    start: function (callback, step, thing) { return listen(thing.value, event, callback); }
  };
});

table.signal = { makes: 'listener', start: function (callback) { return listen(process, 'SIGUSR2', callback); } };
table.raise = { of: { listener: true }, act: function () { process.kill(process.pid, 'SIGUSR2'); } };

// Steps at once.

// Every loop's clock has moved on by more than `ms` when this much more has passed: the margin covers coarse clocks.
var BUSY_MARGIN_MS = 2;

// Where a thread may sleep, it does: spinning would take the processor from everybody else.
function makeSleep() {
  try {
    var cell = new Int32Array(new SharedArrayBuffer(4));
    Atomics.wait(cell, 0, 0, 0);
    return function (ms) { Atomics.wait(cell, 0, 0, ms); };
  } catch (error) {
    return function () {};
  }
}

var sleep = null;

function busy(ms) {
  var start = process.hrtime();
  var left = ms + BUSY_MARGIN_MS;
  if (!sleep) sleep = makeSleep();
  while (left > 0) {
    sleep(left);
    var passed = process.hrtime(start);
    left = ms + BUSY_MARGIN_MS - (passed[0] * 1e3 + passed[1] / 1e6);
  }
}

table.busy = { act: function (step) { busy(Number(step.argument)); } };
table.log = { act: function (step, frame, thing, interpreter) { interpreter.log(step.label); } };
table.throw = { act: function (step) { throw newError(step.argument); } };

table.exit = {
  act: function (step) {
    if (hasNumber(step)) process.exit(Number(step.argument));
    else process.exit();
  }
};

table.only = {
  act: function (step, frame, thing, interpreter) {
    if (interpreter.isIn(frame.run, step)) interpreter.runBody(step.body, frame);
  }
};

table.again = {
  act: function (step, frame) {
    var chain = frame.around || frame;
    if (!chain.rearm || chain.armed) return;
    chain.armed = true;
    chain.rearm();
  }
};

module.exports = table;
