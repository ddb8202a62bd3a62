#include "runners/model/op_table.h"

#include <algorithm>

#include "runners/base/check.h"
#include "runners/base/text.h"

namespace conform {
namespace {

constexpr Presence kOptional = Presence::kOptional;
constexpr Presence kRequired = Presence::kRequired;

// Rows are built from few words, so that a row reads like the usage it describes.
class Row {
 public:
  explicit Row(Op op) { shape_.op = op; }
  Row& Word(Role role) { return Add(role, true); }
  Row& Maybe(Role role) { return Add(role, false); }
  Row& Of(Presence presence) { return Set(shape_.of, presence); }
  Row& To(Presence presence) { return Set(shape_.to, presence); }
  Row& With() { return Set(shape_.with, true); }
  Row& Via() { return Set(shape_.via, true); }
  Row& As() { return Set(shape_.as, true); }
  Row& Plain() { return Set(shape_.plain, true); }
  Row& Unsent() { return Set(shape_.unsent, true); }
  Row& Times() { return Set(shape_.times, true); }
  Row& Body(Presence presence) { return Set(shape_.body, presence); }
  Row& Emits() { return Set(shape_.emits, true); }
  Row& Makes() { return Set(shape_.makes, true); }
  Row& Comes(conform::Comes comes) { return Set(shape_.comes, comes); }
  Row& Counted() { return Set(shape_.counted, true); }
  Row& Disturbs() { return Set(shape_.disturbs, true); }
  Row& Returns() { return Set(shape_.returns, true); }
  Row& Loopback() { return Set(shape_.loopback, true); }
  Row& Acts() { return Set(shape_.acts, true); }
  Row& Lane(const char* lane) { return Set(shape_.lane, lane); }
  Row& Apis(std::vector<std::string> names) { return Set(shape_.apis, std::move(names)); }
  Row& CutsShort() { return Set(shape_.cuts_short, true); }
  Row& TargetIs(std::vector<Op> makers) { return Set(shape_.target_makers, std::move(makers)); }
  // A body that runs later, once its label has been emitted; the label names what was scheduled.
  Row& Callback() {
    shape_.callback = true;
    return Body(kOptional).Emits().Makes().As();
  }
  OpShape Done() const { return shape_; }

