// Programs with the entry `worker`: this file is also the main script of the worker, in which the program runs. The
// worker writes the answers.
'use strict';

var adapter = require('./adapter.cjs');
var hasWorkers = adapter.hasModule('worker_threads');
var workerThreads = hasWorkers ? require('worker_threads') : null;

// The first engines with workers insist on the ending of the file.
function newWorker(run) {
  try {
    return new workerThreads.Worker(__dirname + '/worker.cjs', { workerData: run });
  } catch (error) {
    return new workerThreads.Worker(__dirname + '/worker.js', { workerData: run });
  }
}

function start(run) {
  if (!hasWorkers) adapter.refuse({ type: 'unsupported', seq: run.seq, op: 'entry worker' });
  newWorker(run).on('exit', function (code) { process.reallyExit(code); });
}

module.exports = { start: start };

if (hasWorkers && !workerThreads.isMainThread) adapter.runScript(workerThreads.workerData);
