// What each op of the case language does in Node.
#include <cmath>
#include <cstdlib>
#include <string>
#include <utility>

#include "reference-impl/host/node_host.h"
#include "runners/base/check.h"

namespace conform {
namespace {

// A listener of the process, under the name of its step.
struct Listener : Thing {
  Listener(std::string event, TaskPtr task) : event(std::move(event)), task(std::move(task)) {}
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
  if (!(asked >= 1 && asked <= kMax)) return 1;
  return rules.truncates_delay ? std::trunc(asked) : asked;
}

Outcome NodeHost::Do(const Step& step, const TaskPtr& task) {
  switch (step.op) {
    case Op::kTick:
    case Op::kMicrotask:
    case Op::kTimeout:
    case Op::kInterval:
    case Op::kImmediate:
    case Op::kRead:
    case Op::kFile:
    case Op::kThen:
    case Op::kCatch:
    case Op::kFinally:
    case Op::kMessage:
    case Op::kRefused:
    case Op::kConnect: {
      const auto made = std::make_shared<Task>();
      made->step = &step;
      Arm(step, made);
      break;
    }
    case Op::kAwait:
      BeginAsync(step, task, true);
      break;
    case Op::kAsync:
      BeginAsync(step, task, false);
      break;
    case Op::kThenable: {
      const auto thenable = std::make_shared<Thenable>();
      thenable->task = std::make_shared<Task>();
      thenable->task->step = &step;
      Name(step.label, thenable);
      break;
    }
    case Op::kPromise:
      Name(step.label, Promises::MakePending());
      break;
    case Op::kResolve:
      if (const auto promise = std::dynamic_pointer_cast<Promise>(Find(step.target))) {
        promises_.Resolve(promise, step.with.empty() ? nullptr : Find(step.with));
      }
      break;
    case Op::kReject: {
      auto promise =
          step.target.empty() ? Promises::MakePending() : std::dynamic_pointer_cast<Promise>(Find(step.target));
      if (promise != nullptr) promises_.Reject(promise, step.argument);
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
    case Op::kLog:
    case Op::kBusy:
    case Op::kOnly:
    case Op::kAgain:
    case Op::kThrow:
    case Op::kReturn:
    case Op::kPause:
      CONFORM_CHECK(false);  // not modelled here (NotModelled says so before), or done by the interpreter
  }
  return Outcome::Done();
}

void NodeHost::Rearm(const TaskPtr& task) { Arm(*task->step, task); }

void NodeHost::Arm(const Step& step, const TaskPtr& task) {
  switch (step.op) {
    case Op::kTick:
      QueueTick(task, "");
      break;
    case Op::kMicrotask:
      promises_.EnqueueCallback(task);
      break;
    case Op::kThen:
    case Op::kCatch:
    case Op::kFinally:
      ArmReaction(step, task);
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
    case Op::kAwait:
      BeginAsync(step, task, true);
      break;
    default:
      CONFORM_CHECK(false);  // no other op makes chains
  }
}

void NodeHost::ArmReaction(const Step& step, const TaskPtr& task) {
  PromisePtr promise =
      step.target.empty() ? Promises::MakeFulfilled() : std::dynamic_pointer_cast<Promise>(Find(step.target));
  if (promise == nullptr) return;
  const Reaction::Kind kind = step.op == Op::kThen    ? Reaction::Kind::kThen
                              : step.op == Op::kCatch ? Reaction::Kind::kCatch
                                                      : Reaction::Kind::kFinally;
  Name(step.label, promises_.Then(promise, kind, task));
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

// `async F` runs its body now; `await W` awaits first, and then is W.
void NodeHost::BeginAsync(const Step& step, const TaskPtr& task, bool awaits) {
  const auto coroutine = std::make_shared<Coroutine>();
  coroutine->promise = Promises::MakePending();
  coroutine->stack = {{&step.body}};
  if (!awaits) {
    coroutine->task = task;  // `only` inside means the callback around it
    Name(step.label, coroutine->promise);
    RunCoroutine(coroutine);
    return;
  }
  const bool rearmed = task != nullptr && task->step == &step;
  coroutine->task = rearmed ? task : std::make_shared<Task>();
  coroutine->task->step = &step;
  coroutine->emits = &step;
  Name(step.label, coroutine->promise);
  ThingPtr value;
  if (!step.plain) value = step.target.empty() ? Promises::MakeFulfilled() : Find(step.target);
  promises_.Await(coroutine, value);
}

void NodeHost::Resume(const std::shared_ptr<Coroutine>& coroutine, bool rejected, const std::string& error) {
  if (rejected) {
    promises_.Reject(coroutine->promise, error);
    return;
  }
  const Where before = std::exchange(where_, Where{"microtasks", "microtasks.await-jobs"});
  if (coroutine->emits != nullptr) {
    coroutine->emits = nullptr;
    Begin(coroutine->task, where_, "");
  } else {
    Emit(coroutine->resume_label, where_);
  }
  RunCoroutine(coroutine);
  where_ = before;
}

void NodeHost::RunCoroutine(const std::shared_ptr<Coroutine>& coroutine) {
  const Outcome outcome = Continue(&coroutine->stack, coroutine->task, where_);
  switch (outcome.kind) {
    case Outcome::Kind::kPaused:
      coroutine->resume_label = outcome.pause->label;
      promises_.Await(coroutine, outcome.pause->target.empty() ? Promises::MakeFulfilled() : outcome.value);
      break;
    case Outcome::Kind::kThrown:
      promises_.Reject(coroutine->promise, outcome.error);
      break;
    case Outcome::Kind::kReturned:
    case Outcome::Kind::kDone:
      if (coroutine->task->step != nullptr && coroutine->task->step->op == Op::kAwait && coroutine->stack.empty()) {
        RearmIfMore(coroutine->task);
      }
      promises_.Resolve(coroutine->promise, outcome.value);
      break;
  }
}

void NodeHost::DoClear(const Step& step) {
  const ThingPtr thing = Find(step.target);
  if (const auto timer = std::dynamic_pointer_cast<Timeout>(thing)) {
    const bool by_name = step.kind == "number" || step.kind == "string";
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
    ref ? timers_->Ref(timer) : timers_->Unref(timer);
  } else if (const auto immediate = std::dynamic_pointer_cast<Immediate>(thing)) {
    ref ? immediates_.Ref(immediate) : immediates_.Unref(immediate);
  } else if (const auto socket = std::dynamic_pointer_cast<Socket>(thing)) {
    ref ? loop_.Ref(&socket->io) : loop_.Unref(&socket->io);
  }
}

}  // namespace conform
