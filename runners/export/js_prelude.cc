#include "runners/export/js_prelude.h"

#include <algorithm>
#include <utility>

#include "runners/export/js_steps.h"

namespace conform {
namespace {

constexpr std::string_view kPlainLog = R"(
// Labels are kept in memory and written when the process ends, so that logging does not disturb the order.
var order = [];
function log(label) { order.push(label); }
process.on('exit', function () { console.log(order.join(' ')); });)";

// Writing at once: with `fs`, but not on Bun, where loading it changes how ticks and microtasks take turns, and where
// `console` is not a stream.
constexpr std::string_view kScriptFiles = R"(
// Loading `fs` would change the order of ticks on Bun. The console writes at once there.
var files = typeof Bun === 'undefined' ? require('fs') : null;)";
constexpr std::string_view kModuleFiles = R"(
// Loading `fs` would change the order of ticks on Bun. The console writes at once there.
import { createRequire } from 'module';
var files = typeof Bun === 'undefined' ? createRequire(import.meta.url)('fs') : null;)";
constexpr std::string_view kWrite = R"(
function write(text) {
  if (files) files.writeSync(1, text);
  else console.log(text.trim());
})";

constexpr std::string_view kLogBeyondExit = R"(
// Labels are kept in memory and written when the process ends, so that logging does not disturb the order. What is
// logged after that, by other exit listeners, is written at once.
var order = [];
var ended = false;
function log(label) {
  if (ended) write(' ' + label);
  else order.push(label);
}
process.on('exit', function () {
  ended = true;
  write(order.join(' '));
});)";

constexpr std::string_view kLogAtOnce = R"(
// Labels are written at once, because this program may never end, or end without a last moment to write them.
function log(label) { write(label + ' '); })";

constexpr std::string_view kJsBusy = R"(
// Spins until more than `ms` have passed on any clock that a loop may use; the margin covers coarse ones.
function busy(ms) {
  var start = process.hrtime();
  var passed;
  do {
    passed = process.hrtime(start);
  } while (passed[0] * 1e3 + passed[1] / 1e6 < ms + 2);
})";

constexpr std::string_view kOutcome = R"(
// The label of a callback that is given an error: `X=E`, or `X` where the error has no name.
function outcome(label, error) {
  var name = error && (error.code || (error.name === 'Error' ? error.message : error.name));
  return name ? label + '=' + name : label;
})";

constexpr std::string_view kTemporaryName = R"(
var temporaryNames = 0;
function temporaryName(ending) {
  temporaryNames += 1;
  return os.tmpdir() + '/order-' + process.pid + '-' + temporaryNames + ending;
})";

constexpr std::string_view kSocketPath = R"(
// A path for a server. It is removed at the end, in case that the server is never closed.
function socketPath() {
  var path = temporaryName('.sock');
  process.on('exit', function () {
    if (fs.existsSync(path)) fs.unlinkSync(path);
  });
  return path;
})";

constexpr std::string_view kStartAgain = R"(
// What this program reads from are descriptors on which one byte waits already. It cannot make those for itself without
// a turn of its loop. So it starts itself once more, and the second process, which runs the program, gets them as 3, 4, …
// and learns from its standard input that the bytes are there.
function startAgain(count) {
  var stdio = ['pipe', 1, 2];
  while (stdio.length < 3 + count) stdio.push('pipe');
  var options = typeof Deno === 'undefined' ? [] : ['run', '-A', '--quiet'];
  var child = require('child_process').spawn(process.execPath, options.concat(__filename, 'again'), { stdio: stdio });
  var left = count;
  child.stdio.slice(3).forEach(function (pipe) {
    pipe.on('error', function () {}); // the reader goes without a word
    pipe.write('x', function () {
      left -= 1;
      if (left === 0) child.stdin.end('x');
    });
  });
  child.on('exit', function (code) { process.exit(code); });
})";

constexpr std::string_view kJsRead = R"(
fs.readSync(0, typeof Buffer.alloc === 'function' ? Buffer.alloc(1) : new Buffer(1), 0, 1, null);
var nextDescriptor = 3;

// Reads once. The socket is destroyed before the callback, so that it keeps nothing alive even if the callback throws.
function read(callback) {
  var fd = nextDescriptor;
  nextDescriptor += 1;
  var socket = new net.Socket({ fd: fd, readable: true, writable: false });
  if (!socket._handle) socket.connect({ fd: fd }); // some take the descriptor only when they are connected to it
  socket.once('data', function () {
    socket.destroy();
    callback();
  });
  return socket;
})";

constexpr std::string_view kPost = R"(
// Sends one message through a new channel.
function post(callback) {
  var channel = new workerThreads.MessageChannel();
  channel.port1.once('message', function () {
    channel.port1.close();
    callback();
  });
  channel.port2.postMessage(0);
  return channel.port1;
})";

