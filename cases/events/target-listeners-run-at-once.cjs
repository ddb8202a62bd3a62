'use strict';
const target = new EventTarget();
target.addEventListener('go', () => {
  log('first');
  queueMicrotask(() => log('microtask'));
});
target.addEventListener('go', () => log('second'));
log('before');
target.dispatchEvent(new Event('go'));
log('after');
