// The rules of the loop: what differs between versions of libuv, and what
// another loop may do in its place. spec/profiles/libuv.yaml gives each version
// its values, and has a sentence for those that no version has.
#ifndef CONFORM_REFERENCE_IMPL_LOOP_RULES_H_
#define CONFORM_REFERENCE_IMPL_LOOP_RULES_H_

#include <array>
#include <cstdint>
#include <initializer_list>

#include "reference-impl/loop/rule.h"
#include "runners/base/check.h"

namespace conform::reference {

// What an iteration does, one after the other.
enum class Phase : uint8_t {
  kTimers,        // reads the clock, and runs the timers that are due
  kTimersIfOnce,  // the same, in a run of one iteration alone
  kPending,       // callbacks of I/O that were put off
  kPendingAgain,  // the same after the poll, in rounds
  kIdle,
  kPrepare,
  kPoll,       // waits, and serves what is ready
  kPool,       // serves requests of the pool, wake-ups and signals, without a wait; the poll then leaves them alone
  kPoolAgain,  // serves requests of the pool and wake-ups, without a wait; and so does the poll
  kCheck,
  kClosing,
};

// The phases of an iteration, in order. One may be missing.
class PhaseList {
 public:
  PhaseList(std::initializer_list<Phase> phases) {
    for (const Phase phase : phases) Add(phase);
  }
  void Add(Phase phase) {
    CONFORM_CHECK(size_ < phases_.size());
    phases_[size_++] = phase;
  }
  const Phase* begin() const { return phases_.data(); }
  const Phase* end() const { return phases_.data() + size_; }

 private:
  std::array<Phase, 15> phases_{};
  uint8_t size_ = 0;
};

enum class QueueOrder : uint8_t { kOldestFirst, kNewestFirst };

struct LoopRules {
  // timers.before-or-after-poll, iteration.stop: whether an open-ended run
  // begins with timers.
  enum class TimersAtStart : uint8_t { kNo, kIfAlive, kAlways };
  // timers.zero-restarts-next-iteration: whether a timer that is started while
  // timers run can run in the same pass.
  enum class TimerPass : uint8_t { kHeap, kSnapshot };
  // pending.bounded-after-poll: how many callbacks of the pending queue run in
  // one go.
  enum class PendingRun : uint8_t { kUntilEmpty, kSnapshot, kOne };
  // iteration.run-modes: what keeps `run once` from sleeping.
  enum class OnceSleep : uint8_t { kAlways, kUnlessPendingRan, kUnlessPendingOrIdle, kNever };
  // starvation.write-callbacks: whether a write that ends inside the callback
  // of another is reported in the same go.
  enum class WriteCallbacks : uint8_t { kUntilEmpty, kSnapshot };
  // poll.timeout: whether something keeps the poll from waiting.
  enum class AtPoll : uint8_t { kNoWait, kIgnored };
  // poll.signals-last: the place of signals among what is ready together.
  enum class SignalOrder : uint8_t { kAsReady, kLast, kFirst };
  // pending.shutdown: where a shutdown with nothing left to write is reported, and where one is cancelled whose stream
  // is closed in the callback of a write.
  enum class Shutdown : uint8_t { kInPoll, kInPending, kInTheCall };
  enum class ClosedShutdown : uint8_t { kBehindWrites, kWhenClosed };
  // pending.write-after-shutdown
  enum class WriteAfterShutdown : uint8_t { kMade, kRefused };
  // poll.datagrams: how many datagrams a socket receives in one poll.
  enum class DatagramRun : uint8_t { kThirtyThree, kThirtyTwo, kOne };
  // poll.stream-data
  enum class StreamRun : uint8_t { kThirtyTwo, kOne };
  enum class StreamStop : uint8_t { kAtOnce, kAfterThePoll };
  enum class StoppedWhileWriting : uint8_t { kStaysActive, kStops };
  // poll.stream-end
  enum class StreamEnd : uint8_t { kEndsReading, kKeepsAlive };
  // poll.datagrams-sent: where a datagram is reported that was sent at once.
  enum class DatagramSent : uint8_t { kInPending, kInTheCall };
  // poll.signals-in-order: which of several signals is reported first.
  enum class SignalQueue : uint8_t { kAsRaised, kByNumber };
  // poll.signal-once
  enum class SignalOnce : uint8_t { kStops, kStays };
  // close.signal-under-way: when a handle is reported as closed that signals are still under way to. It waits among
  // those that are closing, or joins them only then; it may be active until then, also if it is only stopped.
  enum class SignalClose : uint8_t { kWhenDelivered, kActiveUntilDelivered, kWaitsInQueue };
  // poll.connections-in-order: how many of the connections that wait a server
  // takes at once.
  enum class Accepting : uint8_t { kAllThatWait, kOne };

