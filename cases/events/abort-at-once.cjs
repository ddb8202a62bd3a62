'use strict';
const controller = new AbortController();
controller.signal.addEventListener('abort', () => log('aborted'));
queueMicrotask(() => log('microtask'));
controller.abort();
log('after');
