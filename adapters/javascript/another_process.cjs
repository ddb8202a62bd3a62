// Native files that are ECMAScript modules: each is the main module of a process of its own, which is given the
// conversation, and whose end is passed on.
'use strict';

var childProcess = require('child_process');
var path = require('path');

// How this runtime is started with the file, and with what is loaded ahead of it.
function commandOf(file) {
  var isDeno = process.versions.deno !== undefined;
  var preload = path.resolve(__dirname, 'native_preload.cjs');
  return (isDeno ? ['run', '-A', '--quiet', '--preload'] : ['-r']).concat(preload, path.resolve(file));
}

function runNative(run) {
  var hello = JSON.stringify({ type: 'hello', protocol: [1, 1] });
  var result = childProcess.spawnSync(process.execPath, commandOf(run.native), {
    input: hello + '\n' + JSON.stringify(run) + '\n',
    stdio: ['pipe', 'inherit', 'inherit']
  });
  if (result.error) throw result.error;
  if (result.signal) process.kill(process.pid, result.signal);
  process.exit(result.status);
}

module.exports = { runNative: runNative };
