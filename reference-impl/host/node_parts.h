// What the parts of the Node host (timers, immediates, I/O) offer one another.
#ifndef CONFORM_REFERENCE_IMPL_HOST_NODE_PARTS_H_
#define CONFORM_REFERENCE_IMPL_HOST_NODE_PARTS_H_

#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "reference-impl/host/node_rules.h"
#include "reference-impl/host/task.h"
#include "reference-impl/loop/loop.h"

namespace conform::reference {

// Work of the host itself that is in the tick queue among the program's ticks.
struct InternalTick : Thing {
  virtual Outcome Run() = 0;
};

// An error that comes out of a tick.
struct ThrowingTick : InternalTick {
  explicit ThrowingTick(std::string what) : error(std::move(what)) {}
  Outcome Run() override { return Outcome::Thrown(error); }
  void AddTo(Fingerprint* fingerprint) const override { fingerprint->Add(error); }
  const std::string error;
};

class NodeCore {
 public:
  virtual ~NodeCore() = default;
  virtual Loop& loop() = 0;
  virtual const NodeRules& rules() const = 0;
  // Something was done that may be done again and again without a callback: limits count it.
  virtual void CountStep() = 0;

  // Runs a callback of the program, at the current place.
  virtual Outcome Call(const TaskPtr& task, Where where, const std::string& outcome) = 0;
  // Ticks, then microtasks, until both are empty; then rejections. spec: drain.after-each-callback
  virtual Outcome RunNextTicks() = 0;
  // Runs the queue of ticks, and what the release runs with it, at the current place.
  virtual Outcome RunTickCallback() = 0;
  // Opens a callback scope, runs `body`, reports an uncaught error, and drains unless something failed.
  // Returns false when `body` itself threw.
  virtual bool MakeCallback(const std::function<Outcome()>& body) = 0;
  // Something threw in the drain that ended the last MakeCallback whose body did not throw.
  virtual bool drain_failed() const = 0;
  // The end of a callback scope: drains. False when something threw in it.
  virtual bool CloseScope() = 0;
  // An uncaught error: runs the handlers, or ends the process.
  virtual void TriggerUncaught(const std::string& error) = 0;
  // An error that nothing can handle: ends the process, now or when nothing is left to run.
  virtual void EndUnhandled() = 0;
  // Microtasks alone, until there are none.
  virtual void RunMicrotasks() = 0;
  virtual void QueueTick(const TaskPtr& task, const std::string& outcome) = 0;
  virtual void QueueInternalTick(std::shared_ptr<InternalTick> tick) = 0;
  // Calls the listeners of an event of the process. False where it has none.
  virtual bool EmitEvent(const std::string& event, const std::string& outcome, Where where,
                         Outcome* outcome_of_handlers) = 0;
  // Resolves a promise that the host has made.
  virtual Outcome Resolve(const ThingPtr& promise) = 0;
  // A rejection is to be reported by the next drain.
  virtual void RejectionIsPending() = 0;
  // Prints a warning. spec: liveness.ref-counts
  virtual void Warn() = 0;
  // The next drain does not look for rejections, unless another one is added.
  virtual void ForgetRejections() = 0;
};

}  // namespace conform::reference

#endif  // CONFORM_REFERENCE_IMPL_HOST_NODE_PARTS_H_
