#include "reference-impl/host/node_signals.h"

#include <algorithm>
#include <string>
#include <utility>

namespace conform::reference {

struct NodeSignals::SignalWatch : Thing {
  SignalHandle handle;
  std::vector<TaskPtr> handlers;
  NodeSignals* owner = nullptr;

  void AddTo(Fingerprint* fingerprint) const override {
    for (const TaskPtr& handler : handlers) AddTask(fingerprint, handler);
  }
};

// What another thread has to report: a signal, however often it was raised.
struct NodeSignals::SignalReport : Thing {
  Request request;
  int number = 0;
  bool is_lost = false;  // it was for listeners that have gone
  NodeSignals* owner = nullptr;

  void AddTo(Fingerprint* fingerprint) const override {
    fingerprint->Add(static_cast<uint64_t>(number) * 2 + (is_lost ? 1 : 0));
  }
};

ThingPtr NodeSignals::Listen(const TaskPtr& task) {
  const int number = SignalOf(*task->step).number;
  std::shared_ptr<SignalWatch>& watch = watches_[number];
  if (watch == nullptr) {
    watch = std::make_shared<SignalWatch>();
    watch->owner = this;
    watch->handle.data = static_cast<Thing*>(watch.get());
    watch->handle.number = number;
    // spec: liveness.signal-handlers
    watch->handle.referenced = core_.rules().signal_handlers == NodeRules::SignalHandlers::kKeepAlive;
    watch->handle.callback = [](SignalHandle* handle) {
      auto* self = static_cast<SignalWatch*>(static_cast<Thing*>(handle->data));
      self->owner->core_.MakeCallback([&] { return self->owner->CallHandlers(*self); });
    };
    const bool by_loop = core_.rules().signal_handlers != NodeRules::SignalHandlers::kByAnotherThread;
    if (by_loop) core_.loop().StartSignal(&watch->handle);
  }
  watch->handlers.push_back(task);
  return std::make_shared<SignalListener>(task);
}

Outcome NodeSignals::CallHandlers(const SignalWatch& watch) {
  // The listeners are those of the moment at which the event is emitted; or, elsewhere, of each call.
  const bool live = core_.rules().signal_handlers == NodeRules::SignalHandlers::kByAnotherThread;
  for (const TaskPtr& handler : std::vector<TaskPtr>(watch.handlers)) {
    if (live && std::find(watch.handlers.begin(), watch.handlers.end(), handler) == watch.handlers.end()) continue;
    Outcome outcome = core_.Call(handler, {"poll", "poll.signals-last"}, {});
    if (outcome.thrown()) return outcome;
  }
  return Outcome::Done();
}

// spec: poll.signal-each-time
void NodeSignals::Raise(int number) {
  switch (core_.rules().signal_handlers) {
    case NodeRules::SignalHandlers::kNeverCalled:
      break;
    case NodeRules::SignalHandlers::kNotAlive:
    case NodeRules::SignalHandlers::kKeepAlive:
      core_.loop().RaiseSignal(number);
      break;
    case NodeRules::SignalHandlers::kByAnotherThread:
      ReportByAnotherThread(number);
      break;
  }
}

void NodeSignals::ReportByAnotherThread(int number) {
  const auto is_under_way = [number](const auto& report) { return report->number == number && !report->is_lost; };
  if (!watches_.contains(number) || std::any_of(reports_.begin(), reports_.end(), is_under_way)) return;
  const auto report = std::make_shared<SignalReport>();
  report->number = number;
  report->owner = this;
  report->request.data = static_cast<Thing*>(report.get());
  report->request.name = "signal " + std::to_string(number);
  report->request.referenced = false;
  report->request.callback = [](Request* request) {
    auto* self = static_cast<SignalReport*>(static_cast<Thing*>(request->data));
    NodeSignals* signals = self->owner;
    const auto found = std::find_if(signals->reports_.begin(), signals->reports_.end(),
                                    [self](const auto& one) { return one.get() == self; });
    const std::shared_ptr<SignalReport> arrived = *found;
    signals->reports_.erase(found);
    const auto watch = signals->watches_.find(arrived->number);
    if (arrived->is_lost || watch == signals->watches_.end()) return;
    const std::shared_ptr<SignalWatch> kept = watch->second;  // a handler may remove itself
    signals->core_.MakeCallback([&] { return signals->CallHandlers(*kept); });
  };
  reports_.push_back(report);
  core_.loop().Submit(&report->request, kOwnThread);
}

// The handle goes with its last listener, and what is under way to it is lost. spec: close.signal-under-way
void NodeSignals::RemoveListener(const SignalListener& listener) {
  const auto found = watches_.find(SignalOf(*listener.task->step).number);
  if (found == watches_.end()) return;
  const std::shared_ptr<SignalWatch> watch = found->second;
  if (std::erase(watch->handlers, listener.task) == 0 || !watch->handlers.empty()) return;
  watches_.erase(found);
  if (core_.rules().signal_handlers == NodeRules::SignalHandlers::kByAnotherThread) {
    // The thread may have handed it over already, to those that have gone.
    const auto first = [](size_t i) { return std::string(i == 0 ? "the removal of a listener" : "its signal"); };
    for (const auto& report : reports_) {
      if (report->number != watch->handle.number || report->is_lost) continue;
      report->is_lost = core_.loop().platform().First(2, first) == 1;
    }
    return;
  }
  closed_watches_.push_back(watch);
  core_.loop().CloseSignal(&watch->handle, nullptr);
}

void NodeSignals::AddTo(Fingerprint* fingerprint) const {
  for (const auto& [number, watch] : watches_) {
    fingerprint->Add(static_cast<uint64_t>(number));
    AddThing(fingerprint, watch.get());
  }
  for (const auto& report : reports_) AddThing(fingerprint, report.get());
}

}  // namespace conform::reference
