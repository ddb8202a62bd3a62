// Node's timers before release 11: a list of timers for each duration, and a timer of the loop for each list.
#include <algorithm>
#include <utility>
#include <vector>

#include "reference-impl/host/node_timers.h"
#include "reference-impl/platform/fifo.h"

namespace conform::reference {

namespace {

class HandlePerListTimers;

// An unreferenced timer leaves its list and gets a timer of the loop for itself.
struct OwnHandle : Thing {
  TimerHandle handle;
  TimeoutPtr timer;
  HandlePerListTimers* owner = nullptr;
  void AddTo(Fingerprint* fingerprint) const override { AddThing(fingerprint, timer.get()); }
};
using OwnHandlePtr = std::shared_ptr<OwnHandle>;

struct HandledList : InternalTick {
  TimerHandle handle;
  double ms = 1;
  Fifo<TimeoutPtr> timers;
  bool deferred = false;              // an error in a shorter list came first
  bool spins = false;                 // it waits for a part of a millisecond, and its handle is due meanwhile
  std::weak_ptr<OwnHandle> taken_by;  // the last timer of the list was unreferenced, and has the handle now
  HandlePerListTimers* owner = nullptr;

  Outcome Run() override;  // what an error left of the list, as a tick
  void AddTo(Fingerprint* fingerprint) const override {
    fingerprint->Add(static_cast<uint64_t>(ms * 16));
    fingerprint->Add((deferred ? 1 : 0) + (spins ? 2 : 0));
    for (const TimeoutPtr& timer : timers) AddThing(fingerprint, timer.get());
    AddThing(fingerprint, taken_by.lock().get());
  }
};
using HandledListPtr = std::shared_ptr<HandledList>;

class HandlePerListTimers : public NodeTimers {
 public:
  HandlePerListTimers(NodeCore& core, TimerCaller& caller) : core_(core), caller_(caller), loop_(core.loop()) {}

  void Start(const TimeoutPtr& timer) override { Insert(timer, FreshNow()); }

  void Clear(const TimeoutPtr& timer) override {
    timer->ended_by_unref = false;
    timer->destroyed = true;
    if (std::exchange(timer->cleared, true)) return;
    if (const OwnHandlePtr own = OwnOf(timer)) {
      CloseOwn(own);
      return;
    }
    RemoveFromList(timer);
  }

  // The list stays, and its handle with it. A timer that has its own handle is in no list. spec: timers.clear
  bool ClearAsImmediate(const TimeoutPtr& timer) override {
    if (std::exchange(timer->in_list, false)) {
      for (const HandledListPtr& list : lists_) list->timers.Erase(timer);
    }
    return false;
  }

  void Refresh(const TimeoutPtr& timer) override {
    if (timer->cleared) return;
    timer->cleared_as_immediate = false;
    if (const OwnHandlePtr own = OwnOf(timer)) {
      FreshNow();
      loop_.StartTimer(&own->handle, timer->handle_ms(), 0);
      return;
    }
    if (timer->in_list) {
      for (const HandledListPtr& list : lists_) list->timers.Erase(timer);
    }
    Insert(timer, FreshNow());
  }

  void Ref(const TimeoutPtr& timer) override {
    timer->referenced = true;
    if (const OwnHandlePtr own = OwnOf(timer)) loop_.Ref(&own->handle);
  }

  void Unref(const TimeoutPtr& timer) override {
    timer->referenced = false;
    if (const OwnHandlePtr own = OwnOf(timer)) {
      loop_.Unref(&own->handle);
      return;
    }
    if (timer->cleared && !timer->ended_by_unref) return;
    const Time now = FreshNow();  // also where it is of no use: other timers may be due from here on
    if (timer->ended_by_unref) return;
    const bool always_new = core_.rules().unref_handle == NodeRules::UnrefHandle::kNew;
    const bool has_ended = timer->has_run && !timer->repeats;
    if (has_ended && !always_new) {
      Clear(timer);  // it cannot be refreshed any more
      timer->ended_by_unref = true;
      return;
    }
    const Time due = has_ended ? now : loop_.clock().Later(timer->start + timer->handle_ms(), now);
    const HandledListPtr taken = RemoveFromList(timer, always_new);
    auto own = std::make_shared<OwnHandle>();
    own->timer = timer;
    own->owner = this;
    own->handle.data = static_cast<Thing*>(own.get());
    own->handle.callback = [](TimerHandle* handle) {
      auto* self = static_cast<OwnHandle*>(static_cast<Thing*>(handle->data));
      self->owner->OnOwnHandle(self);
    };
    own_.push_back(own);
    if (taken != nullptr) taken->taken_by = own;
    loop_.StartTimerAt(&own->handle, due, 0);
    loop_.Unref(&own->handle);
  }

  void AddTo(Fingerprint* fingerprint) const override {
    fingerprint->Add(lists_.size());
    for (const HandledListPtr& list : lists_) AddThing(fingerprint, list.get());
    for (const OwnHandlePtr& own : own_) AddThing(fingerprint, own.get());
  }

