// The main script: it reads what `conform` says, and the program runs right here, in the main script of a fresh
// process. The other entries load this file for what they share with it. Four parts: the conversation, the trace, what
// the most frequent steps mean, the interpreter. They are in one file because loading a file takes longer than running
// a short program; what few programs need is in others, loaded for those alone.
//
// The interpreter carries out a program of the case language with nothing between a step and the function of the
// platform that it means: no tick, no microtask, no handle and no listener but those that the program requests. What
// the steps mean is in tables, keyed by the names of capabilities (`tick`, `file as promise`, `on exit`): one here, and
// those of ops.cjs (which says what an entry is), ops_io.cjs and ops_async.cjs, loaded for programs that need them.
'use strict';

// On Bun, ticks and microtasks take turns in another way once `process.nextTick` has been read, and loading `fs` does
// that. There the conversation comes in a variable (bun.sh) and is answered with `console.log`, which is not a stream
// of Bun's loop: it writes at once. So nothing of Node.js is loaded that the program does not use.
var isBun = typeof Bun === 'object';
var print = isBun ? console.log : null;  // a native file may replace it later
var conversation = typeof process === 'object' && process.env ? process.env.CONFORM_CONVERSATION : undefined;
var fs = isBun ? null : require('fs');
function files() { return fs || (fs = require('fs')); }

var CHUNK_BYTES = 65536;
var MOST_LABELS = 250000;  // the limit of the protocol

// The conversation. Descriptor 0 is read to its end before anything else happens, and descriptor 1 is written
// synchronously. `process.stdin`, `process.stdout` and (except on Bun) `console` are never touched: each makes a handle
// that the program's loop would know of.

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
  for (var chunks = [], bytes = 1; bytes > 0;) {
    var chunk = newBuffer(CHUNK_BYTES);
    bytes = insist(function () { return files().readSync(fd, chunk, 0, CHUNK_BYTES, null); });
    if (bytes > 0) chunks.push(chunk.slice(0, bytes));
  }
  return (chunks.length === 1 ? chunks[0] : Buffer.concat(chunks)).toString('utf8');
}

// The text ends with a line.
function writeAll(text) {
  if (print) return print(text.slice(0, -1));
  var buffer = bufferFrom(text);
  var written = 0;
  while (written < buffer.length) {
    written += insist(function () { return fs.writeSync(1, buffer, written, buffer.length - written, null); });
  }
}

function lineOf(message) { return JSON.stringify(message) + '\n'; }

// The run that `conform` requests, or nothing where it only wants to know what there is.
function receive() {
  var messages = {};
  (conversation || readAll(0)).split('\n').forEach(function (line) {
    if (line === '') return;
    var message = JSON.parse(line);
    messages[message.type] = message;
  });
  if (!messages.hello) throw new Error('the conversation does not open with hello');
  var versions = messages.hello.protocol;
  if (versions[0] > 1 || versions[1] < 1) throw new Error('only version 1 is spoken here');
  return messages.run;
}

var introduction = null;

// Another message that introduces the implementation, for adapters that are only built on this file.
function introduce(message) { introduction = message; }

