// The rules of the loop that differ between versions of libuv. spec/profiles/libuv.yaml gives each version its values.
#ifndef CONFORM_REFERENCE_IMPL_LOOP_RULES_H_
#define CONFORM_REFERENCE_IMPL_LOOP_RULES_H_

#include "reference-impl/loop/faults.h"
#include "runners/model/profile.h"

namespace conform::reference {

struct LoopRules {
  // timers.before-or-after-poll: where in an iteration due timers run.
  enum class TimerPhase { kBeforePoll, kAfterPoll };
  // timers.zero-restarts-next-iteration: whether a timer that is started while timers run can run in the same pass.
  enum class TimerPass { kHeap, kSnapshot };
  // iteration.phase-order: where pending callbacks run. Only Node's profile reaches back to where it was elsewhere.
  enum class PendingPhase { kAfterTimers, kAfterPrepare };
  // pending.bounded-after-poll: how long callbacks that feed the pending queue anew can hold the loop.
  enum class PendingRun { kUntilEmpty, kSnapshot, kSnapshotAndAfterPoll };
  // iteration.run-modes: what keeps `run once` from sleeping.
  enum class OnceSleep { kUnlessPendingRan, kUnlessPendingOrIdle, kAlways };
  // iteration.stop: whether timers run once on a loop that is stopped or has nothing to wait for.
  enum class DeadLoopTimers { kSkip, kRun };
  // starvation.write-callbacks: whether a write that ends inside the callback of another is reported in the same go.
  enum class WriteCallbacks { kUntilEmpty, kSnapshot };
  // poll.timeout: whether callbacks that wait in the pending queue keep the poll from blocking.
  enum class PendingAtPoll { kIgnored, kNoWait };
  // poll.signals-last: the place of signals among what is ready together.
  enum class SignalOrder { kAsReady, kLast };
  // poll.connections-in-order: how many of the connections that wait a server takes at once.
  enum class Accepting { kAllThatWait, kOne };

  TimerPhase timer_phase = TimerPhase::kAfterPoll;
  TimerPass timer_pass = TimerPass::kSnapshot;
  PendingPhase pending_phase = PendingPhase::kAfterTimers;
  PendingRun pending_run = PendingRun::kSnapshotAndAfterPoll;
  OnceSleep once_sleep = OnceSleep::kUnlessPendingOrIdle;
  DeadLoopTimers dead_loop_timers = DeadLoopTimers::kSkip;
  WriteCallbacks write_callbacks = WriteCallbacks::kSnapshot;
  PendingAtPoll pending_at_poll = PendingAtPoll::kNoWait;
  SignalOrder signal_order = SignalOrder::kLast;
  Accepting accepting = Accepting::kOne;
  Fault fault = Fault::kNone;  // what is wrong on purpose

  bool Has(Fault one) const { return fault == one; }

  // REQUIRES: the profile has libuv's rules.
  static LoopRules From(const Profile& profile);
};

}  // namespace conform::reference

#endif  // CONFORM_REFERENCE_IMPL_LOOP_RULES_H_
