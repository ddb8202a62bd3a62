// Carries out a program of the case language, step by step, with nothing between a step and the function of the platform
// that it means: no tick, no microtask, no handle and no listener but those that the program asks for.
//
// What the steps mean is in three tables, keyed by the names of capabilities (`tick`, `file as promise`, `on exit`):
// ops.cjs, and those parts that are loaded only when a program needs them, ops_io.cjs and ops_async.cjs. An entry is
//
//   has      does this engine have it? Left out: it always has
//   modules  the modules that it calls
//   of       which kinds of things the step can refer to
//   act      function (step, frame, thing): does its work at once; or
//   start    function (callback, step, thing): arranges for the callback and returns what was made
//   makes    the kind of what `start` returns, where it has a name
//   stop     function (made): the callback comes again by itself, until this is called
//   outcome  the callback is given an error, which becomes part of the label
//
// where `thing` is what the step refers to. The callback emits the label and runs the body; the interpreter cares for
// names, chains and `only`.
'use strict';

var PARTS = { await: './ops_async.cjs', async: './ops_async.cjs', pause: './ops_async.cjs' };

function capabilityOf(step) {
  if (step.op === 'on') return 'on ' + step.event;
  return step.kind ? step.op + ' as ' + step.kind : step.op;
}

function Interpreter(run) {
  this.modules = { fs: require('fs') };
  this.descriptors = run.descriptors || [];
  this.things = Object.create(null);  // the newest of each name: {kind, value}
  this.channels = Object.create(null);  // of `message via NAME`
  this.log = null;  // function (label)
  this.fail = null;  // function (message): the adapter cannot go on
  this.program = run.program;
  this.table = require('./ops.cjs')(this);
  this.loaded = {};
}

// Finds the entry of a step, and loads the part of the table that it stands in. An engine that cannot read a part
// does not have what is in it.
Interpreter.prototype.entryOf = function (step) {
  var name = capabilityOf(step);
  var part = PARTS[step.op] || './ops_io.cjs';
  if (!this.table[name] && !this.loaded[part]) {
    this.loaded[part] = true;
    this.load(part);
  }
  return this.table[name];
};

Interpreter.prototype.load = function (part) {
  var more;
  try {
    more = require(part)(this);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    more = {};
  }
  for (var name in more) this.table[name] = more[name];
};

// Is there a module of this name in the engine? Nothing is loaded for the answer.
function hasModule(name) {
  try {
    return require.resolve(name).replace(/^node:/, '') === name;
  } catch (error) {
    return false;
  }
}

var REPEATING = { interval: true, on: true, signal: true, accept: true, thenable: true };

// Calls look(step, mayRepeat) for each step of the program, in the order of its text.
function visit(body, mayRepeat, look) {
  body.forEach(function (step) {
    var again = mayRepeat || step.times !== undefined;
    look(step, again);
    if (step.body) visit(step.body, again || REPEATING[step.op] === true, look);
  });
}

// Looks through the whole program before its first step: what is missing is known now, and the modules are loaded in
// advance, because loading one takes time, and with some of them also changes the loop. Returns the name of a capability
// that is missing, or nothing.
Interpreter.prototype.prepare = function () {
  var self = this;
  var missing = null;
  var moduleNames = {};
  var makers = Object.create(null);
  var closes = Object.create(null);

  visit(this.program, false, function (step) {
    step.entry = self.entryOf(step);
    var modules = (step.entry && step.entry.modules) || [];
    var has = step.entry && (!step.entry.has || step.entry.has()) && modules.every(hasModule);
    if (!has) missing = missing || capabilityOf(step);
    if (!has) return;
    modules.forEach(function (name) { moduleNames[name] = true; });
    if (step.label) (makers[step.label] = makers[step.label] || []).push({ op: step.op, kind: step.entry.makes });
    if (step.via) (makers[step.via] = makers[step.via] || []).push({ op: step.op, kind: 'port' });
    if (step.op === 'close') closes[step.target] = (closes[step.target] || 0) + 1;
  });
  if (missing) return missing;

  visit(this.program, false, function (step, mayRepeat) {
    step.mayBeClosing = step.op === 'close' && (mayRepeat || closes[step.target] > 1);
    if (!step.target || !step.entry.of) return;
    (makers[step.target] || []).forEach(function (maker) {
      var can = maker.kind && step.entry.of[maker.kind];
      if (typeof can === 'function' ? !can() : !can) missing = missing || capabilityOf(step) + ' of ' + maker.op;
    });
  });
  if (missing) return missing;

  Object.keys(moduleNames).sort().forEach(function (name) { self.modules[name] = require(name); });
  return null;
};