 private:
  Row& Add(Role role, bool required) {
    shape_.positionals.push_back({role, required});
    return *this;
  }
  template <typename T, typename U>
  Row& Set(T& field, U value) {
    field = std::move(value);
    return *this;
  }
  OpShape shape_;
};

// A callback with an optional label.
Row Labelled(Op op) { return Row(op).Maybe(Role::kLabel).Callback(); }
// The same, and it can be a chain.
Row Chain(Op op) { return Labelled(op).Times(); }
// A step at once whose object is a thing.
Row Act(Op op) { return Row(op).Word(Role::kTarget).Acts(); }

// Not counted are `catch`, which never runs while nothing is rejected; `prepare` and `check`, because the loop may
// block in poll before they have run N times; what needs a thing that may not exist yet; and what emits an outcome.
std::vector<OpShape> MakeTable() {
  const std::vector<Op> sockets = {Op::kConnect, Op::kAccept, Op::kSocket};
  std::vector<OpShape> table;
  const auto add = [&table](const Row& row) { table.push_back(row.Done()); };
  add(Chain(Op::kTick).Counted().Lane("ticks").Apis({"process.nextTick"}));
  add(Chain(Op::kMicrotask).Counted().Lane("microtasks").Apis({"queueMicrotask"}));
  add(Chain(Op::kThen)
          .Of(kOptional)
          .Counted()
          .Returns()
          .Lane("microtasks")
          .Apis({"Promise.prototype.then", "Future.add_done_callback"}));
  add(Chain(Op::kCatch).Of(kOptional).Returns().Lane("microtasks").Apis({"Promise.prototype.catch"}));
  add(Chain(Op::kFinally).Of(kOptional).Counted().Returns().Lane("microtasks").Apis({"Promise.prototype.finally"}));
  add(Chain(Op::kCombine)
          .Of(kRequired)
          .With()
          .Lane("microtasks")
          .Apis({"Promise.all", "Promise.race", "Promise.any", "Promise.allSettled"}));
  add(Chain(Op::kAwait).Of(kOptional).Plain().Counted().Returns().Lane("microtasks"));
  add(Chain(Op::kTimeout)
          .Word(Role::kDelay)
          .Counted()
          .Lane("timers")
          .Apis({"setTimeout", "timers/promises.setTimeout", "uv_timer_start", "loop.call_later", "loop.call_at",
                 "g_timeout_add", "ev_timer_start", "evtimer_add", "sd_event_add_time", "QTimer.singleShot"}));
  add(Chain(Op::kInterval)
          .Word(Role::kDelay)
          .Comes(Comes::kRepeats)
          .Counted()
          .Lane("timers")
          .Apis({"setInterval", "timers/promises.setInterval", "uv_timer_set_repeat"}));
  add(Chain(Op::kImmediate).Counted().Lane("check").Apis({"setImmediate", "timers/promises.setImmediate"}));
  add(Chain(Op::kRead).Counted().Lane("poll").Apis(
      {"uv_read_start", "uv_poll_start", "loop.add_reader", "g_unix_fd_add", "sd_event_add_io"}));
  add(Chain(Op::kFile).Counted().Lane("poll").Apis({"fs.stat", "fs.readFile", "fs.promises", "crypto.randomBytes",
                                                    "zlib.deflate", "uv_fs_stat", "loop.run_in_executor"}));
  add(Chain(Op::kWork)
          .Maybe(Role::kMilliseconds)
          .Counted()
          .Lane("poll")
          .Apis({"uv_queue_work", "loop.run_in_executor"}));
  add(Row(Op::kListen)
          .Maybe(Role::kLabel)
          .Makes()
          .As()
          .Apis({"net.createServer", "server.listen", "uv_pipe_bind", "uv_listen"}));
  add(Chain(Op::kConnect).To(kRequired).TargetIs({Op::kListen}).Lane("poll").Apis({"net.connect", "uv_pipe_connect"}));
  add(Labelled(Op::kAccept)
          .Of(kRequired)
          .TargetIs({Op::kListen})
          .Comes(Comes::kOnEvents)
          .Lane("poll")
          .Apis({"uv_accept"}));
  add(Row(Op::kSocket).Maybe(Role::kLabel).Makes().As().Apis({"net.Socket", "uv_pipe_init"}));
  add(Chain(Op::kRefused).Loopback().Lane("pending").Apis({"net.connect", "uv_tcp_connect"}));
  add(Labelled(Op::kClose)
          .Of(kRequired)
          .Disturbs()
          .Lane("closing")
          .Apis({"socket.destroy", "server.close", "uv_close"}));
  add(Chain(Op::kMessage).Via().Counted().Lane("poll").Apis({"MessageChannel", "MessagePort", "port.postMessage"}));
  add(Chain(Op::kWrite).To(kRequired).TargetIs(sockets).Lane("poll").Apis({"socket.write", "uv_write"}));
  add(Labelled(Op::kShutdown).Of(kRequired).TargetIs(sockets).Lane("pending").Apis({"uv_shutdown"}));
  add(Labelled(Op::kReceive)
          .Comes(Comes::kOnEvents)
          .Loopback()
          .Lane("poll")
          .Apis({"uv_udp_recv_start", "uv_udp_recv_stop"}));
  add(Chain(Op::kDatagram).To(kRequired).TargetIs({Op::kReceive}).Loopback().Lane("pending").Apis({"uv_udp_send"}));
  add(Labelled(Op::kData)
          .Of(kRequired)
          .TargetIs(sockets)
          .Comes(Comes::kOnEvents)
          .Lane("poll")
          .Apis({"uv_read_start", "uv_read_stop"}));
  add(Labelled(Op::kSignal).Comes(Comes::kOnEvents).Lane("poll").Apis({"uv_signal_start", "loop.add_signal_handler"}));
  add(Act(Op::kRaise).TargetIs({Op::kSignal}).CutsShort().Apis({"process.kill"}));
  add(Chain(Op::kChild).Lane("poll").Apis({"child_process.spawn", "uv_spawn"}));
  add(Chain(Op::kIdle).Comes(Comes::kRepeats).Counted().Lane("idle").Apis({"uv_idle_init", "uv_idle_start"}));
  add(Chain(Op::kPrepare).Comes(Comes::kRepeats).Lane("prepare").Apis({"uv_prepare_init", "uv_prepare_start"}));
  add(Chain(Op::kCheck).Comes(Comes::kRepeats).Lane("check").Apis({"uv_check_init", "uv_check_start"}));
  add(Chain(Op::kWake)
          .Unsent()
          .Comes(Comes::kOnEvents)
          .Counted()
          .Lane("poll")
          .Apis({"uv_async_init", "uv_async_send", "loop.call_soon_threadsafe"}));
  add(Act(Op::kSend).TargetIs({Op::kWake}).Disturbs().Apis({"uv_async_send"}));
  add(Chain(Op::kSoon).Counted().Lane("ready").Apis(
      {"loop.call_soon", "asio.post", "g_idle_add", "sd_event_add_defer"}));
  add(Row(Op::kOn)
          .Word(Role::kEvent)
          .Maybe(Role::kLabel)
          .Of(kOptional)
          .Callback()
          .Comes(Comes::kOnEvents)
          .Apis({"process.on", "EventEmitter.on", "addEventListener"}));
  add(Labelled(Op::kThenable).Comes(Comes::kOnEvents).Lane("microtasks"));
  add(Row(Op::kLog).Word(Role::kLabel).Emits().Counted());
  add(Row(Op::kBusy).Word(Role::kMilliseconds));
  add(Act(Op::kClear)
          .As()
          .Disturbs()
          .Apis({"clearTimeout", "clearInterval", "clearImmediate", "removeListener", "uv_timer_stop", "uv_idle_stop",
                 "uv_prepare_stop", "uv_check_stop", "uv_signal_stop", "uv_cancel", "TimerHandle.cancel"}));
  add(Act(Op::kRef).Apis({"timeout.ref", "uv_ref"}));
  add(Act(Op::kUnref).Disturbs().Apis({"timeout.unref", "uv_unref"}));
  add(Act(Op::kRefresh).Disturbs().Apis({"timeout.refresh", "uv_timer_again"}));
  add(Act(Op::kStart).Maybe(Role::kDelay).Disturbs());
  add(Row(Op::kThrow).Maybe(Role::kErrorName).CutsShort());
  add(Row(Op::kPromise).Word(Role::kLabel).Makes().Apis({"new Promise", "loop.create_future"}));
  add(Act(Op::kResolve).With().TargetIs({Op::kPromise}).Apis({"Future.set_result"}));
  add(Row(Op::kReject)
          .Maybe(Role::kErrorName)
          .Of(kOptional)
          .TargetIs({Op::kPromise})
          .CutsShort()
          .Acts()
          .Apis({"Promise.reject", "Future.set_exception"}));
  add(Row(Op::kReturn).Of(kRequired).CutsShort());
  add(Row(Op::kAsync)
          .Maybe(Role::kLabel)
          .Makes()
          .Body(kOptional)
          .Counted()
          .Returns()
          .Apis({"async function", "asyncio.create_task"}));
  add(Row(Op::kPause).Maybe(Role::kLabel).Of(kOptional).Emits().Counted().Lane("microtasks"));
  add(Row(Op::kTry).Maybe(Role::kLabel).Body(kRequired).Emits().Lane("microtasks").Apis({"try catch"}));
  add(Row(Op::kExit).Maybe(Role::kExitCode).CutsShort().Apis({"process.exit", "sys.exit"}));
  add(Row(Op::kStop).CutsShort().Apis({"uv_stop", "loop.stop"}));
  add(Row(Op::kRun).Word(Role::kRunMode).Maybe(Role::kLabel).Emits().CutsShort().Apis({"uv_run"}));
  add(Row(Op::kAlive).Word(Role::kLabel).Emits().Apis({"uv_loop_alive"}));
  add(Row(Op::kUpdate).Apis({"uv_update_time"}));
  add(Row(Op::kAgain).CutsShort());
  add(Row(Op::kOnly).Word(Role::kRuns).Body(kRequired).Counted());
  // ShapeOf indexes by op, so every op has its row, in the order of CONFORM_OPS.
  CONFORM_CHECK(table.size() == OpNames().size());
  for (size_t i = 0; i < table.size(); ++i) CONFORM_CHECK(static_cast<size_t>(table[i].op) == i);
  return table;
}

const std::vector<OpShape>& Table() {
  static const std::vector<OpShape> table = MakeTable();
  return table;
}

}  // namespace

const std::vector<OpShape>& AllShapes() { return Table(); }

const OpShape& ShapeOf(Op op) { return Table()[static_cast<size_t>(op)]; }

const std::vector<std::string>& OpNames() {
  static const std::vector<std::string> names = {
#define CONFORM_OP_NAME(enumerator, name) name,
      CONFORM_OPS(CONFORM_OP_NAME)
#undef CONFORM_OP_NAME
  };
  return names;
}

std::optional<Op> OpFromName(std::string_view name) {
  const std::vector<std::string>& names = OpNames();
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) return std::nullopt;
  return static_cast<Op>(found - names.begin());
}

