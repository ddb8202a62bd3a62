// Native files. They call the global function `log`.
'use strict';

var fs = require('fs');
var path = require('path');
var Module = require('module');
var adapter = require('./adapter.cjs');

var MOST_BYTES = 200;  // of a label, by the protocol

// A file may log anything; a label is one word.
function labelOf(value) {
  var text = String(value).replace(/[\s\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202f\ufeff]+/g, '_');
  while (Buffer.byteLength(text) > MOST_BYTES) text = text.slice(0, -1);
  // Through bytes and back, so that half a character becomes the sign for one.
  return adapter.bufferFrom(text).toString() || '(empty)';
}

// What the file prints goes to the same place as the answer, and may end in the middle of a line.
function open(run) {
  var log = adapter.openTrace(run.seq, run.flush === 'each', '\n', adapter.isNode());
  global.log = function (value) { log(labelOf(value)); };
}

// Runs the file as if the process had been started with it.
function run(message) {
  open(message);
  process.argv[1] = path.resolve(message.native);
  // Where the loader has no say in what the main script is, `require.main` is still that of the adapter.
  if (Module._load('fs', null, false) === fs) Module._load(process.argv[1], null, true);
  else require(process.argv[1]);
}

module.exports = { open: open, run: run };
