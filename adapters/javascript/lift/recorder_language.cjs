// What the recorder notes of the language itself, and of what has no loop: promises, what is printed, the clock.
'use strict';

const util = require('util');
const recorder = require('./recorder.cjs');

const { hide, here, inBody, leaveOut, note, promises, reference, schedule, show, valueReference } = recorder;

// Promises.

const Original = Promise;
const { then: originalThen, catch: originalCatch, finally: originalFinally } = Original.prototype;
const statics = {};
['resolve', 'reject', 'all', 'race', 'any', 'allSettled', 'withResolvers', 'try'].forEach((name) => {
  statics[name] = Original[name];
});

function remember(promise, act, resolvedIn) { promises.set(promise, { act: act, resolvedIn: resolvedIn }); }

// What a resolving function does, when it is called in a body.
function settle(found, value) {
  const number = valueReference(value);
  const act = { op: 'resolve', of: found.act.number };
  if (number !== undefined) act.with = number;
  note(act);
  if (number === undefined && !found.isSettled) found.resolvedIn = recorder.current;
  found.isSettled = true;
}

function construct(executor) {
  const act = note({ op: 'promise', api: 'new Promise' });
  const found = { act: act, resolvedIn: null, isSettled: false };
  const promise = hide(() => new Original((resolve, reject) => {
    const known = [
      (value) => {
        settle(found, value);
        return hide(() => resolve(value));
      },
      (error) => {
        note({ op: 'reject', of: act.number });
        found.isSettled = true;
        return hide(() => reject(error));
      }
    ];
    try {
      show(() => executor(...known));
    } catch (error) {
      note({ op: 'reject', of: act.number });
      throw error;
    }
  }));
  promises.set(promise, found);
  return promise;
}

const Known = new Proxy(Original, {
  construct(target, args, newTarget) {
    if (newTarget === Known && typeof args[0] === 'function') return construct(args[0]);
    if (newTarget !== Known) leaveOut('a subclass of Promise has no step');
    return Reflect.construct(target, args, newTarget === Known ? target : newTarget);
  }
});
global.Promise = Known;

function isOwn(constructor) { return constructor === Known || constructor === Original; }

// Promises that Node or the engine make inside of a function that is noted as a whole.
function isHidden() {
  recorder.enterModule();
  return recorder.hidden > 0 || (recorder.current === null && !here());
}

function resolved(value) {
  if (util.types.isPromise(value)) return value;
  const number = valueReference(value);
  if (number === undefined) {
    const promise = hide(() => statics.resolve.call(Original, value));
    remember(promise, note({ op: 'resolved', api: 'Promise.resolve' }), null);
    return promise;
  }
  const act = note({ op: 'promise', api: 'Promise.resolve' });
  note({ op: 'resolve', of: act.number, with: number });
  const promise = hide(() => statics.resolve.call(Original, value));
  remember(promise, act, null);
  return promise;
}

function replace(object, name, make) {
  const before = object[name];
  if (typeof before !== 'function') return;
  const after = make(before);
  Object.defineProperty(after, 'name', { value: name, configurable: true });
  Object.defineProperty(object, name, { value: after, configurable: true, writable: true });
}

replace(Original, 'resolve', (before) => function (value) {
  if (!isOwn(this) || isHidden()) return before.call(this === Known ? Original : this, value);
  return resolved(value);
});

replace(Original, 'reject', (before) => function (error) {
  if (!isOwn(this) || isHidden()) return before.call(this === Known ? Original : this, error);
  const act = note({ op: 'promise', api: 'Promise.reject' });
  note({ op: 'reject', of: act.number });
  const promise = hide(() => before.call(Original, error));
  remember(promise, act, null);
  return promise;
});

['withResolvers', 'try'].forEach((name) => replace(Original, name, (before) => function (...args) {
  if (!isOwn(this) || isHidden()) return before.apply(this === Known ? Original : this, args);
  if (name === 'withResolvers') {
    let made;
    const promise = construct((resolve, reject) => { made = { resolve, reject }; });
    return Object.assign({ promise }, made);
  }
  return construct((resolve) => resolve(args[0](...args.slice(1))));
}));

// A promise that is made of several. The reaction of each is noted, and which of them settled it.
['all', 'race', 'any', 'allSettled'].forEach((name) => replace(Original, name, (before) => function (values) {
  if (!isOwn(this) || isHidden()) return before.call(this === Known ? Original : this, values);
  const list = Array.from(values, (value) => resolved(value));
  const numbers = list.map((one) => recorder.known(one).act.number);
  const act = note({ op: 'combine', kind: name, of: numbers, bodies: [], api: 'Promise.' + name });
  let last = null;
  const promise = hide(() => before.call(Original, list));
  // The order in which they settle, known without an extra reaction: the hook says when each is settled.
  list.forEach((one, index) => watchSettling(one, () => { last = index; }));
  act.states = () => ({ states: list.map((one) => recorder.stateOf(one)), last: last });
  remember(promise, act, null);
  return promise;
}));

