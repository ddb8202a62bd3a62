// Native files. They call the global function `log`.
'use strict';

var fs = require('fs');
var path = require('path');
var Module = require('module');
var adapter = require('./adapter.cjs');

function open(run) { global.log = adapter.openTrace(run.seq, run.flush === 'each'); }

// Runs the file as if the process had been started with it.
function run(message) {
  open(message);
  process.argv[1] = path.resolve(message.native);
  // Where the loader has no say in what the main script is, `require.main` is still that of the adapter.
  if (Module._load('fs', null, false) === fs) Module._load(process.argv[1], null, true);
  else require(process.argv[1]);
}

module.exports = { open: open, run: run };