  // What is to be run in a tick after an error. Where an unreferenced timer has the handle of the list now, it is that
  // timer's turn, due or not. spec: errors.throw-in-timer
  Outcome RunRest(HandledList* list) {
    if (const OwnHandlePtr own = list->taken_by.lock()) return IsOwn(own) ? RunOwn(own) : Outcome::Done();
    return RunList(list);
  }

  // spec: timers.due-in-one-pass
  Outcome RunList(HandledList* list) {
    const HandledListPtr hold = Hold(list);
    Time now = FreshNow();
    while (!list->timers.empty()) {
      const TimeoutPtr timer = list->timers.front();
      const Time due = timer->start + timer->needed_ms();
      if (core_.rules().list_clock == NodeRules::ListClock::kReread && loop_.clock().Before(now, timer->start)) {
        now = FreshNow();
      }
      if (!loop_.clock().NotAfter(due, now)) {
        Restart(list, timer, now);
        return Outcome::Done();
      }
      list->timers.pop_front();
      list->spins = false;
      timer->in_list = false;
      if (timer->cleared) continue;
      Time start;
      const bool from_start = core_.rules().interval_start == NodeRules::IntervalStart::kBeforeCallbackFloor;
      if (timer->repeats && from_start) start = FreshNow();
      timer->has_run = true;
      const Outcome outcome = caller_.CallTimer(timer, "timers.lists-by-duration");
      if (outcome.thrown()) {
        LeaveRestToTick(list);
        return outcome;
      }
      RepeatInterval(timer, start, from_start);
    }
    if (const auto it = std::find(lists_.begin(), lists_.end(), hold); it != lists_.end()) lists_.erase(it);
    if (const OwnHandlePtr own = list->taken_by.lock()) {
      // spec: liveness.unref
      if (core_.rules().unref_handle == NodeRules::UnrefHandle::kTakenAndLost && IsOwn(own)) CloseOwn(own);
    } else if (!list->handle.closing) {
      loop_.CloseTimer(&list->handle, nullptr);
      closed_.push_back(hold);
    }
    return Outcome::Done();
  }

 private:
  Time FreshNow() {
    loop_.UpdateTime();
    return loop_.now();
  }

  HandledListPtr Hold(HandledList* list) const {
    for (const auto* lists : {&lists_, &closed_}) {
      for (const HandledListPtr& held : *lists) {
        if (held.get() == list) return held;
      }
    }
    return nullptr;
  }

  OwnHandlePtr OwnOf(const TimeoutPtr& timer) const {
    for (const OwnHandlePtr& own : own_) {
      if (own->timer == timer) return own;
    }
    return nullptr;
  }

  bool IsOwn(const OwnHandlePtr& own) const { return std::find(own_.begin(), own_.end(), own) != own_.end(); }

  void CloseOwn(const OwnHandlePtr& own) {
    loop_.CloseTimer(&own->handle, nullptr);
    std::erase(own_, own);
    closed_own_.push_back(own);
  }

  // spec: timers.lists-by-duration
  void Insert(const TimeoutPtr& timer, Time start) {
    timer->start = start;
    timer->in_list = true;
    for (const HandledListPtr& list : lists_) {
      if (list->ms != timer->duration_ms) continue;
      list->timers.push_back(timer);
      return;
    }
    auto list = std::make_shared<HandledList>();
    list->ms = timer->duration_ms;
    list->owner = this;
    list->handle.data = static_cast<Thing*>(list.get());
    list->handle.callback = [](TimerHandle* handle) {
      auto* self = static_cast<HandledList*>(static_cast<Thing*>(handle->data));
      self->owner->OnListHandle(self);
    };
    list->timers.push_back(timer);
    lists_.push_back(list);
    loop_.StartTimer(&list->handle, timer->handle_ms(), 0);
  }

  // Its list is looked up by its duration. If that is empty then, it goes, also where the timer was not in it or the
  // list is being run; and its handle with it: closed, or only stopped, and then returned.
  HandledListPtr RemoveFromList(const TimeoutPtr& timer, bool close = true) {
    timer->in_list = false;
    const auto it = std::find_if(lists_.begin(), lists_.end(),
                                 [&](const HandledListPtr& list) { return list->ms == timer->duration_ms; });
    if (it == lists_.end()) return nullptr;
    const HandledListPtr list = *it;
    list->timers.Erase(timer);
    if (!list->timers.empty()) return nullptr;
    if (close) {
      loop_.CloseTimer(&list->handle, nullptr);
    } else {
      loop_.StopTimer(&list->handle);
    }
    closed_.push_back(list);
    lists_.erase(it);
    return close ? nullptr : list;
  }

  void OnListHandle(HandledList* list) {
    const HandledListPtr hold = Hold(list);
    if (list->deferred) {
      list->deferred = false;
      core_.QueueInternalTick(hold);
      core_.CloseScope();
      return;
    }
    // spec: errors.throw-in-timer
    const NodeRules::TimerThrow rule = core_.rules().timer_throw;
    const bool after_drain_too = rule == NodeRules::TimerThrow::kRerunListAfterDrainToo;
    const bool rerun = after_drain_too || rule == NodeRules::TimerThrow::kRerunList;
    for (;;) {
      const bool ran = core_.MakeCallback([&] { return RunList(list); });
      if (!list->taken_by.expired()) break;
      if (ran ? !(after_drain_too && core_.drain_failed()) : !rerun) break;
    }
  }

