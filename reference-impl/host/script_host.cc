#include "reference-impl/host/script_host.h"

#include <algorithm>
#include <utility>

namespace conform::reference {

const HostOps<ScriptHost>& ScriptHost::ScriptOps() {
  static const HostOps<ScriptHost> kOps = {
      {Op::kMicrotask, &ScriptHost::ArmMicrotask},
      {Op::kThen, &ScriptHost::ArmReaction},
      {Op::kCatch, &ScriptHost::ArmReaction},
      {Op::kFinally, &ScriptHost::ArmReaction},
      {Op::kCombine, &ScriptHost::ArmCombination, {"race", "any", "allSettled"}},
      {Op::kAwait, &ScriptHost::ArmAwait},
      {Op::kAsync, &ScriptHost::BeginAsync},
      {Op::kThenable, &ScriptHost::MakeThenable},
      {Op::kPromise, &ScriptHost::MakePromise},
      {Op::kResolve, &ScriptHost::DoResolve},
      {Op::kReject, &ScriptHost::DoReject},
      {Op::kThrow},
      {Op::kReturn},
      {Op::kPause},
      {Op::kTry},
  };
  return kOps;
}

void ScriptHost::ArmMicrotask(const TaskPtr& task) { promises_.EnqueueCallback(task); }

void ScriptHost::MakeThenable(const Step& step) {
  const auto thenable = std::make_shared<Thenable>();
  thenable->task = std::make_shared<Task>();
  thenable->task->step = &step;
  Name(step.label, thenable);
}

void ScriptHost::MakePromise(const Step& step) { Name(step.label, Promises::MakePending()); }

void ScriptHost::DoResolve(const Step& step) {
  const auto promise = std::dynamic_pointer_cast<Promise>(Find(step.target));
  if (promise != nullptr) promises_.Resolve(promise, step.with.empty() ? nullptr : Find(step.with));
}

void ScriptHost::DoReject(const Step& step) {
  const auto promise =
      step.target.empty() ? Promises::MakePending() : std::dynamic_pointer_cast<Promise>(Find(step.target));
  if (promise != nullptr) promises_.Reject(promise, step.argument);
}

Outcome ScriptHost::RunReaction(const TaskPtr& task, const char* clause) {
  return RunTask(task, {"microtasks", clause});
}

void ScriptHost::ArmReaction(const TaskPtr& task) {
  const Step& step = *task->step;
  PromisePtr promise =
      step.target.empty() ? Promises::MakeFulfilled() : std::dynamic_pointer_cast<Promise>(Find(step.target));
  if (promise == nullptr) return;
  const Reaction::Kind kind = step.op == Op::kThen    ? Reaction::Kind::kThen
                              : step.op == Op::kCatch ? Reaction::Kind::kCatch
                                                      : Reaction::Kind::kFinally;
  Name(step.label, promises_.Then(promise, kind, task));
}

// spec: microtasks.combinators
void ScriptHost::ArmCombination(const TaskPtr& task) {
  const Step& step = *task->step;
  std::vector<ThingPtr> elements = {Find(step.target)};
  if (!step.with.empty()) elements.push_back(Find(step.with));
  if (std::find(elements.begin(), elements.end(), nullptr) != elements.end()) return;
  const Combination::Kind kind = step.kind == "race"         ? Combination::Kind::kRace
                                 : step.kind == "any"        ? Combination::Kind::kAny
                                 : step.kind == "allSettled" ? Combination::Kind::kAllSettled
                                                             : Combination::Kind::kAll;
  Name(step.label, promises_.Then(promises_.Combine(kind, elements), Reaction::Kind::kThen, task));
}

// spec: microtasks.await-jobs
// `async F` runs its body now. `only` inside means the callback around it.
void ScriptHost::BeginAsync(const Step& step, const TaskPtr& around) {
  const auto coroutine = std::make_shared<Coroutine>();
  coroutine->promise = Promises::MakePending();
  coroutine->stack = {{&step.body}};
  coroutine->task = around;
  coroutine->run = around->runs;
  RunCoroutine(coroutine);
  // The promise is what the call returns: until the first pause nothing can refer to it.
  Name(step.label, coroutine->promise);
}

// `await W` awaits first, and then is W.
void ScriptHost::ArmAwait(const TaskPtr& task) {
  const Step& step = *task->step;
  if (!step.target.empty() && Find(step.target) == nullptr) return;
  const auto coroutine = std::make_shared<Coroutine>();
  coroutine->promise = Promises::MakePending();
  coroutine->stack = {{&step.body}};
  coroutine->task = task;
  coroutine->emits = &step;
  coroutine->is_await = true;
  Name(step.label, coroutine->promise);
  ThingPtr value;
  if (!step.plain) value = step.target.empty() ? Promises::MakeFulfilled() : Find(step.target);
  promises_.Await(coroutine, value);
}

void ScriptHost::Resume(const std::shared_ptr<Coroutine>& coroutine, bool rejected, const std::string& error) {
  // spec: microtasks.await-throws
  const bool may_catch = promises_.rules().await_error != PromiseRules::AwaitError::kPastTheCatch;
  if (rejected && !(may_catch && Catch(&coroutine->stack, {"microtasks", "microtasks.await-throws"}, error))) {
    promises_.Reject(coroutine->promise, error);
    return;
  }
  const Where before = std::exchange(where_, Where{"microtasks", "microtasks.await-jobs"});
  if (coroutine->emits != nullptr) {
    coroutine->emits = nullptr;
    Begin(coroutine->task, where_, "");
    coroutine->run = coroutine->task->runs;
  } else if (!rejected) {
    Emit(coroutine->resume_label, where_);
  }
  RunCoroutine(coroutine);
  where_ = before;
}

void ScriptHost::RunCoroutine(const std::shared_ptr<Coroutine>& coroutine) {
  const Outcome outcome = Continue(&coroutine->stack, coroutine->task, coroutine->run, where_);
  switch (outcome.kind) {
    case Outcome::Kind::kPaused:
      coroutine->resume_label = outcome.pause->label;
      promises_.Await(coroutine, outcome.pause->target.empty() ? Promises::MakeFulfilled() : outcome.value);
      break;
    case Outcome::Kind::kThrown:  // spec: microtasks.async-return
      promises_.Reject(coroutine->promise, outcome.error);
      break;
    case Outcome::Kind::kReturned:
    case Outcome::Kind::kDone:
      if (coroutine->is_await) RearmIfMore(coroutine->task, coroutine->run);
      // spec: microtasks.async-return
      promises_.Resolve(coroutine->promise, outcome.value);
      break;
  }
}

}  // namespace conform::reference
