'use strict';
const { Worker } = require('worker_threads');
const shared = new Int32Array(new SharedArrayBuffer(4));
const text = `
  const { workerData } = require('worker_threads');
  setTimeout(() => { Atomics.store(workerData, 0, 1); Atomics.notify(workerData, 0); }, 1);`;
new Worker(text, { eval: true, workerData: shared }).on('exit', () => log('exited'));
Atomics.wait(shared, 0, 0, 20000);
if (Atomics.load(shared, 0) === 1) log('woken');
