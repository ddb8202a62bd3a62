// The event loop: phases, timers, handles, requests. What libuv is to Node.
#ifndef CONFORM_REFERENCE_IMPL_LOOP_LOOP_H_
#define CONFORM_REFERENCE_IMPL_LOOP_LOOP_H_

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <utility>
#include <vector>

#include "reference-impl/loop/handle.h"
#include "reference-impl/loop/rules.h"
#include "reference-impl/loop/timer_heap.h"
#include "reference-impl/platform/fifo.h"
#include "reference-impl/platform/fingerprint.h"
#include "reference-impl/platform/platform.h"

namespace conform::reference {

enum class RunMode { kDefault, kOnce, kNoWait };

// What a loop asks of whoever runs a program on it.
class LoopOwner {
 public:
  virtual ~LoopOwner() = default;
  // A number that grows with every step of the program.
  virtual int64_t steps() const = 0;
  // No callback of an idle, prepare or check handle would do anything now.
  virtual bool IsQuiet() const = 0;
};

// One thread runs a loop and calls its methods; Send alone may be called from any thread.
class Loop {
 public:
  Loop(Platform& platform, const LoopRules& rules);
  ~Loop();
  Loop(const Loop&) = delete;
  Loop& operator=(const Loop&) = delete;

  // Runs until nothing is left, until Stop, or for one iteration. Returns whether the loop is still alive.
  bool Run(RunMode mode);
  // Resumes a Run that was left at a rest (Platform::Rest), as Run would have continued.
  bool Continue();
  // spec: iteration.stop
  void Stop() { stopped_ = rules_.stop != LoopRules::StopEffect::kIgnored; }
  // spec: liveness.closing-counts
  bool Alive() const {
    const bool has_pending = !pending_.empty() && rules_.pending_alive == LoopRules::PendingAlive::kCounts;
    return HasActive() || has_pending ||
           (closing_ != nullptr && rules_.keeps_alive != LoopRules::KeepsAlive::kRequests);
  }
  // The last Run would have waited without end.
  bool stuck() const { return stuck_; }
  // Nothing outside this loop wakes it: a wait without end for nothing that is under way is then known as such.
  void set_closed_world(bool closed_world) { closed_world_ = closed_world; }
  // A sleep is measured from a fresh reading of the clock, not from the time that the loop remembers. spec:
  // poll.timeout
  void set_sleeps_from_fresh_time(bool fresh) { sleeps_from_fresh_time_ = fresh; }
  // Without an owner, nothing is known of what callbacks do. It must outlive the loop.
  void set_owner(const LoopOwner* owner) { owner_ = owner; }
  // Called when a poll has served all that was ready, and when the closing phase has ended.
  void set_after_phase(std::function<void()> after_phase) { after_phase_ = std::move(after_phase); }

  Time now() const { return now_; }
  Time UpdateTime() {
    const Time now = clock_.Read();
    now_ = now;
    return now;
  }
  Clock& clock() { return clock_; }
  Platform& platform() { return platform_; }
  const LoopRules& rules() const { return rules_; }

  // Timers. Starting a timer that is active starts it anew. A repeat of 0 means once.
  void StartTimer(TimerHandle* timer, int64_t after_ms, int64_t repeat_ms);
  void StartTimerAt(TimerHandle* timer, Time deadline, int64_t repeat_ms);
  void StopTimer(TimerHandle* timer);
  void RepeatTimer(TimerHandle* timer);  // starts it anew with its repeat, if it has one
  bool TimerStands(const TimerHandle* timer) const { return timer->place.stands() || timer->due_index >= 0; }

  // Handles of the phases. Starting one that is active changes nothing.
  void StartIdle(PhaseHandle* handle) { StartInRing(handle, &idle_, rules_.idle_order); }
  void StartPrepare(PhaseHandle* handle) { StartInRing(handle, &prepare_, rules_.prepare_order); }
  void StartCheck(PhaseHandle* handle) { StartInRing(handle, &check_, rules_.check_order); }
  void StopInPhase(PhaseHandle* handle);

  // Wake-ups. Several Sends before the loop looks are one.
  void StartWakeup(WakeupHandle* handle);
  void Send(WakeupHandle* handle);

  // Sources. The callback runs in the poll phase for as long as the source is ready.
  void StartIo(IoHandle* handle, Source source, uint8_t interest);
  void StopIo(IoHandle* handle);
  // Runs the handle's callback in the pending phase.
  void Feed(IoHandle* handle);

  // The pool.
  void Submit(Request* request, int threads);  // kOwnThread: to a thread that is not the pool's
  bool Cancel(Request* request);               // true: the callback runs with `cancelled` set

