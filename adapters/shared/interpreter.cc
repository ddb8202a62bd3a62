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

// Does its callback come without another's doing?
bool Counts(Fires fires) { return fires == Fires::kOnce || fires == Fires::kRepeats; }

std::string ErrorOf(const std::string& call) { return call + ": " + std::strerror(errno); }

}  // namespace

void Thing::Called(const std::string& outcome) { interpreter_->OnCalled(*this, outcome); }
Thing& Thing::Keep(std::unique_ptr<Thing> thing) { return interpreter_->Keep(std::move(thing), *this); }
void Thing::Brought(Thing& thing) { interpreter_->OnBrought(*this, thing); }

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
    : program_(program),
      trace_(trace),
      loop_(adapter.make_loop(outlook_)),
      descriptors_(descriptors.begin(), descriptors.end()) {
  loop_->fail_ = [this](const std::string& why) { Fail(why); };
  loop_->end_of_endless_wait_ = [this] { EndOfEndlessWait(); };
}

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
  left_nothing_behind_ = loop_->Finish();
  return trouble_;
}

void Interpreter::RunLoop(RunMode mode, const std::string& label) {
  if (outlook_.is_over) return;
  const RunEnd end = loop_->Run(mode);
  if (outlook_.is_over) return;
  if (end == RunEnd::kWaitsForEver) return EndOfEndlessWait();
  if (!label.empty()) Emit(label + (end == RunEnd::kSomethingLeft ? "=1" : "=0"));
}

void Interpreter::OnCalled(Thing& thing, const std::string& outcome) {
  if (thing.fires_ == Fires::kOnce) Disarm(thing);
  Call(*thing.task_, &thing, outcome);
}

Thing& Interpreter::Keep(std::unique_ptr<Thing> brought, const Thing& thing) {
  brought->interpreter_ = this;
  brought->task_ = thing.task_;
  things_.push_back(std::move(brought));
  return *things_.back();
}

void Interpreter::OnBrought(Thing& thing, Thing& brought) {
  const std::string& label = thing.task_->step->label;
  if (!label.empty()) names_[label] = &brought;
  Call(*thing.task_, &brought, "");
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

// Schedules the next run of a chain, once in each run.
void Interpreter::Rearm(Task& task, Thing* thing) {
  const Step& step = *task.step;
  if (outlook_.is_over || !step.chained || thing == nullptr || thing->repeats()) return;
  if (task.rearmed || task.runs >= step.times) return;
  task.rearmed = true;
  if (step.unsent) return;  // scheduling its next run is up to the program
  if (step.reads || (step.op != nullptr && step.op->is_made_anew)) return Make(&task);
  thing->target_ = Find(step.target);
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
    case Act::kRaise:
    case Act::kRef:
    case Act::kUnref:
      // A thing that is not there yet makes the step do nothing.
      if (Thing* target = Find(step.target)) PerformOn(step, *target);
      return;
  }
}

void Interpreter::PerformOn(const Step& step, Thing& target) {
  const Step& made_by = *target.task_->step;
  switch (step.act) {
    case Act::kClear:
      return Stop(target);
    case Act::kCancel:
      if (!IsClosed(target)) target.Cancel();
      return;
    case Act::kClose:
      return Close(step, target);
    case Act::kRefresh:
      if (Arm(target)) target.Refresh(made_by.ms);
      return;
    case Act::kStart:
      if (Arm(target)) target.Restart(step.has_ms ? step.ms : made_by.ms);
      return;
    case Act::kSend:
      if (Arm(target)) target.Send();
      return;
    case Act::kRaise:
      return target.Raise();
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
  Thing* target = Find(step.target);
  if (!step.target.empty() && target == nullptr) return;
  const int descriptor = step.reads ? NextDescriptor() : -1;
  if (outlook_.is_over) return;
  things_.push_back(step.op->make(*loop_, descriptor));
  Thing& thing = *things_.back();
  thing.interpreter_ = this;
  thing.task_ = task;
  thing.fires_ = step.op->fires;
  thing.target_ = target;
  if (!step.label.empty() && thing.fires_ != Fires::kBrings) names_[step.label] = &thing;
  if (!step.unsent) Start(thing, step.ms);
}

void Interpreter::Start(Thing& thing, double ms) {
  if (Arm(thing)) thing.Start(ms);
}

// Counts it before it starts, because some loops call at once. Returns false where it cannot be started any more.
bool Interpreter::Arm(Thing& thing) {
  if (IsClosed(thing)) return false;
  if (!thing.is_armed_ && Counts(thing.fires_)) ++outlook_.armed;
  thing.is_armed_ = Counts(thing.fires_);
  return true;
}

Thing* Interpreter::Find(const std::string& name) const {
  const auto found = names_.find(name);
  return found == names_.end() ? nullptr : found->second;
}

void Interpreter::Stop(Thing& thing) {
  if (IsClosed(thing)) return;
  if (thing.Stop()) Disarm(thing);
}

void Interpreter::Close(const Step& step, Thing& thing) {
  if (IsClosed(thing) || !thing.CanClose()) return;
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

void Interpreter::EndOfEndlessWait() {
  if (outlook_.is_over) return;
  Emit("exit=never");
  End();
}

void Interpreter::Fail(const std::string& why) {
  if (trouble_.empty()) trouble_ = why;
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
    Fail(ErrorOf("socketpair"));
    return -1;
  }
  descriptors_.push_back(ends[0]);
  other_ends_.push_back(ends[1]);
  if (write(ends[1], "x", 1) != 1) {
    Fail(ErrorOf("write"));
    return -1;
  }
  descriptors_.pop_back();
  return ends[0];
}

}  // namespace loop_adapter
