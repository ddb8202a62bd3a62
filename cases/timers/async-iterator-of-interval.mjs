import { setInterval } from 'timers/promises';
setTimeout(() => log('timeout'), 90);
let rounds = 0;
for await (const _ of setInterval(60)) {
  log('round');
  if (++rounds === 2) break;
}
log('end');
