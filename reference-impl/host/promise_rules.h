// The rules of promises: what differs between engines. spec/profiles/node.yaml and html.yaml give them their values.
#ifndef CONFORM_REFERENCE_IMPL_HOST_PROMISE_RULES_H_
#define CONFORM_REFERENCE_IMPL_HOST_PROMISE_RULES_H_

#include <cstdint>

#include "reference-impl/loop/rules.h"

namespace conform::reference {

struct PromiseRules {
  // microtasks.await-jobs: whether a native promise is awaited itself, or through a promise that is resolved with it.
  enum class Await : uint8_t { kDirect, kWrapped };
  // microtasks.resolve-with-promise: how a promise takes over the state of another native promise.
  enum class ResolveWithPromise : uint8_t {
    kThenableJob,        // through a job, as the language says
    kLazyUnwrap,         // at once fulfilled with the other promise; its reactions then wait for that one
    kFulfilledShortcut,  // at once if the other is fulfilled, else through a job
    kSettledShortcut,    // at once if the other is settled, else through a job
  };
  // microtasks.finally-jobs: how `finally` hands on what it got.
  enum class Finally : uint8_t { kThroughPromise, kAsThen, kDirect };
  // microtasks.await-throws: how the error of a rejected promise reaches the code that awaits it.
  enum class AwaitError : uint8_t { kThrown, kThrownOneJobLater, kPastTheCatch };

  Rule<Await> await = Await::kDirect;
  Rule<AwaitError> await_error = AwaitError::kThrown;
  Rule<ResolveWithPromise> resolve_with_promise = ResolveWithPromise::kThenableJob;
  Rule<Finally> finally = Finally::kThroughPromise;
  Rule<QueueOrder> job_order = QueueOrder::kOldestFirst;       // microtasks.first-in-first-out
  Rule<QueueOrder> reaction_order = QueueOrder::kOldestFirst;  // microtasks.reaction-jobs
  // How many jobs each of these takes. 0: it is done in place, but never nested in another that is done in place.
  Rule<int> then_jobs = 1;      // microtasks.reaction-jobs: a reaction of `then`
  Rule<int> await_jobs = 1;     // microtasks.await-jobs: continuing after an await
  Rule<int> thenable_jobs = 1;  // microtasks.thenable-jobs: calling the `then` of a thenable
  Rule<int> adopt_jobs = 1;     // microtasks.resolve-with-promise: calling the `then` of another promise
};

}  // namespace conform::reference

#endif  // CONFORM_REFERENCE_IMPL_HOST_PROMISE_RULES_H_