  // iteration.phase-order: whether the clock is read before the timers of an
  // iteration.
  enum class TimersClock : uint8_t { kRead, kRemembered };
  // timers.due-in-one-pass
  enum class DueTimers : uint8_t { kAll, kOnePerPass };
  // timers.clear: whether stopping a timer keeps it from running.
  enum class TimerStop : uint8_t { kAtOnce, kNotInPass, kIgnored };
  // timers.restart-moves-last: what starting does to a timer that is active, by
  // `start` or by `again`.
  enum class TimerRestart : uint8_t { kCountsAnew, kKeepsDeadline, kAgainIgnored };
  // timers.cached-loop-time: what a deadline counts from.
  enum class TimerBase : uint8_t { kLoopTime, kFreshTime };
  // timers.interval-rearm, timers.repeat-before-callback: when a repeating
  // timer is started again.
  enum class TimerRepeat : uint8_t { kBeforeCallback, kAfterCallback, kFromDeadline, kNever };
  // close.stops-the-handle
  enum class ClosedTimer : uint8_t { kStopped, kRuns };
  // idle.repeats, idle.started-in-phase-waits: who gets a turn among idle,
  // prepare and check handles.
  enum class PhasePass : uint8_t { kActive, kAlsoStarted, kAlsoStopped, kOnceEach };
  // iteration.run-modes
  enum class NowaitSleep : uint8_t { kNever, kAsDefault };
  enum class OnceRun : uint8_t { kOneIteration, kUntilNothingIsLeft };
  enum class RunResult : uint8_t { kWhetherAlive, kAlive };
  // poll.data-waiting-is-ready: whether a poll that must not wait looks at what
  // is ready.
  enum class BusyPoll : uint8_t { kLooks, kSkipped };
  // poll.wakeups-coalesce: how often a handle runs that was woken.
  enum class Wakeups : uint8_t { kOnce, kTwice };
  // poll.pool-completions: on which side of the handles that were woken.
  enum class PoolCompletions : uint8_t { kBeforeWakeups, kAfterWakeups };
  // poll.cancel: what a request that was cancelled looks like.
  enum class CancelledRequest : uint8_t { kReported, kAsEnded };
  // close.after-check, close.nested-waits: when the callback of a close runs.
  enum class CloseCallbacks : uint8_t { kNextPhase, kSamePhase, kInTheCall };
  // close.cancels-requests: what becomes of the requests of a handle that is
  // closed.
  enum class CloseRequests : uint8_t { kCancelled, kDropped };
  // liveness.ref-counts, liveness.closing-counts: what keeps the loop alive
  // besides handles.
  enum class KeepsAlive : uint8_t { kRequestsAndClosing, kRequests, kClosing };
  enum class LastData : uint8_t { kWithTheEnd, kBeforeTheEnd };
  enum class PendingAlive : uint8_t { kCounts, kDoesNotCount };
  // liveness.ref-counts, liveness.unref
  enum class Ref : uint8_t { kCountedOnce, kCountedAgain, kIgnored };
  enum class Unref : uint8_t { kTakesEffect, kIgnored };
  // iteration.stop
  enum class StopEffect : uint8_t { kAfterIteration, kBeforeNextPhase, kStays, kIgnored };