function ready() {
  if (introduction) return introduction;
  var versions = process.versions;
  var name = versions.bun ? 'bun' : versions.deno ? 'deno' : 'node';
  var details = { libuv: versions.uv, v8: versions.v8, webkit: versions.webkit };
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

var cleanUps = [];  // functions for the end, after the trace: separate listeners would count as the program's

// Returns `log`. `atOnce`: the program may never end, or end without a last moment to write anything. `before` is
// written ahead of each message. `last`: nothing can be emitted once the exit event has come to its only listener.
function openTrace(seq, atOnce, before, last) {
  var start = process.hrtime();
  var labels = [], times = [], emitted = 0;
  var through = atOnce;

  // Writes what is in memory, behind a first message where there is one. No trace is known to be the last: listeners of
  // `exit` may emit after it.
  function write(first) {
    for (var text = '', label = null, head = '', i = 0; i < labels.length; i += 1) {
      if (labels[i] !== label) head = '{"label":' + JSON.stringify(label = labels[i]) + ',"t_ns":';
      text += (i > 0 ? ',' : '') + head + ((times[i][0] - start[0]) * 1e9 + times[i][1] - start[1]) + '}';
    }
    labels = [];
    times = [];
    var message = '{"type":"trace","seq":' + seq + ',"start_ns":0,"events":[';
    writeAll(before + first + message + text + '],"more":true}\n');
  }

  function log(label) {
    emitted += 1;
    // A program that emits on and on has shown it; the rest would only fill the memory.
    if (emitted > MOST_LABELS) return;
    times.push(process.hrtime());
    labels.push(label);
    if (through) write('');
  }

  function atExit(code) {
    var tooMany = { type: 'error', seq: seq, message: 'there are more than ' + MOST_LABELS + ' labels' };
    if (!through && emitted > MOST_LABELS) writeAll(before + lineOf(ready()) + lineOf(tooMany));
    else if (!through) write(lineOf(ready()));
    through = true;
    cleanUps.forEach(function (cleanUp) { cleanUp(); });
    // Taking the engine apart would take longer than a short program.
    if (last && code === 0 && process.listeners('exit').length === 1) process.reallyExit(0);
  }

  // A trace without events says that the program has begun.
  if (atOnce) write(lineOf(ready()));
  process.on('exit', atExit);
  return log;
}

// Node.js itself, and no other engine that this file runs on.
function isNode() { return typeof process === 'object' && !isBun && !process.versions.deno; }

// Answers in place of a trace. The process ends here, without the listeners of the program.
function refuse(message) {
  writeAll(lineOf(ready()) + lineOf(message));
  process.reallyExit(0);
}

// What the most frequent steps mean.

var HANDLES = { socket: true, server: true, port: true, child: true };

function newError(name) { return name === undefined ? new Error() : new Error(name); }

// A call without a number is another call than one with `undefined`.
function hasNumber(step) { return step.argument !== undefined && step.argument !== 'none'; }

function reaction(method) {
  return {
    has: function () { return typeof Promise === 'function' && typeof Promise.prototype[method] === 'function'; },
    of: { promise: true, thenable: true },
    makes: 'promise',
    start: function (callback, step, thing) { return (thing ? thing.value : Promise.resolve())[method](callback); }
  };
}

function listen(emitter, event, callback) {
  emitter.on(event, callback);
  return { emitter: emitter, event: event, callback: callback };
}

function processEvent(name, hasOutcome) {
  return {
    of: HANDLES,
    outcome: hasOutcome,
    makes: 'listener',
    start: function (callback, step, thing) {
      return thing ? listen(thing.value, step.event, callback) : listen(process, name, callback);
    }
  };
}

// Every loop's clock has moved on by more than `ms` when this much more has passed: the margin covers coarse clocks.
var BUSY_MARGIN_MS = 2;

// Where a thread may sleep, it does: spinning would take the processor from everybody else.
function busy(ms) {
  var start = process.hrtime();
  var left = ms + BUSY_MARGIN_MS;
  while (left > 0) {
    try {
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, left);
    } catch (error) {
      // Not every engine has it, or lets the main thread wait.
    }
    var passed = process.hrtime(start);
    left = ms + BUSY_MARGIN_MS - (passed[0] * 1e3 + passed[1] / 1e6);
  }
}

var ops = {
  tick: { start: function (callback) { process.nextTick(callback); } },
  then: reaction('then'),
  timeout: {
    makes: 'timeout',
    start: function (callback, step) {
      return hasNumber(step) ? setTimeout(callback, Number(step.argument)) : setTimeout(callback);
    }
  },
  immediate: {
    has: function () { return typeof setImmediate === 'function'; },
    makes: 'immediate',
    start: function (callback) { return setImmediate(callback); }
  },
  'on exit': processEvent('exit', false),
  'on beforeExit': processEvent('beforeExit', false),
  'on uncaught': processEvent('uncaughtException', true),
  'on unhandled': processEvent('unhandledRejection', true),
  busy: { act: function (step) { busy(Number(step.argument)); } },
  log: { act: function (step, frame, thing, interpreter) { interpreter.log(step.label); } },
  throw: { act: function (step) { throw newError(step.argument); } }
};

// The interpreter.

// Where the steps are that are not here, by their ops; the others are in ops.cjs.
var PARTS = { await: './ops_async.cjs', async: './ops_async.cjs', pause: './ops_async.cjs' };
'read file listen connect accept socket refused write close message child'.split(' ').forEach(function (op) {
  PARTS[op] = './ops_io.cjs';
});

