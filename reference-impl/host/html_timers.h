// The timers of a page: which of them may run now.
#ifndef CONFORM_REFERENCE_IMPL_HOST_HTML_TIMERS_H_
#define CONFORM_REFERENCE_IMPL_HOST_HTML_TIMERS_H_

#include <cstdint>
#include <memory>
#include <vector>

#include "reference-impl/host/html_rules.h"
#include "reference-impl/host/task.h"
#include "reference-impl/platform/time.h"

namespace conform::reference {

struct HtmlTimer : Thing {
  TaskPtr task;
  int64_t asked_ms = 0;  // a whole number, and not negative
  int64_t waits_ms = 0;  // this time: what was asked, or what the level demands
  Time deadline;
  int level = 0;  // of nesting, of the task that this timer will be
  bool repeats = false;
  bool stands = false;     // it is among those that are to come
  bool overtakes = false;  // it does not wait for those that were started before it

  void AddTo(Fingerprint* fingerprint) const override;
};
using HtmlTimerPtr = std::shared_ptr<HtmlTimer>;

// What a browser makes of a delay: an integer of 32 bits, at least 0. spec: html.delay-conversion
int64_t HtmlDelay(double asked);

class HtmlTimers {
 public:
  HtmlTimers(const HtmlRules& rules, Clock& clock) : rules_(rules), clock_(clock) {}

  // `level` is that of the task that asks, 0 where that is not a timer. REQUIRES: the timer is not pending.
  void Start(const HtmlTimerPtr& timer, int level);
  // The same for the next run of an interval, counted from the time when the last one was due.
  void StartFromDue(const HtmlTimerPtr& timer, int level);
  void Clear(HtmlTimer* timer);

  bool empty() const { return timers_.empty(); }
  // The earliest deadline. REQUIRES: !empty().
  Time Earliest() const;
  // Those that may run when the clock shows `now`, in the order in which they were started.
  std::vector<HtmlTimerPtr> Ready(Time now) const;

  void AddTo(Fingerprint* fingerprint) const;

 private:
  void Stand(const HtmlTimerPtr& timer, Time from, int level);
  bool IsHeldBack(size_t index) const;

  const HtmlRules& rules_;
  Clock& clock_;
  std::vector<HtmlTimerPtr> timers_;  // in the order in which they were started
};

}  // namespace conform::reference

#endif  // CONFORM_REFERENCE_IMPL_HOST_HTML_TIMERS_H_
