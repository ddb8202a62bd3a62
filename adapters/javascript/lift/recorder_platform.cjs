// What the recorder notes of Node: timers, the process, files and the pool; and whatever else reaches the loop, as
// something that has no step. Handles are in another file.
'use strict';

const asyncHooks = require('async_hooks');
const crypto = require('crypto');
const fs = require('fs');
const Module = require('module');
const path = require('path');
const timers = require('timers');
const timersPromises = require('timers/promises');
const util = require('util');
const recorder = require('./recorder.cjs');

const { here, hide, leaveOut, note, promises, runs, schedule } = recorder;
const things = new WeakMap();  // timers, handles, channels: their acts

function actOf(thing) { return recorder.isObject(thing) ? things.get(thing) : undefined; }

// Puts a function in the place of another, on every object that has it. It is given the one before.
function replace(objects, name, make) {
  const before = objects[0][name];
  if (typeof before !== 'function') return;
  const after = make(before);
  Object.getOwnPropertyNames(before).concat(Object.getOwnPropertySymbols(before)).forEach((key) => {
    if (key === 'length' || key === 'prototype') return;
    const property = Object.getOwnPropertyDescriptor(before, key);
    Object.defineProperty(after, key, Object.assign(property, { configurable: true }));
  });
  objects.forEach((object) => {
    if (object[name] !== before) return;
    Object.defineProperty(object, name, { value: after, configurable: true, writable: true, enumerable: true });
  });
}

// Inside of Node, or of a function that is noted as a whole.
function isHidden() { return recorder.hidden > 0 || !here(); }

// Timers and immediates.

function delayOf(args) { return args.length < 2 ? 'none' : String(Number(args[1])); }

function watchTimer(timer, act) {
  things.set(timer, act);
  ['ref', 'unref', 'refresh'].forEach((name) => {
    const before = timer[name];
    if (typeof before !== 'function') return;
    timer[name] = function () {
      note({ op: name, of: act.number, api: name });
      return hide(() => before.call(timer));
    };
  });
  const toPrimitive = timer[Symbol.toPrimitive];
  if (!toPrimitive) return;
  timer[Symbol.toPrimitive] = function () {
    const number = hide(() => toPrimitive.call(timer));
    byNumber.set(number, act);
    return number;
  };
  timer.close = function () {
    note({ op: 'clear', of: act.number, api: 'close' });
    return hide(() => clearTimeout(timer));
  };
}
const byNumber = new Map();

['setTimeout', 'setInterval', 'setImmediate'].forEach((name) => replace([global, timers], name, (before) => {
  return function (...args) {
    if (typeof args[0] !== 'function' || isHidden()) return before.apply(this, args);
    const op = { setTimeout: 'timeout', setInterval: 'interval', setImmediate: 'immediate' }[name];
    const act = { op: op, api: name };
    if (op !== 'immediate') act.argument = delayOf(args);
    const known = schedule(act, args[0]);
    const timer = hide(() => before.call(this, known, ...args.slice(1)));
    watchTimer(timer, act);
    return timer;
  };
}));

const NATURAL = { timeout: 'clearTimeout', interval: 'clearInterval', immediate: 'clearImmediate' };

['clearTimeout', 'clearInterval', 'clearImmediate'].forEach((name) => replace([global, timers], name, (before) => {
  return function (timer) {
    if (isHidden()) return before(timer);
    const isName = typeof timer === 'number' || typeof timer === 'string';
    const act = isName ? byNumber.get(Number(timer)) : actOf(timer);
    if (act) {
      const kind = isName ? typeof timer : NATURAL[act.op] === name ? '' : name.slice('clear'.length).toLowerCase();
      note({ op: 'clear', of: act.number, kind: kind, api: name });
    } else {
      leaveOut(name + ' clears nothing here; in another order it may');
    }
    return hide(() => before(timer));
  };
}));

// A promise that Node makes, and what it stands for.
function returnsPromise(object, name, makeAct) {
  replace([object], name, (before) => function (...args) {
    if (isHidden()) return before.apply(this, args);
    const act = makeAct(args);
    act.bodies = [];
    act.isPromise = true;
    note(act);
    const promise = hide(() => before.apply(this, args));
    promises.set(promise, { act: act });
    return promise;
  });
}

returnsPromise(timersPromises, 'setTimeout', (args) => {
  const delay = args.length === 0 ? 'none' : String(Number(args[0]));
  return { op: 'timeout', kind: 'promise', argument: delay, api: 'setTimeout' };
});
returnsPromise(timersPromises, 'setImmediate', () => ({ op: 'immediate', kind: 'promise', api: 'setImmediate' }));
replace([timersPromises], 'setInterval', (before) => function (...args) {
  leaveOut('setInterval of timers/promises has no step');
  return before(...args);
});
['setTimeout', 'setImmediate'].forEach((name) => {
  const known = timersPromises[name];
  Object.defineProperty(global[name], util.promisify.custom, { value: known, configurable: true, enumerable: true });
});

