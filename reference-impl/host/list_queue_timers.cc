// Node's timers since release 11: lists of timers by duration in a queue by expiry, served by one timer of the loop.
#include <algorithm>
#include <deque>
#include <optional>
#include <vector>

#include "reference-impl/host/node_timers.h"
#include "runners/base/check.h"

namespace conform::reference {

void Timeout::AddTo(Fingerprint* fingerprint) const {
  AddTask(fingerprint, task);
  AddThing(fingerprint, resolves.get());
  fingerprint->Add(static_cast<uint64_t>(duration_ms * 16));
  fingerprint->Add((repeats ? 1u : 0u) | (referenced ? 2u : 0u) | (destroyed ? 4u : 0u) | (in_list ? 8u : 0u) |
                   (cleared ? 16u : 0u));
  if (in_list) fingerprint->Add(start);
}

namespace {

struct TimerList {
  Time expiry;
  int64_t id;
  double ms;  // the duration that it is for
  std::deque<TimeoutPtr> timers;
};
using TimerListPtr = std::shared_ptr<TimerList>;

class ListQueueTimers : public NodeTimers {
 public:
  ListQueueTimers(NodeCore& core, TimerCaller& caller)
      : core_(core), rules_(core.rules()), caller_(caller), loop_(core.loop()) {
    handle_.callback = [](TimerHandle* handle) { static_cast<Owner*>(handle)->self->RunTimers(); };
    handle_.self = this;
    handle_.referenced = false;
  }

  // spec: timers.fresh-clock-at-start
  void Start(const TimeoutPtr& timer) override {
    if (timer->referenced) CountRef(+1);
    Insert(timer, rules_.list_start == NodeRules::ListStart::kFreshTime ? FreshNow() : loop_.now());
  }

  // spec: timers.clear
  void Clear(const TimeoutPtr& timer) override {
    timer->cleared = true;
    if (timer->destroyed) return;
    timer->destroyed = true;
    RemoveFromList(timer);
    if (!timer->referenced) return;  // an empty list of unreferenced timers stays, and is visited once more
    const auto it = FindList(timer->duration_ms);
    if (it != lists_.end() && (*it)->timers.empty()) lists_.erase(it);
    CountRef(-1);
  }

  // spec: timers.refresh
  void Refresh(const TimeoutPtr& timer) override {
    if (timer->cleared && rules_.refresh != NodeRules::Refresh::kRevivesCleared) return;
    timer->cleared = false;
    RemoveFromList(timer);
    Insert(timer, rules_.refresh == NodeRules::Refresh::kKeepsStart ? timer->start : FreshNow());
    if (timer->destroyed) {
      timer->destroyed = false;
      if (timer->referenced) CountRef(+1);
    }
  }

  void Ref(const TimeoutPtr& timer) override {
    if (timer->referenced) return;
    timer->referenced = true;
    if (!timer->destroyed) CountRef(+1);
  }

  void Unref(const TimeoutPtr& timer) override {
    if (!timer->referenced) return;
    timer->referenced = false;
    if (!timer->destroyed) CountRef(-1);
  }

  void AddTo(Fingerprint* fingerprint) const override {
    fingerprint->Add(static_cast<uint64_t>(ref_count_));
    fingerprint->Add(next_expiry_.has_value() ? 1 : 0);
    if (next_expiry_.has_value()) fingerprint->Add(*next_expiry_);
    std::vector<TimerListPtr> by_id = lists_;
    std::sort(by_id.begin(), by_id.end(), [](const auto& a, const auto& b) { return a->id < b->id; });
    fingerprint->Add(by_id.size());
    for (const TimerListPtr& list : by_id) {
      fingerprint->Add(list->expiry);
      fingerprint->Add(static_cast<uint64_t>(list->ms * 16));
      fingerprint->Add(list->timers.size());
      for (const TimeoutPtr& timer : list->timers) AddThing(fingerprint, timer.get());
    }
  }

