#include "interpreter.h"

#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

namespace loop_adapter {
namespace {

// As many labels as conform takes for one run.
constexpr int64_t kMaxLabels = 250'000;

constexpr double kNanosecondsOfMs = 1e6;

// Does some step run the loop?
bool RunsTheLoop(const Program& program) {
  for (const Step& step : program) {
    if (step.act == Act::kRun || RunsTheLoop(step.body)) return true;
  }
  return false;
}

void Spin(double ms) {
  const int64_t start = NowNs();
  while (static_cast<double>(NowNs() - start) < ms * kNanosecondsOfMs) {
  }
}

}  // namespace

void Thing::Called(const std::string& outcome) { interpreter_->OnCalled(*this, outcome); }

void CloseIfOpen(int& descriptor) {
  if (descriptor >= 0) close(std::exchange(descriptor, -1));
}

void ReadAndClose(int& descriptor) {
  char byte;
  while (descriptor >= 0 && read(descriptor, &byte, 1) < 0 && errno == EINTR) {
  }
  CloseIfOpen(descriptor);
}

Interpreter::Interpreter(const Adapter& adapter, const Program& program, std::vector<int> descriptors, Trace& trace)
    : adapter_(adapter),
      program_(program),
      trace_(trace),
      loop_(adapter.make_loop(outlook_)),
      descriptors_(descriptors.begin(), descriptors.end()) {}

// The things go first: each takes itself out of the loop.
Interpreter::~Interpreter() {
  things_.clear();
  loop_.reset();
  for (const int descriptor : descriptors_) close(descriptor);
  for (const int descriptor : other_ends_) close(descriptor);
}

std::string Interpreter::Go() {
  Perform(program_, nullptr, nullptr);
  if (!RunsTheLoop(program_)) RunLoop(RunMode::kDefault, "");
  outlook_.is_over = true;
  return trouble_;
}

void Interpreter::RunLoop(RunMode mode, const std::string& label) {
  if (outlook_.is_over) return;
  const RunEnd end = loop_->Run(mode);
  if (outlook_.is_over) return;
  if (end == RunEnd::kWaitsForEver) {
    Emit("exit=never");
    return End();
  }
  if (!label.empty()) Emit(label + (end == RunEnd::kSomethingLeft ? "=1" : "=0"));
}

void Interpreter::OnCalled(Thing& thing, const std::string& outcome) {
  if (thing.fires_ == Fires::kOnce) Disarm(thing);
  Call(*thing.task_, &thing, outcome);
}

void Interpreter::Call(Task& task, Thing* thing, const std::string& outcome) {
  if (!outlook_.is_over) {
    const Step& step = *task.step;
    ++task.runs;
    task.rearmed = false;
    if (!step.label.empty()) Emit(outcome.empty() ? step.label : step.label + "=" + outcome);
    if (step.chained && thing != nullptr && thing->repeats() && task.runs == step.times) Stop(*thing);
    Perform(step.body, &task, thing);
    Rearm(task, thing);
  }
  if (outlook_.NothingComes()) loop_->NothingComes();
}

// Asks for the next run of a chain, once in each run.
void Interpreter::Rearm(Task& task, Thing* thing) {
  const Step& step = *task.step;
  if (outlook_.is_over || !step.chained || thing == nullptr || thing->repeats()) return;
  if (task.rearmed || task.runs >= step.times) return;
  task.rearmed = true;
  if (step.reads) return Make(&task);
  Start(*thing, step.ms);
}

void Interpreter::Perform(const std::vector<Step>& body, Task* task, Thing* thing) {
  for (const Step& step : body) {
    if (outlook_.is_over) return;
    Perform(step, task, thing);
  }
}

void Interpreter::Perform(const Step& step, Task* task, Thing* thing) {
  switch (step.act) {
    case Act::kMake:
      tasks_.push_back({&step});
      return Make(&tasks_.back());
    case Act::kLog:
      return Emit(step.label);
    case Act::kBusy:
      return Spin(step.ms + loop_->BusyMarginMs());
    case Act::kExit:
      if (step.code != 0) Emit("exit=" + std::to_string(step.code));
      return End();
    case Act::kAgain:
      if (task != nullptr) Rearm(*task, thing);
      return;
    case Act::kOnly: {
      const int64_t runs = task == nullptr ? 1 : task->runs;
      if (runs >= step.only_from && runs <= step.only_to) Perform(step.body, task, thing);
      return;
    }
    case Act::kRun:
      return RunLoop(step.mode, step.label);
    case Act::kAlive:
      return Emit(step.label + (loop_->IsAlive() ? "=1" : "=0"));
    case Act::kStop:
      return loop_->Stop();
    case Act::kUpdate:
      return loop_->UpdateTime();
    case Act::kClear:
    case Act::kCancel:
    case Act::kClose:
    case Act::kRefresh:
    case Act::kStart:
    case Act::kSend:
    case Act::kRef:
    case Act::kUnref: {
      // A thing that is not there yet makes the step do nothing.
      const auto named = names_.find(step.target);
      if (named != names_.end()) PerformOn(step, *named->second);
      return;
    }
  }
}

void Interpreter::PerformOn(const Step& step, Thing& target) {
  const Step& made_by = *target.task_->step;
  switch (step.act) {
    case Act::kClear:
      return Stop(target);
    case Act::kCancel:
      if (!target.is_closed_) target.Cancel();
      return;
    case Act::kClose:
      return Close(step, target);
    case Act::kRefresh:
    case Act::kStart:
      return Start(target, step.has_ms ? step.ms : made_by.ms);
    case Act::kSend:
      return Start(target, 0);
    case Act::kRef:
      return target.SetReferenced(true);
    case Act::kUnref:
      return target.SetReferenced(false);
    case Act::kMake:
    case Act::kLog:
    case Act::kBusy:
    case Act::kExit:
    case Act::kAgain:
    case Act::kOnly:
    case Act::kRun:
    case Act::kAlive:
    case Act::kStop:
    case Act::kUpdate:
      return;  // of no thing
  }
}

void Interpreter::Make(Task* task) {
  const Step& step = *task->step;
  const int descriptor = step.reads ? NextDescriptor() : -1;
  if (outlook_.is_over) return;
  things_.push_back(step.op->make(*loop_, descriptor));
  Thing& thing = *things_.back();
  thing.interpreter_ = this;
  thing.task_ = task;
  thing.fires_ = step.op->fires;
  if (!step.label.empty()) names_[step.label] = &thing;
  if (!step.unsent) Start(thing, step.ms);
}

void Interpreter::Start(Thing& thing, double ms) {
  if (thing.is_closed_) return;
  // Counted before it starts, because some loops call at once.
  if (!thing.is_armed_ && thing.fires_ != Fires::kAlong) ++outlook_.armed;
  thing.is_armed_ = thing.fires_ != Fires::kAlong;
  thing.Start(ms);
}

void Interpreter::Stop(Thing& thing) {
  if (thing.is_closed_) return;
  if (thing.Stop()) Disarm(thing);
}

void Interpreter::Close(const Step& step, Thing& thing) {
  if (thing.is_closed_) return;
  thing.is_closed_ = true;
  Disarm(thing);
  tasks_.push_back({&step});
  Task* task = &tasks_.back();
  ++outlook_.armed;
  thing.Close([this, task] {
    --outlook_.armed;
    Call(*task, nullptr, "");
  });
}

void Interpreter::Disarm(Thing& thing) {
  if (std::exchange(thing.is_armed_, false)) --outlook_.armed;
}

void Interpreter::Emit(const std::string& label) {
  if (outlook_.is_over) return;
  if (trace_.count() < kMaxLabels) return trace_.Emit(label);
  trouble_ = "the program emits more than " + std::to_string(kMaxLabels) + " labels";
  End();
}

// Nothing more is emitted, and no step is done.
void Interpreter::End() {
  outlook_.is_over = true;
  loop_->Stop();
}

void Interpreter::Fail(const std::string& call) {
  trouble_ = call + ": " + std::strerror(errno);
  End();
}

// A descriptor on which one byte waits. The other end stays open, so that there is no end to read.
int Interpreter::NextDescriptor() {
  if (!descriptors_.empty()) {
    const int given = descriptors_.front();
    descriptors_.pop_front();
    return given;
  }
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) {
    Fail("socketpair");
    return -1;
  }
  descriptors_.push_back(ends[0]);
  other_ends_.push_back(ends[1]);
  if (write(ends[1], "x", 1) != 1) {
    Fail("write");
    return -1;
  }
  descriptors_.pop_back();
  return ends[0];
}

}  // namespace loop_adapter
