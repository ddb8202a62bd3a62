#include "reference-impl/host/promises.h"

#include <algorithm>
#include <utility>

#include "runners/base/check.h"

namespace conform::reference {

void Coroutine::AddTo(Fingerprint* fingerprint) const {
  AddTask(fingerprint, task);
  fingerprint->Add(static_cast<uint64_t>(run));
  for (const Frame& frame : stack) {
    fingerprint->Add(frame.body->empty() ? 0 : static_cast<uint64_t>(frame.body->front().id) + 1);
    fingerprint->Add(frame.next);
  }
  AddThing(fingerprint, promise.get());
  fingerprint->Add(resume_label);
  fingerprint->Add((emits == nullptr ? 0 : 1) + (is_await ? 2 : 0));
}

void Combination::AddTo(Fingerprint* fingerprint) const {
  fingerprint->Add(static_cast<uint64_t>(kind));
  fingerprint->Add(left);
  AddThing(fingerprint, promise.get());
}

static void AddReactionTo(Fingerprint* fingerprint, const Reaction& reaction) {
  fingerprint->Add(static_cast<uint64_t>(reaction.kind) | (reaction.thunk_rejects ? 16 : 0));
  fingerprint->Add(reaction.thunk_error);
  if (reaction.task != nullptr) AddTask(fingerprint, reaction.task);
  AddThing(fingerprint, reaction.derived.get());
  AddThing(fingerprint, reaction.coroutine.get());
  AddThing(fingerprint, reaction.combination.get());
}

void Promise::AddTo(Fingerprint* fingerprint) const {
  fingerprint->Add(static_cast<uint64_t>(state) | (already_resolved ? 4 : 0) | (handled ? 8 : 0));
  fingerprint->Add(error);
  AddThing(fingerprint, value.get());
  fingerprint->Add(reactions.size());
  for (const Reaction& reaction : reactions) AddReactionTo(fingerprint, reaction);
}

void Promises::AddTo(Fingerprint* fingerprint) const {
  fingerprint->Add(jobs_.size());
  for (const Job& job : jobs_) {
    fingerprint->Add(static_cast<uint64_t>(job.kind) | (job.rejected ? 8 : 0));
    fingerprint->Add(job.error);
    AddReactionTo(fingerprint, job.reaction);
    AddThing(fingerprint, job.value.get());
    AddThing(fingerprint, job.promise.get());
    AddThing(fingerprint, job.thenable.get());
    fingerprint->Add(static_cast<uint64_t>(job.jobs_before));
  }
}

PromisePtr Promises::MakePending() { return std::make_shared<Promise>(); }

PromisePtr Promises::MakeFulfilled() {
  PromisePtr promise = MakePending();
  promise->state = Promise::State::kFulfilled;
  promise->already_resolved = true;
  return promise;
}

PromisePtr Promises::Then(const PromisePtr& promise, Reaction::Kind kind, const TaskPtr& task) {
  Reaction reaction;
  reaction.kind = kind;
  reaction.task = task;
  reaction.derived = MakePending();
  PromisePtr derived = reaction.derived;
  AddReaction(promise, std::move(reaction));
  return derived;
}

// spec: microtasks.combinators
PromisePtr Promises::Combine(Combination::Kind kind, const std::vector<ThingPtr>& elements) {
  const auto combination = std::make_shared<Combination>();
  combination->kind = kind;
  combination->left = elements.size();
  combination->promise = MakePending();
  for (const ThingPtr& element : elements) {
    PromisePtr promise = std::dynamic_pointer_cast<Promise>(element);
    if (promise == nullptr) {
      promise = MakePending();
      Resolve(promise, element);
    }
    Reaction reaction;
    reaction.kind = Reaction::Kind::kElement;
    reaction.combination = combination;
    AddReaction(promise, std::move(reaction));
  }
  return combination->promise;
}

void Promises::Tell(Combination* combination, bool rejected, const std::string& error) {
  const bool is_last = --combination->left == 0;
  switch (combination->kind) {
    case Combination::Kind::kAll:
      if (rejected) Reject(combination->promise, error);
      if (is_last) Resolve(combination->promise, nullptr);
      return;
    case Combination::Kind::kRace:
      rejected ? Reject(combination->promise, error) : Resolve(combination->promise, nullptr);
      return;
    case Combination::Kind::kAny:
      if (!rejected) Resolve(combination->promise, nullptr);
      if (is_last) Reject(combination->promise, "AggregateError");
      return;
    case Combination::Kind::kAllSettled:
      if (is_last) Resolve(combination->promise, nullptr);
      return;
  }
}

void Promises::AddReaction(const PromisePtr& promise, Reaction reaction) {
  const bool late_handler = promise->state == Promise::State::kRejected && !promise->handled;
  promise->handled = true;
  if (promise->state == Promise::State::kPending) {
    promise->reactions.push_back(std::move(reaction));
    return;
  }
  if (late_handler) host_.HandledAfterAll(promise);
  if (JobsOf(reaction.kind) == 0 && !in_place_) {
    in_place_ = true;
    RunReactionJob({Job::Kind::kReaction, std::move(reaction), promise->state == Promise::State::kRejected,
                    promise->error, promise->value, nullptr, nullptr});
    in_place_ = false;
    return;
  }
  EnqueueReaction(std::move(reaction), *promise);
}

int Promises::JobsOf(Reaction::Kind kind) const {
  switch (kind) {
    case Reaction::Kind::kThen:
    case Reaction::Kind::kElement:  // added by calling `then`
      return rules_.then_jobs;
    case Reaction::Kind::kAwait:  // spec: microtasks.await-jobs
      return rules_.await_jobs;
    case Reaction::Kind::kCatch:
    case Reaction::Kind::kFinally:
    case Reaction::Kind::kThunk:
    case Reaction::Kind::kForward:
      return 1;
  }
  return 1;
}

void Promises::EnqueueReaction(Reaction reaction, const Promise& settled) {
  // spec: microtasks.await-throws
  const bool is_late = reaction.kind == Reaction::Kind::kAwait && settled.state == Promise::State::kRejected &&
                       rules_.await_error == PromiseRules::AwaitError::kThrownOneJobLater;
  const int before = std::max(JobsOf(reaction.kind), 1) - 1 + (is_late ? 1 : 0);
  jobs_.push_back({Job::Kind::kReaction, std::move(reaction), settled.state == Promise::State::kRejected, settled.error,
                   settled.value, nullptr, nullptr, before});
}

bool Promises::AdoptsAtOnce(const Promise& other) const {
  switch (rules_.resolve_with_promise) {
    case PromiseRules::ResolveWithPromise::kThenableJob:
    case PromiseRules::ResolveWithPromise::kLazyUnwrap:
      return false;
    case PromiseRules::ResolveWithPromise::kFulfilledShortcut:
      return other.state == Promise::State::kFulfilled;
    case PromiseRules::ResolveWithPromise::kSettledShortcut:
      return other.state != Promise::State::kPending;
  }
  return false;
}

// spec: microtasks.resolve-with-promise, microtasks.thenable-jobs
void Promises::Resolve(const PromisePtr& promise, const ThingPtr& value) {
  if (promise->already_resolved) return;
  promise->already_resolved = true;
  const auto other = std::dynamic_pointer_cast<Promise>(value);
  if (other == nullptr && std::dynamic_pointer_cast<Thenable>(value) == nullptr) {
    Fulfil(promise);  // a plain value; a timer or a handle is one too
    return;
  }
  if (other == promise) {
    promise->state = Promise::State::kRejected;
    promise->error = "TypeError";
    Settle(promise);
    return;
  }
  if (other != nullptr && AdoptsAtOnce(*other)) {
    if (other->state == Promise::State::kRejected && !std::exchange(other->handled, true)) host_.HandledAfterAll(other);
    promise->state = other->state;
    promise->error = other->error;
    Settle(promise);
    return;
  }
  if (other != nullptr && rules_.resolve_with_promise == PromiseRules::ResolveWithPromise::kLazyUnwrap) {
    promise->value = other;
    Fulfil(promise);
    return;
  }
  Job job{Job::Kind::kThenable, {}, false, "", nullptr, promise, value};
  const int jobs = other != nullptr ? rules_.adopt_jobs : rules_.thenable_jobs;
  if (jobs == 0 && !in_place_) {
    in_place_ = true;
    RunThenableJob(job);
    in_place_ = false;
    return;
  }
  job.jobs_before = std::max(jobs, 1) - 1;
  jobs_.push_back(std::move(job));
}

void Promises::Reject(const PromisePtr& promise, const std::string& error) {
  if (promise->already_resolved) return;
  promise->already_resolved = true;
  promise->state = Promise::State::kRejected;
  promise->error = error;
  Settle(promise);
}

void Promises::Fulfil(const PromisePtr& promise) {
  promise->state = Promise::State::kFulfilled;
  Settle(promise);
}

void Promises::Settle(const PromisePtr& promise) {
  const bool rejected = promise->state == Promise::State::kRejected;
  if (rejected && !promise->handled) host_.RejectedWithoutHandler(promise);
  // spec: microtasks.reaction-jobs
  if (rules_.reaction_order == QueueOrder::kNewestFirst) {
    std::reverse(promise->reactions.begin(), promise->reactions.end());
  }
  for (Reaction& reaction : std::exchange(promise->reactions, {})) {
    EnqueueReaction(std::move(reaction), *promise);
  }
}

// spec: microtasks.await-jobs
void Promises::Await(const std::shared_ptr<Coroutine>& coroutine, const ThingPtr& value) {
  PromisePtr awaited = std::dynamic_pointer_cast<Promise>(value);
  if (awaited == nullptr || rules_.await == PromiseRules::Await::kWrapped) {
    awaited = MakePending();
    Resolve(awaited, value);
  }
  Reaction reaction;
  reaction.kind = Reaction::Kind::kAwait;
  reaction.coroutine = coroutine;
  AddReaction(awaited, std::move(reaction));
}

void Promises::EnqueueCallback(const TaskPtr& task) {
  Job job{Job::Kind::kCallback, {}, false, "", nullptr, nullptr, nullptr};
  job.reaction.task = task;
  jobs_.push_back(std::move(job));
}

void Promises::EnqueueCoroutine(const std::shared_ptr<Coroutine>& coroutine) {
  Job job{Job::Kind::kBegin, {}, false, "", nullptr, nullptr, nullptr};
  job.reaction.coroutine = coroutine;
  jobs_.push_back(std::move(job));
}

Outcome Promises::RunNextJob() {
  CONFORM_CHECK(!jobs_.empty());
  // spec: microtasks.first-in-first-out
  if (rules_.job_order == QueueOrder::kNewestFirst) std::rotate(jobs_.begin(), jobs_.end() - 1, jobs_.end());
  Job job = std::move(jobs_.front());
  jobs_.pop_front();
  if (job.jobs_before > 0) {
    --job.jobs_before;
    jobs_.push_back(std::move(job));
    return Outcome::Done();
  }
  switch (job.kind) {
    case Job::Kind::kCallback:
      return host_.RunReaction(job.reaction.task, "microtasks.first-in-first-out");
    case Job::Kind::kBegin:
      host_.Resume(job.reaction.coroutine, false, "");
      break;
    case Job::Kind::kReaction:
      RunReactionJob(job);
      break;
    case Job::Kind::kThenable:
      RunThenableJob(job);
      break;
  }
  return Outcome::Done();
}

// spec: microtasks.reaction-jobs, microtasks.finally-jobs
void Promises::RunReactionJob(const Job& job) {
  if (job.value != nullptr) {
    ReactToInner(job);
    return;
  }
  const Reaction& reaction = job.reaction;
  const bool runs = reaction.kind == Reaction::Kind::kFinally ||
                    (reaction.kind == Reaction::Kind::kThen && !job.rejected) ||
                    (reaction.kind == Reaction::Kind::kCatch && job.rejected);
  switch (reaction.kind) {
    case Reaction::Kind::kThen:
    case Reaction::Kind::kCatch:
    case Reaction::Kind::kForward:
      if (runs) {
        SettleFrom(reaction.derived, host_.RunReaction(reaction.task, "microtasks.reaction-jobs"));
      } else if (job.rejected) {
        reaction.derived->already_resolved = false;  // a forward settles what it had bound
        Reject(reaction.derived, job.error);
      } else {
        reaction.derived->already_resolved = false;
        Resolve(reaction.derived, nullptr);
      }
      break;
    case Reaction::Kind::kFinally: {
      const Outcome outcome = host_.RunReaction(reaction.task, "microtasks.finally-jobs");
      if (outcome.thrown()) {
        Reject(reaction.derived, outcome.error);
        break;
      }
      if (rules_.finally != PromiseRules::Finally::kThroughPromise && outcome.value == nullptr) {
        job.rejected ? Reject(reaction.derived, job.error) : Resolve(reaction.derived, nullptr);
        break;
      }
      const bool direct = rules_.finally == PromiseRules::Finally::kDirect;
      PromisePtr result = std::dynamic_pointer_cast<Promise>(outcome.value);
      if (result == nullptr) {
        result = MakePending();
        if (direct) {
          RunThenableJob({Job::Kind::kThenable, {}, false, "", nullptr, result, outcome.value});
        } else {
          Resolve(result, outcome.value);
        }
      }
      Reaction thunk;
      thunk.kind = Reaction::Kind::kThunk;
      thunk.thunk_rejects = job.rejected;
      thunk.thunk_error = job.error;
      thunk.derived = direct ? reaction.derived : MakePending();
      const PromisePtr handed_on = thunk.derived;
      AddReaction(result, std::move(thunk));
      if (!direct) Resolve(reaction.derived, handed_on);
      break;
    }
    case Reaction::Kind::kThunk:
      if (job.rejected) {
        Reject(reaction.derived, job.error);
      } else if (reaction.thunk_rejects) {
        Reject(reaction.derived, reaction.thunk_error);
      } else {
        Resolve(reaction.derived, nullptr);
      }
      break;
    case Reaction::Kind::kAwait:
      host_.Resume(reaction.coroutine, job.rejected, job.error);
      break;
    case Reaction::Kind::kElement:
      Tell(reaction.combination.get(), job.rejected, job.error);
      break;
  }
}

// kLazyUnwrap: the handlers are attached to the inner promise, and what they give is handed on by one more job.
void Promises::ReactToInner(const Job& job) {
  Reaction inner = job.reaction;
  const PromisePtr result = MakePending();
  if (inner.derived != nullptr) {
    Reaction forward;
    forward.kind = Reaction::Kind::kForward;
    forward.derived = std::exchange(inner.derived, result);
    AddReaction(result, std::move(forward));
  }
  AddReaction(job.value, std::move(inner));
}

void Promises::RunThenableJob(const Job& job) {
  if (const auto other = std::dynamic_pointer_cast<Promise>(job.thenable)) {
    Reaction forward;
    forward.kind = Reaction::Kind::kForward;
    forward.derived = job.promise;
    AddReaction(other, std::move(forward));
    return;
  }
  const auto thenable = std::dynamic_pointer_cast<Thenable>(job.thenable);
  const Outcome outcome = host_.RunReaction(thenable->task, "microtasks.thenable-jobs");
  job.promise->already_resolved = false;
  if (outcome.thrown()) {
    Reject(job.promise, outcome.error);
  } else {
    Resolve(job.promise, nullptr);
  }
}

void Promises::SettleFrom(const PromisePtr& derived, const Outcome& outcome) {
  const auto returned = std::dynamic_pointer_cast<Promise>(outcome.value);
  if (outcome.thrown()) {
    Reject(derived, outcome.error);
  } else if (returned != nullptr && rules_.resolve_with_promise == PromiseRules::ResolveWithPromise::kLazyUnwrap) {
    derived->already_resolved = true;
    Reaction forward;
    forward.kind = Reaction::Kind::kForward;
    forward.derived = derived;
    AddReaction(returned, std::move(forward));
  } else {
    Resolve(derived, outcome.value);
  }
}

}  // namespace conform::reference
