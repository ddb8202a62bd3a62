// The asyncio host, continued: what the steps do.
#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <utility>

#include "reference-impl/host/asyncio_host.h"
#include "runners/base/check.h"

namespace conform::reference {

AsyncioHost::ObjectPtr AsyncioHost::Make(const Step& step, const TaskPtr& task) {
  auto object = std::make_shared<Object>();
  object->step = &step;
  object->task = task;
  objects_.push_back(object);
  made_by_[task.get()] = object.get();
  Name(step.label, object);
  return object;
}

AsyncioHost::Object* AsyncioHost::ObjectOf(const std::string& name) const {
  return dynamic_cast<Object*>(Find(name).get());
}

const HostOps<AsyncioHost>& AsyncioHost::Ops() {
  static const HostOps<AsyncioHost> kOps = {
      {Op::kSoon, &AsyncioHost::Arm},
      {Op::kWake, &AsyncioHost::Arm},
      {Op::kTimeout, &AsyncioHost::Arm, {"at"}},
      {Op::kRead, &AsyncioHost::Arm},
      {Op::kWork, &AsyncioHost::Arm},
      {Op::kSignal, &AsyncioHost::Arm},
      {Op::kOn, &AsyncioHost::Arm},
      {Op::kPromise, &AsyncioHost::Arm},
      {Op::kThen, &AsyncioHost::Arm},
      {Op::kAwait, &AsyncioHost::Arm},
      {Op::kAsync, &AsyncioHost::Arm},
      {Op::kSend, &AsyncioHost::DoSend},
      {Op::kRaise, &AsyncioHost::DoRaise},
      {Op::kResolve, &AsyncioHost::DoSettle},
      {Op::kReject, &AsyncioHost::DoSettle},
      {Op::kClear, &AsyncioHost::DoClear},
      {Op::kStop, &AsyncioHost::DoStop},
      {Op::kRun, &AsyncioHost::DoRun},
      {Op::kExit, &AsyncioHost::DoExit},
      {Op::kThrow},
      {Op::kPause},
  };
  return kOps;
}

Outcome AsyncioHost::Do(const Step& step, const TaskPtr& around) {
  Ops().Do(*this, step, around);
  return Outcome::Done();
}

// What waits for a thing that does not exist yet does nothing.
void AsyncioHost::Arm(const TaskPtr& task) {
  const Step& step = *task->step;
  if (step.target.empty() || ObjectOf(step.target) != nullptr) Start(Make(step, task).get());
}

void AsyncioHost::DoSend(const Step& step) {
  if (Object* target = ObjectOf(step.target)) Send(target);
}

void AsyncioHost::DoRaise(const Step& step) {
  const Object* target = ObjectOf(step.target);
  if (target == nullptr || target != signal_) return;
  ++raised_;
  platform_.Wake(wakeup_);
}

void AsyncioHost::DoSettle(const Step& step) {
  Object* target = ObjectOf(step.target);
  if (target != nullptr) Settle(target, step.op == Op::kResolve ? Object::State::kDone : Object::State::kFailed);
}

void AsyncioHost::DoClear(const Step& step) {
  if (Object* target = ObjectOf(step.target)) Clear(target);
}

void AsyncioHost::DoStop(const Step&) {
  if (rules_.stop != AsyncioRules::Stop::kIgnored) Stop();
}

void AsyncioHost::DoRun(const Step& step) {
  running_ = &step;
  RunLoop(step.argument == "nowait");
  EndRun();
}

void AsyncioHost::EndRun() {
  const Step* ended = std::exchange(running_, nullptr);
  if (ended != nullptr) Emit(ended->label, {"main", "pass.stop"}, AnythingLeft() ? "1" : "0");
}

// spec: pass.exit
void AsyncioHost::DoExit(const Step& step) {
  if (const int code = std::atoi(step.argument.c_str()); code != 0) {
    Emit("exit", {"exit", "pass.exit"}, std::to_string(code));
  }
  throw ProcessEnd();
}

const AsyncioHost::Kind& AsyncioHost::KindOf(Op op) {
  constexpr bool kArmedAgain = true;
  static constexpr std::pair<Op, Kind> kKinds[] = {
      {Op::kSoon, {&AsyncioHost::StartSoon, &AsyncioHost::ClearQueued, kArmedAgain}},
      {Op::kWake, {&AsyncioHost::StartWake, &AsyncioHost::ClearQueued}},
      {Op::kTimeout, {&AsyncioHost::StartTimer, &AsyncioHost::ClearTimer, kArmedAgain}},
      {Op::kRead, {&AsyncioHost::StartRead, &AsyncioHost::ClearRead}},
      {Op::kWork, {&AsyncioHost::StartWork, &AsyncioHost::ClearWork}},
      {Op::kSignal, {&AsyncioHost::StartSignal, nullptr}},
      {Op::kOn, {&AsyncioHost::StartListener, &AsyncioHost::ClearListener}},
      {Op::kPromise, {&AsyncioHost::StartFuture, &AsyncioHost::CancelFuture}},
      {Op::kThen, {&AsyncioHost::StartReaction, nullptr}},
      {Op::kAwait, {&AsyncioHost::StartTask, &AsyncioHost::CancelFuture}},
      {Op::kAsync, {&AsyncioHost::StartTask, &AsyncioHost::CancelFuture}},
  };
  const auto found =
      std::find_if(std::begin(kKinds), std::end(kKinds), [op](const auto& row) { return row.first == op; });
  CONFORM_CHECK(found != std::end(kKinds));
  return found->second;
}

void AsyncioHost::Start(Object* object) { (this->*KindOf(object->step->op).start)(object); }

void AsyncioHost::StartSoon(Object* object) { Queue({Entry::Kind::kCall, object}); }

void AsyncioHost::StartWake(Object* object) {
  if (!object->step->unsent) Send(object);
}

// spec: later.fresh-time
void AsyncioHost::StartTimer(Object* object) {
  const Step& step = *object->step;
  StartAt(object, (step.kind == "at" ? start_ : clock_.Read()) + static_cast<int64_t>(DelayOf(step)));
}

void AsyncioHost::StartRead(Object* object) {
  object->source = platform_.OpenReadable();
  readers_[object->source] = object;
  platform_.Watch(object->source, kReadable);
}

void AsyncioHost::StartWork(Object* object) {
  object->state = Object::State::kPending;
  requests_[++next_request_] = object;
  platform_.Submit(next_request_, case_.pool, wakeup_, object->step->label, WorkMsOf(*object->step));
}

void AsyncioHost::StartSignal(Object* object) { signal_ = object; }

void AsyncioHost::StartListener(Object* object) { listener_ = object; }

void AsyncioHost::StartFuture(Object*) {}  // others settle it

void AsyncioHost::StartReaction(Object* object) {
  const std::string& future = object->step->target;
  WaitFor(future.empty() ? nullptr : ObjectOf(future), {Entry::Kind::kReaction, object});
}

// spec: futures.task-starts-later
void AsyncioHost::StartTask(Object* object) {
  const std::string& future = object->step->target;
  object->waits_for = future.empty() ? nullptr : ObjectOf(future);
  Queue({Entry::Kind::kStep, object});
}

void AsyncioHost::StartAt(Object* object, Time deadline) { timers_.Insert(object, deadline, ++next_start_id_); }

// spec: pass.thread-safe
void AsyncioHost::Send(Object* object) {
  Queue({Entry::Kind::kCall, object});
  platform_.Wake(wakeup_);
}

void AsyncioHost::Rearm(const TaskPtr& task) {
  const Op op = task->step->op;
  if (op == Op::kWake) return Send(made_by_.at(task.get()));
  Start(KindOf(op).is_armed_again ? made_by_.at(task.get()) : Make(*task->step, task).get());
}

void AsyncioHost::Call(Object* object, Where where, const std::string& outcome) {
  const Outcome result = RunTask(object->task, where, outcome);
  if (result.thrown()) OnError(result.error);
}

// spec: pass.errors. What the handler itself throws goes to the log, unseen.
void AsyncioHost::OnError(const std::string& error) {
  if (rules_.error_handler == AsyncioRules::ErrorHandler::kNotCalled) return;
  if (listener_ != nullptr) RunTask(listener_->task, {"soon", "pass.errors"}, error);
}

// spec: pass.cancel
void AsyncioHost::Clear(Object* object) {
  const Kind& kind = KindOf(object->step->op);
  CONFORM_CHECK(kind.clear != nullptr);  // NotModelled says so before
  (this->*kind.clear)(object);
}

void AsyncioHost::ClearQueued(Object* object) { TakeFromQueue(object); }

void AsyncioHost::ClearTimer(Object* object) {
  if (object->place.stands()) {
    timers_.Remove(object);
  } else {
    TakeFromQueue(object);
  }
}

void AsyncioHost::ClearRead(Object* object) {
  TakeFromQueue(object);
  CloseSource(object);
}

// spec: futures.work. The thread continues; nothing waits for its result any more.
void AsyncioHost::ClearWork(Object* object) {
  if (object->state != Object::State::kPending) return;
  object->state = Object::State::kFailed;
  for (auto& [id, work] : requests_) {
    if (work == object) work = nullptr;
  }
  TakeFromQueue(object);
  Queue({Entry::Kind::kWorkDone, object});
}

void AsyncioHost::ClearListener(Object* object) {
  if (listener_ == object) listener_ = nullptr;
}

void AsyncioHost::TakeFromQueue(const Object* object) {
  if (rules_.cancel_queued == AsyncioRules::CancelQueued::kIgnored) return;
  for (Entry& entry : queue_) {
    if (entry.object == object) entry.kind = Entry::Kind::kNothing;
  }
}

void AsyncioHost::CloseSource(Object* object) {
  if (object->source == kNoSource) return;
  readers_.erase(object->source);
  platform_.Close(object->source);
  object->source = kNoSource;
}

// --- Futures and tasks ---

// Queues the entry once `future` is done; null stands for one that is done already. spec: futures.never-at-once
void AsyncioHost::WaitFor(Object* future, Entry entry) {
  if (future != nullptr && future->state == Object::State::kPending) {
    future->waiting.push_back(entry);
    return;
  }
  entry.failed = future != nullptr && future->state == Object::State::kFailed;
  Queue(entry);
}

// spec: futures.in-order
void AsyncioHost::Settle(Object* future, Object::State state) {
  if (future->state != Object::State::kPending) return;
  future->state = state;
  Queue({Entry::Kind::kDone, future});
  if (rules_.waiter_order == QueueOrder::kNewestFirst) std::reverse(future->waiting.begin(), future->waiting.end());
  for (Entry entry : std::exchange(future->waiting, {})) {
    entry.failed = state == Object::State::kFailed;
    switch (rules_.future_callbacks) {
      case AsyncioRules::FutureCallbacks::kQueued:
        Queue(entry);
        break;
      case AsyncioRules::FutureCallbacks::kAtOnce:
        RunEntry(entry);
        break;
    }
  }
}

void AsyncioHost::RunReaction(Object* reaction, bool failed) {
  if (failed) return;
  const Outcome result = RunTask(reaction->task, {"soon", "futures.in-order"});
  if (result.thrown()) return OnError(result.error);
  Settle(reaction, Object::State::kDone);
}

// The task waits: for one turn of the loop, or for a future. spec: futures.done-does-not-interrupt, futures.pause
void AsyncioHost::Pause(Object* task, Object* future) {
  task->waits_for = future;
  if (future == nullptr) {
    Queue({Entry::Kind::kStep, task});
  } else {
    future->waiting.push_back({Entry::Kind::kStep, task});
    if (std::exchange(task->must_cancel, false)) CancelFuture(future);
  }
}

// A task resumes, until its end or until it waits. `failed`: what it waited for ended with an error.
void AsyncioHost::Resume(Object* task, bool failed) {
  const Step& step = *task->step;
  Object* const awaited = std::exchange(task->waits_for, nullptr);
  if (failed || task->must_cancel) return Settle(task, Object::State::kFailed);
  const bool first = !std::exchange(task->started, true);
  if (step.op == Op::kAwait) {
    if (first && (awaited == nullptr || awaited->state == Object::State::kPending)) return Pause(task, awaited);
    if (awaited != nullptr && awaited->state == Object::State::kFailed) return Settle(task, Object::State::kFailed);
    const Outcome result = RunTask(task->task, {"soon", "futures.in-order"});
    return EndTask(task, result);
  }
  const Where where{"soon", first ? "futures.task-starts-later" : "futures.pause"};
  const Where before = std::exchange(where_, where);
  if (first) {
    task->task->runs = 1;
    task->stack = {{&step.body}};
  }
  Outcome result;
  for (;;) {
    if (task->pausing != nullptr) Emit(std::exchange(task->pausing, nullptr)->label, where);
    result = Continue(&task->stack, task->task, task->task->runs, where);
    if (result.kind != Outcome::Kind::kPaused) break;
    Object* future = dynamic_cast<Object*>(result.value.get());
    task->pausing = result.pause;
    if (future != nullptr && future->state == Object::State::kFailed) {
      result = Outcome::Thrown("");
      break;
    }
    if (future != nullptr && future->state == Object::State::kDone) continue;
    where_ = before;
    return Pause(task, future);
  }
  where_ = before;
  EndTask(task, result);
}

// A task that cancelled itself and never waited since then ends as cancelled.
void AsyncioHost::EndTask(Object* task, const Outcome& result) {
  Settle(task, result.thrown() || task->must_cancel ? Object::State::kFailed : Object::State::kDone);
}

// spec: futures.cancel
void AsyncioHost::CancelFuture(Object* future) {
  if (future->state != Object::State::kPending) return;
  if (!IsTask(future)) return Settle(future, Object::State::kFailed);
  Object* const awaited = future->started ? future->waits_for : nullptr;
  if (awaited != nullptr && awaited->state == Object::State::kPending) return CancelFuture(awaited);
  future->must_cancel = true;
}

}  // namespace conform::reference
