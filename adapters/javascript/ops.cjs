// What the steps mean that need no input and no output: queues, timers, promises, events of the process, and all that is
// done at once. The shape of an entry is described in interpreter.cjs.
'use strict';

// Every loop's clock has moved on by more than `ms` when this much more has passed: the margin covers coarse clocks.
var BUSY_MARGIN_MS = 2;

function hasPromises() { return typeof Promise === 'function'; }

// Where a thread may sleep, it does: spinning would take the processor from everybody else.
function makePause() {
  try {
    var cell = new Int32Array(new SharedArrayBuffer(4));
    Atomics.wait(cell, 0, 0, 0);
    return function (ms) { Atomics.wait(cell, 0, 0, ms); };
  } catch (error) {
    return function () {};
  }
}

var pause = null;

function busy(ms) {
  var start = process.hrtime();
  var left = ms + BUSY_MARGIN_MS;
  if (!pause) pause = makePause();
  while (left > 0) {
    pause(left);
    var passed = process.hrtime(start);
    left = ms + BUSY_MARGIN_MS - (passed[0] * 1e3 + passed[1] / 1e6);
  }
}

function newError(name) {
  return name === undefined ? new Error() : new Error(name);
}

// A call without a number is another call than one with `undefined`.
function hasNumber(step) { return step.argument !== undefined && step.argument !== 'none'; }

// Only a trial tells whether an immediate can be unreferenced. It leaves nothing behind on releases where it can.
function canUnrefImmediate() {
  var immediate = setImmediate(function () {});
  clearImmediate(immediate);
  return typeof immediate.unref === 'function';
}

var HANDLES = { timeout: true, interval: true, socket: true, server: true, port: true, child: true };

module.exports = function (interpreter) {
  var settlers = Object.create(null);  // of the newest `promise` of each name: {resolve, reject}
  var table = {};

  // Queues between callbacks.

  table.tick = {
    has: function () { return typeof process.nextTick === 'function'; },
    start: function (callback) { process.nextTick(callback); }
  };

  table.microtask = {
    has: function () { return typeof queueMicrotask === 'function'; },
    start: function (callback) { queueMicrotask(callback); }
  };

  ['then', 'catch', 'finally'].forEach(function (method) {
    table[method] = {
      has: function () { return hasPromises() && typeof Promise.prototype[method] === 'function'; },
      of: { promise: true, thenable: true },
      makes: 'promise',
      start: function (callback, step, thing) {
        var promise = thing ? thing.value : Promise.resolve();
        return promise[method](callback);
      }
    };
  });

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
      var timers = interpreter.modules['timers/promises'];
      return (hasNumber(step) ? timers.setTimeout(Number(step.argument)) : timers.setTimeout()).then(callback);
    }
  };

  table['immediate as promise'] = {
    modules: ['timers/promises'],
    makes: 'promise',
    start: function (callback) { return interpreter.modules['timers/promises'].setImmediate().then(callback); }
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

  // The wrong functions for a thing, and what stands for a thing elsewhere.
  var otherClears = {
    timeout: function (timer) { clearTimeout(timer); },
    interval: function (timer) { clearInterval(timer); },
    immediate: function (timer) { clearImmediate(timer); },
    number: function (timer) { clearTimeout(+timer); },
    string: function (timer) { clearTimeout(String(timer)); }
  };
  Object.keys(otherClears).forEach(function (kind) {
    table['clear as ' + kind] = {
      of: { timeout: true, interval: true, immediate: true },
      act: function (step, frame, thing) { otherClears[kind](thing.value); }
    };
  });

  ['ref', 'unref'].forEach(function (method) {
    var kinds = { immediate: canUnrefImmediate };
    for (var kind in HANDLES) kinds[kind] = HANDLES[kind];
    table[method] = { of: kinds, act: function (step, frame, thing) { thing.value[method](); } };
  });

  table.refresh = {
    of: { timeout: true, interval: true },
    act: function (step, frame, thing) { thing.value.refresh(); }
  };

  // Promises.

  table.promise = {
    has: hasPromises,
    makes: 'promise',
    act: function (step) {
      var promise = new Promise(function (resolve, reject) {
        settlers[step.label] = { resolve: resolve, reject: reject };
      });
      interpreter.remember(step.label, 'promise', promise);
    }
  };

  table.resolve = {
    has: hasPromises,
    of: { promise: true },
    act: function (step) {
      var value = step.with && interpreter.things[step.with];
      settlers[step.target].resolve(value ? value.value : undefined);
    }
  };

  table.reject = {
    has: hasPromises,
    of: { promise: true },
    act: function (step) {
      if (step.target) settlers[step.target].reject(newError(step.argument));
      else Promise.reject(newError(step.argument));
    }
  };

  table.return = {
    has: hasPromises,
    act: function (step, frame, thing) {
      if (!frame.around) interpreter.endOfBody(frame);
      frame.returned = true;
      frame.value = thing && thing.value;
    }
  };

  // Events of the process, and those of handles.

  function listen(emitter, event, callback) {
    emitter.on(event, callback);
    return { emitter: emitter, event: event, callback: callback };
  }

  var events = {
    exit: 'exit',
    beforeExit: 'beforeExit',
    uncaught: 'uncaughtException',
    unhandled: 'unhandledRejection',
    handled: 'rejectionHandled',
    monitor: 'uncaughtExceptionMonitor'
  };
  Object.keys(events).forEach(function (event) {
    table['on ' + event] = {
      outcome: event === 'uncaught' || event === 'unhandled' || event === 'monitor',
      of: { socket: true, server: true, port: true, child: true },
      makes: 'listener',
      start: function (callback, step, thing) {
        return thing ? listen(thing.value, event, callback) : listen(process, events[event], callback);
      }
    };
  });

  ['listening', 'connection', 'connect', 'end', 'error', 'close', 'spawn'].forEach(function (event) {
    table['on ' + event] = {
      of: { socket: true, server: true, port: true, child: true },
      makes: 'listener',
      start: function (callback, step, thing) { return listen(thing.value, event, callback); }
    };
  });

  table.signal = {
    makes: 'listener',
    start: function (callback) { return listen(process, 'SIGUSR2', callback); }
  };

  table.raise = { of: { listener: true }, act: function () { process.kill(process.pid, 'SIGUSR2'); } };

  // Steps at once.

  table.log = { act: function (step) { interpreter.log(step.label); } };
  table.busy = { act: function (step) { busy(Number(step.argument)); } };
  table.throw = { act: function (step) { throw newError(step.argument); } };
  table.exit = {
    act: function (step) {
      if (hasNumber(step)) process.exit(Number(step.argument));
      else process.exit();
    }
  };

  table.only = {
    act: function (step, frame) {
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

  return table;
};