  // iteration.phase-order
  PhaseList iteration{Phase::kPending,      Phase::kIdle,  Phase::kPrepare, Phase::kPoll,
                      Phase::kPendingAgain, Phase::kCheck, Phase::kClosing, Phase::kTimers};
  Rule<TimersAtStart> timers_at_start = TimersAtStart::kIfAlive;
  Rule<TimerPass> timer_pass = TimerPass::kSnapshot;
  Rule<PendingRun> pending_run = PendingRun::kSnapshot;
  Rule<OnceSleep> once_sleep = OnceSleep::kUnlessPendingOrIdle;
  Rule<WriteCallbacks> write_callbacks = WriteCallbacks::kSnapshot;
  Rule<AtPoll> pending_at_poll = AtPoll::kNoWait;
  Rule<AtPoll> idle_at_poll = AtPoll::kNoWait;
  Rule<AtPoll> closing_at_poll = AtPoll::kNoWait;
  Rule<SignalOrder> signal_order = SignalOrder::kLast;
  Rule<Shutdown> shutdown = Shutdown::kInPending;
  Rule<ClosedShutdown> closed_shutdown = ClosedShutdown::kBehindWrites;
  Rule<WriteAfterShutdown> write_after_shutdown = WriteAfterShutdown::kRefused;
  Rule<DatagramRun> datagram_run = DatagramRun::kThirtyTwo;
  Rule<StreamRun> stream_run = StreamRun::kThirtyTwo;
  Rule<StreamStop> stream_stop = StreamStop::kAtOnce;
  Rule<StoppedWhileWriting> stopped_while_writing = StoppedWhileWriting::kStops;
  Rule<StreamEnd> stream_end = StreamEnd::kEndsReading;
  Rule<DatagramSent> datagram_sent = DatagramSent::kInPending;
  Rule<SignalQueue> signal_queue = SignalQueue::kAsRaised;
  Rule<SignalOnce> signal_once = SignalOnce::kStops;
  Rule<SignalClose> signal_close = SignalClose::kWaitsInQueue;
  Rule<int> writes_at_once = 33;  // pending.write-callbacks: how many pending writes a stream performs at a time
  Rule<Accepting> accepting = Accepting::kOne;

  Rule<TimersClock> timers_clock = TimersClock::kRead;
  Rule<QueueOrder> timer_ties = QueueOrder::kOldestFirst;  // timers.equal-deadline-start-order
  Rule<int> timer_lateness_ms = 0;  // timers.threshold: how long after its deadline a timer is due
  Rule<DueTimers> due_timers = DueTimers::kAll;
  Rule<TimerStop> timer_stop = TimerStop::kAtOnce;
  Rule<TimerRestart> timer_restart = TimerRestart::kCountsAnew;
  Rule<TimerBase> timer_base = TimerBase::kLoopTime;
  Rule<TimerRepeat> timer_repeat = TimerRepeat::kBeforeCallback;
  Rule<ClosedTimer> closed_timer = ClosedTimer::kStopped;
  Rule<QueueOrder> idle_order = QueueOrder::kNewestFirst;     // idle.last-in-first-out
  Rule<QueueOrder> prepare_order = QueueOrder::kNewestFirst;  // idle.last-in-first-out
  Rule<QueueOrder> check_order = QueueOrder::kNewestFirst;    // check.last-in-first-out
  Rule<PhasePass> phase_pass = PhasePass::kActive;
  Rule<NowaitSleep> nowait_sleep = NowaitSleep::kNever;
  Rule<OnceRun> once_run = OnceRun::kOneIteration;
  Rule<RunResult> run_result = RunResult::kWhetherAlive;
  Rule<BusyPoll> busy_poll = BusyPoll::kLooks;
  Rule<QueueOrder> pending_order = QueueOrder::kOldestFirst;  // pending.write-callbacks
  Rule<int> pending_rounds = 8;                               // pending.bounded-after-poll
  Rule<QueueOrder> write_order = QueueOrder::kOldestFirst;    // pending.write-callbacks
  Rule<Wakeups> wakeups = Wakeups::kOnce;
  Rule<QueueOrder> wakeup_order = QueueOrder::kOldestFirst;  // poll.wakeup-init-order
  Rule<PoolCompletions> pool_completions = PoolCompletions::kBeforeWakeups;
  Rule<CancelledRequest> cancelled_request = CancelledRequest::kReported;
  Rule<QueueOrder> close_order = QueueOrder::kNewestFirst;  // close.last-in-first-out
  Rule<CloseCallbacks> close_callbacks = CloseCallbacks::kNextPhase;
  Rule<CloseRequests> close_requests = CloseRequests::kCancelled;
  Rule<KeepsAlive> keeps_alive = KeepsAlive::kRequestsAndClosing;
  Rule<LastData> last_data = LastData::kBeforeTheEnd;
  Rule<PendingAlive> pending_alive = PendingAlive::kCounts;
  Rule<Ref> ref = Ref::kCountedOnce;
  Rule<Unref> unref = Unref::kTakesEffect;
  Rule<StopEffect> stop = StopEffect::kAfterIteration;
};

}  // namespace conform::reference

#endif  // CONFORM_REFERENCE_IMPL_LOOP_RULES_H_
