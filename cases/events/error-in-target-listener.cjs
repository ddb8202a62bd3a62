'use strict';
process.on('uncaughtException', () => log('uncaught'));
const target = new EventTarget();
target.addEventListener('go', () => {
  log('first');
  throw new Error();
});
target.addEventListener('go', () => log('second'));
target.dispatchEvent(new Event('go'));
process.nextTick(() => log('tick'));
log('after');