constexpr std::string_view kOpenChannel = R"(
// A channel for several messages. Its port keeps the loop alive only while a message is on its way.
function openChannel() {
  var channel = new workerThreads.MessageChannel();
  var callbacks = [];
  channel.port1.on('message', function () {
    var callback = callbacks.shift();
    if (callbacks.length === 0) channel.port1.unref();
    callback();
  });
  channel.port1.unref();
  function post(callback) {
    callbacks.push(callback);
    channel.port1.ref();
    channel.port2.postMessage(0);
    return channel.port1;
  }
  post.port = channel.port1;
  return post;
})";

bool AnyStep(const ProgramFacts& facts, bool (*holds)(const Step&)) {
  return std::any_of(facts.steps().begin(), facts.steps().end(), [&](const Step* step) { return holds(*step); });
}

bool IsExitListener(const Step& step) { return step.op == Op::kOn && step.target.empty() && step.event == "exit"; }

// An error in the handler of uncaught errors ends the process without an exit event, and on some runtimes one in the
// handler of rejections does, too.
bool MayEndAtOnce(const ProgramFacts& facts) {
  return std::any_of(facts.steps().begin(), facts.steps().end(), [&](const Step* step) {
    const Step* around = step->op == Op::kThrow ? facts.EnclosingCallback(*step) : nullptr;
    return around != nullptr && GivenError(*around);
  });
}

// Not every runtime lets a program know that it ends, when it ends with an error or has to be ended.
bool MayEndWithAnError(const Case& c) {
  return std::any_of(c.expect.begin(), c.expect.end(), [](const Expectation& expectation) {
    return expectation.pattern.text.find("exit=") != std::string::npos;
  });
}

// Before the exit event `console` would have a say in the order, and after it nothing would wait for what it has to
// write.
std::string_view LogFor(const Case& c, const ProgramFacts& facts) {
  // Not every runtime has an exit event in workers.
  if (c.entry == Entry::kWorker || MayEndWithAnError(c) || MayEndAtOnce(facts)) return kLogAtOnce;
  return AnyStep(facts, IsExitListener) ? kLogBeyondExit : kPlainLog;
}

}  // namespace

std::string JsChannelName(const std::string& via) { return "postVia_" + IdentifierPart(via); }

void WriteJsModules(const Case& c, std::set<std::string> modules, Code& out) {
  static const std::pair<std::string, std::string> kModules[] = {
      {"childProcess", "child_process"},
      {"crypto", "crypto"},
      {"fs", "fs"},
      {"net", "net"},
      {"os", "os"},
      {"timersPromises", "timers/promises"},
      {"workerThreads", "worker_threads"},
      {"zlib", "zlib"},
  };
  const bool is_worker = c.entry == Entry::kWorker;
  if (is_worker) modules.erase("workerThreads");  // it comes before these
  for (const auto& [variable, module] : kModules) {
    if (!modules.contains(variable)) continue;
    out.Line(c.entry == Entry::kEsm ? "import " + variable + " from '" + module + "';"
                                    : "var " + variable + " = require('" + module + "');");
  }
  if (is_worker || !modules.empty()) out.Line();
}

void WriteJsStart(const ProgramFacts& facts, Code& out) {
  if (!facts.Uses(Op::kRead)) return;
  int64_t count = 0;
  for (const Step* step : facts.steps()) {
    if (step->op == Op::kRead) count += facts.RunsAtMost(*step, kMaxJsDescriptors + 1);
  }
  out.Line("if (process.argv[2] !== 'again') return startAgain(" + std::to_string(count) + ");");
  out.Line();
}

void WriteJsHelpers(const Case& c, const ProgramFacts& facts, const std::string& program, Code& out) {
  const std::string_view log = LogFor(c, facts);
  if (log != kPlainLog) {
    out.Text(c.entry == Entry::kEsm ? kModuleFiles : kScriptFiles, 0);
    out.Text(kWrite, 1);
  }
  out.Text(log, 1);
  WriteHelpers({{"busy(", kJsBusy},
                {"outcome(", kOutcome},
                {"temporaryName(", kTemporaryName},
                {"socketPath(", kSocketPath},
                {"read(", kStartAgain},
                {"read(", kJsRead},
                {"post(", kPost}},
               program, 1, out);
  std::set<std::string> channels;
  for (const Step* step : facts.steps()) {
    if (!step->via.empty()) channels.insert(JsChannelName(step->via));
  }
  if (channels.empty()) return;
  out.Text(kOpenChannel, 0);
  for (const std::string& name : channels) out.Line("var " + name + " = openChannel();");
  out.Line();
}

}  // namespace conform