 private:
  struct Owner : TimerHandle {
    ListQueueTimers* self = nullptr;
  };

  // From when on a timer may run. spec: timers.threshold
  Time DueTime(const TimeoutPtr& timer, Time start) const {
    return start + timer->needed_ms() + rules_.list_lateness_ms;
  }

  Time FreshNow() {
    loop_.UpdateTime();
    return loop_.now();
  }

  std::vector<TimerListPtr>::iterator FindList(double ms) {
    return std::find_if(lists_.begin(), lists_.end(), [ms](const TimerListPtr& list) { return list->ms == ms; });
  }

  // spec: timers.lists-by-duration
  void Insert(const TimeoutPtr& timer, Time start) {
    timer->start = start;
    const bool joins = rules_.timer_lists == NodeRules::TimerLists::kByDuration;
    auto it = joins ? FindList(timer->duration_ms) : lists_.end();
    if (it == lists_.end()) {
      const Time expiry = DueTime(timer, start);
      it = lists_.insert(lists_.end(),
                         std::make_shared<TimerList>(TimerList{expiry, next_list_id_++, timer->duration_ms, {}}));
      if (!next_expiry_.has_value() || loop_.clock().Before(expiry, *next_expiry_)) {
        loop_.StartTimer(&handle_, timer->handle_ms(), 0);
        next_expiry_ = expiry;
      }
    }
    std::deque<TimeoutPtr>& timers = (*it)->timers;
    timers.insert(rules_.list_order == QueueOrder::kOldestFirst ? timers.end() : timers.begin(), timer);
    timer->in_list = true;
  }

  void RemoveFromList(const TimeoutPtr& timer) {
    if (!timer->in_list) return;
    timer->in_list = false;
    for (const TimerListPtr& list : lists_) std::erase(list->timers, timer);
  }

  void CountRef(int change) {
    const int before = ref_count_;
    ref_count_ += change;
    if (before == 0 && ref_count_ > 0) loop_.Ref(&handle_);
    if (before > 0 && ref_count_ == 0) loop_.Unref(&handle_);
  }

  // The list with the least expiry; of equal ones, that with the least id. Null when there is none. spec:
  // timers.equal-deadline-start-order
  TimerListPtr NextList() {
    TimerListPtr next;
    for (const TimerListPtr& list : lists_) {
      if (next == nullptr || loop_.clock().Before(list->expiry, next->expiry)) {
        next = list;
      } else if (!loop_.clock().Before(next->expiry, list->expiry) &&
                 (list->id < next->id) == (rules_.list_ties == QueueOrder::kOldestFirst)) {
        next = list;
      }
    }
    return next;
  }

  void RunTimers() {
    // One scope around all; an error ends the pass, and the pass begins anew with the same time.
    // spec: errors.throw-in-timer
    const Time now = FreshNow();
    for (;;) {
      const Outcome outcome = ProcessTimers(now);
      if (!outcome.thrown()) break;
      core_.TriggerUncaught(outcome.error);
      if (rules_.timer_throw == NodeRules::TimerThrow::kRestInNextPass) {
        if (const TimerListPtr next = NextList()) next_expiry_ = next->expiry;
        break;
      }
    }
    if (next_expiry_.has_value()) {
      loop_.StartTimerAt(&handle_, loop_.clock().Later(*next_expiry_, loop_.now() + 1), 0);
      if (ref_count_ > 0) {
        loop_.Ref(&handle_);
      } else {
        loop_.Unref(&handle_);
      }
    } else {
      loop_.Unref(&handle_);
    }
    core_.CloseScope();
  }

