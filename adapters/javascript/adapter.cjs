// The main script: it reads what `conform` says, and the program runs right here, in the main script of a fresh process.
// The other entries load this file for what is shared: the conversation, the trace, and the start of a run.
//
// Descriptor 0 is read to its end before anything else happens, and descriptor 1 is written synchronously. `process.stdin`,
// `process.stdout` and `console` are never touched, because each of them makes a handle that the program's loop would know
// of. Each file that is loaded costs about as much as all that a short program does: what few programs need is apart.
'use strict';

var fs = require('fs');

var CHUNK_BYTES = 65536;

// The conversation.

// `new Buffer` warns on later releases, and a warning is a tick; the others do not exist on early ones.
function newBuffer(bytes) { return Buffer.allocUnsafe ? Buffer.allocUnsafe(bytes) : new Buffer(bytes); }

function bufferFrom(text) { return Buffer.allocUnsafe ? Buffer.from(text) : new Buffer(text); }

// A descriptor that does not block, and has nothing to give or no room yet, is asked again.
function insist(attempt) {
  for (;;) {
    try {
      return attempt();
    } catch (error) {
      if (error.code !== 'EAGAIN' && error.code !== 'EINTR') throw error;
    }
  }
}

function readAll(fd) {
  var chunks = [];
  for (;;) {
    var chunk = newBuffer(CHUNK_BYTES);
    var bytes = insist(function () { return fs.readSync(fd, chunk, 0, CHUNK_BYTES, null); });
    if (bytes === 0) return Buffer.concat(chunks).toString('utf8');
    chunks.push(chunk.slice(0, bytes));
  }
}

function writeAll(fd, text) {
  var buffer = bufferFrom(text);
  var written = 0;
  while (written < buffer.length) {
    written += insist(function () { return fs.writeSync(fd, buffer, written, buffer.length - written, null); });
  }
}

function send(message) { writeAll(1, JSON.stringify(message) + '\n'); }

// The run that `conform` asks for, or nothing where it only wants to know what there is.
function receive() {
  var messages = {};
  readAll(0).split('\n').forEach(function (line) {
    if (line === '') return;
    var message = JSON.parse(line);
    messages[message.type] = message;
  });
  if (!messages.hello) throw new Error('the conversation does not open with hello');
  if (messages.hello.protocol[0] > 1 || messages.hello.protocol[1] < 1) throw new Error('only version 1 is spoken here');
  return messages.run;
}

function ready() {
  var versions = process.versions;
  var name = versions.bun ? 'bun' : versions.deno ? 'deno' : 'node';
  var details = {};
  if (name !== 'node') details.node = versions.node;
  if (versions.uv) details.libuv = versions.uv;
  if (versions.v8) details.v8 = versions.v8;
  if (versions.webkit) details.webkit = versions.webkit;
  return {
    type: 'ready',
    protocol: 1,
    implementation: { name: name, version: versions[name], details: details },
    // Bun and Deno say which Node.js they want to be taken for, and are held to that.
    claims: { profile: 'node', version: versions.node },
    isolation: 'process'
  };
}

// The trace. Labels are kept in memory and written when the process ends, so that writing takes no time among the
// callbacks; what is emitted after that, by listeners of `exit` and by the microtasks behind them, is written at once.

// Returns `log`. `atOnce`: the program may never end, or end without a last moment to write anything.
function openTrace(seq, atOnce) {
  var start = process.hrtime();
  var labels = [];
  var times = [];
  var through = atOnce;

  function eventText(label, time) {
    return '{"label":' + JSON.stringify(label) + ',"t_ns":' + ((time[0] - start[0]) * 1e9 + time[1] - start[1]) + '}';
  }

  function write(events, more) {
    writeAll(1, '{"type":"trace","seq":' + seq + ',"events":[' + events + ']' + more + '}\n');
  }

  function log(label) {
    label = String(label);
    if (through) return write(eventText(label, process.hrtime()), ',"more":true');
    labels.push(label);
    times.push(process.hrtime());
  }

  function flush() {
    through = true;
    send(ready());
    write(labels.map(function (label, i) { return eventText(label, times[i]); }).join(','), '');
  }

  if (atOnce) {
    // A trace without events says that the program has begun.
    send(ready());
    write('', ',"more":true');
  } else {
    process.on('exit', flush);
  }
  return log;
}

// Answers in place of a trace. The process ends here, without the listeners of the program.
function refuse(message) {
  send(ready());
  send(message);
  process.reallyExit(0);
}

// The run.

// The interpreter of a program, ready to start. Where the program cannot run, the process ends here.
function prepare(run) {
  function fail(message) { refuse({ type: 'error', seq: run.seq, message: message }); }
  try {
    var Interpreter = require('./interpreter.cjs');
    var interpreter = new Interpreter(run);
    var missing = interpreter.prepare();
    if (missing) refuse({ type: 'unsupported', seq: run.seq, op: missing });
    interpreter.fail = fail;
    interpreter.log = openTrace(run.seq, run.flush === 'each' || interpreter.mayEndAtOnce());
    return interpreter;
  } catch (error) {
    return fail(String(error.stack || error));
  }
}

// A native file calls the global function `log`.
function openNative(run) { global.log = openTrace(run.seq, run.flush === 'each'); }

function runScript(run) {
  if (!run.native) return prepare(run).main();
  openNative(run);
  // The file runs as if the process had been started with it.
  process.argv[1] = require('path').resolve(run.native);
  require('module')._load(process.argv[1], null, true);
}

module.exports = {
  receive: receive,
  send: send,
  ready: ready,
  refuse: refuse,
  prepare: prepare,
  openNative: openNative,
  runScript: runScript
};

function main() {
  var run = receive();
  if (!run) require('./capabilities.cjs').announce();
  else if (run.entry === 'worker') require('./worker.cjs').start(run);
  else runScript(run);
}

if (require.main === module) main();
