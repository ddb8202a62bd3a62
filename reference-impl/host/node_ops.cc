// What each op of the case language does in Node.
#include <cmath>
#include <cstdlib>
#include <string>
#include <utility>

#include "reference-impl/host/node_host.h"
#include "runners/base/check.h"

namespace conform::reference {
namespace {

// A listener of the process, under the name of its step.
struct Listener : Thing {
  Listener(std::string name, TaskPtr body) : event(std::move(name)), task(std::move(body)) {}
  void AddTo(Fingerprint* fingerprint) const override {
    fingerprint->Add(event);
    AddTask(fingerprint, task);
  }
  const std::string event;
  const TaskPtr task;
};

}  // namespace

double ClampDelay(double asked, const NodeRules& rules) {
  constexpr double kMax = 2147483647.0;
  if (asked == 0 && rules.Has(Fault::kDelayNotClamped)) return 0;
  if (asked > kMax && rules.Has(Fault::kDelayNotLimited)) return kMax;
  if (!(asked >= 1 && asked <= kMax)) return 1;
  return rules.truncates_delay ? std::trunc(asked) : asked;
}

Outcome NodeHost::Do(const Step& step, const TaskPtr& task) {
  if (DoScriptStep(step, task)) return Outcome::Done();
  switch (step.op) {
    case Op::kTick:
    case Op::kTimeout:
    case Op::kInterval:
    case Op::kImmediate:
    case Op::kRead:
    case Op::kFile:
    case Op::kMessage:
    case Op::kRefused:
    case Op::kConnect: {
      const auto made = std::make_shared<Task>();
      made->step = &step;
      Arm(step, made);
      break;
    }
    case Op::kOn:
    case Op::kAccept:
    case Op::kSignal: {
      const auto made = std::make_shared<Task>();
      made->step = &step;
      const auto socket = std::dynamic_pointer_cast<Socket>(Find(step.target));
      if (step.op == Op::kSignal) {
        Name(step.label, io_.Signal(made));
      } else if (step.op == Op::kAccept) {
        io_.Accept(made, socket);
      } else if (step.target.empty()) {
        handlers_[step.event].push_back(made);
        Name(step.label, std::make_shared<Listener>(step.event, made));
      } else {
        io_.Listen(made, step.event, socket);
      }
      break;
    }
    case Op::kListen:
      Name(step.label, io_.Listen());
      break;
    case Op::kSocket:
      Name(step.label, io_.MakeSocket());
      break;
    case Op::kClose: {
      const auto made = std::make_shared<Task>();
      made->step = &step;
      io_.Close(made, std::dynamic_pointer_cast<Socket>(Find(step.target)));
      break;
    }
    case Op::kRaise:
      io_.Raise();
      break;
    case Op::kClear:
      DoClear(step);
      break;
    case Op::kRef:
      DoRef(step, true);
      break;
    case Op::kUnref:
      DoRef(step, false);
      break;
    case Op::kRefresh:
      if (rules_.Has(Fault::kRefreshIgnored)) break;
      if (const auto timer = std::dynamic_pointer_cast<Timeout>(Find(step.target))) timers_->Refresh(timer);
      break;
    case Op::kExit:
      Exit(std::atoi(step.argument.c_str()), true, false);
    case Op::kWork:
    case Op::kWrite:
    case Op::kChild:
    case Op::kIdle:
    case Op::kPrepare:
    case Op::kCheck:
    case Op::kWake:
    case Op::kSend:
    case Op::kSoon:
    case Op::kStart:
    case Op::kStop:
    case Op::kRun:
    case Op::kAlive:
    case Op::kUpdate:
    case Op::kMicrotask:
    case Op::kThen:
    case Op::kCatch:
    case Op::kFinally:
    case Op::kAwait:
    case Op::kAsync:
    case Op::kThenable:
    case Op::kPromise:
    case Op::kResolve:
    case Op::kReject:
    case Op::kLog:
    case Op::kBusy:
    case Op::kOnly:
    case Op::kAgain:
    case Op::kThrow:
    case Op::kReturn:
    case Op::kPause:
      CONFORM_CHECK(false);  // not modelled here (NotModelled says so before), or done above
  }
  return Outcome::Done();
}

void NodeHost::Rearm(const TaskPtr& task) { Arm(*task->step, task); }

void NodeHost::Arm(const Step& step, const TaskPtr& task) {
  if (ArmScriptStep(step, task)) return;
  switch (step.op) {
    case Op::kTick:
      QueueTick(task, "");
      break;
    case Op::kTimeout:
    case Op::kInterval:
      ArmTimer(step, task);
      break;
    case Op::kImmediate: {
      const auto immediate = std::make_shared<Immediate>();
      immediate->task = task;
      immediates_.Add(immediate);
      Name(step.label, immediate);
      break;
    }
    case Op::kRead:
      Name(step.label, io_.Read(task));
      break;
    case Op::kFile: {
      const int trips = step.kind == "readFile" ? rules_.read_file_trips : 1;
      ThingPtr resolves;
      if (step.kind == "promise") {
        const PromisePtr promise = Promises::MakePending();
        Name(step.label, promises_.Then(promise, Reaction::Kind::kThen, task));
        resolves = promise;
      }
      io_.File(task, trips, resolves);
      break;
    }
    case Op::kMessage:
      Name(step.label, io_.Message(task, step.via));
      break;
    case Op::kRefused:
      Name(step.label, io_.Refused(task, step.kind == "path"));
      break;
    case Op::kConnect:
      Name(step.label, io_.Connect(task, std::dynamic_pointer_cast<Socket>(Find(step.target))));
      break;
    default:
      CONFORM_CHECK(false);  // no other op makes chains
  }
}

void NodeHost::ArmTimer(const Step& step, const TaskPtr& task) {
  const auto timer = std::make_shared<Timeout>();
  timer->task = task;
  timer->duration_ms = ClampDelay(DelayOf(step), rules_);
  timer->repeats = step.op == Op::kInterval;
  if (step.kind == "promise") {
    const PromisePtr promise = Promises::MakePending();
    Name(step.label, promises_.Then(promise, Reaction::Kind::kThen, task));
    timer->resolves = promise;
  } else {
    Name(step.label, timer);
  }
  made_by_[task.get()] = timer;
  timers_->Start(timer);
}

void NodeHost::EndRepetition(const TaskPtr& task) {
  const auto found = made_by_.find(task.get());
  if (found == made_by_.end()) return;
  if (const auto timer = std::dynamic_pointer_cast<Timeout>(found->second.lock())) timers_->Clear(timer);
}

Outcome NodeHost::CallTimer(const TimeoutPtr& timer, const char* clause) {
  if (timer->resolves != nullptr) return Resolve(timer->resolves);
  return RunTask(timer->task, {"timers", clause});
}

Outcome NodeHost::Resolve(const ThingPtr& promise) {
  promises_.Resolve(std::static_pointer_cast<Promise>(promise), nullptr);
  return Outcome::Done();
}

void NodeHost::DoClear(const Step& step) {
  const ThingPtr thing = Find(step.target);
  if (const auto timer = std::dynamic_pointer_cast<Timeout>(thing)) {
    const bool by_name = step.kind == "number" || step.kind == "string";
    if (rules_.Has(Fault::kClearTimerIgnored)) return;
    if (rules_.Has(Fault::kIntervalOutlivesClear) && timer->repeats && !timer->in_list) return;
    if (step.kind == "immediate" && !rules_.clear_immediate_clears_timeouts) return;
    if (by_name && !rules_.clears_by_primitive) return;
    if (step.kind == "interval" && !timer->repeats && !rules_.clear_interval_clears_timeouts) return;
    timers_->Clear(timer);
  } else if (const auto immediate = std::dynamic_pointer_cast<Immediate>(thing)) {
    if (step.kind.empty() || step.kind == "immediate") immediates_.Clear(immediate);
  } else if (const auto listener = std::dynamic_pointer_cast<Listener>(thing)) {
    std::erase(handlers_[listener->event], listener->task);
    if (handlers_[listener->event].empty()) handlers_.erase(listener->event);
  }
}

void NodeHost::DoRef(const Step& step, bool ref) {
  const ThingPtr thing = Find(step.target);
  if (const auto timer = std::dynamic_pointer_cast<Timeout>(thing)) {
    if (rules_.Has(ref ? Fault::kTimerRefIgnored : Fault::kTimerUnrefIgnored)) return;
    ref ? timers_->Ref(timer) : timers_->Unref(timer);
  } else if (const auto immediate = std::dynamic_pointer_cast<Immediate>(thing)) {
    if (rules_.Has(ref ? Fault::kImmediateRefIgnored : Fault::kImmediateUnrefIgnored)) return;
    ref ? immediates_.Ref(immediate) : immediates_.Unref(immediate);
  } else if (const auto socket = std::dynamic_pointer_cast<Socket>(thing)) {
    ref ? loop_.Ref(&socket->io) : loop_.Unref(&socket->io);
  }
}

}  // namespace conform::reference
