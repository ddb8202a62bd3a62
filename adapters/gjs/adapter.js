// The main script for GJS. It reads what `conform` says, and the program runs right here; the main loop runs at the end
// of the script, as it does in programs for GJS. The interpreter is that of the JavaScript adapter, whose modules are
// loaded by a small `require`, since GJS has none.
'use strict';

const { Gio, GLib } = imports.gi;
const system = imports.system;
const byteArray = imports.byteArray;

const HERE = GLib.path_get_dirname(Gio.File.new_for_path(system.programPath).get_path());
const INTERPRETER = GLib.build_filenamev([HERE, '..', 'javascript']);
const FILES = {
  './ops_io.cjs': GLib.build_filenamev([HERE, 'ops_gjs.cjs'])
};
const MOST_LABELS = 250000;
const UNIVERSAL = ['log', 'busy', 'only', 'again'];

const loaded = { fs: {} };

function requireFile(name) {
  if (loaded[name]) return loaded[name];
  const file = FILES[name] || GLib.build_filenamev([INTERPRETER, name]);
  const [, bytes] = GLib.file_get_contents(file);
  const module = { exports: {} };
  new Function('require', 'module', 'exports', byteArray.toString(bytes))(requireFile, module, module.exports);
  loaded[name] = module.exports;
  return module.exports;
}

// The conversation.

const output = new Gio.UnixOutputStream({ fd: 1, close_fd: false });

function send(message) { output.write_all(byteArray.fromString(JSON.stringify(message) + '\n'), null); }

function receive() {
  const input = new Gio.DataInputStream({ base_stream: new Gio.UnixInputStream({ fd: 0, close_fd: false }) });
  const messages = {};
  for (;;) {
    const [line] = input.read_line_utf8(null);
    if (line === null) break;
    const message = JSON.parse(line);
    messages[message.type] = message;
  }
  if (!messages.hello) throw new Error('the conversation does not open with hello');
  return messages.run;
}

function ready(ops) {
  const { version } = system;
  const numbers = [Math.floor(version / 10000), Math.floor(version / 100) % 100, version % 100];
  const glib = [GLib.MAJOR_VERSION, GLib.MINOR_VERSION];
  return {
    type: 'ready',
    protocol: 1,
    implementation: { name: 'gjs', version: numbers.join('.'), details: { glib: glib.join('.') } },
    ops,
    isolation: 'process'
  };
}

// What there is, found out by looking.
function capabilities(ops) {
  const all = Object.assign({}, ops, requireFile('./ops_async.cjs').table);
  return Object.keys(all).filter((name) => !UNIVERSAL.includes(name) && (!all[name].has || all[name].has())).sort();
}

// The trace: kept in memory, and written when the program is over; with `each`, every label at once.
class Trace {
  constructor(seq, each) {
    Object.assign(this, { seq, each, events: [], emitted: 0 });
    if (each) this.write(true);
  }

  log(label) {
    this.emitted += 1;
    if (this.emitted > MOST_LABELS) return;
    this.events.push({ label: String(label), t_ns: GLib.get_monotonic_time() * 1000 });
    if (this.each) this.write(true);
  }

  write(more) {
    const message = { type: 'trace', seq: this.seq, events: this.events.splice(0) };
    send(more ? Object.assign(message, { more }) : message);
  }

  finish() {
    if (this.emitted <= MOST_LABELS) return this.write(false);
    send({ type: 'error', seq: this.seq, message: `there are more than ${MOST_LABELS} labels` });
  }
}

function missingFor(run, interpreter) {
  if (run.native) return 'native';
  if (run.entry && run.entry !== 'script') return 'entry ' + run.entry;
  return interpreter.prepare();
}

function main() {
  const run = receive();
  const adapter = requireFile('./adapter.cjs');
  const gjs = requireFile('./ops_io.cjs');
  send(ready(capabilities(adapter.ops)));
  if (!run) return;
  const interpreter = new adapter.Interpreter(run);
  const missing = missingFor(run, interpreter);
  if (missing) return send({ type: 'unsupported', seq: run.seq, op: missing });
  const trace = new Trace(run.seq, run.flush === 'each');
  interpreter.log = (label) => trace.log(label);
  const loop = new GLib.MainLoop(null, false);
  gjs.end = (code) => {
    trace.finish();
    system.exit(code);
  };
  try {
    interpreter.main();
  } catch (error) {
    // Such an error ends the script before its main loop: nothing else comes.
    trace.finish();
    throw error;
  }
  gjs.whenNothingIsLeft(() => loop.quit());
  loop.run();
  trace.finish();
}

// `adapter.cjs` asks whether it is the main script.
requireFile.main = null;
main();