replace([process], 'nextTick', (before) => function (callback, ...args) {
  if (typeof callback !== 'function' || isHidden()) return before.call(process, callback, ...args);
  const known = schedule({ op: 'tick', api: 'process.nextTick' }, callback);
  return hide(() => before.call(process, known, ...args));
});

// Events. `watch` has the events that are steps, for an emitter; what else is listened for has none.

const EVENTS = {
  exit: 'exit', beforeExit: 'beforeExit', uncaughtException: 'uncaught', unhandledRejection: 'unhandled',
  rejectionHandled: 'handled', uncaughtExceptionMonitor: 'monitor'
};
const SIGNALS = { SIGUSR2: '', SIGHUP: 'hup', SIGWINCH: 'winch' };

// Replaces what adds and removes listeners. makeAct(event) gives the act of a listener, or nothing.
function watchEmitter(emitter, title, makeAct) {
  const listeners = new Map();  // by callback: [{event, act, known}]
  const own = { on: emitter.on, removeListener: emitter.removeListener };

  function add(method, before, isOnce) {
    emitter[method] = function (event, callback) {
      if (typeof callback !== 'function' || isHidden()) return before.call(emitter, event, callback);
      const act = makeAct(event);
      if (!act) {
        leaveOut("the event '" + String(event) + "' of " + title + ' has no step');
        return hide(() => before.call(emitter, event, callback));
      }
      act.isOnce = isOnce;
      const known = act.number === undefined ? schedule(act, callback) : runs(act, callback);
      if (method.startsWith('prepend')) leaveOut(method + ' has no step');
      const one = { event: event, act: act, known: known };
      listeners.set(callback, (listeners.get(callback) || []).concat(one));
      hide(() => before.call(emitter, event, known));
      return emitter;
    };
  }

  ['on', 'addListener', 'once', 'prependListener', 'prependOnceListener'].forEach((method) => {
    add(method, emitter[method], method.toLowerCase().includes('once'));
  });
  ['off', 'removeListener'].forEach((method) => {
    emitter[method] = function (event, callback) {
      const one = (listeners.get(callback) || []).find((candidate) => candidate.event === event);
      if (!one || isHidden()) return own.removeListener.call(emitter, event, callback);
      note({ op: 'clear', of: one.act.number, api: method });
      hide(() => own.removeListener.call(emitter, event, one.known));
      return emitter;
    };
  });
}

const signalActs = {};
watchEmitter(process, 'process', (event) => {
  if (EVENTS[event]) return { op: 'on', event: EVENTS[event], api: "process.on('" + event + "')" };
  if (!(event in SIGNALS)) return null;
  return signalActs[event] = { op: 'signal', kind: SIGNALS[event], api: "process.on('" + event + "')" };
});

replace([process], 'kill', (before) => function (pid, signal) {
  const act = signalActs[signal];
  if (pid === process.pid && act) note({ op: 'raise', of: act.number, api: 'process.kill' });
  else leaveOut('process.kill has no step here');
  recorder.writeLast();
  return hide(() => before.call(process, pid, signal));
});

replace([process], 'exit', (before) => function (code) {
  const act = { op: 'exit', api: 'process.exit' };
  if (code !== undefined) act.argument = String(Number(code));
  else if (process.exitCode) act.argument = String(process.exitCode);
  note(act);
  recorder.writeLast();
  return before.call(process, code);
});

// The exit event is the last that happens; what its listeners still do is written behind it.
const emit = process.emit;
process.emit = function (event) {
  if (event !== 'exit') return emit.apply(process, arguments);
  const outer = recorder.current;
  recorder.current = null;
  try {
    return emit.apply(process, arguments);
  } finally {
    recorder.current = outer;
    recorder.writeLast();
  }
};

// Standard input and output.

const stdin = Object.getOwnPropertyDescriptor(process, 'stdin');
Object.defineProperty(process, 'stdin', {
  configurable: true,
  enumerable: true,
  get() {
    if (!isHidden()) recorder.end('input', here());
    return stdin.get.call(process);
  }
});

['stdout', 'stderr'].forEach((name) => {
  const before = Object.getOwnPropertyDescriptor(process, name);
  let known = null;
  Object.defineProperty(process, name, {
    configurable: true,
    enumerable: true,
    get() {
      if (isHidden()) return before.get.call(process);
      if (known) return known;
      known = hide(() => before.get.call(process));
      known.write = function (text, ...rest) {
        recorder.print(text);
        if (rest.some((one) => typeof one === 'function')) leaveOut('the callback of ' + name + '.write has no step');
        return true;
      };
      return known;
    }
  });
});

// Files and the pool.

['readSync', 'readFileSync'].forEach((name) => replace([fs], name, (before) => function (file, ...rest) {
  if ((file === 0 || file === '/dev/stdin') && !isHidden()) recorder.end('input', here());
  return before.call(fs, file, ...rest);
}));
replace([fs], 'writeSync', (before) => function (fd, text, ...rest) {
  if ((fd !== 1 && fd !== 2) || isHidden()) return before.call(fs, fd, text, ...rest);
  recorder.print(text);
  return text.length;
});

