// The asyncio host, continued: what the steps do.
#include <algorithm>
#include <cstdlib>

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

Outcome AsyncioHost::Do(const Step& step, const TaskPtr&) {
  Object* target = step.target.empty() ? nullptr : ObjectOf(step.target);
  switch (step.op) {
    case Op::kThen:
    case Op::kAwait:
      if (!step.target.empty() && target == nullptr) break;
      [[fallthrough]];
    case Op::kSoon:
    case Op::kWake:
    case Op::kTimeout:
    case Op::kRead:
    case Op::kWork:
    case Op::kSignal:
    case Op::kOn:
    case Op::kPromise:
    case Op::kAsync: {
      const auto made = std::make_shared<Task>();
      made->step = &step;
      Start(Make(step, made).get());
      break;
    }
    case Op::kSend:
      if (target != nullptr) Send(target);
      break;
    case Op::kRaise:
      if (target == nullptr || target != signal_) break;
      ++raised_;
      platform_.Wake(wakeup_);
      break;
    case Op::kResolve:
    case Op::kReject:
      if (target != nullptr) Settle(target, step.op == Op::kResolve ? Object::State::kDone : Object::State::kFailed);
      break;
    case Op::kClear:
      if (target != nullptr) Clear(target);
      break;
    case Op::kStop:
      if (rules_.stop != AsyncioRules::Stop::kIgnored) Stop();
      break;
    case Op::kRun:
      RunLoop(step.argument == "nowait");
      Emit(step.label, {"main", "pass.stop"}, AnythingLeft() ? "1" : "0");
      break;
    case Op::kExit:
      // spec: pass.exit
      if (const int code = std::atoi(step.argument.c_str()); code != 0) {
        Emit("exit", {"exit", "pass.exit"}, std::to_string(code));
      }
      throw ProcessEnd();
    default:
      CONFORM_CHECK(false);  // no meaning in asyncio (NotModelled says so before), or done by the interpreter
  }
  return Outcome::Done();
}

void AsyncioHost::Start(Object* object) {
  const Step& step = *object->step;
  switch (step.op) {
    case Op::kSoon:
      Queue({Entry::Kind::kCall, object});
      break;
    case Op::kWake:
      if (!step.unsent) Send(object);
      break;
    case Op::kTimeout:
      // spec: later.fresh-time
      StartAt(object, (step.kind == "at" ? start_ : clock_.Read()) + static_cast<int64_t>(DelayOf(step)));
      break;
    case Op::kRead:
      object->source = platform_.OpenReadable();
      readers_[object->source] = object;
      platform_.Watch(object->source, kReadable);
      break;
    case Op::kWork:
      object->state = Object::State::kPending;
      requests_[++next_request_] = object;
      platform_.Submit(next_request_, case_.pool, wakeup_, step.label);
      break;
    case Op::kSignal:
      signal_ = object;
      break;
    case Op::kOn:
      listener_ = object;
      break;
    case Op::kPromise:
      break;
    case Op::kThen:
      WaitFor(step.target.empty() ? nullptr : ObjectOf(step.target), {Entry::Kind::kReaction, object});
      break;
    case Op::kAwait:
    case Op::kAsync:
      // spec: futures.task-starts-later
      object->waits_for = step.target.empty() ? nullptr : ObjectOf(step.target);
      Queue({Entry::Kind::kStep, object});
      break;
    default:
      CONFORM_CHECK(false);
  }
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
  // One that was queued may be queued again; what has an end of its own is made anew.
  const bool again = op == Op::kSoon || op == Op::kTimeout;
  Start(again ? made_by_.at(task.get()) : Make(*task->step, task).get());
}

void AsyncioHost::Call(Object* object, Where where, const std::string& outcome) {
  const Outcome result = RunTask(object->task, where, outcome);
  if (result.thrown()) OnError(result.error);
}

// spec: pass.errors. What the handler itself throws goes to the log, which nobody sees.
void AsyncioHost::OnError(const std::string& error) {
  if (rules_.error_handler == AsyncioRules::ErrorHandler::kNotCalled) return;
  if (listener_ != nullptr) RunTask(listener_->task, {"soon", "pass.errors"}, error);
}

// spec: pass.cancel
void AsyncioHost::Clear(Object* object) {
  switch (object->step->op) {
    case Op::kSoon:
    case Op::kWake:
      TakeFromQueue(object);
      break;
    case Op::kTimeout:
      if (object->place.stands()) {
        timers_.Remove(object);
      } else {
        TakeFromQueue(object);
      }
      break;
    case Op::kRead:
      TakeFromQueue(object);
      CloseSource(object);
      break;
    case Op::kWork:
      // spec: futures.work. The thread goes on; nobody waits for its result any more.
      if (object->state != Object::State::kPending) break;
      object->state = Object::State::kFailed;
      for (auto& [id, work] : requests_) {
        if (work == object) work = nullptr;
      }
      TakeFromQueue(object);
      Queue({Entry::Kind::kWorkDone, object});
      break;
    case Op::kOn:
      if (listener_ == object) listener_ = nullptr;
      break;
    case Op::kPromise:
    case Op::kAwait:
    case Op::kAsync:
      CancelFuture(object);
      break;
    default:
      CONFORM_CHECK(false);  // NotModelled says so before
  }
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

// A task goes on, until its end or until it waits. `failed`: what it waited for ended with an error.
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
    result = Continue(&task->stack, task->task, where);
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
