// The main module for programs with the entry `esm` whose main body pauses: a pause is an `await` at the top of this
// module. On engines where such a module cannot be distinguished from another one, it runs all of them.
import { createRequire } from 'module';

const adapter = createRequire(import.meta.url)('./adapter.cjs');

const body = adapter.load('./ops_async.cjs').mainBody(adapter.receive());
for (let next = body.next(); !next.done;) {
  let failure = null;
  try {
    await next.value;
  } catch (error) {
    failure = { error };
  }
  next = failure ? body.throw(failure.error) : body.next();
}
