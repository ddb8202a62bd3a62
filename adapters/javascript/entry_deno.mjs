// entry_await.mjs for Deno, whose early releases have modules of Node.js only by these names.
import { createRequire } from 'node:module';

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