  void OnOwnHandle(OwnHandle* raw) {
    OwnHandlePtr own;
    for (const OwnHandlePtr& held : own_) {
      if (held.get() == raw) own = held;
    }
    if (own == nullptr) return;  // it was closed, and armed again by rules that no release has together
    core_.MakeCallback([&] { return RunOwn(own); });
  }

  Outcome RunOwn(const OwnHandlePtr& own) {
    const TimeoutPtr timer = own->timer;
    if (!timer->repeats) {
      CloseOwn(own);
      timer->cleared = timer->destroyed = true;  // it cannot be refreshed any more
    }
    timer->has_run = true;
    Outcome outcome = caller_.CallTimer(timer, "timers.lists-by-duration");
    if (!outcome.thrown() && timer->repeats && !timer->cleared) {
      loop_.StartTimer(&own->handle, timer->handle_ms(), 0);
    }
    return outcome;
  }

  // Arms the list's handle for a timer that is not due yet. A handle knows whole milliseconds: for what is left of one
  // it is due at once, again and again, until the clock has moved on. Others that are due come in between the first
  // time; after that, nothing but the clock changes.
  void Restart(HandledList* list, const TimeoutPtr& timer, Time now) {
    const Time due = timer->start + timer->handle_ms();
    const Time needed = timer->start + timer->needed_ms();
    Clock& clock = loop_.clock();
    const bool spins = timer->needed_ms() != timer->handle_ms() && clock.NotAfter(due, now);
    if (spins && list->spins) clock.SpinUntil(needed);
    list->spins = spins;
    Time deadline;
    switch (core_.rules().list_restart) {
      case NodeRules::ListRestart::kStaleDifference:
        deadline = clock.Shift(due, now, loop_.now());
        break;
      case NodeRules::ListRestart::kFreshAtLeast0:
        deadline = clock.Later(due, FreshNow());
        break;
      case NodeRules::ListRestart::kFreshOverdueIn1:
        deadline = clock.Before(due, FreshNow()) ? loop_.now() + 1 : due;
        break;
      case NodeRules::ListRestart::kFreshAtLeast1:
        deadline = clock.NotAfter(needed, FreshNow()) ? loop_.now() + 1 : due;
        break;
    }
    loop_.StartTimerAt(&list->handle, deadline, 0);
  }

  void LeaveRestToTick(HandledList* list) {
    switch (core_.rules().timer_throw) {
      case NodeRules::TimerThrow::kRerunList:
      case NodeRules::TimerThrow::kRerunListAfterDrainToo:
      case NodeRules::TimerThrow::kRestInNextPass:
        return;
      case NodeRules::TimerThrow::kRestInTick:
        core_.QueueInternalTick(Hold(list));
        return;
      case NodeRules::TimerThrow::kRestInTickOrdered:
        for (const HandledListPtr& other : lists_) {
          if (other->ms > list->ms) other->deferred = true;
        }
        core_.QueueInternalTick(Hold(list));
        return;
      case NodeRules::TimerThrow::kRestInTickUnlessEmpty:
        if (list->timers.empty()) {
          const HandledListPtr hold = Hold(list);
          std::erase(lists_, hold);
          loop_.CloseTimer(&list->handle, nullptr);
          closed_.push_back(hold);
          return;
        }
        for (const HandledListPtr& other : lists_) {
          if (other->ms > list->ms) other->deferred = true;
        }
        core_.QueueInternalTick(Hold(list));
        return;
    }
  }

  // spec: timers.interval-rearm
  void RepeatInterval(const TimeoutPtr& timer, Time start, bool from_start) {
    if (!timer->repeats) {
      if (!timer->in_list && OwnOf(timer) == nullptr) timer->destroyed = true;
      return;
    }
    if (timer->cleared || timer->in_list) return;
    if (const OwnHandlePtr own = OwnOf(timer)) {
      loop_.StartTimer(&own->handle, timer->handle_ms(), 0);
      return;
    }
    const Time now = FreshNow();
    if (!from_start) {
      Insert(timer, now);
    } else if (loop_.clock().NotAfter(start + timer->handle_ms(), now)) {
      Insert(timer, now + (1 - timer->handle_ms()));
    } else {
      Insert(timer, start);
    }
  }

  NodeCore& core_;
  TimerCaller& caller_;
  Loop& loop_;
  std::vector<HandledListPtr> lists_;
  std::vector<OwnHandlePtr> own_;
  std::vector<HandledListPtr> closed_;  // the loop may still know their handles
  std::vector<OwnHandlePtr> closed_own_;
};

Outcome HandledList::Run() { return owner->RunRest(this); }

}  // namespace

std::unique_ptr<NodeTimers> MakeHandlePerListTimers(NodeCore& core, TimerCaller& caller) {
  return std::make_unique<HandlePerListTimers>(core, caller);
}

}  // namespace conform::reference
