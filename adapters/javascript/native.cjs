// Native files. They call the global function `log`.
'use strict';

var adapter = require('./adapter.cjs');

var MOST_BYTES = 200;  // of a label, by the protocol

// A file may log anything; a label is one word.
function labelOf(value) {
  var text = String(value).replace(/[\s\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202f\ufeff]+/g, '_');
  while (Buffer.byteLength(text) > MOST_BYTES) text = text.slice(0, -1);
  // Through bytes and back, so that half a character becomes the sign for one.
  return adapter.bufferFrom(text).toString() || '(empty)';
}

// Each line that the file prints with console.log becomes a label, and is not printed. What formats values is loaded
// only where there is something to format: on some engines, loading it is not without consequence.
function takeConsole(log) {
  console.log = function () {
    var words = Array.prototype.slice.call(arguments);
    var isPlain = words.every(function (word) { return typeof word === 'string' && word.indexOf('%') < 0; });
    var text = isPlain ? words.join(' ') : require('util').format.apply(null, words);
    text.split('\n').forEach(function (line) { log(labelOf(line)); });
  };
}

// What the file prints goes to the same place as the answer, and may end in the middle of a line. On many releases of
// Bun the exit event does not come in a process that has had a worker.
function open(run) {
  var atOnce = run.flush === 'each' || adapter.isBun;
  var log = adapter.openTrace(run.seq, atOnce, '\n', adapter.isNode());
  global.log = function (value) { log(labelOf(value)); };
  if (run.console) takeConsole(log);
}

// Sets the name of the main script. Some releases of Deno compute it, and do not let it be set.
function setMainScript(file) {
  Object.defineProperty(process.argv, 1, { value: file, writable: true, enumerable: true, configurable: true });
}

// Runs the file as if the process had been started with it.
function run(message) {
  try {
    var file = require('path').resolve(message.native);
    var load = require('module')._load;
    setMainScript(file);
    open(message);
  } catch (error) {
    adapter.refuse({ type: 'error', seq: message.seq, message: String(error.stack || error) });
  }
  load(file, null, true);
}

module.exports = { open: open, run: run };