// Can the program end without an exit event? An error in a handler of uncaught errors does that.
Interpreter.prototype.mayEndAtOnce = function () {
  var may = false;
  (function look(body, event) {
    body.forEach(function (step) {
      if (step.op === 'throw' && (event === 'uncaught' || event === 'monitor')) may = true;
      var isCallback = step.op !== 'only' && step.op !== 'async';
      if (step.body) look(step.body, isCallback ? step.event : event);
    });
  }(this.program, null));
  return may;
};

// A frame is one run of a callback: `run` counts it from 1, `rearm` starts the next run of its chain. An async function
// has a frame of its own, because it returns on its own, inside of that of the callback in which it was called.
function newFrame(run, rearm) {
  return { run: run, rearm: rearm, armed: false, returned: false, value: undefined, around: null };
}

Interpreter.prototype.mainFrame = function () { return newFrame(1, null); };

Interpreter.prototype.main = function () { this.runBody(this.program, this.mainFrame()); };

Interpreter.prototype.runBody = function (body, frame) {
  for (var i = 0; i < body.length && !frame.returned; i += 1) this.perform(body[i], frame);
};

Interpreter.prototype.perform = function (step, frame) {
  var entry = step.entry;
  var thing = step.target === undefined ? undefined : this.things[step.target];
  // What does not exist yet makes the step do nothing, where it cannot do without.
  if (step.target !== undefined && thing === undefined && entry.of) return;
  if (entry.act) entry.act(step, frame, thing);
  else this.start(step, thing);
};

Interpreter.prototype.remember = function (label, kind, value) {
  if (label !== undefined && kind !== undefined) this.things[label] = { kind: kind, value: value };
};

// Starts a callback, or the first run of a chain of them.
Interpreter.prototype.start = function (step, thing) {
  var self = this;
  var entry = step.entry;
  var isChain = step.times && !entry.stop;
  var runs = 0;

  function arm(run) {
    // A thing that was made anew since the last run is the one that is meant.
    var target = run === 1 ? thing : step.target && self.things[step.target];
    var value = entry.start(function (error) {
      runs += 1;
      var rearm = isChain && run < Number(step.times) ? function () { arm(run + 1); } : null;
      var frame = newFrame(isChain ? run : runs, rearm);
      if (step.label) self.log(entry.outcome ? labelWith(step.label, error) : step.label);
      if (entry.stop && runs === Number(step.times)) entry.stop(value);
      if (step.body) self.runBody(step.body, frame);
      if (!frame.returned) self.endOfBody(frame);
      return frame.value;
    }, step, target);
    self.remember(step.label, entry.makes, value);
  }

  arm(1);
};

Interpreter.prototype.isIn = function (run, only) {
  return run >= Number(only.only_from) && run <= Number(only.only_to);
};

// The steps of a body for one frame, each `only` replaced by its body or by nothing. A body with pauses has to be run by
// one function, which cannot descend.
Interpreter.prototype.decided = function (body, frame) {
  var steps = [];
  for (var i = 0; i < body.length; i += 1) {
    if (body[i].op !== 'only') steps.push(body[i]);
    else if (this.isIn(frame.run, body[i])) steps = steps.concat(this.decided(body[i].body, frame));
  }
  return steps;
};

Interpreter.prototype.endOfBody = function (frame) {
  if (frame.rearm && !frame.armed) frame.rearm();
};

// The label of a callback that is given an error: `X=E`, or `X` where the error has no name.
function labelWith(label, error) {
  var name = error && (error.code || error.message);
  return name ? label + '=' + name : label;
}

Interpreter.newFrame = newFrame;
Interpreter.hasModule = hasModule;

module.exports = Interpreter;
