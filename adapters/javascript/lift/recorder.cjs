// Loaded before a script with `node -r`: notes who schedules what while the script runs, and writes it down as JSON
// when the process ends, for program.cjs to read. Nothing that the script calls takes another way because of it: no
// tick, no microtask and no handle is added, and every callback is called where it would be called.
//
// What is noted is a tree. A *body* is one run of a callback: the list of what it does, in order. What it does is an
// *act*: `log`, or a step of the case language such as `timeout`, which has a list of bodies, one for each run of its
// callback. An act refers to another by its number. `current` is the body that runs now; where it is null, a callback
// runs that nothing here knows of, and what it does is *lost*, which is noted too.
//
// The file to write, and a number that disturbs the run unless it is 0, are in CONFORM_LIFT.
'use strict';

if (!process.env.CONFORM_LIFT) return;  // a worker of the script: what `-r` names is loaded there too

const fs = require('fs');
const util = require('util');
const v8 = require('v8');

const settings = JSON.parse(process.env.CONFORM_LIFT);
delete process.env.CONFORM_LIFT;
process.execArgv.splice(0);

const MOST_ACTS = 20000;
const WRITE_EVERY_NS = 3e8;  // a process that does not end is ended from outside
const WRITE_SHARE = 20;  // of the time, at most one part in so many is spent on writing
const { renameSync, writeFileSync } = fs;
const { hrtime, reallyExit } = process;

const acts = [];  // by number
const notes = [];  // {line, file, what}: what has no step, or is lost
const main = newBody();
const recorder = {
  current: main,  // the body that runs now, or null
  hidden: 0,  // more than 0: inside a function of the platform that is noted as a whole
  job: null  // the promise whose job runs now, where V8 says so
};
let ending = null;  // {how, line, text} once the process is about to end in a special way
let isWritten = false;  // the process is about to end: whatever still happens is written at once
let nextWrite = hrtime()[0] * 1e9 + WRITE_EVERY_NS;

function newBody() { return { acts: [], step: null, ended: false }; }

// The functions that run now, innermost first, without those of the recorder on top.
function stackNow() {
  const limit = Error.stackTraceLimit;
  const prepare = Error.prepareStackTrace;
  Error.stackTraceLimit = 200;
  Error.prepareStackTrace = (error, callSites) => callSites;
  const stack = new Error().stack;
  Error.prepareStackTrace = prepare;
  Error.stackTraceLimit = limit;
  if (!Array.isArray(stack)) return [];
  const first = stack.findIndex((callSite) => !isOfRecorder(callSite));
  return first < 0 ? [] : stack.slice(first).filter((callSite) => !callSite.isAsync());
}

function isOfRecorder(callSite) {
  const file = callSite.getFileName() || '';
  return file.startsWith(__dirname) || file === 'node:internal/promise_hooks' || file === 'node:internal/async_hooks';
}

function isOfScript(callSite) {
  const file = callSite.getFileName();
  return Boolean(file) && !isOfRecorder(callSite) && (file.startsWith('/') || file.startsWith('file:'));
}

