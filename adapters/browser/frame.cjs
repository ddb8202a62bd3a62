// Inside of the frame of one program. The page calls `conform.prepare` when the frame has loaded, and then a classic
// script is put in, which calls `conform.main`: that script is the main body of the program, with nothing of JavaScript
// below it. Nothing here requests a task or a microtask while something of the program waits for one.
'use strict';

const adapter = require('./adapter.cjs');
const { live, hooks, sentinel } = require('./ops_io.cjs');
const trials = require('./trials.cjs');

const MOST_LABELS = 250000;  // the limit of the protocol
const REJECTION_EVENTS = ['unhandled', 'handled'];

let programs = [];
let done = null;
let listensForRejections = false;
let looking = false;

// Says when the program is over: when nothing of it waits in any source of tasks. The task that looks is scheduled only
// then, and it runs behind the microtasks of the task that asked.
const looker = new MessageChannel();
looker.port1.onmessage = () => {
  looking = false;
  if (live.size > 0) return;
  if (listensForRejections) awaitRejections();
  else done();
};

hooks.afterTask = () => {
  if (live.size > 0 || looking) return;
  looking = true;
  looker.port2.postMessage(null);
};

// Rejections are reported by tasks that are invisible here. They come in order, so one of the adapter's own, after all
// others, tells that there are none left; and so does its handling. Whatever the program does meanwhile makes it begin
// again.
function awaitRejections() {
  const before = hooks.activity;
  const rejected = Promise.reject(sentinel);

  function listenOnce(event, next) {
    addEventListener(event, function listener(told) {
      if (told.reason !== sentinel) return;
      told.preventDefault();
      removeEventListener(event, listener);
      next();
    });
  }

  listenOnce('rejectionhandled', () => {
    if (hooks.activity === before) done();
    else hooks.afterTask();
  });
  // What is handled while the first event is dispatched is never reported as handled; so that is left to a later task.
  listenOnce('unhandledrejection', () => {
    const later = new MessageChannel();
    later.port1.onmessage = () => { rejected.catch(() => {}); };
    later.port2.postMessage(null);
  });
}

function listens(body) {
  return body.some((step) => REJECTION_EVENTS.includes(step.event) || (step.body && listens(step.body)));
}

// Keeps labels and times, and hands them over at the end; or hands each over at once.
function makeLog(atOnce) {
  const labels = [];
  const times = [];
  const told = { count: 0, labels, times };

  function log(label) {
    told.count += 1;
    // A program that emits on and on has shown it; the rest would only fill the memory.
    if (told.count > MOST_LABELS) return;
    if (atOnce) return atOnce(label, performance.now());
    labels.push(label);
    times.push(performance.now());
  }

  return { log, told };
}

// `text` is the run as JSON, so that all of it is made of objects of this frame. Returns what is missing, or nothing.
// tell({count, labels, times}) is called when the program is over; atOnce(label, time) for each label, where it is given.
function prepare(text, tell, atOnce) {
  const run = JSON.parse(text);
  const interpreter = new adapter.Interpreter(run);
  const missing = interpreter.prepare();
  if (missing) return missing;
  const { log, told } = makeLog(atOnce);
  interpreter.log = log;
  programs = [interpreter];
  listensForRejections = listens(run.program);
  done = () => tell(told);
  return null;
}

// All trials run side by side; what is missing or wrong in one must not keep the others from running.
function prepareTrials(tell) {
  const seen = {};
  programs = trials.map((program) => {
    const interpreter = new adapter.Interpreter({ program });
    interpreter.log = (label) => { if (/^[a-z]/.test(label)) seen[label] = true; };
    return interpreter.prepare() ? null : interpreter;
  }).filter((interpreter) => interpreter !== null);
  listensForRejections = true;
  done = () => tell(Object.keys(seen).sort());
}

function main() {
  try {
    for (const interpreter of programs) interpreter.main();
  } finally {
    hooks.afterTask();
  }
}

window.conform = { prepare, prepareTrials, main };
