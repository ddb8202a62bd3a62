// The main module, for programs with the entry `esm`: the program runs in the body of the module that the process was
// started with. This one has no `await` at its top, because a module that has one is another kind of module: its errors
// surface a job later, and early engines cannot read it. What needs one is run by entry_await.mjs.
//
// Only a module of the engine is imported: many releases of Node.js run a module in another phase of the loop if one of
// its imports has to be read from a file.
import { createRequire } from 'module';

const adapter = createRequire(import.meta.url)('./adapter.cjs');
const run = adapter.receive();

function pauses(body) {
  return body.some((step) => step.op === 'pause' || ((step.op === 'only' || step.op === 'try') && pauses(step.body)));
}

if (run.native) {
  adapter.load('./another_process.cjs').runNative(run);
} else if (pauses(run.program)) {
  adapter.refuse({ type: 'unsupported', seq: run.seq, op: 'entry esm await' });
} else {
  adapter.runScript(run);
}
