// setTimeout and setInterval.
#ifndef CONFORM_REFERENCE_IMPL_HOST_NODE_TIMERS_H_
#define CONFORM_REFERENCE_IMPL_HOST_NODE_TIMERS_H_

#include <cstdint>
#include <memory>

#include "reference-impl/host/node_parts.h"
#include "reference-impl/host/task.h"

namespace conform::reference {

struct Timeout : Thing {
  TaskPtr task;
  ThingPtr resolves;       // `as promise`: what is resolved instead of running the task
  double duration_ms = 1;  // after clamping; a fraction where the release keeps it
  bool repeats = false;
  Time start;
  bool referenced = true;
  bool reference_forgotten = false;  // it is not known any more whether it was referenced
  bool destroyed = false;            // has run for the last time, or was cleared
  bool cleared = false;
  bool ended_by_unref = false;       // cleared, but it still has its callback
  bool has_ended_uncleared = false;  // before it was cleared
  bool cleared_as_immediate = false;
  bool in_list = false;
  bool has_run = false;  // kept only where each list has a handle

  // The key of its list, and the least whole number of milliseconds that must have passed.
  int64_t handle_ms() const { return static_cast<int64_t>(duration_ms); }
  int64_t needed_ms() const {
    const int64_t whole = handle_ms();
    return static_cast<double>(whole) < duration_ms ? whole + 1 : whole;
  }
  void AddTo(Fingerprint* fingerprint) const override;
};
using TimeoutPtr = std::shared_ptr<Timeout>;

// The delay that a release makes of what the program requests. spec: timers.clamp-to-one, timers.clamp-max,
// timers.truncate
double ClampDelay(double asked, const NodeRules& rules);

class NodeTimers {
 public:
  virtual ~NodeTimers() = default;
  virtual void Start(const TimeoutPtr& timer) = 0;
  virtual void Clear(const TimeoutPtr& timer) = 0;
  // What clearImmediate does to a timer. Returns whether it then counts the timer as a referenced immediate.
  virtual bool ClearAsImmediate(const TimeoutPtr& timer) = 0;
  virtual void Refresh(const TimeoutPtr& timer) = 0;
  virtual void Ref(const TimeoutPtr& timer) = 0;
  virtual void Unref(const TimeoutPtr& timer) = 0;
  virtual void AddTo(Fingerprint* fingerprint) const = 0;
};

// How timers run their callbacks: `as promise` resolves, everything else calls.
class TimerCaller {
 public:
  virtual ~TimerCaller() = default;
  virtual Outcome CallTimer(const TimeoutPtr& timer, const char* clause) = 0;
};

// timer-store: list-queue. One timer of the loop for all lists.
std::unique_ptr<NodeTimers> MakeListQueueTimers(NodeCore& core, TimerCaller& caller);
// timer-store: handle-per-list. A timer of the loop for each duration.
std::unique_ptr<NodeTimers> MakeHandlePerListTimers(NodeCore& core, TimerCaller& caller);

}  // namespace conform::reference

#endif  // CONFORM_REFERENCE_IMPL_HOST_NODE_TIMERS_H_
