// The main script: it reads what `conform` says, and the program runs right here, in the main script of a fresh
// process. The other entries load this file for what they share with it. Three parts: the conversation, the trace, the
// interpreter; they are in one file because loading a file takes longer than running a short program.
//
// The interpreter carries out a program of the case language with nothing between a step and the function of the
// platform that it means: no tick, no microtask, no handle and no listener but those that the program asks for. What
// the steps mean is in tables, keyed by the names of capabilities (`tick`, `file as promise`, `on exit`): ops.cjs, and
// two parts that are loaded only for programs that need them, ops_io.cjs and ops_async.cjs. An entry of a table is
//
//   has      does this engine have it? Left out: it always has
//   modules  the modules of the engine that it calls
//   of       which kinds of things the step can refer to
//   act      function (step, frame, thing, interpreter): does its work at once; or
//   start    function (callback, step, thing, interpreter): arranges for the callback, and returns what was made
//   makes    the kind of what was made, where it can have a name
//   stop     function (made): the callback comes again by itself, until this is called
//   outcome  the callback is given an error, which becomes part of the label
//
// where `thing` is what the step refers to. The callback emits the label and runs the body; names, chains and `only`
// are the interpreter's.
'use strict';

var fs = require('fs');
var ops = require('./ops.cjs');

var CHUNK_BYTES = 65536;
var MOST_LABELS = 250000;  // the limit of the protocol

// The conversation. Descriptor 0 is read to its end before anything else happens, and descriptor 1 is written
// synchronously. `process.stdin`, `process.stdout` and `console` are never touched: each of them makes a handle that
// the program's loop would know of.

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

function send(message, before) { writeAll(1, (before || '') + JSON.stringify(message) + '\n'); }

// The run that `conform` asks for, or nothing where it only wants to know what there is.
function receive() {
  var messages = {};
  readAll(0).split('\n').forEach(function (line) {
    if (line === '') return;
    var message = JSON.parse(line);
    messages[message.type] = message;
  });
  if (!messages.hello) throw new Error('the conversation does not open with hello');
  var versions = messages.hello.protocol;
  if (versions[0] > 1 || versions[1] < 1) throw new Error('only version 1 is spoken here');
  return messages.run;
}

function ready() {
  var versions = process.versions;
  var name = versions.bun ? 'bun' : versions.deno ? 'deno' : 'node';
  var details = {};
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
// `before` is written ahead of each message.
function openTrace(seq, atOnce, before) {
  var start = process.hrtime();
  var labels = [];
  var times = [];
  var through = atOnce;
  var emitted = 0;

  function eventText(label, time) {
    return '{"label":' + JSON.stringify(label) + ',"t_ns":' + ((time[0] - start[0]) * 1e9 + time[1] - start[1]) + '}';
  }

  function write(events, more) {
    writeAll(1, (before || '') + '{"type":"trace","seq":' + seq + ',"events":[' + events + ']' + more + '}\n');
  }

  function log(label) {
    label = String(label);
    emitted += 1;
    // A program that emits on and on has shown it; the rest would only fill the memory.
    if (emitted > MOST_LABELS) return;
    if (through) return write(eventText(label, process.hrtime()), ',"more":true');
    labels.push(label);
    times.push(process.hrtime());
  }

  function flush() {
    through = true;
    send(ready(), before);
    if (emitted > MOST_LABELS) {
      return send({ type: 'error', seq: seq, message: 'there are more than ' + MOST_LABELS + ' labels' }, before);
    }
    write(labels.map(function (label, i) { return eventText(label, times[i]); }).join(','), '');
  }

  if (atOnce) {
    // A trace without events says that the program has begun.
    send(ready(), before);
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

// The interpreter.

var PARTS = { await: './ops_async.cjs', async: './ops_async.cjs', pause: './ops_async.cjs' };

// Callbacks that come again by themselves.
var REPEATING = { interval: true, on: true, signal: true, accept: true, thenable: true };

// Steps whose label names nothing.
var NAMELESS = { log: true, pause: true };

function capabilityOf(step) {
  if (step.op === 'on') return 'on ' + step.event;
  return step.kind ? step.op + ' as ' + step.kind : step.op;
}

// Is there a module of this name in the engine? Nothing is loaded for the answer.
function hasModule(name) {
  try {
    return require.resolve(name).replace(/^node:/, '') === name;
  } catch (error) {
    return false;
  }
}

// An engine that cannot read a part of the table does not have what is in it.
function loadPart(file) {
  try {
    return require(file);
  } catch (error) {
    if (error instanceof SyntaxError) return {};
    throw error;
  }
}

function entryOf(step) {
  var name = capabilityOf(step);
  return ops[name] || loadPart(PARTS[step.op] || './ops_io.cjs')[name];
}

// Calls look(step, mayRepeat) for each step, in the order of the text.
function visit(body, mayRepeat, look) {
  body.forEach(function (step) {
    var again = mayRepeat || step.times !== undefined;
    look(step, again);
    if (step.body) visit(step.body, again || REPEATING[step.op] === true, look);
  });
}

// A frame is one run of a callback: `run` counts it from 1, `rearm` starts the next run of its chain.
function newFrame(run, rearm) {
  return { run: run, rearm: rearm, armed: false, returned: false, value: undefined, around: null };
}

// The label of a callback that is given an error: `X=E`, or `X` where the error has no name.
function labelWith(label, error) {
  var name = error && (error.code || error.message);
  return name ? label + '=' + name : label;
}

function Interpreter(run) {
  this.program = run.program;
  this.descriptors = run.descriptors || [];
  this.things = Object.create(null);  // the newest of each name: {kind, value}
  this.settlers = Object.create(null);  // of the newest `promise` of each name: {resolve, reject}
  this.channels = Object.create(null);  // of `message via NAME`
  this.log = null;  // function (label)
  this.fail = null;  // function (message): the adapter cannot go on
}

// Looks through the whole program before its first step: what is missing is known now, and modules are loaded in
// advance, because loading one takes time, and with some of them also changes the loop. Returns the name of a
// capability that is missing, or nothing.
Interpreter.prototype.prepare = function () {
  var missing = null;
  var modules = {};
  var makers = Object.create(null);
  var closes = Object.create(null);

  function addMaker(label, op, kind) {
    if (!label || NAMELESS[op]) return;
    makers[label] = (makers[label] || []).concat({ op: op, kind: kind });
  }

  visit(this.program, false, function (step) {
    var entry = step.entry = entryOf(step);
    if (!entry || (entry.has && !entry.has()) || (entry.modules && !entry.modules.every(hasModule))) {
      missing = missing || capabilityOf(step);
      return;
    }
    if (entry.modules) entry.modules.forEach(function (name) { modules[name] = true; });
    addMaker(step.label, step.op, entry.makes);
    addMaker(step.via, step.op, 'port');
    if (step.op === 'close') closes[step.target] = (closes[step.target] || 0) + 1;
  });
  if (missing) return missing;

  visit(this.program, false, function (step, mayRepeat) {
    step.mayBeClosing = step.op === 'close' && (mayRepeat || closes[step.target] > 1);
    if (!step.target || !step.entry.of) return;
    var all = makers[step.target] || [];
    var things = all.filter(function (maker) { return maker.kind; });
    (things.length > 0 ? things : all).forEach(function (maker) {
      var can = step.entry.of[maker.kind];
      if (typeof can === 'function' ? !can() : !can) missing = missing || capabilityOf(step) + ' of ' + maker.op;
    });
  });
  if (missing) return missing;

  Object.keys(modules).sort().forEach(function (name) { require(name); });
  return null;
};

// Can the program end without an exit event? An error in a handler of uncaught errors does that.
Interpreter.prototype.mayEndAtOnce = function () {
  return (function look(body, event) {
    return body.some(function (step) {
      if (step.op === 'throw') return event === 'uncaught' || event === 'monitor';
      return step.body && look(step.body, step.op === 'only' || step.op === 'async' ? event : step.event);
    });
  }(this.program, undefined));
};

Interpreter.prototype.mainFrame = function () { return newFrame(1, null); };

// An async function returns on its own, inside of the callback in which it was called.
Interpreter.prototype.frameInside = function (frame) {
  var inner = newFrame(frame.run, null);
  inner.around = frame.around || frame;
  return inner;
};

Interpreter.prototype.main = function () { this.runBody(this.program, this.mainFrame()); };

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
      runs += 1;
      var frame = newFrame(isChain ? run : runs, isChain && run < times ? function () { arm(run + 1); } : null);
      if (step.label) self.log(entry.outcome ? labelWith(step.label, error) : step.label);
      if (entry.stop && runs === times) entry.stop(made);
      if (step.body) self.runBody(step.body, frame);
      if (!frame.returned) self.endOfBody(frame);
      return frame.value;
    }, step, target, self);
    if (made !== undefined) self.remember(step.label, entry.makes, made);
  }

  arm(1);
};

