// One run: from its message to the program, ready to go.
'use strict';

var conversation = require('./conversation.cjs');
var trace = require('./trace.cjs');

// The run message of this process. An entry of its own is never started without one.
function receiveRun() {
  var run = conversation.receive().run;
  if (run === null) throw new Error('there is nothing to run');
  return run;
}

function refuse(run, capability) {
  trace.refuse({ type: 'unsupported', seq: run.seq, op: capability });
}

// The interpreter of the program, ready to start. Where the program cannot run, the answer is given here, and the
// process ends.
function prepare(run) {
  function fail(message) { trace.refuse({ type: 'error', seq: run.seq, message: message }); }
  try {
    var Interpreter = require('./interpreter.cjs');
    var interpreter = new Interpreter(run);
    var missing = interpreter.prepare();
    if (missing) refuse(run, missing);
    interpreter.fail = fail;
    interpreter.log = trace.open(run.seq, run.flush === 'each' || interpreter.mayEndAtOnce());
    return interpreter;
  } catch (error) {
    return fail(String(error.stack || error));
  }
}

// A native file calls the global function `log`.
function openNative(run) {
  global.log = trace.open(run.seq, run.flush === 'each');
}

// Runs a file as if it were the one that the process was started with.
function runNative(run) {
  var file = require('path').resolve(run.native);
  openNative(run);
  process.argv[1] = file;
  require('module')._load(file, null, true);
}

function runScript(run) {
  if (run.native) runNative(run);
  else prepare(run).main();
}

function pausesAtTheTop(run) {
  return (function look(body) {
    return body.some(function (step) { return step.op === 'pause' || (step.op === 'only' && look(step.body)); });
  }(run.program));
}

// How this runtime is started with another main module: [program, word, ...].
function commandOf(file, preload) {
  var words = typeof Deno === 'undefined' ? [] : ['run', '-A', '--quiet'];
  if (preload) words = words.concat(typeof Deno === 'undefined' ? '-r' : '--preload', __dirname + '/' + preload);
  return [process.execPath].concat(words, require('path').resolve(__dirname, file));
}

function commandOfNative(run) {
  return commandOf(require('path').resolve(run.native), 'native_preload.cjs');
}

// Gives the conversation and the descriptors to another process, which runs the program in place of this one.
function runAgain(command, run) {
  var hello = JSON.stringify({ type: 'hello', protocol: [1, 1] });
  var result = require('child_process').spawnSync(command[0], command.slice(1), {
    input: hello + '\n' + JSON.stringify(run) + '\n',
    stdio: ['pipe', 'inherit', 'inherit'].concat(run.descriptors || [])
  });
  if (result.error) throw result.error;
  if (result.signal) process.kill(process.pid, result.signal);
  process.exit(result.status);
}

module.exports = {
  receiveRun: receiveRun,
  refuse: refuse,
  prepare: prepare,
  openNative: openNative,
  runScript: runScript,
  pausesAtTheTop: pausesAtTheTop,
  commandOf: commandOf,
  commandOfNative: commandOfNative,
  runAgain: runAgain
};
