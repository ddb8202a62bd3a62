// Shims: each breaks one thing of a Node.js that is right, and the cases named beside it must fail. Loaded ahead of
// everything with `node -r`; BROKEN has the name of the shim. Without BROKEN, it exports the table.
'use strict';

const tick = process.nextTick;
const immediate = setImmediate;

// Puts `replacement` in place of object[name]; it is given the function that was there, and the arguments.
function wrap(object, name, replacement) {
  const original = object[name];
  object[name] = function (...args) { return replacement.call(this, original.bind(this), ...args); };
}

// Holds events of `first` back until one of `second` was emitted: the two change places.
function swap(prototype, first, second) {
  const held = new WeakMap();
  wrap(prototype, 'emit', function (emit, event, ...args) {
    if (event === first && !held.has(this)) {
      held.set(this, [event, ...args]);
      return true;
    }
    const result = emit(event, ...args);
    const waiting = held.get(this);
    if (event === second && waiting && waiting.length) {
      held.set(this, []);
      emit(...waiting);
    }
    return result;
  });
}

// Emits the first of these events together with the second one, and after it. Later ones are left alone.
function reverse(prototype, name) {
  const held = new WeakMap();
  wrap(prototype, 'emit', function (emit, event, ...args) {
    const first = event === name && !held.has(this);
    if (first) {
      held.set(this, args);
      return true;
    }
    const result = emit(event, ...args);
    const waiting = event === name && held.get(this);
    if (waiting) {
      held.set(this, null);
      emit(event, ...waiting);
    }
    return result;
  });
}

function drain() { process._tickCallback(); }

