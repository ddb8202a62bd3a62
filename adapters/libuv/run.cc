// Run: the loop, labels and callbacks.
#include "run.h"

#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <utility>

namespace libuv_adapter {
namespace {

// As many labels as conform takes for one run.
constexpr int64_t kMaxLabels = 250'000;
// Closing all handles takes an iteration or two; a signal that is still on its way, one more.
constexpr int kMaxCleaningRuns = 1'000;

}  // namespace

Run::Run(const Program& program, std::vector<int> descriptors, Trace& trace, Watchdog& watchdog)
    : program_(program),
      trace_(trace),
      watchdog_(watchdog),
      referred_to_(NamesReferredTo(program)),
      descriptors_(descriptors.begin(), descriptors.end()) {}

Run::~Run() = default;

std::string Run::Go() {
  loop_ = static_cast<uv_loop_t*>(std::calloc(1, uv_loop_size()));
  end_of_wait_ = static_cast<uv_async_t*>(std::calloc(1, uv_handle_size(UV_ASYNC)));
  if (Check("uv_loop_init", uv_loop_init(loop_))) {
    // Unreferenced, and after the one of the pool that every loop has: no program can see it.
    Check("uv_async_init", uv_async_init(loop_, end_of_wait_, [](uv_async_t* handle) {
            Run* run = static_cast<Run*>(handle->data);
            if (run->over_) return;
            run->Emit("exit=never");
            run->End();
            uv_stop(run->loop_);
          }));
    end_of_wait_->data = this;
    uv_unref(reinterpret_cast<uv_handle_t*>(end_of_wait_));
    Perform(program_, nullptr, nullptr);
    if (!RunsTheLoop(program_)) RunLoop(UV_RUN_DEFAULT, "");
    End();
    CleanUp();
  }
  std::free(end_of_wait_);
  if (left_nothing_behind_) std::free(loop_);
  return trouble_;
}

void Run::RunLoop(uv_run_mode mode, const std::string& label) {
  if (over_) return;
  watchdog_.Watch(uv_backend_fd(loop_), activity_, [this] { uv_async_send(end_of_wait_); });
  const int alive = uv_run(loop_, mode);
  watchdog_.Rest();
  if (!label.empty()) Emit(label + (alive != 0 ? "=1" : "=0"));
}

// Nothing of this run may reach into the next.
void Run::CleanUp() {
  uv_walk(
      loop_,
      [](uv_handle_t* handle, void*) {
        if (uv_is_closing(handle) == 0) uv_close(handle, nullptr);
      },
      nullptr);
  int busy = UV_EBUSY;
  for (int i = 0; busy == UV_EBUSY && i < kMaxCleaningRuns; ++i) {
    uv_run(loop_, UV_RUN_DEFAULT);
    busy = uv_loop_close(loop_);
  }
  left_nothing_behind_ = Check("uv_loop_close", busy);
  // libuv forgets a child whose handle is closed; somebody has to wait for it.
  for (const Thing& thing : things_) {
    if (thing.pid == 0) continue;
    kill(thing.pid, SIGKILL);
    waitpid(thing.pid, nullptr, 0);
  }
  for (const int descriptor : other_ends_) close(descriptor);
  for (const int descriptor : descriptors_) close(descriptor);
  if (reserved_port_ >= 0) close(reserved_port_);
  RemovePaths();
}

void Run::Emit(const std::string& label) {
  if (over_) return;
  if (trace_.count() == kMaxLabels) {
    trouble_ = "the program emits more than " + std::to_string(kMaxLabels) + " labels";
    End();
    uv_stop(loop_);
    return;
  }
  trace_.Emit(label);
}

bool Run::Check(const char* call, int status) {
  if (status >= 0) return true;
  if (trouble_.empty()) trouble_ = std::string(call) + ": " + uv_strerror(status);
  End();
  return false;
}

Task* Run::NewTask(const Step& step) {
  tasks_.push_back({&step});
  return &tasks_.back();
}

Thing* Run::Find(const std::string& name) const {
  const auto found = names_.find(name);
  return found == names_.end() ? nullptr : found->second;
}

// What every callback of libuv comes to. `thing` is what has called.
void Run::Call(Task& task, Thing* thing, const std::string& outcome) {
  ++activity_.callbacks;
  if (over_) return;
  const Step& step = *task.step;
  ++task.runs;
  task.rearmed = false;
  if (!step.label.empty()) Emit(outcome.empty() ? step.label : step.label + "=" + outcome);
  if (step.chained && RepeatsByItself(step.op) && task.runs == step.times) StopHandle(*thing);
  Perform(step.body, &task, thing);
  Rearm(task, thing);
}

// Asks for the next run of a chain, once in each run.
void Run::Rearm(Task& task, Thing* thing) {
  const Step& step = *task.step;
  if (over_ || !step.chained || RepeatsByItself(step.op) || task.rearmed || task.runs >= step.times) return;
  task.rearmed = true;
  Arm(&task, thing);
}

void Run::Perform(const std::vector<Step>& body, Task* task, Thing* thing) {
  for (const Step& step : body) {
    if (over_) return;
    Perform(step, task, thing);
  }
}

void Run::Perform(const Step& step, Task* task, Thing* thing) {
  switch (step.op) {
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
      return Make(NewTask(step));
    case Op::kRun:
      return RunLoop(step.argument == "once"     ? UV_RUN_ONCE
                     : step.argument == "nowait" ? UV_RUN_NOWAIT
                                                 : UV_RUN_DEFAULT,
                     step.label);
    case Op::kAgain:
      if (task != nullptr) Rearm(*task, thing);
      return;
    case Op::kOnly: {
      const int64_t runs = task == nullptr ? 1 : task->runs;
      if (runs >= step.only_from && runs <= step.only_to) Perform(step.body, task, thing);
      return;
    }
    case Op::kLog:
    case Op::kBusy:
    case Op::kClear:
    case Op::kRef:
    case Op::kUnref:
    case Op::kRefresh:
    case Op::kStart:
    case Op::kSend:
    case Op::kRaise:
    case Op::kExit:
    case Op::kAlive:
    case Op::kStop:
    case Op::kUpdate:
      return Act(step);
  }
}

}  // namespace libuv_adapter
