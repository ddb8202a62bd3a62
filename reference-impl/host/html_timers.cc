#include "reference-impl/host/html_timers.h"

#include <algorithm>
#include <cmath>

#include "runners/base/check.h"

namespace conform::reference {

void HtmlTimer::AddTo(Fingerprint* fingerprint) const {
  AddTask(fingerprint, task);
  fingerprint->Add(static_cast<uint64_t>(asked_ms));
  fingerprint->Add(static_cast<uint64_t>(waits_ms));
  fingerprint->Add(static_cast<uint64_t>(level));
  fingerprint->Add((repeats ? 1u : 0u) | (stands ? 2u : 0u) | (overtakes ? 4u : 0u));
  if (stands) fingerprint->Add(deadline);
}

int64_t HtmlDelay(double asked) {
  constexpr double kValues = 4294967296.0;  // of an integer of 32 bits
  if (!std::isfinite(asked)) return 0;
  double wrapped = std::fmod(std::trunc(asked), kValues);
  if (wrapped < 0) wrapped += kValues;
  if (wrapped >= kValues / 2) wrapped -= kValues;
  return std::max<int64_t>(0, static_cast<int64_t>(wrapped));
}

void HtmlTimers::Start(const HtmlTimerPtr& timer, int level) {
  timer->overtakes = false;
  Stand(timer, clock_.Read(), level);
}

// spec: html.interval-start
void HtmlTimers::StartFromDue(const HtmlTimerPtr& timer, int level) {
  timer->overtakes = true;
  Stand(timer, timer->deadline, level);
}

void HtmlTimers::Stand(const HtmlTimerPtr& timer, Time from, int level) {
  CONFORM_CHECK(!timer->stands);
  // spec: html.nesting-clamp
  timer->waits_ms =
      level > rules_.nesting_limit ? std::max<int64_t>(timer->asked_ms, rules_.nested_delay_ms) : timer->asked_ms;
  // Deeper levels are all alike.
  timer->level = std::min(level, rules_.nesting_limit) + 1;
  timer->deadline = from + timer->waits_ms;
  timer->stands = true;
  timers_.push_back(timer);
}

void HtmlTimers::Clear(HtmlTimer* timer) {
  if (!timer->stands) return;
  timer->stands = false;
  std::erase_if(timers_, [timer](const HtmlTimerPtr& one) { return one.get() == timer; });
}

// spec: html.timer-order, html.timer-order-open. Only what was started before, with no longer a delay, has to come
// first.
bool HtmlTimers::IsHeldBack(size_t index) const {
  const HtmlTimer& timer = *timers_[index];
  if (timer.overtakes || rules_.timer_order == HtmlRules::TimerOrder::kAny) return false;
  return std::any_of(timers_.begin(), timers_.begin() + static_cast<std::ptrdiff_t>(index),
                     [&](const HtmlTimerPtr& before) { return before->waits_ms <= timer.waits_ms; });
}

Time HtmlTimers::Earliest() const {
  CONFORM_CHECK(!timers_.empty());
  Time earliest = timers_.front()->deadline;
  for (size_t i = 1; i < timers_.size(); ++i) {
    if (!IsHeldBack(i) && clock_.Before(timers_[i]->deadline, earliest)) earliest = timers_[i]->deadline;
  }
  return earliest;
}

// spec: html.timer-threshold
std::vector<HtmlTimerPtr> HtmlTimers::Ready(Time now) const {
  std::vector<HtmlTimerPtr> ready;
  for (size_t i = 0; i < timers_.size(); ++i) {
    if (!IsHeldBack(i) && clock_.NotAfter(timers_[i]->deadline, now)) ready.push_back(timers_[i]);
  }
  return ready;
}

void HtmlTimers::AddTo(Fingerprint* fingerprint) const {
  fingerprint->Add(timers_.size());
  for (const HtmlTimerPtr& timer : timers_) AddThing(fingerprint, timer.get());
}

}  // namespace conform::reference
