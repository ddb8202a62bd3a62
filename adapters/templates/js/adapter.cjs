// An adapter for conform: it is given a program, runs it on the event loop of this process, and answers with the
// labels that came. It decides nothing, and it adds no callbacks: what it did to the loop would be measured.
//
// `isolation: process`: one process runs one program. All that conform has to say is on standard input before this
// script starts, so that it can be read synchronously, and the program runs in the main script itself. What is the same
// for every engine is beside this file: interpreter.cjs has the conversation, labels, bodies, chains and names, and
// ops.cjs the steps that need no loop.
'use strict';

const shared = require('./interpreter.cjs');
const { replaceAll } = shared.load('./ops.cjs');

// The steps that ops.cjs and interpreter.cjs have already.
const KEPT = ['log', 'busy', 'only', 'again', 'throw', 'exit'];

const delayOf = (step) => (step.argument === 'none' ? [] : [Number(step.argument)]);

// A listener of the process. `outcome`: the callback is given an error, which becomes part of the label.
function listener(event, outcome) {
  return {
    of: {},
    outcome,
    makes: 'listener',
    start: (callback) => shared.listen(process, event, callback),
  };
}

// What your loop has: an entry for each capability (`timeout`, `timeout as promise`, `on exit`). ops.cjs says what an
// entry is; what has none is answered with `unsupported`.
const table = {
  tick: { start: (callback) => process.nextTick(callback) },
  microtask: { start: (callback) => queueMicrotask(callback) },
  timeout: { makes: 'timeout', start: (callback, step) => setTimeout(callback, ...delayOf(step)) },
  interval: {
    makes: 'interval',
    start: (callback, step) => setInterval(callback, ...delayOf(step)),
    stop: (timer) => clearInterval(timer),
  },
  immediate: { makes: 'immediate', start: (callback) => setImmediate(callback) },
  'on exit': listener('exit', false),
  'on beforeExit': listener('beforeExit', false),
  'on uncaught': listener('uncaughtException', true),
  clear: {
    of: { timeout: true, interval: true, immediate: true, listener: true },
    act(step, frame, { kind, value }) {
      if (kind === 'immediate') clearImmediate(value);
      else if (kind === 'listener') value.emitter.removeListener(value.event, value.callback);
      else clearTimeout(value);
    },
  },
};

replaceAll(KEPT, table);

shared.introduce({
  type: 'ready',
  protocol: 1,
  implementation: { name: 'my-loop', version: process.versions.node, details: { libuv: process.versions.uv } },
  claims: { profile: 'node', version: process.versions.node },
  ops: Object.keys(shared.ops),
  isolation: 'process',
});

const run = shared.receive();
if (!run) shared.writeAll(JSON.stringify(shared.ready()) + '\n');
else if (run.native) shared.refuse({ type: 'unsupported', seq: run.seq, op: 'native' });
else if (run.entry !== 'script') shared.refuse({ type: 'unsupported', seq: run.seq, op: 'entry ' + run.entry });
else shared.prepare(run).main();
