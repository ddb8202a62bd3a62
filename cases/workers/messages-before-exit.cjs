'use strict';
const { Worker } = require('worker_threads');
const text = 'const { parentPort } = require("worker_threads"); parentPort.postMessage("one"); parentPort.postMessage("two");';
const worker = new Worker(text, { eval: true });
worker.on('message', log);
worker.on('exit', () => log('exited'));
