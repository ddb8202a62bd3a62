'use strict';
setTimeout(() => log('before'), 30);
const signal = AbortSignal.timeout(30);
signal.addEventListener('abort', () => log('aborted'));
setTimeout(() => log('after'), 30);
