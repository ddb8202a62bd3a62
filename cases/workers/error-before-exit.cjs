'use strict';
const { Worker } = require('worker_threads');
const text = 'require("worker_threads").parentPort.postMessage("message"); throw new Error();';
const worker = new Worker(text, { eval: true });
worker.on('message', log);
worker.on('error', () => log('error'));
worker.on('exit', (code) => log('exit-' + code));
