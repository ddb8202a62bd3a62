// Promises and the microtask queue, job for job.
#ifndef CONFORM_REFERENCE_IMPL_HOST_PROMISES_H_
#define CONFORM_REFERENCE_IMPL_HOST_PROMISES_H_

#include <memory>
#include <string>
#include <vector>

#include "reference-impl/host/promise_rules.h"
#include "reference-impl/host/task.h"
#include "reference-impl/platform/fifo.h"

namespace conform::reference {

struct Promise;
using PromisePtr = std::shared_ptr<Promise>;

// An async function that has begun: how far it has got, and the promise that it settles.
struct Coroutine : Thing {
  TaskPtr task;
  int64_t run = 0;  // of the task
  std::vector<Frame> stack;
  PromisePtr promise;
  std::string resume_label;     // emitted when it resumes
  const Step* emits = nullptr;  // `await W`: W is emitted when it resumes for the first time
  bool is_await = false;        // its body is that of the task, and not of a function that the task calls

  void AddTo(Fingerprint* fingerprint) const override;
};

// What Promise.all and its like have under way: the promise that they make of others.
struct Combination : Thing {
  enum class Kind { kAll, kRace, kAny, kAllSettled };
  Kind kind = Kind::kAll;
  size_t left = 0;  // promises that have not had their say
  PromisePtr promise;

  void AddTo(Fingerprint* fingerprint) const override;
};

// What happens when a promise is settled.
struct Reaction {
  enum class Kind {
    kThen,     // runs `task` if fulfilled
    kCatch,    // runs `task` if rejected
    kFinally,  // runs `task` either way
    kThunk,    // after `finally`: hands on `thunk_error` or success
    kForward,  // settles `derived` alike: the resolving functions that a thenable job hands to `then`
    kAwait,    // resumes `coroutine`
    kElement,  // reports to `combination`
  };
  Kind kind = Kind::kThen;
  TaskPtr task;
  PromisePtr derived;
  std::shared_ptr<Coroutine> coroutine;
  std::shared_ptr<Combination> combination;
  bool thunk_rejects = false;
  std::string thunk_error;
};

struct Promise : Thing {
  enum class State { kPending, kFulfilled, kRejected };
  State state = State::kPending;
  bool already_resolved = false;  // settled, or bound to another promise
  bool handled = false;
  std::string error;
  std::shared_ptr<Promise> value;  // kLazyUnwrap: fulfilled with this promise
  std::vector<Reaction> reactions;

  void AddTo(Fingerprint* fingerprint) const override;
};

// An object of the program with its own `then`.
struct Thenable : Thing {
  TaskPtr task;
  void AddTo(Fingerprint* fingerprint) const override { AddTask(fingerprint, task); }
};

// What promises need of their host.
class PromiseHost {
 public:
  virtual ~PromiseHost() = default;
  virtual Outcome RunReaction(const TaskPtr& task, const char* clause) = 0;
  // Continues an async function. If what it awaited was `rejected`, `error` is thrown at that place.
  virtual void Resume(const std::shared_ptr<Coroutine>& coroutine, bool rejected, const std::string& error) = 0;
  virtual void RejectedWithoutHandler(const PromisePtr& promise) = 0;
  virtual void HandledAfterAll(const PromisePtr& promise) = 0;
};

class Promises {
 public:
  Promises(const PromiseRules& rules, PromiseHost& host) : rules_(rules), host_(host) {}

  const PromiseRules& rules() const { return rules_; }

  static PromisePtr MakePending();
  static PromisePtr MakeFulfilled();

  // promise.then and its kin. Returns the derived promise.
  PromisePtr Then(const PromisePtr& promise, Reaction::Kind kind, const TaskPtr& task);
  // Promise.all and its like. Each element is a promise or a thenable.
  PromisePtr Combine(Combination::Kind kind, const std::vector<ThingPtr>& elements);
  // `value` null is a plain value.
  void Resolve(const PromisePtr& promise, const ThingPtr& value);
  void Reject(const PromisePtr& promise, const std::string& error);
  void Await(const std::shared_ptr<Coroutine>& coroutine, const ThingPtr& value);
  void EnqueueCallback(const TaskPtr& task);
  void EnqueueCoroutine(const std::shared_ptr<Coroutine>& coroutine);  // begins it as a job

  bool empty() const { return jobs_.empty(); }
  size_t size() const { return jobs_.size(); }
  // Runs the oldest job. A throw is only possible for a plain callback. REQUIRES: !empty().
  Outcome RunNextJob();
  void Clear() { jobs_.clear(); }

  void AddTo(Fingerprint* fingerprint) const;

 private:
  struct Job {
    enum class Kind { kReaction, kThenable, kCallback, kBegin };
    Kind kind;
    Reaction reaction;  // kReaction; kCallback uses its task, kBegin its coroutine
    bool rejected = false;
    std::string error;
    PromisePtr value;     // kReaction: what the promise was fulfilled with, if that is a promise
    PromisePtr promise;   // kThenable: to be resolved
    ThingPtr thenable;    // kThenable
    int jobs_before = 0;  // how many jobs pass before this one does its work
  };

  // How many jobs a reaction takes.
  int JobsOf(Reaction::Kind kind) const;
  void Fulfil(const PromisePtr& promise);
  void Settle(const PromisePtr& promise);
  void AddReaction(const PromisePtr& promise, Reaction reaction);
  void EnqueueReaction(Reaction reaction, const Promise& settled);
  bool AdoptsAtOnce(const Promise& other) const;
  void ReactToInner(const Job& job);
  void RunReactionJob(const Job& job);
  void Tell(Combination* combination, bool rejected, const std::string& error);
  void RunThenableJob(const Job& job);
  void SettleFrom(const PromisePtr& derived, const Outcome& outcome);

  const PromiseRules& rules_;
  PromiseHost& host_;
  Fifo<Job> jobs_;
  bool in_place_ = false;  // something is being done without a job, and what it schedules must have one
};

}  // namespace conform::reference

#endif  // CONFORM_REFERENCE_IMPL_HOST_PROMISES_H_
