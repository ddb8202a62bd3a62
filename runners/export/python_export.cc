#include "runners/export/export.h"
#include "runners/export/python_steps.h"

namespace conform {
namespace {

constexpr std::string_view kPythonLog = R"(
def log(label):
    order.append(label))";

constexpr std::string_view kArmed = R"(
class Armed:
    """A scheduled callback. The loop stops when none is left."""

    def __init__(self, callback):
        self.callback = callback
        self.handle = None
        armed.add(self)

    def __call__(self, *_):
        armed.discard(self)
        try:
            self.callback()
        finally:
            stop_if_idle()

    def cancel(self):
        armed.discard(self)
        self.handle.cancel())";

constexpr std::string_view kStopWithoutFutures = R"(
def stop_if_idle():
    if not armed:
        loop.stop())";

// Futures and tasks are not counted, because they may never be settled; what one of them sets off follows in the next
// pass of the loop. So the loop is watched for a few passes before it is stopped.
constexpr std::string_view kStopWithFutures = R"(
watching = [0]


def stop_if_idle():
    """Stops the loop when nothing is armed, after a few passes in which futures and tasks can continue."""
    if not armed and not watching[0]:
        watch(len(order))


def watch(logged):
    watching[0] = watching[0] + 1 if logged == len(order) else 1
    if armed:
        watching[0] = 0
    elif watching[0] > 5:
        loop.stop()
    else:
        loop.call_soon(watch, len(order)))";

constexpr std::string_view kSoon = R"(
def call_soon(callback):
    armed_callback = Armed(callback)
    armed_callback.handle = loop.call_soon(armed_callback)
    return armed_callback)";

constexpr std::string_view kLater = R"(
def call_later(delay, callback):
    armed_callback = Armed(callback)
    armed_callback.handle = loop.call_later(delay, armed_callback)
    return armed_callback)";

constexpr std::string_view kAt = R"(
started = loop.time()


def call_at(deadline, callback):
    """Equal numbers behind `started +` are equal deadlines."""
    armed_callback = Armed(callback)
    armed_callback.handle = loop.call_at(deadline, armed_callback)
    return armed_callback)";

constexpr std::string_view kWake = R"(
def call_soon_threadsafe(callback):
    """From another thread, which ends before the program continues."""
    armed_callback = Armed(callback)

    def call():
        armed_callback.handle = loop.call_soon_threadsafe(armed_callback)

    thread = threading.Thread(target=call)
    thread.start()
    thread.join()
    return armed_callback)";

constexpr std::string_view kSignal = R"(
def add_signal_handler(callback):
    handler = Armed(callback)
    armed.discard(handler)
    loop.add_signal_handler(signal.SIGUSR2, handler)
    return handler


def raise_signal(handler):
    armed.add(handler)
    os.kill(os.getpid(), signal.SIGUSR2))";

constexpr std::string_view kRun = R"(
def run(waits, label=None):
    """Without waiting it is one pass. The outcome says whether anything is left."""
    if not waits or not armed:
        loop.stop()
    loop.run_forever()
    if label:
        log(label + ('=1' if armed else '=0')))";

constexpr std::string_view kPythonRead = R"(
class Reader:
    """A pipe with one byte already waiting. It is read once and closed."""

    def __init__(self, callback):
        self.ends = os.pipe()
        self.armed = Armed(callback)
        self.armed.handle = self
        os.write(self.ends[1], b'x')
        loop.add_reader(self.ends[0], self.on_readable)

    def on_readable(self):
        os.read(self.ends[0], 1)
        self.cancel()
        self.armed()

    def cancel(self):
        loop.remove_reader(self.ends[0])
        os.close(self.ends[0])
        os.close(self.ends[1])


def read(callback):
    return Reader(callback).armed)";

constexpr std::string_view kInPool = R"(
def run_in_executor(function, argument, callback):
    loop.run_in_executor(None, function, argument).add_done_callback(Armed(callback)))";