bool IsBlock(Op op) { return op == Op::kOnly || op == Op::kTry; }

bool TakesDelay(Op op) {
  const std::vector<Positional>& words = ShapeOf(op).positionals;
  return std::any_of(words.begin(), words.end(), [](const Positional& word) { return word.role == Role::kDelay; });
}

const std::vector<Op>& UniversalOps() {
  static const std::vector<Op> ops = {Op::kLog, Op::kBusy, Op::kOnly, Op::kAgain};
  return ops;
}

bool IsUniversal(Op op) { return std::find(UniversalOps().begin(), UniversalOps().end(), op) != UniversalOps().end(); }

std::string_view RoleName(Role role) {
  switch (role) {
    case Role::kLabel:
      return "LABEL";
    case Role::kTarget:
      return "NAME";
    case Role::kDelay:
      return "MS";
    case Role::kMilliseconds:
      return "MS";
    case Role::kErrorName:
      return "ERROR";
    case Role::kExitCode:
      return "CODE";
    case Role::kRunMode:
      return "once|nowait|default";
    case Role::kEvent:
      return "EVENT";
    case Role::kRuns:
      return "RUNS";
  }
  CONFORM_CHECK(false);
}

std::string UsageOf(Op op) {
  const OpShape& shape = ShapeOf(op);
  std::string usage(OpName(op));
  const auto add = [&usage](std::string_view part, bool required) {
    usage += required ? " " + std::string(part) : " [" + std::string(part) + "]";
  };
  for (const Positional& positional : shape.positionals) add(RoleName(positional.role), positional.required);
  if (shape.of != Presence::kNever) add("of NAME", shape.of == Presence::kRequired);
  if (shape.to != Presence::kNever) add("to NAME", shape.to == Presence::kRequired);
  if (shape.with) add("with NAME", false);
  if (shape.via) add("via NAME", false);
  if (shape.plain) add("plain", false);
  if (shape.unsent) add("unsent", false);
  if (shape.as) add("as KIND", false);
  if (shape.times) add("xN", false);
  return usage;
}