function capabilityOf(step) {
  return step.op === 'on' ? 'on ' + step.event : step.kind ? step.op + ' as ' + step.kind : step.op;
}

// Is there a module of this name in the engine? Nothing is loaded for the answer. For a name that is not one of its
// modules, Bun would ask a registry.
function hasModule(name) {
  if (isBun) return require('module').builtinModules.indexOf(name) >= 0;
  try { return require.resolve(name).replace(/^node:/, '') === name; } catch (error) { return false; }
}

var loaded = {};
function requireHere(name) { return name === './adapter.cjs' ? module.exports : require(name); }

// Another file of this folder, read and compiled here where there are files: the engine's loader takes thrice as long.
function load(name) {
  if (loaded[name]) return loaded[name];
  var made = { exports: {} }, text = null;
  try { text = fs.readFileSync(__dirname + '/' + name, 'utf8'); } catch (error) { return require(name); }
  new Function('module', 'require', '__dirname', text)(made, requireHere, __dirname);
  return loaded[name] = made.exports;
}

// An engine that cannot read a part of the table, or has come without it, does not have what is in it.
function loadPart(file) {
  try {
    return load(file);
  } catch (error) {
    if (error instanceof SyntaxError || error.code === 'MODULE_NOT_FOUND') return { table: {} };
    throw error;
  }
}

// What has a body that is not a callback.
var INSIDE = { only: true, try: true, async: true };

// Calls look(step, event) for each step, in the order of the text; `event` is that of the listener around it.
function visit(body, event, look) {
  body.forEach(function (step) {
    look(step, event);
    if (step.body) visit(step.body, INSIDE[step.op] ? event : step.event, look);
  });
}

// A frame is one run of a callback: `run` counts it from 1, rearm(run + 1) starts the next run of its chain.
function newFrame(run, rearm) {
  return { run: run, rearm: rearm, armed: false, returned: false, value: undefined, around: null };
}

// The label of a callback that is given an error: `X=E`, or `X` where the error has no name. What engines say of errors
// that they make themselves differs.
function labelWith(label, error) {
  var name = error && (error.code || (error.name === 'Error' ? error.message : error.name));
  return name ? label + '=' + name : label;
}

function Interpreter(run) {
  this.program = run.program;
  this.descriptors = run.descriptors || [];
  this.things = Object.create(null);  // the newest of each name: {kind, value}
  this.settlers = Object.create(null);  // of the newest `promise` of each name: {resolve, reject}
  this.channels = Object.create(null);  // of `message via NAME`
  this.mayEndAtOnce = false;  // without an exit event: an error in a handler of uncaught errors does that
  // Nothing can come after the first listener of the exit event. (Node 7 turns its loop once more, and others than
  // Node.js may decide on the exit code only behind the event.)
  this.saysLastWord = isNode() && process.version.indexOf('v7.') !== 0;
  this.log = null;  // function (label)
  this.fail = null;  // function (message): the adapter cannot continue
}

// Looks through the whole program before its first step: what is missing is known now, and modules are loaded in
// advance, because loading one takes time, and with some of them also changes the loop. Returns the name of a
// capability that is missing, or nothing.
Interpreter.prototype.prepare = function () {
  var self = this, missing = null, modules = {}, hasTargets = false;
  visit(this.program, undefined, function (step, event) {
    var name = capabilityOf(step);
    var entry = step.entry = ops[name] || loadPart(PARTS[step.op] || './ops.cjs').table[name];
    if (!entry || (entry.has && !entry.has()) || (entry.modules && !entry.modules.every(hasModule))) {
      missing = missing || name;
      return;
    }
    if (entry.modules) entry.modules.forEach(function (module) { modules[module] = true; });
    if (step.target) hasTargets = true;
    if (step.op === 'throw' && (event === 'uncaught' || event === 'monitor')) self.mayEndAtOnce = true;
    if (step.op === 'exit' || step.event === 'exit') self.saysLastWord = false;
  });
  if (!missing && hasTargets) missing = load('./ops.cjs').missingFor(this.program);
  if (!missing) Object.keys(modules).sort().forEach(function (name) { require(name); });
  return missing;
};