// One trip through the pool each.
const TRIPS = ['access', 'chmod', 'chown', 'close', 'copyFile', 'fchmod', 'fdatasync', 'fstat', 'fsync', 'ftruncate',
  'futimes', 'link', 'lstat', 'mkdir', 'mkdtemp', 'open', 'read', 'readdir', 'readlink', 'rename', 'rmdir', 'stat',
  'statfs', 'symlink', 'unlink', 'utimes', 'write', 'exists'];
const PROMISED_TRIPS = ['access', 'chmod', 'copyFile', 'lstat', 'mkdir', 'mkdtemp', 'readdir', 'readlink', 'rename',
  'rmdir', 'stat', 'symlink', 'unlink', 'utimes'];

function takesCallback(object, name, makeAct) {
  replace([object], name, (before) => function (...args) {
    const callback = args[args.length - 1];
    if (typeof callback !== 'function' || isHidden()) return before.apply(this, args);
    const known = schedule(makeAct(), callback);
    return hide(() => before.apply(this, args.slice(0, -1).concat(known)));
  });
}

TRIPS.forEach((name) => takesCallback(fs, name, () => ({ op: 'file', api: 'fs.' + name })));
takesCallback(fs, 'readFile', () => ({ op: 'file', kind: 'readFile', api: 'fs.readFile' }));
// It opens, writes and closes.
['writeFile', 'appendFile'].forEach((name) => {
  takesCallback(fs, name, () => ({ op: 'file', trips: 3, api: 'fs.' + name }));
});
PROMISED_TRIPS.forEach((name) => {
  returnsPromise(fs.promises, name, () => ({ op: 'file', kind: 'promise', api: 'fs.promises.' + name }));
});
takesCallback(crypto, 'randomBytes', () => ({ op: 'file', kind: 'random', api: 'crypto.randomBytes' }));

recorder.platform = { isHidden, replace, things, watchEmitter };
require('./recorder_handles.cjs');

// Everything else that Node keeps for a script, from whatever function.

const KNOWN_TYPES = ['PROMISE', 'Timeout', 'Immediate', 'TickObject', 'Microtask', 'TTYWRAP', 'bootstrapper'];
asyncHooks.createHook({
  init(id, type) {
    if (KNOWN_TYPES.includes(type) || recorder.hidden > 0) return;
    const place = here();
    if (place) leaveOut('something has no step: ' + type, place);
  }
}).enable();

// Is the script a module?

function isModulePackage(folder) {
  const file = path.join(folder, 'package.json');
  if (fs.existsSync(file)) {
    try { return JSON.parse(fs.readFileSync(file, 'utf8')).type === 'module'; } catch (error) { return false; }
  }
  return path.dirname(folder) !== folder && isModulePackage(path.dirname(folder));
}

function isModule(file) {
  if (file.endsWith('.mjs') || file.endsWith('.cjs')) return file.endsWith('.mjs');
  const text = fs.readFileSync(file, 'utf8').replace(/\/\*[^]*?\*\//g, '');
  return /^(import\s*[\w{*'"]|export\s*[\w{*])/m.test(text) || isModulePackage(path.dirname(file));
}
recorder.isModule = hide(() => isModule(process.argv[1]));
if (recorder.isModule) recorder.current = null;
Module.syncBuiltinESMExports();

const requiredAt = new WeakMap();  // errors of `require`: where it was called

// A file that cannot be read as JavaScript has its place before the name of the error; an error that a script makes has
// not.
function endWhereNotLoaded(error) {
  if (!recorder.isObject(error)) return;
  const place = error instanceof SyntaxError && /^(\/.*):(\d+)\n/.exec(error.stack);
  if (place) recorder.end('syntax', { line: Number(place[2]), file: place[1] }, error.message);
  if (error.code === 'MODULE_NOT_FOUND') {
    recorder.end('missing', requiredAt.get(error), error.message.split('\n')[0]);
  }
}

// The main script. Behind it, every callback is known, or lost.

const load = Module._load;
Module._load = function (request, parent, isMain) {
  if (!isMain) return hide(() => loadShown(request, parent));
  try {
    return load.call(Module, request, parent, isMain);
  } catch (error) {
    endWhereNotLoaded(error);
    recorder.noteThrow(error);
    throw error;
  } finally {
    recorder.endMain();
  }
};

// Another file of the script is a part of its main body; a module of Node is not.
function loadShown(request, parent) {
  const isOfNode = Module.isBuiltin ? Module.isBuiltin(request) : Module.builtinModules.includes(request);
  const call = () => {
    try {
      return load.call(Module, request, parent, false);
    } catch (error) {
      if (recorder.isObject(error) && !requiredAt.has(error)) requiredAt.set(error, here());
      throw error;
    }
  };
  return isOfNode ? call() : recorder.show(call);
}
