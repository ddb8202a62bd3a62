#include "reference-impl/loop/loop.h"

#include <algorithm>
#include <utility>

#include "runners/base/check.h"

namespace conform::reference {

Loop::Loop(Platform& platform, const LoopRules& rules)
    : platform_(platform),
      clock_(platform.clock()),
      rules_(rules),
      lateness_ms_(rules.Has(Fault::kTimerLate) - rules.Has(Fault::kTimerEarly)),
      timers_(clock_) {
  // spec: poll.signals-last. Older loops watch for signals before they watch for wake-ups.
  if (rules_.signal_order == LoopRules::SignalOrder::kAsReady) platform_.Watch(SignalSource(), kReadable);
  wakeup_source_ = platform_.OpenWakeup();
  platform_.Watch(wakeup_source_, kReadable);
  UpdateTime();
}

Loop::~Loop() {
  platform_.Close(wakeup_source_);
  if (signal_source_ != kNoSource) platform_.Close(signal_source_);
}

// spec: iteration.run-modes
bool Loop::Run(RunMode mode) {
  bool alive = Alive();
  if (!alive) UpdateTime();
  const bool timers_at_start = mode == RunMode::kDefault && !rules_.Has(Fault::kTimersNotAtStart);
  if (rules_.timer_phase == LoopRules::TimerPhase::kAfterPoll && timers_at_start) {
    // spec: timers.before-or-after-poll. The first iteration of an open-ended run still begins with timers.
    const bool dead = !alive || stopped_;
    if (!dead || rules_.dead_loop_timers == LoopRules::DeadLoopTimers::kRun) {
      if (alive) UpdateTime();
      RunTimers();
    }
  }
  while (alive && !stopped_ && !stuck_) {
    RunOnce(mode);
    alive = Alive();
    if (mode == RunMode::kOnce && rules_.Has(Fault::kOnceGoesOn)) continue;
    if (mode != RunMode::kDefault) break;
  }
  stopped_ = stopped_ && rules_.Has(Fault::kStopStays);
  phase_ = "main";
  return alive || rules_.Has(Fault::kRunSaysAlive);
}

// spec: iteration.phase-order
void Loop::RunOnce(RunMode mode) {
  if (rules_.fault != Fault::kNone) return RunOnceWithFault(mode);
  ++iteration_;
  const bool timers_first = rules_.timer_phase == LoopRules::TimerPhase::kBeforePoll;
  if (timers_first) {
    UpdateTime();
    RunTimers();
  }
  const bool could_sleep = pending_.empty() && idle_.alone();
  const bool pending_late = rules_.pending_phase == LoopRules::PendingPhase::kAfterPrepare;
  bool pending_ran = !pending_late && RunPending();
  RunPhase(&idle_, "idle");
  RunPhase(&prepare_, "prepare");
  if (pending_late) pending_ran = RunPending();
  Poll(PollBound(mode, pending_ran, could_sleep));
  if (stuck_) return;
  RunPendingAfterPoll();
  RunPhase(&check_, "check");
  RunClosing();
  if (!timers_first || mode == RunMode::kOnce) {
    UpdateTime();
    RunTimers();
  }
}

void Loop::RunTimers() {
  phase_ = "timers";
  switch (rules_.timer_pass) {
    case LoopRules::TimerPass::kHeap:
      RunTimersFromHeap();
      break;
    case LoopRules::TimerPass::kSnapshot:
      RunTimersSnapshot();
      break;
  }
}

void Loop::RunTimersFromHeap() {
  while (!timers_.empty() && clock_.NotAfter(NextDeadline(), now_)) {
    TimerHandle* timer = timers_.Min();
    StopTimer(timer);
    RunTimer(timer);
    if (rules_.Has(Fault::kTimerOnePerPass)) break;
  }
}

// spec: timers.zero-restarts-next-iteration
void Loop::RunTimersSnapshot() {
  due_.clear();
  while (!timers_.empty() && clock_.NotAfter(NextDeadline(), now_)) {
    TimerHandle* timer = timers_.Min();
    StopTimer(timer);
    timer->due_index = static_cast<int64_t>(due_.size());
    due_.push_back(timer);
    if (rules_.Has(Fault::kTimerOnePerPass)) break;
  }
  if (rules_.Has(Fault::kTimerTiesTurned)) TurnTiesAround();
  for (size_t i = 0; i < due_.size(); ++i) {
    TimerHandle* timer = due_[i];
    if (timer == nullptr) continue;  // stopped by a callback before it
    timer->due_index = -1;
    RunTimer(timer);
  }
  due_.clear();
}

// spec: timers.repeat-before-callback
void Loop::RunTimer(TimerHandle* timer) {
  if (!rules_.Has(Fault::kTimerRepeatsOnce)) RepeatTimer(timer);
  timer->callback(timer);
  if (rules_.Has(Fault::kTimerRepeatAfterCallback) && TimerStands(timer)) RepeatTimer(timer);
}

// spec: pending.write-callbacks
bool Loop::RunPending() {
  if (pending_.empty()) return false;
  phase_ = "pending";
  const bool one = rules_.Has(Fault::kPendingOnePerTurn);
  size_t left = one ? 1 : pending_.size();
  if (rules_.Has(Fault::kPendingTurnedAround)) std::reverse(pending_.begin(), pending_.end());
  while (!pending_.empty()) {
    if ((one || rules_.pending_run != LoopRules::PendingRun::kUntilEmpty) && left-- == 0) break;
    IoHandle* handle = pending_.front();
    pending_.pop_front();
    handle->callback(handle, kWritable);
  }
  return true;
}

// spec: pending.bounded-after-poll
void Loop::RunPendingAfterPoll() {
  if (rules_.pending_run != LoopRules::PendingRun::kSnapshotAndAfterPoll) return;
  constexpr int kRounds = 8;
  const int rounds = rules_.Has(Fault::kPendingOneRound) ? 1 : kRounds;
  const bool for_ever = rules_.Has(Fault::kPendingRoundsWithoutEnd);
  for (int round = 0; (round < rounds || for_ever) && !pending_.empty(); ++round) RunPending();
}

// spec: idle.last-in-first-out, idle.started-in-phase-waits. One that is started meanwhile stands at the front, where
// the pass has been; one that is stopped hands its turn on.
void Loop::RunPhase(RingLink* ring, const char* name) {
  if (ring->alone()) return;
  phase_ = name;
  if (rules_.fault != Fault::kNone) return RunPhaseWithFault(ring);
  next_in_phase_ = ring->next;
  while (next_in_phase_ != ring) {
    PhaseHandle* handle = static_cast<PhaseHandle*>(next_in_phase_);
    next_in_phase_ = handle->next;
    handle->callback(handle);
  }
  next_in_phase_ = nullptr;
}

// spec: poll.timeout
WaitBound Loop::PollBound(RunMode mode, bool pending_ran, bool could_sleep) {
  const WaitBound no_wait;
  if (mode == RunMode::kNoWait && !rules_.Has(Fault::kNowaitWaits)) return no_wait;
  if (mode == RunMode::kOnce) {
    if (rules_.Has(Fault::kOnceDoesNotWait)) return no_wait;
    const bool may_sleep = rules_.once_sleep == LoopRules::OnceSleep::kAlways ||
                           (rules_.once_sleep == LoopRules::OnceSleep::kUnlessPendingRan ? !pending_ran : could_sleep);
    if (!may_sleep) return no_wait;
  }
  const bool pending = !pending_.empty() && rules_.pending_at_poll == LoopRules::PendingAtPoll::kNoWait;
  const bool idle = !idle_.alone() && !rules_.Has(Fault::kIdleLetsPollWait);
  const bool closing = closing_ != nullptr && !rules_.Has(Fault::kClosingLetsPollWait);
  const bool busy = stopped_ || !HasActive() || pending || idle || closing;
  if (busy) return no_wait;
  if (timers_.empty()) return {WaitBound::Kind::kForever, now_, now_};
  if (clock_.NotAfter(NextDeadline(), now_)) return no_wait;
  return {WaitBound::Kind::kUntil, now_, NextDeadline()};
}

// spec: poll.ready-in-start-order
void Loop::Poll(const WaitBound& bound) {
  phase_ = "poll";
  if (!Wait(bound)) {
    stuck_ = true;
    return;
  }
  UpdateTime();
  if (rules_.Has(Fault::kReadyTurnedAround)) std::reverse(ready_.begin(), ready_.end());
  if (rules_.Has(Fault::kOneReadyPerPoll) && ready_.size() > 1) ready_.resize(1);
  if (rules_.Has(Fault::kPollSkippedWhenIdle) && bound.kind == WaitBound::Kind::kNoWait) ready_.clear();
  // spec: poll.signals-last
  if (!any_signals_ || rules_.signal_order == LoopRules::SignalOrder::kAsReady) {
    for (size_t i = 0; i < ready_.size(); ++i) Dispatch(ready_[i]);
    return;
  }
  const auto is_signal = [this](const ReadySource& r) {
    const bool known = r.source >= 0 && r.source < static_cast<int>(watchers_.size());
    const IoHandle* handle = known ? watchers_[r.source] : nullptr;
    return handle != nullptr && handle->is_signal;
  };
  const bool signals_first = rules_.Has(Fault::kSignalsFirst);
  for (const bool signals : {signals_first, !signals_first}) {
    for (size_t i = 0; i < ready_.size(); ++i) {
      if (is_signal(ready_[i]) == signals) Dispatch(ready_[i]);
    }
  }
}

// Fills ready_. False when the wait would never end.
bool Loop::Wait(const WaitBound& bound) {
  if (bound.kind == WaitBound::Kind::kForever && closed_world_ && requests_under_way_ == 0) {
    return platform_.Wait(WaitBound{}, &ready_) && !ready_.empty();
  }
  if (bound.kind == WaitBound::Kind::kUntil && sleeps_from_fresh_time_) {
    platform_.Wait(WaitBound{}, &ready_);
    if (!ready_.empty()) return true;
    const Time fresh = clock_.Read();
    if (clock_.NotAfter(bound.deadline, fresh)) return true;
    return platform_.Wait({bound.kind, fresh, bound.deadline}, &ready_);
  }
  return platform_.Wait(bound, &ready_);
}

void Loop::Dispatch(const ReadySource& ready) {
  if (ready.source == wakeup_source_) {
    HandleWakeups();
    return;
  }
  // A callback before this one may have closed it, or looks for something else now.
  if (ready.source < 0 || ready.source >= static_cast<int>(watchers_.size())) return;
  IoHandle* handle = watchers_[ready.source];
  if (handle == nullptr) return;
  const uint8_t readiness = ready.readiness & handle->interest;
  if (readiness != 0) handle->callback(handle, readiness);
}

// spec: poll.wakeups-coalesce, poll.wakeup-init-order, poll.pool-completions
void Loop::HandleWakeups() {
  platform_.Read(wakeup_source_);
  woken_.store(rules_.Has(Fault::kWakeupLost));
  // One that is started from now on waits for the next pass, and stands behind those that have had their turn.
  std::swap(wakeups_, wakeup_pass_);
  wakeups_.clear();
  if (rules_.Has(Fault::kWakeupsTurnedAround)) std::reverse(wakeup_pass_.begin(), wakeup_pass_.end());
  if (rules_.Has(Fault::kWakeupsBeforePool)) RunWakeups();
  RunCompletions();
  RunWakeups();
}

void Loop::RunCompletions() {
  if (requests_under_way_ == 0) return;
  for (int64_t id : platform_.TakeEnded()) {
    const auto it = requests_.find(id);
    CONFORM_CHECK(it != requests_.end());
    Request* request = it->second;
    requests_.erase(it);
    --requests_under_way_;
    request->callback(request);
  }
}

void Loop::RunWakeups() {
  for (size_t i = 0; i < wakeup_pass_.size(); ++i) {
    WakeupHandle* handle = wakeup_pass_[i];
    if (handle == nullptr) continue;  // closed meanwhile
    wakeup_pass_[i] = nullptr;
    wakeups_.push_back(handle);
    if (!handle->pending.exchange(false)) continue;
    handle->callback(handle);
    if (rules_.Has(Fault::kWakeupRunsTwice) && !handle->closing) handle->callback(handle);
  }
}

// spec: close.last-in-first-out, close.nested-waits
void Loop::RunClosing() {
  if (closing_ == nullptr) return;
  phase_ = "closing";
  if (rules_.Has(Fault::kCloseInStartOrder)) TurnClosingAround();
  Handle* handle = std::exchange(closing_, nullptr);
  while (handle != nullptr) {
    Handle* next = std::exchange(handle->next_closing, nullptr);
    if (handle->on_close != nullptr) handle->on_close(handle);
    handle = next;
    if (handle == nullptr && rules_.Has(Fault::kCloseLive)) handle = std::exchange(closing_, nullptr);
  }
}

}  // namespace conform::reference