bool IsKeyword(std::string_view word) {
  static constexpr std::string_view kKeywords[] = {"of", "to", "with", "via", "as", "plain", "unsent"};
  return std::find(std::begin(kKeywords), std::end(kKeywords), word) != std::end(kKeywords);
}

bool IsTimesForm(std::string_view word) {
  return word.size() > 1 && word[0] == 'x' && word.find_first_not_of("0123456789.-+", 1) == std::string_view::npos;
}

std::optional<std::string> WhyNoName(std::string_view word) {
  if (word.empty() || !IsLetter(word[0])) return "a name starts with a letter";
  if (IsKeyword(word) || IsTimesForm(word)) return "it is a word of the language";
  if (word.size() > kMaxLabelLength) return "a name has at most " + std::to_string(kMaxLabelLength) + " characters";
  for (const char c : word) {
    if (!IsLetter(c) && !IsDigit(c) && c != '_' && c != '.' && c != '-') {
      return "a name holds letters, digits, '_', '.' and '-'";
    }
  }
  return std::nullopt;
}

std::optional<std::string> WhyNoLabel(std::string_view word) {
  if (word == "exit") return "it is the label of the end of the process";
  return WhyNoName(word);
}

const std::vector<std::string>& ProcessEvents() {
  static const std::vector<std::string> events = {"exit", "beforeExit", "uncaught", "unhandled", "handled", "monitor"};
  return events;
}

const std::vector<std::string>& RunModes() {
  static const std::vector<std::string> modes = {"once", "nowait", "default"};
  return modes;
}

}  // namespace conform
