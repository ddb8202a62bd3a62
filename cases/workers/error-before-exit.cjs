'use strict';
const { Worker } = require('worker_threads');
const text = `
  const { parentPort } = require('worker_threads');
  parentPort.once('message', () => { throw new Error(); });
  parentPort.postMessage('message');`;
const worker = new Worker(text, { eval: true });
worker.on('message', (label) => {
  log(label);
  worker.postMessage('throw');
});
worker.on('error', () => log('error'));
worker.on('exit', (code) => log('exit-' + code));