constexpr std::string_view kThen = R"(
def add_done_callback(future, callback):
    reaction = Armed(callback)
    armed.discard(reaction)
    future.add_done_callback(reaction))";

constexpr std::string_view kResolved = R"(
def resolved():
    future = loop.create_future()
    future.set_result(None)
    return future)";

constexpr std::string_view kPythonBusy = R"(
def busy(ms):
    """Spins until more than `ms` have passed."""
    start = time.monotonic()
    while time.monotonic() - start < (ms + 1) / 1000:
        pass)";

constexpr std::string_view kLogError = R"(
def log_error(label, context):
    name = str(context.get('exception') or '')
    log(label + '=' + name if name else label))";

// What precedes the program.
void WritePrelude(const Case& c, const ProgramFacts& facts, const std::string& text, Code& out) {
  const bool futures = facts.Uses(Op::kThen) || facts.Uses(Op::kAwait) || facts.Uses(Op::kAsync);
  out.Line("loop = asyncio.new_event_loop()");
  if (HasWord(text, "run_in_executor(")) {
    out.Line("loop.set_default_executor(concurrent.futures.ThreadPoolExecutor(" + std::to_string(c.pool) + "))");
  }
  out.Line("order = []");
  out.Line("armed = set()");
  if (HasWord(text, "newest")) out.Line("newest = {}  # the newest thing of each name");
  out.Line();
  out.Line();
  out.Text(kPythonLog, 2);
  out.Text(futures ? kStopWithFutures : kStopWithoutFutures, 2);
  out.Text(kArmed, 2);
  WriteHelpers({{"call_soon(", kSoon},
                {"call_later(", kLater},
                {"call_at(", kAt},
                {"call_soon_threadsafe(", kWake},
                {"add_signal_handler(", kSignal},
                {"run(", kRun},
                {"read(", kPythonRead},
                {"run_in_executor(", kInPool},
                {"add_done_callback(", kThen},
                {"resolved(", kResolved},
                {"busy(", kPythonBusy},
                {"log_error(", kLogError}},
               text, 2, out);
}

}  // namespace

std::string PythonFileName(const Case& c) { return FileStem(c) + ".py"; }

Result<std::string> PythonStepsText(const Case& c) {
  if (const auto native = RefuseNative(c)) return *native;
  const ProgramFacts facts(c.program);
  const Result<Code> program = PythonSteps(c, facts).Write();
  if (!program) return program.error();
  return program->ToString();
}

Result<std::string> ExportPython(const Case& c) {
  if (const auto native = RefuseNative(c)) return *native;
  const ProgramFacts facts(c.program);
  Result<Code> program = PythonSteps(c, facts).Write();
  if (!program) return program.error();
  const std::string text = program->ToString();
  const auto uses = [&](const std::string& word) { return HasWord(text, word); };

  Code out(4);
  WriteHeader(c, "#", "python3 " + PythonFileName(c), out);
  out.Line("import asyncio");
  if (uses("run_in_executor(")) out.Line("import concurrent.futures");
  if (uses("read(") || uses("os.stat") || uses("raise_signal(")) out.Line("import os");
  if (uses("add_signal_handler(")) out.Line("import signal");
  if (uses("sys.exit(")) out.Line("import sys");
  if (uses("call_soon_threadsafe(")) out.Line("import threading");
  if (uses("busy(") || uses("time.sleep")) out.Line("import time");
  out.Line();
  WritePrelude(c, facts, text, out);
  out.Line("# The program.");
  out.Open("try:");
  out.Append(*program);
  if (!facts.Uses(Op::kRun)) {
    out.Line("stop_if_idle()");
    out.Line("loop.run_forever()");
  }
  out.Outdent();
  out.Open("finally:");
  out.Line("print(' '.join(order))");
  return out.ToString();
}

}  // namespace conform
