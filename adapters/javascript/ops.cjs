// What the less frequent steps mean that need no input and no output: promises, events, what is done to timers. Loaded
// only for programs that have such a step. An entry of a table, here and in the other files, is
//
//   has      does this engine have it? Left out: it always has
//   modules  the modules of the engine that it calls
//   of       which kinds of things the step can refer to
//   act      function (step, frame, thing, interpreter): does its work at once; or
//   start    function (callback, step, thing, interpreter): arranges for the callback, and returns what was made
//   makes    the kind of what was made, where it can have a name
//   stop     function (made): the callback comes again by itself, until this is called
//   outcome  the callback is given an error, which becomes part of the label
//
// where `thing` is what the step refers to. The callback emits the label and runs the body; names, chains and `only`
// are the interpreter's.
'use strict';

var shared = require('./adapter.cjs');

var hasNumber = shared.hasNumber;
var listen = shared.listen;
var newError = shared.newError;
var table = {};

// The steps of the language itself, which mean the same in every engine; the others are about the loop.
var LANGUAGE = [
  'microtask', 'then', 'catch', 'finally', 'combine', 'combine as race', 'combine as any', 'combine as allSettled',
  'thenable', 'promise', 'resolve', 'reject', 'return', 'log', 'throw', 'try', 'only',
  'again'
];

function hasPromises() { return typeof Promise === 'function'; }

table.microtask = {
  has: function () { return typeof queueMicrotask === 'function'; },
  start: function (callback) { queueMicrotask(callback); }
};

table.catch = shared.reaction('catch');
table.finally = shared.reaction('finally');

// The reaction of a promise that Promise.all, or one of its like, makes of one or two others.
function combination(method) {
  return {
    has: function () { return hasPromises() && typeof Promise[method] === 'function'; },
    of: { promise: true, thenable: true },
    makes: 'promise',
    start: function (callback, step, thing, interpreter) {
      var other = step.with && interpreter.things[step.with];
      if (step.with && !other) return undefined;
      return Promise[method](other ? [thing.value, other.value] : [thing.value]).then(callback);
    }
  };
}

table.combine = combination('all');
['race', 'any', 'allSettled'].forEach(function (kind) { table['combine as ' + kind] = combination(kind); });

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

table.interval = {
  makes: 'interval',
  start: function (callback, step) {
    return hasNumber(step) ? setInterval(callback, Number(step.argument)) : setInterval(callback);
  },
  stop: function (timer) { clearInterval(timer); }
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
    if (thing.kind === 'listener') unlisten(thing.value);
  }
};

// Node 0.10 and 0.12 throw when a listener of a signal is removed that has none any more.
function unlisten(listener) {
  if (listener.emitter.listeners(listener.event).length === 0) return;
  listener.emitter.removeListener(listener.event, listener.callback);
}

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
    interpreter.rearm(frame);
    frame.returned = true;
    frame.value = thing && thing.value;
  }
};

// Events of the process and of handles, and signals.

table['on monitor'] = shared.processEvent('uncaughtExceptionMonitor', true);
table['on handled'] = shared.processEvent('rejectionHandled', false);

['listening', 'connection', 'connect', 'end', 'error', 'close', 'spawn'].forEach(function (event) {
  table['on ' + event] = {
    of: shared.HANDLES,
    makes: 'listener',
    start: function (callback, step, thing) { return listen(thing.value, event, callback); }
  };
});

function signal(name) {
  return { makes: 'listener', start: function (callback) { return listen(process, name, callback); } };
}

table.signal = signal('SIGUSR2');
table['signal as hup'] = signal('SIGHUP');
table['signal as winch'] = signal('SIGWINCH');
// Where nothing listens for the signal, it would end the process.
table.raise = {
  of: { listener: true },
  act: function (step, frame, thing) {
    var name = thing.value.event;
    if (process.listeners(name).length > 0) process.kill(process.pid, name);
  }
};

// Steps at once.

table.exit = {
  act: function (step) {
    if (hasNumber(step)) process.exit(Number(step.argument));
    else process.exit();
  }
};

function isIn(run, only) { return run >= Number(only.only_from) && run <= Number(only.only_to); }

table.only = {
  act: function (step, frame, thing, interpreter) {
    if (isIn(frame.run, step)) interpreter.runBody(step.body, frame);
  }
};

table.try = {
  act: function (step, frame, thing, interpreter) {
    try {
      interpreter.runBody(step.body, frame);
    } catch (error) {
      interpreter.logCaught(step, error);
    }
  }
};

table.again = {
  act: function (step, frame, thing, interpreter) { interpreter.rearm(frame.around || frame); }
};

// Names. Callbacks whose label names nothing are not referred to.
var NAMELESS = { log: true, pause: true, try: true };

// Callbacks that come again by themselves.
var REPEATING = { interval: true, on: true, signal: true, accept: true, thenable: true };

// Calls look(step, mayRepeat) for each step, in the order of the text.
function visit(body, mayRepeat, look) {
  body.forEach(function (step) {
    var again = mayRepeat || step.times !== undefined;
    look(step, again);
    if (step.body) visit(step.body, again || REPEATING[step.op] === true, look);
  });
}

// What a program refers to has to be of a kind that the step can do with. Returns the name of the first capability that
// is missing, or nothing. Every step has its entry.
function missingFor(program) {
  var missing = null;
  var makers = Object.create(null);
  var closes = Object.create(null);

  function addMaker(label, op, kind) {
    if (!label || NAMELESS[op]) return;
    makers[label] = (makers[label] || []).concat({ op: op, kind: kind });
  }

  visit(program, false, function (step) {
    addMaker(step.label, step.op, step.entry.makes);
    addMaker(step.via, step.op, 'port');
    if (step.op === 'close') closes[step.target] = (closes[step.target] || 0) + 1;
  });
  visit(program, false, function (step, mayRepeat) {
    step.mayBeClosing = step.op === 'close' && (mayRepeat || closes[step.target] > 1);
    if (!step.target || !step.entry.of) return;
    var all = makers[step.target] || [];
    var things = all.filter(function (maker) { return maker.kind; });
    (things.length > 0 ? things : all).forEach(function (maker) {
      var can = step.entry.of[maker.kind];
      if (typeof can === 'function' ? !can() : !can) {
        missing = missing || shared.capabilityOf(step) + ' of ' + maker.op;
      }
    });
  });
  return missing;
}

// For engines with other functions than those of Node.js: of all tables but that of async functions no more than the
// `kept` names are left, and `others` are added.
function replaceAll(kept, others) {
  var all = shared.ops;
  Object.keys(table).forEach(function (name) {
    all[name] = table[name];
    delete table[name];
  });
  Object.keys(all).forEach(function (name) { if (kept.indexOf(name) < 0) delete all[name]; });
  Object.keys(others).forEach(function (name) { all[name] = others[name]; });
}

module.exports = {
  table: table, isIn: isIn, LANGUAGE: LANGUAGE, missingFor: missingFor, replaceAll: replaceAll
};
