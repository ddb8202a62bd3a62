// Runs that need another main module than the one that the process was started with. They get a process of their own,
// which is given the conversation and the descriptors, and whose end is passed on.
'use strict';

var childProcess = require('child_process');
var path = require('path');

// How this runtime is started with a main module, and another that is loaded ahead of it.
function commandOf(file, preload) {
  var isDeno = process.versions.deno !== undefined;
  var words = isDeno ? ['run', '-A', '--quiet'] : [];
  if (preload) words.push(isDeno ? '--preload' : '-r', path.resolve(__dirname, preload));
  return words.concat(path.resolve(__dirname, file));
}

function passOn(run, words) {
  var hello = JSON.stringify({ type: 'hello', protocol: [1, 1] });
  var result = childProcess.spawnSync(process.execPath, words, {
    input: hello + '\n' + JSON.stringify(run) + '\n',
    stdio: ['pipe', 'inherit', 'inherit'].concat(run.descriptors || [])
  });
  if (result.error) throw result.error;
  if (result.signal) process.kill(process.pid, result.signal);
  process.exit(result.status);
}

// A module with `await` at its top.
function runWithPauses(run) { passOn(run, commandOf('entry_await.mjs')); }

// A native file that is an ECMAScript module is the main module itself.
function runNative(run) { passOn(run, commandOf(path.resolve(run.native), 'native_preload.cjs')); }

module.exports = { runWithPauses: runWithPauses, runNative: runNative };