Interpreter.prototype.endOfBody = function (frame) {
  if (frame.rearm && !frame.armed) frame.rearm();
};

Interpreter.prototype.remember = function (label, kind, value) {
  if (label && kind) this.things[label] = { kind: kind, value: value };
};

Interpreter.prototype.isIn = function (run, only) {
  return run >= Number(only.only_from) && run <= Number(only.only_to);
};

// The steps of a body for one frame, each `only` replaced by its body or by nothing. A body with pauses has to be run
// by one function, which cannot descend.
Interpreter.prototype.decided = function (body, frame) {
  var steps = [];
  for (var i = 0; i < body.length; i += 1) {
    if (body[i].op !== 'only') steps.push(body[i]);
    else if (this.isIn(frame.run, body[i])) steps = steps.concat(this.decided(body[i].body, frame));
  }
  return steps;
};

// Where ticks have a greatest depth, the engine warns of it through the console, which asks for a tick in turn when
// standard error is a pipe, and so on until the stack is full.
function silenceTickWarnings() {
  if (process.maxTickDepth) Object.defineProperty(global, 'console', { value: { error: function () {} } });
}

// The interpreter of a program, ready to start. Where the program cannot run, the process ends here.
function prepare(run) {
  function fail(message) { refuse({ type: 'error', seq: run.seq, message: message }); }
  try {
    var interpreter = new Interpreter(run);
    var missing = interpreter.prepare();
    if (missing) refuse({ type: 'unsupported', seq: run.seq, op: missing });
    silenceTickWarnings();
    interpreter.fail = fail;
    interpreter.log = openTrace(run.seq, run.flush === 'each' || interpreter.mayEndAtOnce());
    return interpreter;
  } catch (error) {
    return fail(String(error.stack || error));
  }
}

function runScript(run) {
  if (run.native) require('./native.cjs').run(run);
  else prepare(run).main();
}

module.exports = {
  Interpreter: Interpreter,
  bufferFrom: bufferFrom,
  hasModule: hasModule,
  receive: receive,
  send: send,
  ready: ready,
  refuse: refuse,
  openTrace: openTrace,
  prepare: prepare,
  runScript: runScript
};

function main() {
  var run = receive();
  if (!run) require('./capabilities.cjs').announce();
  else if (run.entry === 'worker') require('./worker.cjs').start(run);
  else runScript(run);
}

if (require.main === module) main();