  // A request that is not the pool's (a write) keeps the loop alive between these two.
  void BeginRequest() { ++other_requests_; }
  void EndRequest() { --other_requests_; }

  // A child process: the callback runs when it has ended.
  void StartChild(Request* request);

  // Signals. The callback runs in the poll phase once for each time that the signal was raised.
  void StartSignal(SignalHandle* handle);
  void StopSignal(SignalHandle* handle);
  void RaiseSignal(int number = 0);

  // Closes: no callback runs any more but on_close, which runs in the closing phase.
  void Close(Handle* handle, void (*on_close)(Handle*));
  void CloseTimer(TimerHandle* timer, void (*on_close)(Handle*));
  void CloseInPhase(PhaseHandle* handle, void (*on_close)(Handle*)) { StopInPhase(handle), Close(handle, on_close); }
  void CloseWakeup(WakeupHandle* handle, void (*on_close)(Handle*));
  void CloseIo(IoHandle* handle, void (*on_close)(Handle*));  // the source too
  void CloseSignal(SignalHandle* handle, void (*on_close)(Handle*));

  void Ref(Handle* handle);
  void Unref(Handle* handle);

  // For traces.
  int64_t iteration() const { return iteration_; }
  const char* phase() const { return phase_; }

  // Adds the state of the loop; `describe` adds what the owner knows of a handle or request.
  template <typename Describe>
  void AddTo(Fingerprint* fingerprint, Describe describe) const;

 private:
  bool HasActive() const { return active_ > 0 || HasRequests(); }
  bool HasRequests() const {
    const bool any = requests_under_way_ > unreferenced_requests_ || other_requests_ > 0;
    return any && rules_.keeps_alive != LoopRules::KeepsAlive::kClosing;
  }
  bool BeginsWithTimers(bool alive) const;
  void BeginRun(bool alive);
  void BeginIteration();
  void RunOnce();
  bool EndRun(bool alive);
  void RestBefore(const Phase* phase);
  // The phases. REQUIRES: there is something to do.
  void RunTimers();
  void RunTimersFromHeap();
  void RunTimersSnapshot();
  void RunTimer(TimerHandle* timer);
  void TakeOut(TimerHandle* timer);
  // spec: timers.threshold
  Time NextDeadline() const { return timers_.MinDeadline() + rules_.timer_lateness_ms; }
  void RunPending();
  void RunRing(RingLink* ring, const char* phase);
  PhaseHandle& RunNextInRing();
  void RunAllInRing(RingLink* ring);
  void Poll(const WaitBound& bound);
  bool Wait(const WaitBound& bound);
  bool WaitFromFreshTime(WaitBound bound);
  void RunClosing();
  bool ModeLetsPollWait() const;
  WaitBound PollBound();
  // Whether the next poll may go in more than one way.
  bool PollIsOpen() const;
  void RunPool();
  bool ServesSignalsWithPool() const { return has_pool_phase_ && !signals_.empty(); }
  void DispatchReady();
  void Dispatch(const ReadySource& ready);
  bool HandleWakeups();  // whether something was served
  void WatchSignals();
  void CatchSignal(int number);
  const SignalHandle* FirstOf(int number) const;
  void CatchEndsOfChildren();
  void HandleSignals();
  void ReapChildren();
  void QueueClosing(Handle* handle);
  bool RunCompletions();
  bool GoesOnServing();
  bool CompletionsCanWait() const;
  bool MayBeWokenForNothing() const;
  Request* TakeRequest(int64_t id);
  bool RunWakeups();
  void StartInRing(PhaseHandle* handle, RingLink* ring, QueueOrder order);
  void Activate(Handle* handle);
  void Deactivate(Handle* handle);

  Platform& platform_;
  Clock& clock_;
  const LoopRules rules_;
  Time now_;
  bool stopped_ = false;
  bool stuck_ = false;
  bool closed_world_ = false;
  bool sleeps_from_fresh_time_ = false;
  const bool has_pool_phase_;
  const bool has_pool_again_;
  bool pending_ran_ = false;  // in the iteration under way
  bool could_sleep_ = true;   // nothing was pending or idle when its pending phase began
  std::function<void()> after_phase_;
  const LoopOwner* owner_ = nullptr;
  int64_t iteration_ = 0;
  RunMode mode_ = RunMode::kDefault;   // of the iteration under way
  bool poll_could_wait_ = false;       // the poll under way
  const Phase* next_phase_ = nullptr;  // null: the first iteration has not begun
  const char* phase_ = "main";

