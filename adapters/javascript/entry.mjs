// The main module, for programs with the entry `esm`: the program runs in the body of the module that the process was
// started with. This one has no `await` at its top, because a module that has one is another kind of module: its errors
// surface a job later, and early engines cannot read it. What needs one is run by entry_await.mjs in a process of its own.
import { createRequire } from 'module';

const require = createRequire(import.meta.url);
const session = require('./session.cjs');
const run = session.receiveRun();

if (run.native) {
  session.runAgain(session.commandOfNative(run), run);
} else if (session.pausesAtTheTop(run)) {
  import('./probe_await.mjs').then(
    () => session.runAgain(session.commandOf('entry_await.mjs'), run),
    () => session.refuse(run, 'pause in the main body'));
} else {
  session.runScript(run);
}
