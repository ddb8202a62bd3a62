// An adapter for conform: it is given a program, runs it on the event loop of this process, and answers with the
// labels that came. It decides nothing, and it adds no callback of its own: what it did to the loop would be measured.
//
// `isolation: process`: one process runs one program. All that conform has to say stands on standard input before this
// script starts, so that it can be read synchronously, and the program runs in the main script itself.
'use strict';

const fs = require('fs');
const { performance } = require('perf_hooks');

const messages = fs.readFileSync(0, 'utf8').trim().split('\n').map((line) => JSON.parse(line));
const run = messages.find((message) => message.type === 'run');

// Standard output belongs to the protocol. `console.log` and `process.stdout` would be wrong twice: what they print is
// no message, and they add a handle to the loop.
function say(message) {
  let rest = Buffer.from(JSON.stringify(message) + '\n');
  while (rest.length > 0) rest = rest.subarray(fs.writeSync(1, rest));
}

// ---- What a step means ----------------------------------------------------------------------------------------------

const delayOf = (step) => (step.argument === 'none' ? [] : [Number(step.argument)]);

function listen(event, callback) {
  process.on(event, callback);
  return () => process.removeListener(event, callback);
}

// Steps with a callback: ask the loop for it, and return how to call it off.
const arm = {
  tick: (step, callback) => process.nextTick(callback),
  microtask: (step, callback) => queueMicrotask(callback),
  timeout(step, callback) {
    const timer = setTimeout(callback, ...delayOf(step));
    return () => clearTimeout(timer);
  },
  interval(step, callback) {
    const timer = setInterval(callback, ...delayOf(step));
    return () => clearInterval(timer);
  },
  immediate(step, callback) {
    const immediate = setImmediate(callback);
    return () => clearImmediate(immediate);
  },
  'on exit': (step, callback) => listen('exit', () => callback()),
  'on beforeExit': (step, callback) => listen('beforeExit', () => callback()),
  'on uncaught': (step, callback) => listen('uncaughtException', (error) => callback(error.message)),
};

// Steps that do their work at once. `frame` is the run of the callback that they stand in.
const act = {
  log: (step) => emit(step.label),
  busy(step) {
    // A little more than is asked for: the clock of the loop counts whole milliseconds.
    const end = performance.now() + Number(step.argument) + 2;
    while (performance.now() < end);
  },
  clear(step) {
    const stop = things.get(step.target);
    if (stop) stop();
  },
  throw(step) {
    throw new Error(step.argument);
  },
  exit: (step) => process.exit(Number(step.argument || 0)),
  only(step, frame) {
    if (frame.run >= Number(step.only_from) && frame.run <= Number(step.only_to)) perform(step.body, frame);
  },
  again: (step, frame) => frame.rearm(),
};

// What `ops` names, and what is missing when a program asks for more: `on exit`, `timeout as promise`, `timeout`.
function capabilityOf(step) {
  if (step.op === 'on') return 'on ' + step.event;
  return step.kind ? step.op + ' as ' + step.kind : step.op;
}

// ---- Running a program ----------------------------------------------------------------------------------------------

const things = new Map();  // by name, how to call off the newest thing of that name

function missing(steps) {
  for (const step of steps) {
    const name = capabilityOf(step);
    if (!arm[name] && !act[name]) return name;
    const inside = missing(step.body || []);
    if (inside) return inside;
  }
  return null;
}

function perform(steps, frame) {
  for (const step of steps) {
    const name = capabilityOf(step);
    if (act[name]) act[name](step, frame);
    else start(step, 1);
  }
}

// Asks for run number `first` of a step. `xN` makes a chain: each run asks for the next one at its end, or where
// `again` stands. An interval or a listener comes again by itself.
function start(step, first) {
  const comesAgain = step.op === 'interval' || step.op === 'on';
  const last = step.times === undefined ? 0 : Number(step.times);
  let next = first;
  const stop = arm[capabilityOf(step)](step, (outcome) => {
    const frame = { run: next, rearm };
    let isArmed = comesAgain || last <= next;
    function rearm() {
      if (isArmed) return;
      isArmed = true;
      start(step, frame.run + 1);
    }
    if (comesAgain) next += 1;
    if (step.label) emit(outcome ? step.label + '=' + outcome : step.label);
    if (step.op === 'interval' && frame.run === last) stop();
    perform(step.body || [], frame);
    rearm();
  });
  if (step.label) things.set(step.label, stop);
}

// Labels are kept in memory while the program runs, because writing takes time, and are written when the process ends.
// After that moment, and when `flush` is `each`, every label is written at once: nothing may be lost.
let kept = [];
let atOnce = run && run.flush === 'each';

function emit(label) {
  const event = { label, t_ns: Math.round(performance.now() * 1e6) };
  if (atOnce) say({ type: 'trace', seq: run.seq, events: [event], more: true });
  else kept.push(event);
}

function writeKept() {
  atOnce = true;
  say({ type: 'trace', seq: run.seq, events: kept });
}

// ---- The conversation -----------------------------------------------------------------------------------------------

say({
  type: 'ready',
  protocol: 1,
  implementation: { name: 'my-loop', version: process.versions.node, details: { libuv: process.versions.uv } },
  claims: { profile: 'node', version: process.versions.node },
  ops: Object.keys({ ...arm, ...act }),
  isolation: 'process',
});

if (run) {
  const lacks = run.entry === 'script' ? missing(run.program || []) : 'entry ' + run.entry;
  if (lacks || run.native) {
    say({ type: 'unsupported', seq: run.seq, op: lacks || 'native' });
  } else {
    process.on('exit', writeKept);
    perform(run.program, { run: 1, rearm() {} });
  }
}