  int64_t active_ = 0;  // handles that are active and referenced
  TimerHeap<TimerHandle> timers_;
  uint64_t next_start_id_ = 0;
  std::vector<TimerHandle*> due_;  // the pass that is under way
  Fifo<IoHandle*> pending_;
  RingLink idle_, prepare_, check_;
  RingLink* next_in_phase_ = nullptr;  // what runs next in the ring whose phase is under way
  std::vector<IoHandle*> watchers_;    // by source
  std::vector<ReadySource> ready_;
  Time polled_at_;  // of the poll under way, as are the next two
  int64_t steps_at_poll_ = 0;
  int64_t requests_at_poll_ = 0;
  int served_ = 0;  // requests, since the last wait
  Source signal_source_ = kNoSource;
  std::vector<SignalHandle*> signals_;  // that are started, by address; those that stop themselves come last
  std::map<int, bool> caught_;          // numbers that are caught; true: the next time only
  Fifo<SignalHandle*> caught_signals_;  // on their way to these handles; null: that a child has ended
  Source wakeup_source_;
  std::atomic<bool> woken_{false};
  std::vector<WakeupHandle*> wakeups_;      // in the order in which they get their turn
  std::vector<WakeupHandle*> wakeup_pass_;  // those of the pass under way that
                                            // have not; closed ones are null
  int64_t requests_under_way_ = 0;
  int64_t unreferenced_requests_ = 0;  // of those
  int64_t other_requests_ = 0;
  int64_t next_request_id_ = 1;
  std::map<int64_t, Request*> requests_;
  Handle* closing_ = nullptr;  // in the order in which their callbacks run
};

template <typename Describe>
void Loop::AddTo(Fingerprint* fingerprint, Describe describe) const {
  fingerprint->Add(now_);
  fingerprint->Add((stopped_ ? 1u : 0u) | (stuck_ ? 2u : 0u) | static_cast<unsigned>(mode_) << 2 |
                   (pending_ran_ ? 16u : 0u) | (could_sleep_ ? 32u : 0u) | (MayBeWokenForNothing() ? 64u : 0u));
  fingerprint->Add(static_cast<uint64_t>(other_requests_));
  auto add_handle = [&](const Handle* handle) {
    fingerprint->Add((handle->active ? 1u : 0u) | (handle->referenced ? 2u : 0u) | (handle->closing ? 4u : 0u) |
                     (handle->awaits_signal ? 8u : 0u));
    describe(handle->data);
  };
  // By start order: the heap's shape depends on history, its order does not.
  struct StartedTimer {
    uint64_t id;
    const TimerHandle* handle;
    Time deadline;
  };
  std::vector<StartedTimer> timers;
  timers.reserve(timers_.size());
  timers_.ForEach([&](const TimerHandle* timer, Time deadline, uint64_t id) {
    timers.push_back({id, timer, deadline});
  });
  std::sort(timers.begin(), timers.end(), [](const auto& a, const auto& b) { return a.id < b.id; });
  fingerprint->Add(timers.size());
  for (const StartedTimer& timer : timers) {
    fingerprint->Add(timer.deadline);
    fingerprint->Add(static_cast<uint64_t>(timer.handle->repeat_ms));
    add_handle(timer.handle);
  }
  for (const RingLink* ring : {&idle_, &prepare_, &check_}) {
    for (const RingLink* link = ring->next; link != ring; link = link->next) {
      add_handle(static_cast<const PhaseHandle*>(link));
    }
    fingerprint->Add(0x72696e67u);
  }
  for (const IoHandle* handle : watchers_) {
    if (handle == nullptr) continue;
    fingerprint->Add(handle->interest);
    add_handle(handle);
  }
  for (const IoHandle* handle : pending_) add_handle(handle);
  for (const WakeupHandle* handle : wakeups_) {
    fingerprint->Add(handle->pending.load() ? 1 : 0);
    add_handle(handle);
  }
  fingerprint->Add(signals_.size());
  for (const SignalHandle* handle : signals_) add_handle(handle);
  for (const auto& [number, once] : caught_) fingerprint->Add(static_cast<uint64_t>(number) * 2 + (once ? 1 : 0));
  fingerprint->Add(caught_signals_.size());
  for (const SignalHandle* handle : caught_signals_) {
    fingerprint->Add(handle == nullptr ? 1 : 0);
    if (handle != nullptr) add_handle(handle);
  }
  for (const auto& [id, request] : requests_) {
    fingerprint->Add((request->cancelled ? 1u : 0u) | (request->referenced ? 2u : 0u));
    describe(request->data);
  }
  for (const Handle* handle = closing_; handle != nullptr; handle = handle->next_closing) add_handle(handle);
}

}  // namespace conform::reference

#endif  // CONFORM_REFERENCE_IMPL_LOOP_LOOP_H_
