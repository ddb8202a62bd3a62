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
  explicit NodeSignals(NodeCore& core) : core_(core) {}

  ThingPtr Listen(const TaskPtr& task);
  void Raise(int number);
  void RemoveListener(const SignalListener& listener);
  void AddTo(Fingerprint* fingerprint) const;

 private:
  struct SignalWatch;
  struct SignalReport;

  Outcome CallHandlers(const SignalWatch& watch);
  void ReportByAnotherThread(int number);

  NodeCore& core_;
  std::map<int, std::shared_ptr<SignalWatch>> watches_;  // by number, while it has a listener
  std::vector<std::shared_ptr<SignalWatch>> closed_watches_;
  std::vector<std::shared_ptr<SignalReport>> reports_;  // that are on their way
};

}  // namespace conform::reference

#endif  // CONFORM_REFERENCE_IMPL_HOST_NODE_SIGNALS_H_
