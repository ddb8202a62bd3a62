// entry_await.mjs for Deno, whose early releases have modules of Node.js only by these names.
import { createRequire } from 'node:module';

const adapter = createRequire(import.meta.url)('./adapter.cjs');

for (const awaited of adapter.load('./ops_async.cjs').mainBody(adapter.receive())) await awaited;
