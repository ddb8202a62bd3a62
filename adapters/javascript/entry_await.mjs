// The main module for programs with the entry `esm` whose main body pauses: a pause is an `await` at the top of this
// module. On engines where such a module cannot be told from another one, it runs all of them.
import 'fs';
import { createRequire } from 'module';

const require = createRequire(import.meta.url);
const adapter = require('./adapter.cjs');
const run = adapter.receive();

if (run.native) {
  require('./another_process.cjs').runNative(run);
} else {
  const interpreter = adapter.prepare(run);
  const { awaited, decided } = adapter.load('./ops_async.cjs');
  const frame = adapter.newFrame(1, null);
  for (const step of decided(run.program, frame)) {
    if (step.op !== 'pause') {
      interpreter.perform(step, frame);
      continue;
    }
    await awaited(step, interpreter);
    if (step.label) interpreter.log(step.label);
  }
}