  Outcome ProcessTimers(Time now) {
    next_expiry_.reset();
    bool ran_a_list = false;
    for (TimerListPtr list = NextList(); list != nullptr; list = NextList()) {
      if (!loop_.clock().NotAfter(list->expiry, now)) {
        next_expiry_ = list->expiry;
        break;
      }
      if (rules_.list_clock == NodeRules::ListClock::kEachTimer) now = FreshNow();
      if (ran_a_list && rules_.timer_drain != NodeRules::TimerDrain::kNotBetweenLists) {
        if (Outcome outcome = core_.RunNextTicks(); outcome.thrown()) return outcome;
      }
      ran_a_list = true;
      if (Outcome outcome = RunList(list, now); outcome.thrown()) return outcome;
    }
    return Outcome::Done();
  }

  // spec: timers.due-in-one-pass
  Outcome RunList(const TimerListPtr& list, Time now) {
    bool ran_a_timer = false;
    while (!list->timers.empty()) {
      const TimeoutPtr timer = list->timers.front();
      const Time due = DueTime(timer, timer->start);
      // spec: timers.expiring-in-pass-waits, starvation.timers-yield
      if (rules_.list_clock == NodeRules::ListClock::kEachTimer) now = FreshNow();
      if (!loop_.clock().NotAfter(due, now)) {
        list->expiry = rules_.list_requeue == NodeRules::ListRequeue::kAtLeastNextMillisecond
                           ? loop_.clock().Later(due, now + 1)
                           : due;
        list->id = next_list_id_++;
        return Outcome::Done();
      }
      if (ran_a_timer && rules_.timer_drain != NodeRules::TimerDrain::kNotInList) {
        // The next timer was picked before the drain: spec: drain.after-each-callback
        if (Outcome outcome = core_.RunNextTicks(); outcome.thrown()) return outcome;
      }
      ran_a_timer = true;
      RemoveFromList(timer);
      if (timer->cleared && rules_.clear_timer != NodeRules::ClearTimer::kNotInPass) continue;
      Time start;
      if (timer->repeats) start = FreshNow();
      const Outcome outcome = caller_.CallTimer(timer, "timers.lists-by-duration");
      const bool once = !timer->repeats || rules_.interval_start == NodeRules::IntervalStart::kNever;
      if (!once && !timer->cleared) {
        RemoveFromList(timer);
        Insert(timer, NextStart(timer, start, due));
      } else if ((!timer->in_list || !rules_.refresh_in_callback_kept) && !timer->destroyed) {
        RemoveFromList(timer);
        timer->destroyed = true;
        if (timer->referenced) --ref_count_;
      }
      if (outcome.thrown()) return outcome;
    }
    const auto it = std::find(lists_.begin(), lists_.end(), list);
    if (it != lists_.end()) lists_.erase(it);
    return Outcome::Done();
  }

  // From when the next run of an interval counts that was due at `due` and began at `began`. spec:
  // timers.interval-rearm
  Time NextStart(const TimeoutPtr& timer, Time began, Time due) {
    switch (rules_.interval_start) {
      case NodeRules::IntervalStart::kBeforeCallback:
      case NodeRules::IntervalStart::kNever:
        return began;
      case NodeRules::IntervalStart::kBeforeCallbackFloor: {
        const Time now = FreshNow();
        return loop_.clock().NotAfter(began + timer->handle_ms(), now) ? now + (1 - timer->handle_ms()) : began;
      }
      case NodeRules::IntervalStart::kAfterCallback:
        return FreshNow();
      case NodeRules::IntervalStart::kWhenDue:
        return due;
    }
    return began;
  }

  NodeCore& core_;
  const NodeRules& rules_;
  TimerCaller& caller_;
  Loop& loop_;
  Owner handle_;
  std::vector<TimerListPtr> lists_;
  int64_t next_list_id_ = 0;
  std::optional<Time> next_expiry_;
  int ref_count_ = 0;
};

}  // namespace

std::unique_ptr<NodeTimers> MakeListQueueTimers(NodeCore& core, TimerCaller& caller) {
  return std::make_unique<ListQueueTimers>(core, caller);
}

}  // namespace conform::reference
