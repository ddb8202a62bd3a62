// Native files that are the main file of a separate process, started as a user starts it: ECMAScript modules
// everywhere, and on Bun and Deno scripts too, where a script that another one loads can show another order. That
// process is given the conversation, and its end is passed on.
'use strict';

var childProcess = require('child_process');
var path = require('path');
var adapter = require('./adapter.cjs');

var isDeno = process.versions.deno !== undefined;

// Early releases of Deno cannot load a file ahead of the main one.
function canPreload() {
  return !isDeno || /--preload/.test(childProcess.spawnSync(process.execPath, ['run', '--help']).stdout);
}

// How this runtime is started with the file, and with what is loaded ahead of it.
function commandOf(file) {
  var preload = path.resolve(__dirname, 'native_preload.cjs');
  return (isDeno ? ['run', '-A', '--quiet', '--preload'] : ['-r']).concat(preload, path.resolve(file));
}

function runNative(run) {
  if (!canPreload()) {
    if (run.entry === 'esm') adapter.refuse({ type: 'unsupported', seq: run.seq, op: '--preload' });
    return adapter.load('./native.cjs').run(run);
  }
  var hello = { type: 'hello', protocol: [1, 1] };
  process.env.CONFORM_CONVERSATION = JSON.stringify(hello) + '\n' + JSON.stringify(run) + '\n';
  var result = childProcess.spawnSync(process.execPath, commandOf(run.native), { stdio: 'inherit' });
  if (result.signal) process.kill(process.pid, result.signal);
  // Early releases of Bun report an error, too, where the process ends with a code other than 0.
  if (result.status === null) adapter.refuse({ type: 'error', seq: run.seq, message: String(result.error) });
  process.exit(result.status);
}

module.exports = { runNative: runNative };
