// Node's timers since release 11: lists of timers by duration in a queue by expiry, served by one timer of the loop.
#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "reference-impl/host/node_timers.h"
#include "reference-impl/platform/fifo.h"
#include "runners/base/check.h"

namespace conform::reference {

void Timeout::AddTo(Fingerprint* fingerprint) const {
  AddTask(fingerprint, task);
  AddThing(fingerprint, resolves.get());
  fingerprint->Add(static_cast<uint64_t>(duration_ms * 16));
  fingerprint->Add((repeats ? 1u : 0u) | (referenced ? 2u : 0u) | (destroyed ? 4u : 0u) | (in_list ? 8u : 0u) |
                   (cleared ? 16u : 0u) | (reference_forgotten ? 32u : 0u) | (cleared_as_immediate ? 64u : 0u) |
                   (has_ended_uncleared ? 256u : 0u) | (has_run ? 128u : 0u) | (ended_by_unref ? 512u : 0u));
  // Before 11, one that clearImmediate took out of its list still has its start when it is unreferenced.
  const bool has_ended = destroyed || (has_run && !repeats);
  if (in_list || !has_ended) fingerprint->Add(start);
}

namespace {

// When something is due: at a time, or a fraction of a millisecond after it. Readings of the clock are whole.
struct Expiry {
  Time whole;
  double fraction = 0;
};

struct TimerList {
  Expiry expiry;
  int64_t id;
  double ms;  // the duration that it is for
  Fifo<TimeoutPtr> timers;
  size_t position = 0;  // where it thinks that it is in the queue
};
using TimerListPtr = std::shared_ptr<TimerList>;

// a <= b
bool NotAfter(Clock& clock, const Expiry& a, const Expiry& b) {
  return a.fraction <= b.fraction ? clock.NotAfter(a.whole, b.whole) : clock.Before(a.whole, b.whole);
}

// The lists by expiry, and of equal ones by id. spec: timers.deadline-order, timers.lists-by-duration,
// timers.equal-deadline-start-order
class ListQueue {
 public:
  ListQueue(Clock& clock, const NodeRules& rules)
      : clock_(clock),
        sifts_the_root_(rules.list_removal == NodeRules::ListRemoval::kSiftsTheRoot),
        oldest_first_(rules.list_ties == QueueOrder::kOldestFirst) {}

  const std::vector<TimerListPtr>& lists() const { return lists_; }
  TimerListPtr Find(double ms) const {
    const auto has_duration = [ms](const TimerListPtr& list) { return list->ms == ms; };
    const auto it = std::find_if(lists_.begin(), lists_.end(), has_duration);
    return it == lists_.end() ? nullptr : *it;
  }
  // Where the list is, as far as that can decide anything.
  void AddPlaceTo(Fingerprint* fingerprint, const TimerList* list) const {
    if (!sifts_the_root_) return;
    const auto is_it = [list](const TimerListPtr& one) { return one.get() == list; };
    fingerprint->Add(static_cast<uint64_t>(std::find_if(lists_.begin(), lists_.end(), is_it) - lists_.begin()));
    fingerprint->Add(list->position);
  }
  bool Contains(const TimerListPtr& list) const {
    return std::find(lists_.begin(), lists_.end(), list) != lists_.end();
  }

  void Insert(const TimerListPtr& list) {
    lists_.push_back(list);
    if (!sifts_the_root_) return;
    size_t at = lists_.size() - 1;
    for (; at > 0 && Precedes(list, lists_[(at - 1) / 2]); at = (at - 1) / 2) Put(lists_[(at - 1) / 2], at);
    Put(list, at);
  }

  // The list that is served next; null when there is none.
  TimerListPtr Next() {
    if (lists_.empty()) return nullptr;
    TimerListPtr next = lists_[0];
    for (size_t i = 1; i < lists_.size() && !sifts_the_root_; ++i) {
      if (Precedes(lists_[i], next)) next = lists_[i];
    }
    return next;
  }

  // The list that is being served has another expiry now.
  void ChangedNext() {
    if (sifts_the_root_) SiftRoot();
  }

  // The list that is being served has come to its end. What goes is the root, whatever is there.
  void RemoveNext(const TimerListPtr& list) { sifts_the_root_ ? RemoveAt(0) : Remove(list); }

  void Remove(const TimerListPtr& list) {
    if (sifts_the_root_) return RemoveAt(list->position);
    std::erase(lists_, list);
  }

 private:
  bool Precedes(const TimerListPtr& a, const TimerListPtr& b) {
    if (!NotAfter(clock_, b->expiry, a->expiry)) return true;
    return NotAfter(clock_, a->expiry, b->expiry) && (a->id < b->id) == oldest_first_;
  }

  void Put(TimerListPtr list, size_t at) {
    list->position = at;
    lists_[at] = std::move(list);
  }

