// Run, continued: the steps that act at once.
#include <csignal>
#include <cstdlib>

#include "run.h"

namespace libuv_adapter {
namespace {

constexpr uint64_t kNanosecondsOfMs = 1'000'000;
constexpr int64_t kMarginMs = 2;  // covers the roundings of a clock of milliseconds at both ends

}  // namespace

void Run::Act(const Step& step) {
  // A thing that is not there yet makes the step do nothing.
  Thing* thing = step.target.empty() ? nullptr : Find(step.target);
  if (!step.target.empty() && thing == nullptr) return;
  const bool has_handle = thing != nullptr && thing->is_handle;
  switch (step.op) {
    case Op::kLog:
      return Emit(step.label);
    case Op::kBusy:
      return Busy(std::strtoll(step.argument.c_str(), nullptr, 10));
    case Op::kClear:
      return Clear(*thing);
    case Op::kRef:
      if (has_handle) uv_ref(thing->As<uv_handle_t>());
      return;
    case Op::kUnref:
      if (has_handle) uv_unref(thing->As<uv_handle_t>());
      return;
    case Op::kRefresh: {
      const Op made_by = thing->task->step->op;
      if (made_by != Op::kTimeout && made_by != Op::kInterval) return;
      if (!thing->IsClosing()) uv_timer_again(thing->As<uv_timer_t>());
      return;
    }
    case Op::kStart:
      return Start(step, *thing);
    case Op::kSend:
      if (has_handle && !thing->IsClosing()) uv_async_send(thing->As<uv_async_t>());
      return;
    case Op::kRaise:
      return Raise();
    case Op::kExit: {
      const int code = static_cast<int>(std::strtol(step.argument.c_str(), nullptr, 10)) & 0xFF;
      if (code != 0) Emit("exit=" + std::to_string(code));
      End();
      return uv_stop(loop_);
    }
    case Op::kAlive:
      return Emit(step.label + (uv_loop_alive(loop_) != 0 ? "=1" : "=0"));
    case Op::kStop:
      return uv_stop(loop_);
    case Op::kUpdate:
      return uv_update_time(loop_);
    case Op::kTimeout:
    case Op::kInterval:
    case Op::kImmediate:
    case Op::kRead:
    case Op::kFile:
    case Op::kWork:
    case Op::kListen:
    case Op::kConnect:
    case Op::kAccept:
    case Op::kSocket:
    case Op::kRefused:
    case Op::kClose:
    case Op::kWrite:
    case Op::kSignal:
    case Op::kChild:
    case Op::kIdle:
    case Op::kPrepare:
    case Op::kCheck:
    case Op::kWake:
    case Op::kAgain:
    case Op::kOnly:
    case Op::kRun:
      return;  // done elsewhere
  }
}

// The time of the loop stays as it is.
void Run::Busy(int64_t ms) {
  const uint64_t start = uv_hrtime();
  while (uv_hrtime() - start < static_cast<uint64_t>(ms + kMarginMs) * kNanosecondsOfMs) {
  }
}

// To the thread of the loop, so that libuv has taken note of it when this returns. Where nobody handles the signal it
// would end the process, and with it the session; a program that does so has no more to say, but others do.
void Run::Raise() {
  struct sigaction now {};
  sigaction(SIGUSR2, nullptr, &now);
  if (now.sa_handler != SIG_DFL) raise(SIGUSR2);
}

void Run::Clear(Thing& thing) {
  if (!thing.is_handle) {
    const Op op = thing.task->step->op;
    // A request that a thread works on already goes on; one that is done is not asked about.
    if (thing.is_under_way && op != Op::kWrite) uv_cancel(thing.As<uv_req_t>());
    return;
  }
  if (!thing.IsClosing()) StopHandle(thing);
}

void Run::Start(const Step& step, Thing& thing) {
  if (!thing.is_handle || thing.IsClosing()) return;
  const Op made_by = thing.task->step->op;
  const bool is_timer = made_by == Op::kTimeout || made_by == Op::kInterval;
  if (is_timer && !step.argument.empty()) return StartTimer(thing, Delay(step.argument));
  StartHandle(thing);
}

}  // namespace libuv_adapter
