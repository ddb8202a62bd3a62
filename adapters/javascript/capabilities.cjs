// Finds out what this engine has, in a conversation without a run. A version number is never looked at, and neither is
// it enough that a function is there: each capability has a small program that emits the capability's name when it
// works, and all of these programs run here, in one process. What has been emitted when the loop is done is what there
// is.
'use strict';

var adapter = require('./adapter.cjs');

// How long to wait is counted in looks of the loop, this far apart, and not in time: what a busy machine takes away from
// this process is a part of one of them, and all that came meanwhile is there when the next one is taken.
var LOOK_MS = 100;

// Nothing here takes longer than this, unless it never comes.
var PATIENCE_LOOKS = 40;

// When errors come. An engine without listeners for errors ends with the first, and has done all else by then.
var ERRORS_AFTER_LOOKS = adapter.isNode() ? 0 : 10;

function step(op, fields, body) {
  var made = { op: op };
  for (var name in fields) made[name] = fields[name];
  if (body) made.body = body;
  return made;
}

// `OP LABEL ...`, where the label is the name of the capability.
function callback(op, fields, body) {
  var kind = fields && fields.kind;
  var made = step(op, fields, body);
  made.label = kind ? op + ' as ' + kind : op;
  return made;
}

function listener(event, target) {
  return step('on', { event: event, target: target, label: 'on ' + event });
}

function later(body) {
  var made = step('timeout', { argument: '5' }, body);
  for (var looks = 0; looks < ERRORS_AFTER_LOOKS; looks += 1) {
    made = step('timeout', { argument: String(LOOK_MS) }, [made]);
  }
  return made;
}

function log(name) { return step('log', { label: name }); }

// The program of something that is done at once: it was there if the step behind it is reached.
function atOnce(name, program) { return program.concat(log(name)); }

function timerWith(op, kind) {
  var name = kind ? op + ' as ' + kind : op;
  return atOnce(name, [step('timeout', { label: 'A', argument: '1' }), step(op, { target: 'A', kind: kind })]);
}

function combining(kind) {
  return [
    step('promise', { label: 'D' }), step('resolve', { target: 'D' }), callback('combine', { target: 'D', kind: kind })
  ];
}

var TRIALS = [
  ['tick', 'microtask', 'then', 'finally', 'await', 'immediate'].map(function (op) { return callback(op); }),
  ['file', 'message', 'child', 'refused'].map(function (op) { return callback(op); }),
  [callback('immediate', { kind: 'promise' })],
  [callback('timeout', { argument: '1' }), callback('timeout', { argument: '1', kind: 'promise' })],
  [callback('interval', { argument: '1', times: '1' })],
  ['promise', 'readFile', 'random', 'deflate'].map(function (kind) { return callback('file', { kind: kind }); }),
  [callback('child', { kind: 'missing' }), callback('refused', { kind: 'path' })],
  [step('promise', { label: 'D' }), callback('catch', { target: 'D' }), step('reject', { target: 'D' }), log('reject')],
  [step('promise', { label: 'D' }), step('resolve', { target: 'D' }), log('promise'), log('resolve')],
  combining(), combining('race'), combining('any'), combining('allSettled'),
  [step('promise', { label: 'D' }), step('then', {}, [log('return'), step('return', { target: 'D' })])],
  [
    callback('thenable'), step('promise', { label: 'D' }), step('resolve', { target: 'D', with: 'thenable' }),
    step('then', { target: 'D' })
  ],
  [step('async', {}, [log('async'), step('pause', { label: 'pause' })])],
  [step('try', { label: 'try' }, [step('throw')])],
  [step('signal', { label: 'signal' }), step('raise', { target: 'signal' }), log('raise')],
  [step('signal', { label: 'signal as hup', kind: 'hup' }), step('raise', { target: 'signal as hup' })],
  [step('signal', { label: 'signal as winch', kind: 'winch' }), step('raise', { target: 'signal as winch' })],
  timerWith('clear'), timerWith('clear', 'timeout'), timerWith('clear', 'interval'),
  // Not tried: with a timer, clearImmediate spoils the count of immediates of many releases, and all that comes after.
  [log('clear as immediate')],
  timerWith('clear', 'number'), timerWith('clear', 'string'),
  timerWith('ref'), timerWith('unref'), timerWith('refresh'),
  [
    step('listen', { label: 'L' }), listener('connection', 'L'),
    callback('accept', { target: 'L' }, [log('listen'), step('close', { target: 'L' })]),
    callback('connect', { target: 'L' }, [
      callback('write', { target: 'connect' }),
      step('timeout', { argument: '10' }, [
        callback('close', { target: 'connect' }), step('close', { target: 'accept' })
      ])
    ]),
    listener('connect', 'connect'), listener('close', 'connect')
  ],
  [
    step('listen', { label: 'L', kind: 'host' }),
    step('on', { event: 'listening', target: 'L' }, [
      log('on listening'), log('listen as host'), step('close', { target: 'L' })
    ])
  ],
  atOnce('socket', [step('socket', { label: 'S' }), step('close', { target: 'S' })]),
  [step('refused', { label: 'R' }), listener('error', 'R')],
  [step('child', { label: 'K' }), listener('spawn', 'K')],
  [listener('beforeExit'), listener('exit'), log('exit')],
  [listener('unhandled'), later([step('reject')])],
  [
    step('on', { event: 'unhandled' }), listener('handled'),
    later([
      step('promise', { label: 'D' }), step('reject', { target: 'D' }),
      step('timeout', { argument: '20' }, [step('catch', { target: 'D' })])
    ])
  ],
  [log('throw'), listener('uncaught'), listener('monitor'), later([step('throw')])]
];