// Where the script is now: the innermost function that belongs neither to Node nor to the recorder.
function placeIn(stack) {
  const own = stack.find(isOfScript);
  if (!own) return null;
  return {
    line: own.getLineNumber(), file: own.getFileName().replace(/^file:\/\//, ''), name: own.getFunctionName() || '',
    isTop: own === stack[0]
  };
}

function here() { return placeIn(stackNow()); }

// Which function a place of the stack belongs to.
function functionAt(stack, depth) {
  const callSite = stack[stack.length - depth];
  if (!callSite) return '';
  return [callSite.getFileName(), callSite.getEnclosingLineNumber(), callSite.getEnclosingColumnNumber()].join(':');
}

// The main body of a module has no beginning and no end that could be watched: what runs in it is known by the stack.
let modulePromise = null;

function isMainOfModule(callSite) {
  return isOfScript(callSite) && callSite.getEnclosingLineNumber() === 1 && callSite.getEnclosingColumnNumber() <= 1;
}

function enterModule(stack) {
  if (!recorder.isModule || (recorder.current !== null && recorder.current !== main)) return;
  recorder.current = stack.some(isMainOfModule) ? main : null;
}

// What the script does now.
function note(act, place) {
  const stack = stackNow();
  enterModule(stack);
  leaveReturned(stack);
  const at = place || placeIn(stack);
  act.line = at ? at.line : 0;
  act.file = at ? at.file : '';
  const body = recorder.current;
  if (!body) {
    notes.push({ line: act.line, file: act.file, what: lostWords(act) });
    if (isWritten) write();
    return act;
  }
  endSpinning(body);
  leaveCaught(body);
  append(body, act);
  if (realNs() > nextWrite) write();
  return act;
}

function append(body, act) {
  if (acts.length >= MOST_ACTS) end('much', act, 'more than ' + MOST_ACTS + ' things happen');
  act.number = acts.length;
  acts.push(act);
  body.acts.push(act.number);
  if (isWritten) write();
  return act;
}

function lostWords(act) {
  if (act.op === 'log') return "'" + act.text + "' is printed by a callback of an API that has no step";
  return (act.api || act.op) + ' is called by a callback of an API that has no step';
}

// Something that the case language has no step for.
function leaveOut(what, place) {
  const at = place || here();
  if (at) notes.push({ line: at.line, file: at.file, what: what });
}

// How something is written that has a step.
function remark(what, place) { notes.push({ line: place.line, file: place.file, what: what, isRemark: true }); }

// A step with a callback. The function that is returned is to be called in place of the callback.
function schedule(act, callback, place) {
  act.bodies = [];
  if (callback === undefined) act.isWithout = true;
  note(act, place);
  return callback === undefined ? undefined : runs(act, callback);
}

function runs(act, callback) {
  return function () { return inBody(act, callback, this, arguments); };
}

const seen = new WeakSet();  // errors that have been noted

function inBody(act, callback, self, args) {
  const body = newBody();
  act.bodies.push(body);
  const outer = recorder.current;
  const outerFrames = frames;
  if (recorder.isModule) endSpinning(main);
  recorder.current = body;
  frames = [];
  const hidden = recorder.hidden;
  recorder.hidden = 0;
  try {
    const value = callback.apply(self, args);
    if (act.isReaction) noteReturn(body, value);
    return value;
  } catch (error) {
    recorder.current = body;
    noteThrow(error);
    throw error;
  } finally {
    recorder.current = body;
    endSpinning(body);
    body.ended = true;
    disturb();
    recorder.hidden = hidden;
    recorder.current = outer;
    frames = outerFrames;
  }
}

function isObject(value) { return (typeof value === 'object' && value !== null) || typeof value === 'function'; }

function noteThrow(error) {
  if (isObject(error) && seen.has(error)) return;
  if (isObject(error)) seen.add(error);
  note({ op: 'throw', text: textOf(error) }, placeOf(error));
  write();
}

function textOf(error) {
  try {
    return String(error && error.message ? error.name + ': ' + error.message : error).slice(0, 200);
  } catch (unprintable) {
    return '';
  }
}

// Where an error was made.
function placeOf(error) {
  const stack = isObject(error) && typeof error.stack === 'string' ? error.stack : '';
  const lines = stack.split('\n').map((line) => /(?:\(|at )(?:file:\/\/)?(\/[^()]*):(\d+):\d+\)?$/.exec(line));
  const own = lines.find((found) => found && !found[1].startsWith(__dirname));
  return own ? { line: Number(own[2]), file: own[1] } : here();
}

// A loop that reads the clock is `busy`. While it does, the clock moves by the same for each reading, so that what it
// waits for does not depend on how busy the machine is; then the time passes for real.
const spinning = new WeakMap();
const READINGS = 3;
const READING_NS = 250000;

function realNs() {
  const now = hrtime();
  return now[0] * 1e9 + now[1];
}

// The clock as the script reads it, in nanoseconds.
function readClock() {
  const body = recorder.current;
  if (!body || recorder.hidden > 0) return realNs();
  const one = spinning.get(body) || { first: realNs(), readings: 0, place: here() };
  spinning.set(body, one);
  one.readings += 1;
  // Where a module ends is known too late for the time to pass there.
  one.last = recorder.isModule && body === main ? realNs() : one.first + (one.readings - 1) * READING_NS;
  return one.last;
}

function endSpinning(body) {
  const one = spinning.get(body);
  if (!one) return;
  spinning.delete(body);
  while (realNs() < one.last);
  const ms = Math.floor((one.last - one.first) / 1e6);
  if (one.readings >= READINGS && ms >= 1) busy(body, ms, one.place);
}

function busy(body, ms, place) {
  const at = place || { line: 0, file: '' };
  append(body, { op: 'busy', argument: Math.min(ms, 10000), line: at.line, file: at.file });
}

// Other runs come in other orders when callbacks take time.
let random = settings.disturb * 2654435761 % 4294967296;
function disturb() {
  if (!settings.disturb) return;
  random = (random * 1664525 + 1013904223) % 4294967296;
  const ms = [0, 0, 1.2, 3][Math.floor(random / 4294967296 * 4)];
  for (let start = hrtime(), passed = [0, 0]; passed[0] * 1e3 + passed[1] / 1e6 < ms;) passed = hrtime(start);
}

// Promises. What is known of each: the act that makes it, and how a step can refer to it.

const promises = new WeakMap();
const waiting = new WeakMap();  // the promise that an `await` makes: {frame, act, awaited}
const asyncs = new WeakMap();  // the promise of an async function: its frame
let frames = [];  // async functions that run now, each called by the one before
let wrapped = null;  // the last promise that was made of a value, to await it

function stateOf(promise) {
  const text = util.inspect(promise, { depth: 0, customInspect: false, breakLength: Infinity });
  if (/^Promise \{\s*<pending>/.test(text)) return 'pending';
  return /^Promise \{\s*<rejected>/.test(text) ? 'rejected' : 'fulfilled';
}

function isPromise(value) { return util.types.isPromise(value); }

// What a step refers to when it is given this promise: {act} or {plain} for one that had been fulfilled before anything
// could tell. A promise that nothing here has seen being made is foreign.
function known(promise, place) {
  let found = promises.get(promise);
  if (!found) {
    const act = note({ op: 'foreign', api: 'a promise' }, place);
    found = { act: act };
    promises.set(promise, found);
    leaveOut('waits for a promise of an API that has no step', place);
  }
  return found;
}

function reference(promise, place) {
  const found = known(promise, place);
  return found.resolvedIn && found.resolvedIn === recorder.current ? null : found.act.number;
}

function noteReturn(body, value) {
  const number = valueReference(value);
  if (number !== undefined) note({ op: 'return', of: number });
}

// The promise or thenable that something is resolved with, or undefined for any other value.
function valueReference(value) {
  if (isPromise(value)) return known(value).act.number;
  if (!isObject(value)) return undefined;
  let then;
  try { then = value.then; } catch (error) { return undefined; }
  return typeof then === 'function' ? thenable(value, then) : undefined;
}

// An object with a `then` method: each call of it is noted. It has to resolve before it returns.
const thenables = new WeakMap();
function thenable(value, then) {
  if (thenables.has(value)) return thenables.get(value).number;
  const act = { op: 'thenable', bodies: [], api: 'an object with a then method' };
  note(act);
  thenables.set(value, act);
  const wrapped = function (resolve, reject) {
    let resolved = false;
    const called = runs(act, (first, second) => then.call(this, first, second));
    const result = called((settled) => {
      resolved = true;
      const number = valueReference(settled);
      if (number !== undefined) leaveOut('a then method that resolves with a promise has no step');
      return resolve(settled);
    }, (error) => {
      resolved = true;
      leaveOut('a then method that rejects has no step');
      return reject(error);
    });
    if (!resolved) leaveOut('a then method that does not resolve before it returns has no step', act);
    return result;
  };
  try { Object.defineProperty(value, 'then', { value: wrapped, configurable: true, writable: true }); } catch (error) {
    leaveOut('a then method that cannot be watched');
  }
  return act.number;
}

// Async functions and `await`, through the hooks of the engine.

function begins(promise, stack, place) {
  const frame = { body: newBody(), promise: promise, outer: recorder.current, thrown: null, place: place };
  frame.depth = stack.length;
  frame.id = functionAt(stack, stack.length);
  const act = { op: 'async', fn: place.name, bodies: [frame.body], api: place.name || 'an async function' };
  act.fails = () => outcomeOf(frame);
  note(act, place);
  asyncs.set(promise, frame);
  promises.set(promise, { act: act });
  frames.push(frame);
  recorder.current = frame.body;
}

// No hook says that a function has returned a promise. Its place on the stack does.
function leaveReturned(stack) {
  while (frames.length > 0) {
    const frame = frames[frames.length - 1];
    if (recorder.current !== frame.body) return;
    if (frame.depth === 0) frame.depth = 1 + stack.findIndex((one, at) => functionAt(stack, at + 1) === frame.id);
    if (functionAt(stack, frame.depth) === frame.id) return;
    frames.pop();
    endSpinning(frame.body);
    frame.body.ended = true;
    recorder.current = frame.outer;
  }
}

function awaits(promise, awaited, plain, place) {
  const frame = frames[frames.length - 1];
  if (!frame && recorder.isModule && recorder.current === main) {
    note({ op: 'pause', plain: plain, of: plain ? null : reference(awaited, place) }, place);
    return;
  }
  if (!frame || recorder.current !== frame.body) {
    leaveOut('this await has no step', place);
    return;
  }
  if (plain && stateOf(awaited) === 'pending') leaveOut('await of an object with a then method has no step', place);
  const act = { op: 'pause', plain: plain, of: plain ? null : reference(awaited, place) };
  note(act, place);
  waiting.set(promise, { frame, act, awaited });
  frames.pop();
  recorder.current = frame.outer;
}

// An error that an `await` has thrown, and that was caught in the function: it continues.
function leaveCaught(body) {
  const frame = frames[frames.length - 1];
  if (frame && frame.body === body && frame.thrown) {
    frame.thrown.caught = true;
    frame.thrown = null;
  }
}

// How a function has ended shows only later: the hook comes before the promise has its state.
function ends(frame) {
  endSpinning(frame.body);
  frame.body.ended = true;
}

function outcomeOf(frame) {
  const isRejected = stateOf(frame.promise) === 'rejected';
  if (frame.thrown && frame.body.ended) frame.thrown.caught = !isRejected;
  return isRejected && !frame.thrown;
}

const hooks = {
  init(promise, parent) {
    if (recorder.hidden > 0) return;
    const stack = stackNow();
    const place = placeIn(stack);
    if (!place || !place.isTop) return;
    enterModule(stack);
    leaveReturned(stack);
    const frame = frames[frames.length - 1];
    if (!parent && recorder.isModule && isMainOfModule(stack[0])) {
      modulePromise = promise;
    } else if (parent && parent === (frame ? frame.promise : modulePromise)) {
      wrapped = promise;  // for a value that is not a promise
    } else if (parent) {
      awaits(promise, parent, parent === wrapped, place);
    } else if (recorder.current) {
      begins(promise, stack, place);
    } else {
      leaveOut((place.name || 'an async function') + ' is called by a callback of an API that has no step', place);
    }
  },
  before(promise) {
    recorder.job = promise;
    const one = waiting.get(promise);
    if (!one) return;
    const { frame } = one;
    frame.outer = null;
    frame.depth = 0;
    frames = [frame];
    recorder.current = frame.body;
    if (stateOf(one.awaited) === 'rejected') frame.thrown = one.act;
  },
  after(promise) {
    recorder.job = null;
    const one = waiting.get(promise);
    if (!one) return;
    endSpinning(one.frame.body);
    disturb();
    frames = [];
    recorder.current = null;
  },
  settled(promise) {
    recorder.onSettled(promise);
    const frame = asyncs.get(promise);
    if (!frame) return;
    const at = frames.indexOf(frame);
    if (at < 0) return;
    frames.length = at;
    recorder.current = frame.outer;
    ends(frame);
  }
};

// What an async function has returned is known once V8 asks a promise for its `then`, in a job of the other's.
function isAdopted(promise) {
  const frame = recorder.job && asyncs.get(recorder.job);
  if (!frame || frames.includes(frame)) return false;
  const found = promises.get(promise);
  if (found) append(frame.body, { op: 'return', of: found.act.number, line: found.act.line, file: found.act.file });
  else leaveOut('returns a promise of an API that has no step', frame.place);
  return true;
}

// Calls a function of the platform that is noted as a whole.
function hide(call) {
  recorder.hidden += 1;
  try { return call(); } finally { recorder.hidden -= 1; }
}

// And a function of the script in it.
function show(call) {
  const hidden = recorder.hidden;
  recorder.hidden = 0;
  try { return call(); } finally { recorder.hidden = hidden; }
}

// The end.

function write() {
  const start = realNs();
  const text = JSON.stringify({
    is_module: Boolean(recorder.isModule), acts: acts.map(plainAct), main: plainBody(main), notes: notes, ending: ending
  });
  // At once, because the process may be ended at any moment.
  writeFileSync(settings.output + '.new', text);
  renameSync(settings.output + '.new', settings.output);
  nextWrite = realNs() + Math.max(WRITE_EVERY_NS, (realNs() - start) * WRITE_SHARE);
}

function plainBody(body) { return { acts: body.acts, ended: body.ended }; }
function plainAct(act) {
  const plain = Object.assign({}, act);
  if (act.bodies) plain.bodies = act.bodies.map(plainBody);
  ['states', 'fails'].forEach((name) => { if (act[name]) plain[name] = act[name](); });
  return plain;
}

function writeLast() {
  isWritten = true;
  write();
}

// Ends the process here: the script cannot be lifted.
function end(how, place, text) {
  isWritten = true;
  ending = { how: how, line: place ? place.line : 0, file: place ? place.file : '', text: text || '' };
  write();
  reallyExit.call(process, 0);
}

function endMain() {
  recorder.current = main;
  endSpinning(main);
  main.ended = true;
  disturb();
  recorder.current = null;
  write();
}

Object.assign(recorder, {
  acts, append, busy, end, endMain, enterModule: () => enterModule(stackNow()), here, hide, inBody, isAdopted, isObject,
  known, leaveOut, main, note, noteThrow, promises, readClock, realNs, reference, remark, runs, schedule, show, stateOf,
  valueReference, writeLast
});
module.exports = recorder;

require('./recorder_language.cjs');
require('./recorder_platform.cjs');
v8.promiseHooks.createHook(hooks);
