#include "reference-impl/host/script_host.h"

#include <utility>

namespace conform::reference {

bool ScriptHost::DoScriptStep(const Step& step, const TaskPtr& task) {
  switch (step.op) {
    case Op::kMicrotask:
    case Op::kThen:
    case Op::kCatch:
    case Op::kFinally: {
      const auto made = std::make_shared<Task>();
      made->step = &step;
      return ArmScriptStep(step, made);
    }
    case Op::kAwait:
      BeginAsync(step, task, true);
      return true;
    case Op::kAsync:
      BeginAsync(step, task, false);
      return true;
    case Op::kThenable: {
      const auto thenable = std::make_shared<Thenable>();
      thenable->task = std::make_shared<Task>();
      thenable->task->step = &step;
      Name(step.label, thenable);
      return true;
    }
    case Op::kPromise:
      Name(step.label, Promises::MakePending());
      return true;
    case Op::kResolve:
      if (const auto promise = std::dynamic_pointer_cast<Promise>(Find(step.target))) {
        promises_.Resolve(promise, step.with.empty() ? nullptr : Find(step.with));
      }
      return true;
    case Op::kReject: {
      auto promise =
          step.target.empty() ? Promises::MakePending() : std::dynamic_pointer_cast<Promise>(Find(step.target));
      if (promise != nullptr) promises_.Reject(promise, step.argument);
      return true;
    }
    default:
      return false;
  }
}

bool ScriptHost::ArmScriptStep(const Step& step, const TaskPtr& task) {
  switch (step.op) {
    case Op::kMicrotask:
      promises_.EnqueueCallback(task);
      return true;
    case Op::kThen:
    case Op::kCatch:
    case Op::kFinally:
      ArmReaction(step, task);
      return true;
    case Op::kAwait:
      BeginAsync(step, task, true);
      return true;
    default:
      return false;
  }
}

Outcome ScriptHost::RunReaction(const TaskPtr& task, const char* clause) {
  return RunTask(task, {"microtasks", clause});
}

void ScriptHost::ArmReaction(const Step& step, const TaskPtr& task) {
  PromisePtr promise =
      step.target.empty() ? Promises::MakeFulfilled() : std::dynamic_pointer_cast<Promise>(Find(step.target));
  if (promise == nullptr) return;
  const Reaction::Kind kind = step.op == Op::kThen    ? Reaction::Kind::kThen
                              : step.op == Op::kCatch ? Reaction::Kind::kCatch
                                                      : Reaction::Kind::kFinally;
  Name(step.label, promises_.Then(promise, kind, task));
}

// `async F` runs its body now; `await W` awaits first, and then is W.
void ScriptHost::BeginAsync(const Step& step, const TaskPtr& task, bool awaits) {
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

void ScriptHost::Resume(const std::shared_ptr<Coroutine>& coroutine, bool rejected, const std::string& error) {
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

void ScriptHost::RunCoroutine(const std::shared_ptr<Coroutine>& coroutine) {
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

}  // namespace conform::reference