// What native cases may need: functions, by the way to them from a module or from the global object, and syntax.
var FUNCTIONS = [
  'AbortController', 'AbortSignal.timeout', 'Array.fromAsync', 'EventTarget', 'Promise.any', 'process.emitWarning',
  'async_hooks.AsyncResource.prototype.runInAsyncScope', 'events.EventEmitter.prototype.prependListener',
  'stream.Readable.prototype.destroy', 'stream.pipeline', 'timers/promises.scheduler.yield',
  'timers/promises.setInterval', 'worker_threads.receiveMessageOnPort'
];
var SYNTAX = { 'async generators': 'async function* f() {}' };

function isFunction(name) {
  var names = name.split('.');
  var found = adapter.hasModule(names[0]) ? require(names[0]) : global[names[0]];
  for (var i = 1; i < names.length && found; i += 1) found = found[names[i]];
  return typeof found === 'function';
}

function isReadable(text) {
  try {
    return Boolean(new Function(text));
  } catch (error) {
    return false;
  }
}

// What is missing, or wrong, in one trial must not keep the others from running; and of a list of callbacks that have
// nothing to do with each other, each is a separate trial.
function tryProgram(program, emit, descriptors) {
  var interpreter = new adapter.Interpreter({ program: program, descriptors: descriptors });
  interpreter.log = emit;
  try {
    if (!interpreter.prepare()) interpreter.main();
  } catch (error) {
    // The functions that throw here are those that this engine has not.
  }
}

function isIndependent(program) {
  return program.every(function (one) { return one.label === one.op || one.label === one.op + ' as ' + one.kind; });
}

// Standard input has been read to its end; a socket on it says so, where a socket can be had for a descriptor at all.
function tryRead(emit) {
  var onEnd = step('on', { event: 'end', target: 'R' }, [log('read'), log('on end')]);
  tryProgram([step('read', { label: 'R' }), onEnd], emit, [adapter.isBun ? 3 : 0]);  // bun.sh
}

function tryEntries(emit) {
  if (adapter.hasModule('worker_threads')) emit('entry worker');
  try {
    var importing = require('./probe_import.cjs');
    importing.module().then(function () { emit('entry esm'); }, function () {});
    importing.withAwait().then(function () { emit('entry esm await'); }, function () {});
  } catch (error) {
    // The engine cannot read the file.
  }
}

// Ends a process that waits for what never comes. It does not wait for this itself.
function endAfter(looks) {
  setTimeout(function () {
    if (looks === 1) process.exit(0);
    endAfter(looks - 1);
  }, LOOK_MS).unref();
}

function announce() {
  var seen = { native: true };
  function emit(label) {
    // Things that are only referred to have a capital letter for a name. An error that is reported may be that of
    // another trial, and is a part of the label.
    if (/^[a-z]/.test(label)) seen[label.split('=')[0]] = true;
  }

  TRIALS.forEach(function (program) {
    if (!isIndependent(program)) return tryProgram(program, emit);
    program.forEach(function (one) { tryProgram([one], emit); });
  });
  tryRead(emit);
  tryEntries(emit);
  endAfter(PATIENCE_LOOKS);
  // The last listener: all that can be emitted has been.
  process.on('exit', function () {
    // Looked for only now, because loading a module can change what the trials do.
    FUNCTIONS.filter(isFunction).forEach(function (name) { seen[name] = true; });
    Object.keys(SYNTAX).forEach(function (name) { if (isReadable(SYNTAX[name])) seen[name] = true; });
    var ready = adapter.ready();
    ready.ops = Object.keys(seen).sort();
    adapter.writeAll(JSON.stringify(ready) + '\n');
    adapter.cleanUps.forEach(function (cleanUp) { cleanUp(); });
    process.reallyExit(0);
  });
}

module.exports = { announce: announce };