const watched = new WeakMap();
function watchSettling(promise, tell) {
  if (recorder.stateOf(promise) !== 'pending') return tell();
  watched.set(promise, (watched.get(promise) || []).concat(tell));
}
recorder.onSettled = function (promise) {
  const all = watched.get(promise);
  if (all) all.forEach((tell) => tell());
};

// Reactions.

function reaction(op, promise, callbacks, call) {
  const place = here();
  const act = { op: op, of: reference(promise, place), bodies: [], isReaction: true, ran: '' };
  note(act, place);
  const watchedCallbacks = callbacks.map((callback, index) => {
    if (typeof callback !== 'function') return callback;
    return function (...args) {
      act.ran = index === 0 ? 'first' : 'second';
      return inBody(act, callback, this, args);
    };
  });
  const derived = hide(() => call(watchedCallbacks));
  remember(derived, act, null);
  return derived;
}

replace(Original.prototype, 'then', () => function (onFulfilled, onRejected) {
  const self = this;
  if (recorder.hidden > 0) return originalThen.call(self, onFulfilled, onRejected);
  recorder.enterModule();
  if (recorder.current === null) {
    // V8 asks a promise that another was resolved with.
    if (!recorder.isAdopted(self) && here()) leaveOut('then is called by a callback of an API that has no step');
    return hide(() => originalThen.call(self, onFulfilled, onRejected));
  }
  const isCatch = typeof onFulfilled !== 'function' && typeof onRejected === 'function';
  return reaction(isCatch ? 'catch' : 'then', self, [onFulfilled, onRejected],
                  (known) => originalThen.call(self, known[0], known[1]));
});

replace(Original.prototype, 'catch', () => function (onRejected) {
  if (isHidden() || recorder.current === null) return originalCatch.call(this, onRejected);
  return reaction('catch', this, [undefined, onRejected], (known) => originalCatch.call(this, known[1]));
});

replace(Original.prototype, 'finally', () => function (callback) {
  if (isHidden() || recorder.current === null) return originalFinally.call(this, callback);
  return reaction('finally', this, [callback], (known) => originalFinally.call(this, known[0]));
});

replace(global, 'queueMicrotask', (before) => function (callback) {
  if (typeof callback !== 'function') return before(callback);
  const known = schedule({ op: 'microtask', api: 'queueMicrotask' }, callback);
  return hide(() => before(known));
});

// A function with a callback, as one that returns a promise. Node's own makes a promise that nothing here would see.
replace(util, 'promisify', (before) => function (original) {
  if (typeof original !== 'function' || original[util.promisify.custom]) return before(original);
  const made = function (...args) {
    return construct((resolve, reject) => {
      original.call(this, ...args, (error, value) => { if (error) reject(error); else resolve(value); });
    });
  };
  return Object.setPrototypeOf(made, Object.getPrototypeOf(original));
});
util.promisify.custom = Symbol.for('nodejs.util.promisify.custom');

// What is printed.

function print(text) {
  String(text).replace(/\n$/, '').split('\n').forEach((line) => note({ op: 'log', text: line, api: 'console.log' }));
}

['log', 'info', 'debug', 'warn', 'error'].forEach((name) => replace(console, name, () => function (...args) {
  print(hide(() => util.format(...args)));
}));
['dir', 'table', 'trace', 'group'].forEach((name) => replace(console, name, () => function (value) {
  print(hide(() => (name === 'dir' ? util.inspect(value) : util.format(value))));
}));
global.log = function log(label) { print(label); };
recorder.print = print;

// The clock.

const { now } = Date;
const performanceNow = performance.now;
// How far the clock of the script is ahead, in milliseconds.
function ahead() {
  const read = recorder.readClock();
  return (read - recorder.realNs()) / 1e6;
}

replace(Date, 'now', () => function () { return Math.floor(now() + Math.max(0, ahead())); });
replace(performance, 'now', () => function () {
  const more = ahead();
  return performanceNow.call(performance) + Math.max(0, more);
});
function hrtime(since) {
  const read = recorder.readClock() - (since ? since[0] * 1e9 + since[1] : 0);
  return [Math.floor(read / 1e9), read % 1e9];
}
replace(process, 'hrtime', () => Object.assign(hrtime, { bigint: () => BigInt(recorder.readClock()) }));
global.Date = new Proxy(Date, {
  construct(target, args, newTarget) {
    return Reflect.construct(target, args.length === 0 ? [Date.now()] : args, newTarget);
  },
  apply() { return new Date().toString(); }
});
replace(Atomics, 'wait', (before) => function (...args) {
  const start = recorder.realNs();
  const place = here();
  const answer = hide(() => before(...args));
  const isWhole = answer === 'timed-out' && args[3] > 0;
  const ms = Math.floor(isWhole ? args[3] : (recorder.realNs() - start) / 1e6);
  if (recorder.current && ms >= 1) recorder.busy(recorder.current, ms, place);
  return answer;
});
