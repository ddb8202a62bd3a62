#include "reference-impl/loop/loop.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "runners/base/check.h"

namespace conform::reference {

namespace {

// Turns the order of timers around that have the same deadline.
void ReverseTies(std::vector<TimerHandle*>* due) {
  for (auto begin = due->begin(), end = begin; begin != due->end(); begin = end) {
    end = std::find_if(begin, due->end(),
                       [&](const TimerHandle* timer) { return timer->place.deadline != (*begin)->place.deadline; });
    std::reverse(begin, end);
  }
  for (size_t i = 0; i < due->size(); ++i) (*due)[i]->due_index = static_cast<int64_t>(i);
}

bool Has(const PhaseList& phases, Phase phase) {
  return std::find(phases.begin(), phases.end(), phase) != phases.end();
}

}  // namespace

Loop::Loop(Platform& platform, const LoopRules& rules)
    : platform_(platform),
      clock_(platform.clock()),
      rules_(rules),
      has_pool_phase_(Has(rules.iteration, Phase::kPool)),
      has_pool_again_(Has(rules.iteration, Phase::kPoolAgain)),
      timers_(clock_) {
  // spec: poll.signals-last. Older loops watch for signals before they watch for wake-ups.
  if (rules_.signal_order == LoopRules::SignalOrder::kAsReady) WatchSignals();
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
  mode_ = mode;
  next_phase_ = nullptr;
  if (mode == RunMode::kDefault) platform_.RestWithoutWait();
  return Continue();
}

bool Loop::Continue() {
  if (next_phase_ == nullptr) {
    const bool alive = Alive();
    BeginRun(alive);
    if (!alive || stopped_ || stuck_) return EndRun(alive);
    BeginIteration();
  }
  const bool once = mode_ == RunMode::kOnce && rules_.once_run == LoopRules::OnceRun::kOneIteration;
  for (;;) {
    RunOnce();
    const bool alive = Alive();
    if (once || mode_ == RunMode::kNoWait || !alive || stopped_ || stuck_) return EndRun(alive);
    BeginIteration();
  }
}

bool Loop::EndRun(bool alive) {
  stopped_ = stopped_ && rules_.stop == LoopRules::StopEffect::kStays;
  phase_ = "main";
  return alive || rules_.run_result == LoopRules::RunResult::kAlive;
}

// spec: timers.before-or-after-poll. Where iterations end with timers, the first of an open-ended run still begins with
// them.
bool Loop::BeginsWithTimers(bool alive) const {
  switch (rules_.timers_at_start) {
    case LoopRules::TimersAtStart::kNo:
      return false;
    case LoopRules::TimersAtStart::kIfAlive:
      return alive && !stopped_;
    case LoopRules::TimersAtStart::kAlways:
      return true;
  }
  return false;
}

void Loop::BeginRun(bool alive) {
  if (!alive) UpdateTime();
  if (mode_ != RunMode::kDefault || !BeginsWithTimers(alive)) return;
  if (has_pool_again_) RunPool();
  if (alive) UpdateTime();
  if (!timers_.empty()) RunTimers();
}

void Loop::BeginIteration() {
  ++iteration_;
  pending_ran_ = false;
  could_sleep_ = true;
  next_phase_ = rules_.iteration.begin();
}

// spec: iteration.phase-order, iteration.nested-work-waits
void Loop::RunOnce() {
  const Phase* const end = rules_.iteration.end();
  const bool stops_between = rules_.stop == LoopRules::StopEffect::kBeforeNextPhase;  // spec: iteration.stop
  for (const Phase* phase = next_phase_; phase != end; ++phase) {
    switch (*phase) {
      // spec: iteration.timers-in-single-runs
      case Phase::kTimersIfOnce:
        if (mode_ != RunMode::kOnce) break;
        [[fallthrough]];
      case Phase::kTimers:
        if (!timers_.empty()) RestBefore(phase);  // which of them are due may differ in many ways
        if (rules_.timers_clock == LoopRules::TimersClock::kRead) UpdateTime();
        if (!timers_.empty()) RunTimers();
        break;
      case Phase::kPending:
        could_sleep_ = pending_.empty() && idle_.alone();
        pending_ran_ = !pending_.empty();
        if (pending_ran_) RunPending();
        break;
      case Phase::kPendingAgain:
        // spec: pending.bounded-after-poll, starvation.write-callbacks
        for (int round = 0; round < rules_.pending_rounds && !pending_.empty(); ++round) RunPending();
        break;
      case Phase::kIdle:
        if (!idle_.alone()) RunRing(&idle_, "idle");
        break;
      case Phase::kPrepare:
        if (!prepare_.alone()) RunRing(&prepare_, "prepare");
        break;
      case Phase::kCheck:
        if (!check_.alone()) RunRing(&check_, "check");
        break;
      case Phase::kPoll:
        next_phase_ = phase;
        platform_.Rest(PollIsOpen());
        Poll(PollBound());
        if (stuck_) return;
        break;
      case Phase::kPool:
      case Phase::kPoolAgain:
        RunPool();
        break;
      case Phase::kClosing:
        if (closing_ != nullptr) RunClosing();  // spec: close.after-check, by its place in the profile's list
        break;
    }
    if (stops_between && stopped_) return;
  }
}

void Loop::RestBefore(const Phase* phase) {
  next_phase_ = phase;
  platform_.RestWithoutWait();
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

// spec: timers.deadline-order, timers.due-in-one-pass
void Loop::RunTimersFromHeap() {
  while (!timers_.empty() && clock_.NotAfter(NextDeadline(), now_)) {
    TimerHandle* timer = timers_.Min();
    TakeOut(timer);
    RunTimer(timer);
    if (rules_.due_timers == LoopRules::DueTimers::kOnePerPass) break;
  }
}

// spec: timers.deadline-order, timers.due-in-one-pass, timers.zero-restarts-next-iteration, starvation.zero-timers
void Loop::RunTimersSnapshot() {
  due_.clear();
  while (!timers_.empty() && clock_.NotAfter(NextDeadline(), now_)) {
    TimerHandle* timer = timers_.Min();
    TakeOut(timer);
    timer->due_index = static_cast<int64_t>(due_.size());
    due_.push_back(timer);
    if (rules_.due_timers == LoopRules::DueTimers::kOnePerPass) break;
  }
  // spec: timers.equal-deadline-start-order
  if (rules_.timer_ties == QueueOrder::kNewestFirst) ReverseTies(&due_);
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
  if (rules_.timer_repeat != LoopRules::TimerRepeat::kNever) RepeatTimer(timer);
  timer->callback(timer);
  if (rules_.timer_repeat == LoopRules::TimerRepeat::kAfterCallback && TimerStands(timer)) RepeatTimer(timer);
}

// spec: pending.write-callbacks
void Loop::RunPending() {
  phase_ = "pending";
  const bool bounded = rules_.pending_run != LoopRules::PendingRun::kUntilEmpty;
  size_t left = rules_.pending_run == LoopRules::PendingRun::kOne ? 1 : pending_.size();
  if (rules_.pending_order == QueueOrder::kNewestFirst) std::reverse(pending_.begin(), pending_.end());
  while (!pending_.empty()) {
    if (bounded && left-- == 0) break;
    IoHandle* handle = pending_.front();
    pending_.pop_front();
    handle->callback(handle, kWritable);
  }
}

// spec: idle.last-in-first-out, idle.repeats, idle.started-in-phase-waits, idle.prepare-before-poll,
// check.last-in-first-out. One that is started meanwhile is at the front, where the pass has been; one that is
// stopped hands its turn on; all others stay for the next iteration.
void Loop::RunRing(RingLink* ring, const char* phase) {
  phase_ = phase;
  using PhasePass = LoopRules::PhasePass;
  const PhasePass pass = rules_.phase_pass;
  if (pass == PhasePass::kAlsoStopped) return RunAllInRing(ring);
  const RingLink* const first = ring->next;
  next_in_phase_ = ring->next;
  while (next_in_phase_ != ring) {
    PhaseHandle& handle = RunNextInRing();
    if (pass == PhasePass::kOnceEach) StopInPhase(&handle);
  }
  if (pass == PhasePass::kAlsoStarted) {
    next_in_phase_ = ring->next;
    while (next_in_phase_ != ring && next_in_phase_ != first) RunNextInRing();
  }
  next_in_phase_ = nullptr;
}

inline PhaseHandle& Loop::RunNextInRing() {
  PhaseHandle& handle = static_cast<PhaseHandle&>(*next_in_phase_);
  next_in_phase_ = handle.next;
  handle.callback(&handle);
  return handle;
}

void Loop::RunAllInRing(RingLink* ring) {
  std::vector<PhaseHandle*> all;
  for (RingLink* link = ring->next; link != ring; link = link->next) all.push_back(static_cast<PhaseHandle*>(link));
  for (PhaseHandle* handle : all) handle->callback(handle);
}

// spec: iteration.run-modes
bool Loop::ModeLetsPollWait() const {
  switch (mode_) {
    case RunMode::kDefault:
      return true;
    case RunMode::kNoWait:
      return rules_.nowait_sleep == LoopRules::NowaitSleep::kAsDefault;
    case RunMode::kOnce:
      break;
  }
  switch (rules_.once_sleep) {
    case LoopRules::OnceSleep::kAlways:
      return true;
    case LoopRules::OnceSleep::kUnlessPendingRan:
      return !pending_ran_;
    case LoopRules::OnceSleep::kUnlessPendingOrIdle:
      return could_sleep_;
    case LoopRules::OnceSleep::kNever:
      return false;
  }
  return true;
}

// spec: poll.timeout
WaitBound Loop::PollBound() {
  using AtPoll = LoopRules::AtPoll;
  WaitBound bound;
  bound.takes_one_by_one = true;
  bound.may_be_woken_for_nothing = MayBeWokenForNothing();
  if (!ModeLetsPollWait() || stopped_) return bound;
  if (!idle_.alone() && rules_.idle_at_poll == AtPoll::kNoWait) return bound;
  if (!pending_.empty() && rules_.pending_at_poll == AtPoll::kNoWait) return bound;
  if (closing_ != nullptr && rules_.closing_at_poll == AtPoll::kNoWait) return bound;
  if (!HasActive()) return bound;
  bound.base = now_;
  if (timers_.empty()) {
    bound.kind = WaitBound::Kind::kForever;
  } else if (!clock_.NotAfter(NextDeadline(), now_)) {
    bound.kind = WaitBound::Kind::kUntil;
    bound.deadline = NextDeadline();
  }
  return bound;
}

// Children end by signals. Whether a timer is due is asked after a rest of its own, unless the poll asks.
bool Loop::PollIsOpen() const {
  const bool asks = sleeps_from_fresh_time_ && !timers_.empty() && !clock_.NeedsNoReading(now_);
  return asks || requests_under_way_ > 0 || other_requests_ > 0 || signal_source_ != kNoSource;
}

void Loop::Poll(const WaitBound& bound) {
  phase_ = "poll";
  if (!Wait(bound)) {
    stuck_ = true;
    return;
  }
  served_ = 0;
  polled_at_ = UpdateTime();
  poll_could_wait_ = bound.kind != WaitBound::Kind::kNoWait;
  steps_at_poll_ = owner_ == nullptr ? 0 : owner_->steps();
  requests_at_poll_ = next_request_id_;
  // A poll that does not wait reports what is there all the same. spec: poll.data-waiting-is-ready
  if (bound.kind == WaitBound::Kind::kNoWait && rules_.busy_poll == LoopRules::BusyPoll::kSkipped) return;
  if (ready_.empty()) return;
  DispatchReady();
  if (after_phase_) after_phase_();
}

// In the order of the platform's report, which is that of becoming ready. spec: poll.ready-in-start-order,
// poll.signals-last
void Loop::DispatchReady() {
  if (signal_source_ == kNoSource || rules_.signal_order == LoopRules::SignalOrder::kAsReady) {
    for (size_t i = 0; i < ready_.size(); ++i) Dispatch(ready_[i]);
    return;
  }
  const auto is_signal = [this](const ReadySource& r) { return r.source == signal_source_; };
  const bool signals_first = rules_.signal_order == LoopRules::SignalOrder::kFirst;
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
  const bool from_fresh_time = sleeps_from_fresh_time_ && bound.kind == WaitBound::Kind::kUntil;
  if (from_fresh_time && !clock_.NeedsNoReading(now_)) return WaitFromFreshTime(bound);
  return platform_.Wait(bound, &ready_);
}

bool Loop::WaitFromFreshTime(WaitBound bound) {
  WaitBound look = bound;
  look.kind = WaitBound::Kind::kNoWait;
  look.wait_follows = true;
  if (!platform_.Wait(look, &ready_)) return false;
  if (!ready_.empty()) return true;
  bound.base = clock_.Read();
  if (clock_.NotAfter(bound.deadline, bound.base)) return true;
  return platform_.Wait(bound, &ready_);
}

void Loop::Dispatch(const ReadySource& ready) {
  if (ready.source == kNoSource) return;  // a callback before this one has closed it
  if (ready.source == wakeup_source_) {
    if (!has_pool_phase_) HandleWakeups();
    return;
  }
  if (ready.source == signal_source_) {
    if (!ServesSignalsWithPool()) HandleSignals();
    return;
  }
  // A callback before this one may have stopped it, or looks for something else now.
  if (ready.source < 0 || ready.source >= static_cast<int>(watchers_.size())) return;
  IoHandle* handle = watchers_[ready.source];
  if (handle == nullptr) return;
  const uint8_t readiness = ready.readiness & handle->interest;
  if (readiness != 0) handle->callback(handle, readiness | (ready.readiness & kHangup));
}

// spec: poll.wakeups-coalesce, poll.wakeup-init-order, poll.pool-completions
bool Loop::HandleWakeups() {
  platform_.Read(wakeup_source_);
  woken_.store(false);
  // One that is started from now on waits for the next pass, and comes after those that have had their turn.
  std::swap(wakeups_, wakeup_pass_);
  wakeups_.clear();
  if (rules_.wakeup_order == QueueOrder::kNewestFirst) std::reverse(wakeup_pass_.begin(), wakeup_pass_.end());
  bool served = false;
  if (rules_.pool_completions == LoopRules::PoolCompletions::kAfterWakeups) served = RunWakeups();
  served = RunCompletions() || served;
  if (rules_.pool_completions == LoopRules::PoolCompletions::kBeforeWakeups) served = RunWakeups() || served;
  return served;
}

bool Loop::RunWakeups() {
  bool served = false;
  for (size_t i = 0; i < wakeup_pass_.size(); ++i) {
    WakeupHandle* handle = wakeup_pass_[i];
    if (handle == nullptr) continue;  // closed meanwhile
    wakeup_pass_[i] = nullptr;
    // Those that have had their turn are in the order in which they were made.
    wakeups_.insert(rules_.wakeup_order == QueueOrder::kNewestFirst ? wakeups_.begin() : wakeups_.end(), handle);
    if (!handle->pending.exchange(false)) continue;
    served = true;
    handle->callback(handle);
    if (rules_.wakeups == LoopRules::Wakeups::kTwice && !handle->closing) handle->callback(handle);
  }
  return served;
}

// spec: close.last-in-first-out, close.nested-waits
void Loop::RunClosing() {
  phase_ = "closing";
  Handle* handle = std::exchange(closing_, nullptr);
  bool one_waits = false;
  while (handle != nullptr) {
    Handle* next = std::exchange(handle->next_closing, nullptr);
    if (handle->awaits_signal) {
      QueueClosing(handle);  // spec: close.signal-under-way
      one_waits = true;
    } else if (handle->on_close != nullptr) {
      handle->on_close(handle);
    }
    handle = next;
    const bool live = rules_.close_callbacks == LoopRules::CloseCallbacks::kSamePhase;
    if (handle == nullptr && live && !one_waits) handle = std::exchange(closing_, nullptr);
  }
  if (after_phase_) after_phase_();
}

// --- Starting, stopping, closing ---

// spec: timers.cached-loop-time. A deadline counts from the time that the loop remembers.
void Loop::StartTimer(TimerHandle* timer, int64_t after_ms, int64_t repeat_ms) {
  if (rules_.timer_base == LoopRules::TimerBase::kFreshTime) UpdateTime();
  StartTimerAt(timer, now_ + after_ms, repeat_ms);
}

void Loop::StartTimerAt(TimerHandle* timer, Time deadline, int64_t repeat_ms) {
  if (timer->closing) return;
  if (timer->active || timer->due_index >= 0) {
    // spec: timers.restart-moves-last
    if (timer->active && rules_.timer_restart == LoopRules::TimerRestart::kKeepsDeadline) return;
    TakeOut(timer);
  }
  timer->repeat_ms = repeat_ms;
  timers_.Insert(timer, deadline, next_start_id_++);
  Activate(timer);
}

// spec: timers.clear
void Loop::StopTimer(TimerHandle* timer) {
  if (rules_.timer_stop != LoopRules::TimerStop::kIgnored) TakeOut(timer);
}

void Loop::TakeOut(TimerHandle* timer) {
  if (timer->due_index >= 0) {
    if (rules_.timer_stop != LoopRules::TimerStop::kNotInPass) due_[static_cast<size_t>(timer->due_index)] = nullptr;
    timer->due_index = -1;
    return;
  }
  if (!timer->active) return;
  timers_.Remove(timer);
  Deactivate(timer);
}

void Loop::RepeatTimer(TimerHandle* timer) {
  if (timer->repeat_ms <= 0) return;
  const Time from = rules_.timer_repeat == LoopRules::TimerRepeat::kFromDeadline ? timer->place.deadline : now_;
  StartTimerAt(timer, from + timer->repeat_ms, timer->repeat_ms);
}

void Loop::StartInRing(PhaseHandle* handle, RingLink* ring, QueueOrder order) {
  if (handle->active || handle->closing) return;
  handle->InsertAfter(order == QueueOrder::kNewestFirst ? ring : ring->previous);
  Activate(handle);
}

void Loop::StopInPhase(PhaseHandle* handle) {
  if (!handle->active) return;
  if (next_in_phase_ == handle) next_in_phase_ = handle->next;
  handle->Leave();
  Deactivate(handle);
}

void Loop::StartWakeup(WakeupHandle* handle) {
  CONFORM_CHECK(!handle->active);
  wakeups_.push_back(handle);
  Activate(handle);
}

void Loop::Send(WakeupHandle* handle) {
  if (handle->pending.exchange(true)) return;
  if (!woken_.exchange(true)) platform_.Wake(wakeup_source_);
}

void Loop::StartIo(IoHandle* handle, Source source, uint8_t interest) {
  CONFORM_CHECK(source >= 0 && !handle->closing);
  handle->source = source;
  handle->interest = interest;
  if (source >= static_cast<int>(watchers_.size())) watchers_.resize(static_cast<size_t>(source) + 1, nullptr);
  watchers_[static_cast<size_t>(source)] = handle;
  platform_.Watch(source, interest);
  if (!handle->active) Activate(handle);
}

void Loop::StopIo(IoHandle* handle) {
  if (!handle->active) return;
  watchers_[static_cast<size_t>(handle->source)] = nullptr;
  handle->interest = 0;
  platform_.Watch(handle->source, 0);
  Deactivate(handle);
}

void Loop::Feed(IoHandle* handle) {
  if (std::find(pending_.begin(), pending_.end(), handle) == pending_.end()) pending_.push_back(handle);
}

// The callback waits for the close phase. spec: close.after-check
void Loop::Close(Handle* handle, void (*on_close)(Handle*)) {
  CONFORM_CHECK(!handle->closing);
  handle->closing = true;
  handle->on_close = on_close;
  if (rules_.close_callbacks == LoopRules::CloseCallbacks::kInTheCall) {
    handle->awaits_signal = false;
    if (on_close != nullptr) on_close(handle);
    return;
  }
  const bool queued_later = handle->awaits_signal && rules_.signal_close != LoopRules::SignalClose::kWaitsInQueue;
  if (!queued_later) QueueClosing(handle);
}

// spec: close.last-in-first-out
void Loop::QueueClosing(Handle* handle) {
  Handle** place = &closing_;
  while (*place != nullptr && rules_.close_order == QueueOrder::kOldestFirst) place = &(*place)->next_closing;
  handle->next_closing = std::exchange(*place, handle);
}

void Loop::CloseTimer(TimerHandle* timer, void (*on_close)(Handle*)) {
  // spec: close.stops-the-handle
  if (rules_.closed_timer == LoopRules::ClosedTimer::kStopped) TakeOut(timer);
  Close(timer, on_close);
}

void Loop::CloseWakeup(WakeupHandle* handle, void (*on_close)(Handle*)) {
  std::erase(wakeups_, handle);
  std::replace(wakeup_pass_.begin(), wakeup_pass_.end(), handle, static_cast<WakeupHandle*>(nullptr));
  if (handle->active) Deactivate(handle);
  Close(handle, on_close);
}

void Loop::CloseIo(IoHandle* handle, void (*on_close)(Handle*)) {
  StopIo(handle);
  pending_.Erase(handle);
  // The number may be given to another source before the events at hand are all seen.
  for (ReadySource& ready : ready_) {
    if (ready.source == handle->source) ready.source = kNoSource;
  }
  if (handle->source != kNoSource) platform_.Close(handle->source);
  handle->source = kNoSource;
  Close(handle, on_close);
}

// spec: liveness.ref-counts, liveness.unref
void Loop::Ref(Handle* handle) {
  if (rules_.ref == LoopRules::Ref::kIgnored) return;
  if (handle->referenced && rules_.ref != LoopRules::Ref::kCountedAgain) return;
  handle->referenced = true;
  if (handle->active) ++active_;
}

void Loop::Unref(Handle* handle) {
  if (!handle->referenced || rules_.unref == LoopRules::Unref::kIgnored) return;
  handle->referenced = false;
  if (handle->active) --active_;
}

void Loop::Activate(Handle* handle) {
  handle->active = true;
  if (handle->referenced) ++active_;
}

void Loop::Deactivate(Handle* handle) {
  handle->active = false;
  if (handle->referenced) --active_;
}

}  // namespace conform::reference