  // The last list takes the place that becomes free, and does not notice. It may belong above or below it; but what is
  // sifted is the root.
  void RemoveAt(size_t at) {
    const TimerListPtr last = lists_.back();
    lists_.pop_back();
    if (at < lists_.size()) lists_[at] = last;
    if (!lists_.empty()) SiftRoot();
  }

  void SiftRoot() {
    const TimerListPtr root = lists_[0];
    size_t at = 0;
    for (size_t child = 1; child < lists_.size(); child = 2 * at + 1) {
      if (child + 1 < lists_.size() && !Precedes(lists_[child], lists_[child + 1])) ++child;
      if (!Precedes(lists_[child], root)) break;
      Put(lists_[child], at);
      at = child;
    }
    Put(root, at);
  }

  Clock& clock_;
  const bool sifts_the_root_;
  const bool oldest_first_;
  std::vector<TimerListPtr> lists_;  // a heap with the root in front where removing sifts the root, else in any order
};

class ListQueueTimers : public NodeTimers {
 public:
  ListQueueTimers(NodeCore& core, TimerCaller& caller)
      : core_(core), rules_(core.rules()), caller_(caller), loop_(core.loop()), queue_(core.loop().clock(), rules_) {
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
    if (std::exchange(timer->cleared, true)) return;
    timer->has_ended_uncleared = timer->destroyed;
    if (timer->destroyed) return;
    timer->destroyed = true;
    RemoveFromList(timer);
    if (!timer->referenced) return;  // an empty list of unreferenced timers stays, and is visited once more
    const TimerListPtr list = queue_.Find(timer->duration_ms);
    if (list != nullptr && list->timers.empty()) queue_.Remove(list);
    CountRef(-1);
    ForgetReference(timer);
  }

  // The timer leaves its list, which stays; and it still counts for the loop being alive. spec: timers.clear
  bool ClearAsImmediate(const TimeoutPtr& timer) override {
    RemoveFromList(timer);
    timer->destroyed = true;
    timer->reference_forgotten = true;
    return std::exchange(timer->referenced, false);
  }

  // One that was cleared when it had ended is started again, though it has nothing to call. spec: timers.refresh
  void Refresh(const TimeoutPtr& timer) override {
    const bool revives = rules_.refresh == NodeRules::Refresh::kRevivesCleared;
    if (timer->cleared && !timer->has_ended_uncleared && !revives) return;
    if (revives) timer->cleared = false;
    // A timer that has ended has no start to keep.
    const bool keeps_start = rules_.refresh == NodeRules::Refresh::kKeepsStart && timer->in_list;
    RemoveFromList(timer);
    Insert(timer, keeps_start ? timer->start : FreshNow());
    timer->reference_forgotten = false;
    timer->cleared_as_immediate = false;
    if (std::exchange(timer->destroyed, false) && timer->referenced) CountRef(+1);
  }

  void Ref(const TimeoutPtr& timer) override {
    if (timer->referenced || (timer->reference_forgotten && !rules_.ended_timer_keeps_reference)) return;
    timer->referenced = true;
    timer->reference_forgotten = false;
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
    if (next_expiry_.has_value()) AddExpiry(fingerprint, *next_expiry_);
    std::vector<const TimerList*> by_id;
    by_id.reserve(queue_.lists().size());
    for (const TimerListPtr& list : queue_.lists()) by_id.push_back(list.get());
    std::sort(by_id.begin(), by_id.end(), [](const auto& a, const auto& b) { return a->id < b->id; });
    fingerprint->Add(by_id.size());
    for (const TimerList* const list : by_id) {
      queue_.AddPlaceTo(fingerprint, list);
      AddExpiry(fingerprint, list->expiry);
      fingerprint->Add(static_cast<uint64_t>(list->ms * 16));
      fingerprint->Add(list->timers.size());
      for (const TimeoutPtr& timer : list->timers) AddThing(fingerprint, timer.get());
    }
  }

 private:
  struct Owner : TimerHandle {
    ListQueueTimers* self = nullptr;
  };

  static void AddExpiry(Fingerprint* fingerprint, const Expiry& expiry) {
    fingerprint->Add(expiry.whole);
    fingerprint->Add(static_cast<uint64_t>(expiry.fraction * 16));
  }

  // From when on a timer may run. spec: timers.threshold
  Time DueTime(const TimeoutPtr& timer, Time start) const {
    return start + timer->needed_ms() + rules_.list_lateness_ms;
  }
  Expiry ExpiryOf(const TimeoutPtr& timer, Time start) const {
    const int64_t whole_ms = timer->handle_ms();
    return {start + whole_ms + rules_.list_lateness_ms, timer->duration_ms - static_cast<double>(whole_ms)};
  }

  Time FreshNow() {
    loop_.UpdateTime();
    return loop_.now();
  }

