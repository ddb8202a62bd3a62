// The test that workerd runs: its handler is the main body of the program. Labels are kept in memory and written by a
// timer of its own, because `console.log` runs the microtasks that wait, and would change the order anywhere else.
import adapter from './adapter.cjs';
import asyncOps from './ops_async.cjs';
import workerdOps from './ops_io.cjs';
import run from './run.json';

const { ops } = adapter;
const { live } = workerdOps;

const LOOK_EVERY_MS = 10;
const UNIVERSAL = ['log', 'busy', 'only', 'again'];

function write(message) { console.log(JSON.stringify(message)); }

// Runs the program, and resolves when nothing is left to come.
function runProgram() {
  const interpreter = new adapter.Interpreter(run);
  const missing = interpreter.prepare();
  if (missing) return write({ type: 'unsupported', op: missing });
  const labels = [];
  interpreter.log = (label) => labels.push({ label });

  function flush() {
    write({ events: labels.splice(0) });
  }

  return new Promise((resolve) => {
    function look() {
      if (labels.length > 0 || live.size === 0) flush();
      if (live.size === 0) resolve();
      else setTimeout(look, LOOK_EVERY_MS);
    }
    setTimeout(look, LOOK_EVERY_MS);
    try {
      interpreter.main();
    } catch (error) {
      // An error in the handler ends the test, and with it all that was still to come.
      flush();
      throw error;
    }
  });
}

// Names what there is. Events have to come to be there.
async function probe() {
  const seen = new Set();
  for (const name of ['unhandled', 'handled']) {
    ops['on ' + name].start(() => seen.add('on ' + name));
  }
  let reject;
  const promise = new Promise((_, settle) => { reject = settle; });
  reject(new Error('E'));
  await new Promise((resolve) => setTimeout(resolve, 10));
  promise.catch(() => {});
  await new Promise((resolve) => setTimeout(resolve, 10));
  const names = Object.keys(Object.assign({}, ops, asyncOps.table)).filter((name) => {
    if (name.startsWith('on ')) return seen.has(name);
    const entry = ops[name] || asyncOps.table[name];
    return !UNIVERSAL.includes(name) && (!entry.has || entry.has());
  });
  write({ ops: names.sort() });
}

export default { test: () => (run.probe ? probe() : runProgram()) };