const families = {
  ticks: {
    'nextTick drops its arguments': {
      cases: ['ticks/arguments-are-kept'],
      apply() { wrap(process, 'nextTick', (next, f, ...args) => next(f, ...(typeof args[0] === 'number' ? [] : args))); }
    },
    'setImmediate drops its arguments': {
      cases: ['ticks/arguments-are-kept'],
      apply() { global.setImmediate = (f) => immediate(f); }
    },
    'setImmediate calls at once': {
      cases: ['ticks/arguments-are-kept', 'poll/lookup-of-an-address-is-a-tick'],
      apply() { global.setImmediate = (f, ...args) => f(...args); }
    }
  },
  poll: {
    'a socket emits end before data': {
      cases: ['poll/data-end-close'],
      apply() { swap(require('net').Socket.prototype, 'data', 'end'); }
    },
    'a socket emits close before end': {
      cases: ['poll/data-end-close'],
      apply() { swap(require('net').Socket.prototype, 'end', 'close'); }
    },
    'a datagram is reported as sent when it has arrived': {
      cases: ['poll/datagram-order'],
      apply() {
        wrap(require('dgram').Socket.prototype, 'send', function (send, ...args) {
          const callback = args.pop();
          this.once('message', () => callback());
          send(...args);
        });
      }
    },
    'an address is looked up within the call': {
      cases: ['poll/lookup-of-an-address-is-a-tick'],
      apply() { require('dns').lookup = (name, callback) => callback(null, name, 4); }
    },
    'an address is looked up in the check phase': {
      cases: ['poll/lookup-of-an-address-is-a-tick'],
      apply() { require('dns').lookup = (name, callback) => immediate(callback, null, name, 4); }
    },
    'a server gets its connections in reverse': {
      cases: ['poll/connections-in-order'],
      apply() { reverse(require('net').Server.prototype, 'connection'); }
    },
    'an http server reports its connection when it is closed': {
      cases: ['poll/http-exchange'],
      apply() {
        wrap(require('http').Server.prototype, 'on', function (on, event, f) {
          return on(event === 'connection' && this.listenerCount(event) > 0 ? 'close' : event, f);
        });
      }
    },
    'a response ends before its data': {
      cases: ['poll/http-exchange'],
      apply() { swap(require('http').IncomingMessage.prototype, 'data', 'end'); }
    }
  },
  close: {
    'a datagram socket closes in the check phase': {
      cases: ['close/datagram-socket-in-a-tick'],
      apply() {
        wrap(require('dgram').Socket.prototype, 'emit', function (emit, event, ...args) {
          if (event !== 'close') return emit(event, ...args);
          immediate(emit, event, ...args);
        });
      }
    },
    'a datagram socket closes in a later tick': {
      cases: ['close/datagram-socket-in-a-tick'],
      apply() {
        wrap(require('dgram').Socket.prototype, 'emit', function (emit, event, ...args) {
          if (event !== 'close') return emit(event, ...args);
          tick(emit, event, ...args);
        });
      }
    },
    'a server closes without waiting for its connections': {
      cases: ['close/server-waits-for-connections'],
      apply() {
        wrap(require('net').Server.prototype, 'close', function (close, callback) {
          if (callback) tick(callback);
          return close();
        });
      }
    }
  },
  timers: {
    'AbortSignal.timeout starts its timer later': {
      cases: ['timers/abort-signal-timeout'],
      apply() {
        AbortSignal.timeout = (ms) => {
          const controller = new AbortController();
          tick(() => setTimeout(() => controller.abort(), ms));
          return controller.signal;
        };
      }
    },
    'scheduler.yield is a resolved promise': {
      cases: ['timers/scheduler-yield'],
      apply() { require('timers/promises').scheduler.yield = () => Promise.resolve(); }
    },
    'scheduler.yield waits for another round of immediates': {
      cases: ['timers/scheduler-yield'],
      apply() {
        require('timers/promises').scheduler.yield = () => new Promise((resolve) => immediate(() => immediate(resolve)));
      }
    },
    'a loop over an interval does not wait': {
      cases: ['timers/async-iterator-of-interval'],
      apply() {
        require('timers/promises').setInterval = async function* () { for (;;) yield; };
        require('module').syncBuiltinESMExports();
      }
    },
    'an immediate as a promise is a resolved promise': {
      cases: ['immediates/promise-form'],
      apply() { require('timers/promises').setImmediate = () => Promise.resolve(); }
    }
  },
  exit: {
    'exitCode is not read': {
      cases: ['exit/code-set-in-exit', 'exit/code-set-early'],
      apply() {
        wrap(process, 'emit', (emit, event, ...args) => {
          const heard = emit(event, ...args);
          if (event === 'exit') process.reallyExit(0);
          return heard;
        });
      }
    },
    'a listener of exit is given another code': {
      cases: ['exit/code-set-in-exit', 'exit/code-set-early'],
      apply() { wrap(process, 'emit', (emit, event, ...args) => emit(event, ...(event === 'exit' ? [1] : args))); }
    },
    'listeners of exit are called in reverse': {
      cases: ['exit/code-set-in-exit'],
      apply() { wrap(process, 'on', (on, event, f) => (event === 'exit' ? process.prependListener(event, f) : on(event, f))); }
    }
  },
  microtasks: {
    'an array has an async iterator that takes more jobs': {
      cases: ['microtasks/for-await-over-array'],
      apply() { Array.prototype[Symbol.asyncIterator] = async function* () { for (const one of this) yield await one; }; }
    },
    'async generators answer two jobs later': {
      cases: ['microtasks/async-generator-yields'],
      apply() {
        wrap(Object.getPrototypeOf(async function* () {}).prototype, 'next', async (next, value) => next(value));
      }
    },
    'a loop that is left does not wait for the generator': {
      cases: ['microtasks/generator-return-ends-in-finally'],
      apply() {
        wrap(Object.getPrototypeOf(async function* () {}).prototype, 'return', (end) => {
          immediate(end);
          return Promise.resolve({ done: true });
        });
      }
    },
    'Array.fromAsync waits for all at once': {
      cases: ['microtasks/from-async'],
      apply() { Array.fromAsync = (items) => Promise.all(items); }
    },
    'another context has its own queue': {
      cases: ['microtasks/other-context-shares-the-queue'],
      apply() {
        wrap(require('vm'), 'runInNewContext', (run, code, context) => {
          return run(code, context, { microtaskMode: 'afterEvaluate' });
        });
      }
    },
    'a new promise calls its function later': {
      cases: ['microtasks/executor-runs-at-once'],
      apply() {
        const Real = Promise;
        global.Promise = new Proxy(Real, {
          construct(target, [f]) {
            if (!/'executor'/.test(f)) return new Real(f);
            return new Real((resolve, reject) => { tick(() => f(resolve, reject)); });
          }
        });
      }
    },
    'an instance of a class is awaited like any promise': {
      cases: ['microtasks/await-of-subclass'],
      apply() { wrap(Promise, 'resolve', function () { return Promise.prototype.then.call(new Promise((f) => f()), () => {}); }); }
    }
  },
  children: {
    'execSync drains': {
      cases: ['children/waiting-in-the-call'],
      apply() {
        wrap(require('child_process'), 'execSync', (run, ...args) => {
          drain();
          return run(...args);
        });
      }
    },
    'a child closes before it exits': {
      cases: ['children/exit-before-close'],
      apply() { swap(require('child_process').ChildProcess.prototype, 'exit', 'close'); }
    },
    'messages of a child arrive in reverse': {
      cases: ['children/messages-before-exit'],
      apply() { reverse(require('child_process').ChildProcess.prototype, 'message'); }
    },
    'a child exits before it disconnects': {
      cases: ['children/messages-before-exit'],
      apply() { swap(require('child_process').ChildProcess.prototype, 'disconnect', 'exit'); }
    },
    'spawn is reported in the check phase': {
      cases: ['children/spawn-event', 'children/spawn-is-a-tick'],
      apply() {
        wrap(require('child_process').ChildProcess.prototype, 'emit', function (emit, event, ...args) {
          if (event !== 'spawn') return emit(event, ...args);
          immediate(emit, event, ...args);
        });
      }
    },
    'the exit of a child is reported in the check phase': {
      cases: ['immediates/before-timeout-in-child-exit'],
      apply() {
        wrap(require('child_process').ChildProcess.prototype, 'emit', function (emit, event, ...args) {
          if (event !== 'exit') return emit(event, ...args);
          immediate(emit, event, ...args);
        });
      }
    },
    'a child that cannot be started reports it in the check phase': {
      cases: ['poll/missing-child-is-a-tick'],
      apply() {
        wrap(require('child_process').ChildProcess.prototype, 'emit', function (emit, event, ...args) {
          if (event !== 'error') return emit(event, ...args);
          immediate(emit, event, ...args);
        });
      }
    }
  },
  events: {
    'emit calls listeners from ticks': {
      cases: ['events/listeners-run-at-once', 'events/changes-during-emit', 'events/once-is-removed-first'],
      apply() {
        wrap(require('events').prototype, 'emit', function (emit, event, ...args) {
          if (event !== 'go') return emit(event, ...args);
          tick(emit, event, ...args);
        });
      }
    },
    'emit drains between its listeners': {
      cases: ['events/listeners-run-at-once'],
      apply() {
        wrap(require('events').prototype, 'on', function (on, event, f) {
          return on(event, event !== 'go' ? f : function (...args) {
            f.apply(this, args);
            drain();
          });
        });
      }
    },
    'prependListener appends': {
      cases: ['events/prepended-first'],
      apply() { require('events').prototype.prependListener = require('events').prototype.on; }
    },
    'a once listener is removed after its call': {
      cases: ['events/once-is-removed-first'],
      apply() {
        require('events').prototype.once = function (event, f) {
          let called = false;
          const listener = (...args) => {
            if (called) return;
            called = true;
            f.apply(this, args);
            this.removeListener(event, listener);
          };
          return this.on(event, listener);
        };
      }
    },
    'an event in a constructor reaches later listeners': {
      cases: ['events/emitted-in-constructor'],
      apply() {
        wrap(require('events').prototype, 'emit', function (emit, event, ...args) {
          if (event === 'ready' && this.listenerCount(event) === 0) immediate(emit, event, ...args);
          return emit(event, ...args);
        });
      }
    },
    'a warning is emitted within the call': {
      cases: ['events/warning-is-a-tick'],
      apply() { process.emitWarning = (text) => process.emit('warning', new Error(text)); }
    },
    'a warning is emitted in a microtask': {
      cases: ['events/warning-is-a-tick'],
      apply() { process.emitWarning = (text) => queueMicrotask(() => process.emit('warning', new Error(text))); }
    },
    'an event target stops at an error': {
      cases: ['events/error-in-target-listener'],
      apply() {
        let failed = false;
        wrap(EventTarget.prototype, 'addEventListener', (add, type, f, ...more) => add(type, (event) => {
          if (failed) return;
          failed = true;
          f(event);
          failed = false;
        }, ...more));
      }
    },
    'an event target drains between its listeners': {
      cases: ['events/target-listeners-run-at-once'],
      apply() {
        wrap(EventTarget.prototype, 'addEventListener', (add, type, f, ...more) => add(type, (event) => {
          f(event);
          drain();
        }, ...more));
      }
    },
    'aborting calls listeners later': {
      cases: ['events/abort-at-once'],
      apply() { wrap(AbortController.prototype, 'abort', (abort) => immediate(abort)); }
    },
    'runInAsyncScope drains': {
      cases: ['events/async-resource-does-not-drain'],
      apply() {
        wrap(require('async_hooks').AsyncResource.prototype, 'runInAsyncScope', (run, ...args) => {
          const result = run(...args);
          drain();
          return result;
        });
      }
    }
  },
  main: {
    'require drains': {
      cases: ['main/required-module'],
      apply() {
        wrap(require('module'), '_load', (load, request, parent, isMain) => {
          const loaded = load(request, parent, isMain);
          if (/required-module/.test(request)) drain();
          return loaded;
        });
      }
    },
    'ticks are microtasks': {
      cases: ['main/imported-module'],
      apply() { process.nextTick = (f, ...args) => queueMicrotask(() => f(...args)); }
    },
    'ticks run in reverse': {
      cases: ['main/required-module', 'main/imported-module'],
      apply() {
        const waiting = [];
        process.nextTick = (f, ...args) => {
          waiting.unshift(() => f(...args));
          tick(() => waiting.splice(0).forEach((one) => one()));
        };
      }
    }
  },
  workers: {
    'messages of a worker arrive in reverse': {
      cases: ['workers/messages-before-exit'],
      apply() { reverse(require('worker_threads').Worker.prototype, 'message'); }
    },
    'a worker exits before its error': {
      cases: ['workers/error-before-exit'],
      apply() { swap(require('worker_threads').Worker.prototype, 'error', 'exit'); }
    },
    'a worker exits before its message': {
      cases: ['workers/messages-before-exit'],
      apply() { swap(require('worker_threads').Worker.prototype, 'message', 'exit'); }
    },
    'receiveMessageOnPort leaves the message': {
      cases: ['workers/received-at-once'],
      apply() { require('worker_threads').receiveMessageOnPort = () => ({ message: 'one' }); }
    },
    'a worker waits for its parent': {
      cases: ['workers/has-its-own-loop'],
      apply() { Atomics.wait = () => 'timed-out'; }
    }
  },
  streams: {
    'write callbacks are called within the call': {
      cases: ['streams/write-callbacks'],
      apply() {
        wrap(require('stream').Writable.prototype, 'write', (write, chunk, callback) => {
          if (callback) callback();
          return write(chunk);
        });
      }
    },
    'finish comes before the last callback': {
      cases: ['streams/write-callbacks'],
      apply() {
        wrap(require('stream').Writable.prototype, 'write', function (write, chunk, callback) {
          return write(chunk, callback && (() => this.once('finish', () => callback())));
        });
      }
    },
    'a stream is destroyed within the call': {
      cases: ['streams/destroy-with-error'],
      apply() {
        require('stream').Readable.prototype.destroy = function (error) {
          this.emit('error', error);
          this.emit('close');
        };
      }
    },
    'a stream closes before its error': {
      cases: ['streams/destroy-with-error'],
      apply() { swap(require('stream').Readable.prototype, 'error', 'close'); }
    },
    'data is delivered within the call': {
      cases: ['streams/data-is-not-at-once'],
      apply() {
        wrap(require('stream').Readable.prototype, 'on', function (on, event, f) {
          const result = on(event, f);
          if (event === 'data') f(this.read());
          return result;
        });
      }
    },
    'a pipeline calls back when its source has ended': {
      cases: ['streams/pipeline-calls-back-last'],
      apply() {
        const stream = require('stream');
        wrap(stream, 'pipeline', (pipeline, source, target, callback) => {
          source.once('end', callback);
          return pipeline(source, target, () => {});
        });
      }
    },
    'lines come in reverse': {
      cases: ['streams/lines-in-order'],
      apply() { reverse(require('readline').Interface.prototype, 'line'); }
    },
    'a file is ready before it is open': {
      cases: ['streams/read-stream'],
      apply() { swap(require('fs').ReadStream.prototype, 'open', 'ready'); }
    },
    'the callback of a write is an immediate': {
      cases: ['poll/writes-in-order'],
      apply() {
        wrap(require('net').Socket.prototype, 'write', (write, chunk, callback) => {
          return write(chunk, callback && (() => immediate(callback)));
        });
      }
    },
    'writes call back in reverse': {
      cases: ['poll/writes-in-order'],
      apply() {
        const written = [];
        wrap(require('net').Socket.prototype, 'write', (write, chunk, callback) => write(chunk, callback && (() => {
          written.unshift(callback);
          tick(() => written.splice(0).forEach((one) => one()));
        })));
      }
    },
    'compressed data comes back in the check phase': {
      cases: ['immediates/before-timeout-after-deflate'],
      apply() {
        wrap(require('zlib'), 'deflate', (deflate, data, callback) => deflate(data, () => immediate(() => {
          immediate(() => {});
          callback();
        })));
      }
    }
  }
};

const name = process.env.BROKEN;
if (name === undefined) {
  module.exports = families;
} else {
  const shim = Object.values(families).map((family) => family[name]).find(Boolean);
  if (!shim) throw new Error('there is no shim "' + name + '"');
  shim.apply();
}
