// The signals of the Node host: who listens, and what is on its way to them.
#ifndef CONFORM_REFERENCE_IMPL_HOST_NODE_SIGNALS_H_
#define CONFORM_REFERENCE_IMPL_HOST_NODE_SIGNALS_H_

#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "reference-impl/host/node_parts.h"
#include "reference-impl/host/task.h"

namespace conform::reference {

// What listens for a signal.
struct SignalListener : Thing {
  explicit SignalListener(TaskPtr of) : task(std::move(of)) {}
  void AddTo(Fingerprint* fingerprint) const override { AddTask(fingerprint, task); }
  const TaskPtr task;
};

class NodeSignals {
 public:
  // `core` must outlive this.
  explicit NodeSignals(NodeCore& core) : core_(core) {}

  // Adds a listener for the signal of the task's step, behind those that the signal has, and returns it, for
  // RemoveListener. A signal is watched while it has a listener.
  ThingPtr Listen(const TaskPtr& task);
  // The process gets the signal. The rule `signal-handlers` says whether and how the loop calls its listeners for it.
  void Raise(int number);
  // The last listener of a signal ends the watch, and what is under way to it is lost, also for a listener that is
  // added later. No effect where the listener was removed before.
  void RemoveListener(const SignalListener& listener);
  // Who listens, in order, and what is under way.
  void AddTo(Fingerprint* fingerprint) const;

 private:
  struct SignalWatch;
  struct SignalReport;

  Outcome CallHandlers(const SignalWatch& watch);
  // As Bun does it: a thread hands the signal to the loop, beside the results of the pool.
  void ReportByAnotherThread(int number);

  NodeCore& core_;
  std::map<int, std::shared_ptr<SignalWatch>> watches_;  // by number, while it has a listener
  std::vector<std::shared_ptr<SignalWatch>> closed_watches_;
  std::vector<std::shared_ptr<SignalReport>> reports_;  // that are on their way
};

}  // namespace conform::reference

#endif  // CONFORM_REFERENCE_IMPL_HOST_NODE_SIGNALS_H_
