// What the steps mean on GJS, where that is not what they mean on Node.js. The shape of an entry is described in
// ops.cjs of the JavaScript adapter. The main loop never ends by itself, so what is still to come is kept in
// `live`.
'use strict';

const { Gio, GLib } = imports.gi;
const { LANGUAGE, replaceAll } = require('./ops.cjs');

const live = new Set();
const interface_ = { table: {}, end: null, whenNothingIsLeft };

let onNothing = null;
let looking = false;

// With the lowest priority: whatever else is ready comes first, also the jobs of promises.
function look() {
  if (looking || !onNothing || live.size > 0) return;
  looking = true;
  GLib.idle_add(GLib.MAXINT32, () => {
    looking = false;
    if (live.size === 0) onNothing();
    return GLib.SOURCE_REMOVE;
  });
}

function whenNothingIsLeft(callback) {
  onNothing = callback;
  look();
}

function gone(thing) {
  live.delete(thing);
  look();
}

function delayOf(step) { return step.argument === 'none' ? [] : [Number(step.argument)]; }

const timeout = {
  has: () => typeof setTimeout === 'function',
  makes: 'timeout',
  start(callback, step) {
    const timer = setTimeout(() => {
      try {
        callback();
      } finally {
        gone(timer);
      }
    }, ...delayOf(step));
    live.add(timer);
    return timer;
  }
};

const interval = {
  has: timeout.has,
  makes: 'interval',
  start(callback, step) {
    const timer = setInterval(callback, ...delayOf(step));
    live.add(timer);
    return timer;
  },
  stop(timer) {
    clearInterval(timer);
    gone(timer);
  }
};

// A callback of a source of GLib, which comes once.
function once(callback, add) {
  const thing = {};
  live.add(thing);
  thing.id = add(() => {
    thing.id = 0;
    try {
      callback();
    } finally {
      gone(thing);
    }
    return GLib.SOURCE_REMOVE;
  });
  return thing;
}

function soonAt(priority) {
  return { makes: 'source', start: (callback) => once(callback, (run) => GLib.idle_add(priority, run)) };
}

const timeoutAsSource = {
  makes: 'source',
  start: (callback, step) => once(callback, (run) => GLib.timeout_add(GLib.PRIORITY_DEFAULT, +step.argument, run))
};

const read = {
  makes: 'source',
  start(callback, step, thing, interpreter) {
    const fd = interpreter.descriptors.shift();
    const stream = new Gio.UnixInputStream({ fd, close_fd: true });
    return once(callback, (run) => GLib.unix_fd_add_full(GLib.PRIORITY_DEFAULT, fd, GLib.IOCondition.IN, () => {
      stream.read_bytes(1, null);
      stream.close(null);
      return run();
    }));
  }
};

// One trip through the threads of GTask.
const file = {
  start(callback) {
    const root = Gio.File.new_for_path('/');
    const flags = Gio.FileQueryInfoFlags.NONE;
    const thing = {};
    live.add(thing);
    root.query_info_async('standard::type', flags, GLib.PRIORITY_DEFAULT, null, (source, result) => {
      source.query_info_finish(result);
      try {
        callback();
      } finally {
        gone(thing);
      }
    });
  }
};

const clear = {
  of: { timeout: true, interval: true, source: true },
  act(step, frame, { kind, value }) {
    if (kind === 'timeout') clearTimeout(value);
    if (kind === 'interval') clearInterval(value);
    if (kind === 'source' && value.id) {
      GLib.source_remove(value.id);
      value.id = 0;
    }
    gone(value);
  }
};

const MARGIN_MS = 2;

const busy = { act(step) { GLib.usleep((Number(step.argument) + MARGIN_MS) * 1000); } };

const exit = { act(step) { interface_.end(step.argument === undefined ? 0 : Number(step.argument)); } };

const table = {
  timeout,
  'timeout as source': timeoutAsSource,
  interval,
  soon: soonAt(GLib.PRIORITY_DEFAULT_IDLE),
  'soon as high': soonAt(GLib.PRIORITY_HIGH),
  'soon as default': soonAt(GLib.PRIORITY_DEFAULT),
  'soon as low': soonAt(GLib.PRIORITY_LOW),
  read,
  file,
  clear,
  busy,
  exit
};

replaceAll(LANGUAGE, table);

module.exports = interface_;