  // spec: timers.lists-by-duration
  void Insert(const TimeoutPtr& timer, Time start) {
    timer->start = start;
    const bool joins = rules_.timer_lists == NodeRules::TimerLists::kByDuration;
    TimerListPtr list = joins ? queue_.Find(timer->duration_ms) : nullptr;
    if (list == nullptr) {
      const Expiry expiry = ExpiryOf(timer, start);
      list = std::make_shared<TimerList>(TimerList{expiry, next_list_id_++, timer->duration_ms, {}});
      queue_.Insert(list);
      if (!next_expiry_.has_value() || !NotAfter(loop_.clock(), *next_expiry_, expiry)) {
        loop_.StartTimer(&handle_, timer->handle_ms(), 0);
        next_expiry_ = expiry;
      }
    }
    Fifo<TimeoutPtr>& timers = list->timers;
    timers.insert(rules_.list_order == QueueOrder::kOldestFirst ? timers.end() : timers.begin(), timer);
    timer->in_list = true;
  }

  void RemoveFromList(const TimeoutPtr& timer) {
    if (!timer->in_list) return;
    timer->in_list = false;
    for (const TimerListPtr& list : queue_.lists()) list->timers.Erase(timer);
  }

  void CountRef(int change) {
    const int before = ref_count_;
    ref_count_ += change;
    if (before == 0 && ref_count_ > 0) loop_.Ref(&handle_);
    if (before > 0 && ref_count_ == 0) loop_.Unref(&handle_);
  }

  // Some releases do not know any more whether a timer that has ended was referenced, and take it for one that was not
  // when it is refreshed. spec: timers.refresh
  void ForgetReference(const TimeoutPtr& timer) {
    if (rules_.ended_timer_keeps_reference) return;
    timer->referenced = false;
    timer->reference_forgotten = true;
  }

  void RunTimers() {
    core_.CountStep();  // its handle may be due again and again in one pass of the loop
    // One scope around all; an error ends the pass, and the pass begins anew with the same time.
    // spec: errors.throw-in-timer
    const Time now = FreshNow();
    for (;;) {
      const Outcome outcome = ProcessTimers(now);
      if (!outcome.thrown()) break;
      core_.TriggerUncaught(outcome.error);
      if (rules_.timer_throw == NodeRules::TimerThrow::kRestInNextPass) {
        if (const TimerListPtr next = queue_.Next()) next_expiry_ = next->expiry;
        break;
      }
    }
    if (next_expiry_.has_value()) {
      loop_.StartTimerAt(&handle_, loop_.clock().Later(next_expiry_->whole, loop_.now() + 1), 0);
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
    for (TimerListPtr list = queue_.Next(); list != nullptr; list = queue_.Next()) {
      if (!NotAfter(loop_.clock(), list->expiry, {now})) {
        next_expiry_ = list->expiry;
        break;
      }
      if (ran_a_list) core_.CountStep();  // it may be the same one, which is due and has no timer that is
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
        list->expiry = ExpiryOf(timer, timer->start);
        const bool at_least_next = rules_.list_requeue == NodeRules::ListRequeue::kAtLeastNextMillisecond;
        if (at_least_next && NotAfter(loop_.clock(), list->expiry, {now + 1})) list->expiry = {now + 1};
        list->id = next_list_id_++;
        queue_.ChangedNext();
        return Outcome::Done();
      }
      if (ran_a_timer && rules_.timer_drain != NodeRules::TimerDrain::kNotInList) {
        // The next timer was picked before the drain: spec: drain.after-each-callback
        if (Outcome outcome = core_.RunNextTicks(); outcome.thrown()) return outcome;
      }
      ran_a_timer = true;
      RemoveFromList(timer);
      if (timer->cleared && rules_.clear_timer != NodeRules::ClearTimer::kNotInPass) {
        if (!timer->destroyed) EndTimer(timer);
        continue;
      }
      Time start;
      if (timer->repeats) start = FreshNow();
      const Outcome outcome = caller_.CallTimer(timer, "timers.lists-by-duration");
      const bool once = !timer->repeats || rules_.interval_start == NodeRules::IntervalStart::kNever;
      if (!once && !timer->cleared) {
        RemoveFromList(timer);
        Insert(timer, NextStart(timer, start, due));
      } else if ((!timer->in_list || !rules_.refresh_in_callback_kept) && !timer->destroyed) {
        // A timer that was refreshed in its callback stays in its list where that is not seen, but no longer counts.
        EndTimer(timer);
      }
      if (outcome.thrown()) return outcome;
    }
    if (queue_.Contains(list)) queue_.RemoveNext(list);
    return Outcome::Done();
  }

  void EndTimer(const TimeoutPtr& timer) {
    timer->destroyed = !timer->in_list;
    if (timer->referenced) --ref_count_;
    ForgetReference(timer);
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
  ListQueue queue_;
  int64_t next_list_id_ = 0;
  std::optional<Expiry> next_expiry_;
  int ref_count_ = 0;
};

}  // namespace

std::unique_ptr<NodeTimers> MakeListQueueTimers(NodeCore& core, TimerCaller& caller) {
  return std::make_unique<ListQueueTimers>(core, caller);
}

}  // namespace conform::reference