Interpreter.prototype.main = function () { this.runBody(this.program, newFrame(1, null)); };

Interpreter.prototype.runBody = function (body, frame) {
  for (var i = 0; i < body.length && !frame.returned; i += 1) this.perform(body[i], frame);
};

Interpreter.prototype.perform = function (step, frame) {
  var thing = step.target === undefined ? undefined : this.things[step.target];
  // What does not exist yet makes the step do nothing, where it cannot do without.
  if (step.target !== undefined && thing === undefined && step.entry.of) return;
  if (step.entry.act) step.entry.act(step, frame, thing, this);
  else this.start(step, thing);
};

// Starts a callback, or the first run of a chain of them.
Interpreter.prototype.start = function (step, thing) {
  var self = this;
  var entry = step.entry;
  var times = step.times === undefined ? 0 : Number(step.times);
  var isChain = times > 0 && !entry.stop;
  var runs = 0;

  function arm(run) {
    // What was made anew since the last run is what is meant.
    var target = run === 1 ? thing : step.target && self.things[step.target];
    var made = entry.start(function (error) {
      runs += 1;  // counted as they come, because a timer can be refreshed
      var next = isChain && runs < times ? arm : null;
      if (step.label) self.log(entry.outcome ? labelWith(step.label, error) : step.label);
      if (entry.stop && runs === times) entry.stop(made);
      if (!step.body) return next ? next(runs + 1) : undefined;
      var frame = newFrame(runs, next);
      self.runBody(step.body, frame);
      if (!frame.returned) self.rearm(frame);
      return frame.value;
    }, step, target, self);
    if (made !== undefined) self.remember(step.label, entry.makes, made);
  }

  arm(1);
};

Interpreter.prototype.logCaught = function (step, error) { if (step.label) this.log(labelWith(step.label, error)); };

// Starts the next run of a chain, once in each run.
Interpreter.prototype.rearm = function (frame) {
  if (!frame.rearm || frame.armed) return;
  frame.armed = true;
  frame.rearm(frame.run + 1);
};

Interpreter.prototype.remember = function (label, kind, value) {
  if (label && kind) this.things[label] = { kind: kind, value: value };
};

// The interpreter of a program, ready to start. Where the program cannot run, the process ends here.
function prepare(run) {
  function fail(message) { refuse({ type: 'error', seq: run.seq, message: message }); }
  try {
    var interpreter = new Interpreter(run);
    var missing = interpreter.prepare();
    if (missing) refuse({ type: 'unsupported', seq: run.seq, op: missing });
    // Where ticks have a greatest depth, the engine warns of it through the console, which requests a tick in turn when
    // standard error is a pipe, and so on until the stack is full.
    if (process.maxTickDepth) Object.defineProperty(global, 'console', { value: { error: function () {} } });
    interpreter.fail = fail;
    // Workers of Deno have no exit event in early releases.
    var atOnce = run.flush === 'each' || interpreter.mayEndAtOnce || (run.entry === 'worker' && !isBun && !isNode());
    interpreter.log = openTrace(run.seq, atOnce, '', interpreter.saysLastWord && run.entry !== 'worker');
    return interpreter;
  } catch (error) {
    return fail(String(error.stack || error));
  }
}

function runScript(run) {
  if (!run.native) prepare(run).main();
  else if (isNode()) load('./native.cjs').run(run);
  else load('./another_process.cjs').runNative(run);
}

module.exports = {
  // What other entries need.
  bufferFrom: bufferFrom, cleanUps: cleanUps, hasModule: hasModule, Interpreter: Interpreter, introduce: introduce,
  load: load,
  newFrame: newFrame, openTrace: openTrace, ops: ops, prepare: prepare, ready: ready, receive: receive, refuse: refuse,
  runScript: runScript, writeAll: writeAll,
  // What the other tables need.
  capabilityOf: capabilityOf, HANDLES: HANDLES, hasNumber: hasNumber, isBun: isBun, isNode: isNode,
  listen: listen,
  newError: newError, processEvent: processEvent, reaction: reaction
};

function main(run) {
  if (!run) load('./capabilities.cjs').announce();
  else if (run.entry === 'worker') load('./worker.cjs').start(run);
  else runScript(run);
}

if (require.main === module) main(receive());
