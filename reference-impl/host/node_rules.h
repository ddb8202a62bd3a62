// The rules of the Node host: what differs between releases, and what another runtime may do in its place.
// spec/profiles/node.yaml gives each release its values, and has a sentence for those that no release has.
#ifndef CONFORM_REFERENCE_IMPL_HOST_NODE_RULES_H_
#define CONFORM_REFERENCE_IMPL_HOST_NODE_RULES_H_

#include "reference-impl/host/promise_rules.h"
#include "reference-impl/loop/rules.h"

namespace conform::reference {

struct NodeRules {
  LoopRules loop;         // that it is built on
  PromiseRules promises;  // of its engine

  // --- Timers ---

  // timers.lists-by-duration: whether each duration has its own timer in the loop; and which timers share a list.
  enum class TimerStore : uint8_t { kHandlePerList, kListQueue };
  enum class TimerLists : uint8_t { kByDuration, kOneEach };
  // timers.due-in-one-pass: how a list whose next timer is not due is put back.
  enum class ListRestart : uint8_t { kStaleDifference, kFreshAtLeast0, kFreshOverdueIn1, kFreshAtLeast1 };
  enum class ListRequeue : uint8_t { kAsDue, kAtLeastNextMillisecond };
  // timers.lists-by-duration: what taking a list out of the queue does to the order of the others.
  enum class ListRemoval : uint8_t { kKeepsOrder, kSiftsTheRoot };
  // timers.due-in-one-pass: when the clock is read for timers that are started during the pass.
  enum class ListClock : uint8_t { kOncePerPass, kReread, kEachTimer };
  // timers.fresh-clock-at-start: what a timer counts from.
  enum class ListStart : uint8_t { kFreshTime, kLoopTime };
  // drain.after-each-callback, for timers that run in one pass.
  enum class TimerDrain : uint8_t { kBetween, kNotInList, kNotBetweenLists };
  // errors.throw-in-timer: what happens to the timers after one that throws.
  enum class TimerThrow : uint8_t {
    kRestInTick,
    kRestInTickOrdered,
    kRestInTickUnlessEmpty,
    kRerunList,
    kRerunListAfterDrainToo,
    kRestInNextPass
  };
  // timers.interval-rearm: from when the next run of an interval counts.
  enum class IntervalStart : uint8_t { kAfterCallback, kBeforeCallbackFloor, kBeforeCallback, kWhenDue, kNever };
  // timers.clear: whether a timer that is cleared can still run.
  enum class ClearTimer : uint8_t { kAtOnce, kNotInPass, kNotInOwnCallback, kIgnored };
  // timers.clear: what clearImmediate does to a timer. It takes the timer for an immediate: it unlinks it from its
  // list, and counts one immediate less. Some releases have one count of immediates; others have two, of all and of
  // those that are referenced; some leave a timer alone that has ended.
  enum class ClearImmediateOfTimeout : uint8_t { kUnlinks, kOneCount, kTwoCounts, kTwoCountsUnlessEnded, kNothing };
  // liveness.unref: which handle an unreferenced timer runs by. The last timer of a list may take that of the list
  // along, and lose it if the list is being served.
  enum class UnrefHandle : uint8_t { kNew, kTakenAndLost, kTaken };
  // timers.clamp-max: what becomes of a delay that is too large.
  enum class LargeDelay : uint8_t { kOne, kLargest };
  // timers.refresh: what refreshing a timer does.
  enum class Refresh : uint8_t { kRestarts, kKeepsStart, kRevivesCleared, kIgnored };
  // liveness.ref-counts, liveness.unref-immediate: what ref and unref of timers and of immediates do.
  enum class RefUnref : uint8_t { kTakeEffect, kRefIgnored, kUnrefIgnored };

  Rule<TimerStore> timer_store = TimerStore::kListQueue;
  Rule<TimerLists> timer_lists = TimerLists::kByDuration;
  Rule<QueueOrder> list_order = QueueOrder::kOldestFirst;  // timers.lists-by-duration
  Rule<QueueOrder> list_ties = QueueOrder::kOldestFirst;   // timers.equal-deadline-start-order
  Rule<int> list_lateness_ms = 0;                          // timers.threshold: how long after its delay a timer is due
  Rule<ListRestart> list_restart = ListRestart::kFreshAtLeast1;
  Rule<ListRequeue> list_requeue = ListRequeue::kAtLeastNextMillisecond;
  Rule<ListRemoval> list_removal = ListRemoval::kKeepsOrder;
  Rule<ListClock> list_clock = ListClock::kOncePerPass;
  Rule<ListStart> list_start = ListStart::kFreshTime;
  Rule<TimerDrain> timer_drain = TimerDrain::kBetween;
  Rule<TimerThrow> timer_throw = TimerThrow::kRerunList;
  Rule<IntervalStart> interval_start = IntervalStart::kBeforeCallback;
  Rule<ClearTimer> clear_timer = ClearTimer::kAtOnce;
  Rule<int> least_delay_ms = 1;  // timers.clamp-to-one: what a delay of 0 becomes
  Rule<LargeDelay> large_delay = LargeDelay::kOne;
  Rule<Refresh> refresh = Refresh::kRestarts;
  Rule<RefUnref> timer_ref = RefUnref::kTakeEffect;
  Rule<bool> truncates_delay = true;                 // timers.truncate
  Rule<bool> clears_by_primitive = true;             // timers.clear: by its number
  Rule<bool> clear_interval_clears_timeouts = true;  // timers.clear
  Rule<ClearImmediateOfTimeout> clear_immediate_of_timeout = ClearImmediateOfTimeout::kNothing;
  Rule<bool> refresh_in_callback_kept = true;     // timers.refresh
  Rule<bool> ended_timer_keeps_reference = true;  // timers.refresh
  Rule<UnrefHandle> unref_handle = UnrefHandle::kTaken;

  // --- Immediates ---

  // check.immediate-batch, check.nested-immediate-waits: how many immediates run in one iteration.
  enum class ImmediateBatch : uint8_t { kOne, kAll, kUntilEmpty };
  // drain.after-each-callback, for immediates
  enum class ImmediateDrain : uint8_t { kAfterBatch, kBetween };
  // errors.throw-in-immediate: what happens to the immediates after one that throws.
  enum class ImmediateThrow : uint8_t { kNextIteration, kRestInTick, kRestAtOnce, kRestOrNewAtOnce, kRestLost };
  // check.clear: whether an immediate that is cleared can still run.
  enum class ClearImmediate : uint8_t { kAtOnce, kNotInBatch, kIgnored };
  // errors.throw-in-tick: what of the check phase opens a callback scope besides immediates.
  enum class CheckScope : uint8_t { kNone, kEveryIteration };
  // timers.clear-other-kinds: when the check phase looks whether an immediate keeps the loop turning.
  enum class IdleStop : uint8_t { kAfterImmediates, kEveryCheck };

  Rule<ImmediateBatch> immediate_batch = ImmediateBatch::kAll;
  Rule<QueueOrder> immediate_order = QueueOrder::kOldestFirst;  // check.immediate-batch
  Rule<ImmediateDrain> immediate_drain = ImmediateDrain::kBetween;
  Rule<ImmediateThrow> immediate_throw = ImmediateThrow::kRestOrNewAtOnce;
  Rule<ClearImmediate> clear_immediate = ClearImmediate::kAtOnce;
  Rule<LoopRules::AtPoll> immediates_at_poll = LoopRules::AtPoll::kNoWait;  // poll.timeout
  Rule<RefUnref> immediate_ref = RefUnref::kTakeEffect;
  Rule<CheckScope> check_scope = CheckScope::kEveryIteration;
  Rule<IdleStop> idle_stop = IdleStop::kEveryCheck;

  // --- Draining ---

  // ticks.before-microtasks: in which order ticks, microtasks and rejections are emptied. host/drain_policy.h
  enum class Drain : uint8_t {
    kTickDepth,
    kMicrotaskTick,
    kTicksThenMicrotaskTick,
    kTicksThenMicrotasks,
    kMicrotasksThenTicks,
    kMicrotasksAfterEachTick,
    kTicksInRounds,
    kTicksAfterEachMicrotask,
    kRejectionsBeforeMicrotasks,
  };
  // microtasks.until-empty: how many microtasks a drain runs.
  enum class MicrotaskRun : uint8_t { kUntilEmpty, kSnapshot };
  // errors.throw-in-tick: what becomes of the ticks behind one that throws.
  enum class TickThrow : uint8_t { kRestKept, kRestLost };
  // errors.throw-in-microtask: whether the error is reported.
  enum class MicrotaskThrow : uint8_t { kReported, kSwallowed, kEndsDrain };
  // drain.after-each-callback, errors.throw-in-timer: what the end of a callback of the loop drains.
  enum class CallbackScope : uint8_t {
    kDrains,
    kDrainsAfterErrorsToo,
    kDrainsNothing,
    kMicrotasksFirstInPoll,
    kOncePerPhase
  };
  // errors.throw-in-tick, liveness.unref: whether a task of the engine itself wakes the loop up, and runs ticks that an
  // error left over.
  enum class EngineTasks : uint8_t { kNone, kAnyTime, kFirstPollAndAnyTime };
  // errors.throw-in-main, drain.after-main-script: what is drained when the main script has ended or thrown.
  enum class MainScope : uint8_t { kTickCallback, kCallbackScope, kNone, kErrorAfterDrain, kMicrotasksAfterError };

  Rule<Drain> drain = Drain::kTicksThenMicrotasks;
  Rule<QueueOrder> tick_order = QueueOrder::kOldestFirst;  // ticks.first-in-first-out
  Rule<TickThrow> tick_throw = TickThrow::kRestKept;
  Rule<MicrotaskRun> microtask_run = MicrotaskRun::kUntilEmpty;
  Rule<MicrotaskThrow> microtask_throw = MicrotaskThrow::kReported;
  Rule<CallbackScope> callback_scope = CallbackScope::kDrains;
  Rule<MainScope> main_scope = MainScope::kCallbackScope;
  Rule<EngineTasks> engine_tasks = EngineTasks::kAnyTime;

  // --- Errors and rejections ---

  // errors.uncaught-handler: how the process continues.
  enum class AfterUncaught : uint8_t { kSpinner, kDrainingImmediate, kNoopImmediate, kDrainsAtOnce };
  // errors.uncaught-handler, errors.monitor-first: which listeners an error is reported to.
  enum class Uncaught : uint8_t { kMonitorThenHandler, kHandlerThenMonitor, kHandlerTwice };
  // errors.fatal-exit: when an unhandled error ends the process.
  enum class FatalErrors : uint8_t { kAtOnce, kAtEnd };
  // errors.uncaught-handler: which listeners an error in a listener of `beforeExit` or `exit` is reported to.
  enum class EventThrow : uint8_t { kUncaughtHandler, kFatal, kInPlace };
  // errors.throw-in-io: what becomes of an error in the callback of a connection.
  enum class ConnectionThrow : uint8_t { kReported, kLost };
  // rejections.default-throws: what an unhandled rejection leads to.
  enum class Rejections : uint8_t { kIgnored, kWarned, kThrown, kFatal };
  // rejections.handler-throw-drops, rejections.handler-rejects: what becomes of rejections behind one whose handler
  // throws, and of those that a handler makes.
  enum class RejectionList : uint8_t { kAsItGrows, kOneByOne, kTakenWhole };
  // rejections.after-microtasks: what a rejection that is handled in time does to the flag that makes a drain look.
  enum class RejectionFlag : uint8_t { kKept, kCleared };
  // rejections.after-microtasks, rejections.handled-later: when and how a rejection is reported.
  enum class RejectionReport : uint8_t { kWhenDrained, kAtOnce, kTwice, kAlsoIfHandled, kThrownToo, kBeforeWait };
  // rejections.handled-later: whether a handler that comes after the report is reported.
  enum class HandledLate : uint8_t { kReported, kSilent };

  Rule<AfterUncaught> after_uncaught = AfterUncaught::kNoopImmediate;
  Rule<Uncaught> uncaught = Uncaught::kMonitorThenHandler;
  Rule<FatalErrors> fatal_errors = FatalErrors::kAtOnce;
  Rule<EventThrow> event_throw = EventThrow::kUncaughtHandler;
  Rule<ConnectionThrow> connection_throw = ConnectionThrow::kReported;
  Rule<Rejections> rejections = Rejections::kThrown;
  Rule<RejectionList> rejection_list = RejectionList::kTakenWhole;
  Rule<RejectionFlag> rejection_flag = RejectionFlag::kKept;
  Rule<QueueOrder> rejection_order = QueueOrder::kOldestFirst;  // rejections.after-microtasks
  Rule<RejectionReport> rejection_report = RejectionReport::kWhenDrained;
  Rule<HandledLate> handled_late = HandledLate::kReported;

  // --- The process ---

  // exit.before-exit-repeats: how the process turns its loop, and when `beforeExit` comes.
  enum class LoopMode : uint8_t { kDefault, kOnce };
  enum class BeforeExit : uint8_t { kRepeats, kOnce, kNever, kOnExitToo };
  // exit.exit-last, errors.fatal-exit: when the exit event is emitted.
  enum class ExitEvent : uint8_t { kOnce, kTwice, kNotAfterFatal };
  // exit.nothing-after: what still runs of what an exit listener schedules.
  enum class ExitDrain : uint8_t { kMicrotasks, kNothing, kTicksToo };
  // exit.nothing-after: whether the loop turns once more after the exit event.
  enum class TearDown : uint8_t { kAtOnce, kTurnsLoop };
  // exit.code: whether the process ends with the code that it should have.
  enum class ExitCode : uint8_t { kKept, kZero };
  // exit.throw-in-exit: what becomes of the code of a call to exit when an exit listener throws.
  enum class RequestedCode : uint8_t { kForgotten, kUnlessFatal, kKept };
  // exit.unsettled-main-module: how a main module ends the process that never ends its top-level await.
  enum class UnsettledModule : uint8_t { kByItsCode, kAsAnError };
  // drain.esm-microtasks-first: in which phase the body of an ESM entry runs, and how it begins.
  enum class EsmEntry : uint8_t { kInPoll, kInMain };
  enum class EsmBody : uint8_t { kAsJob, kAsScript };

  Rule<LoopMode> loop_mode = LoopMode::kDefault;
  Rule<BeforeExit> before_exit = BeforeExit::kRepeats;
  Rule<ExitEvent> exit_event = ExitEvent::kOnce;
  Rule<ExitDrain> exit_drain = ExitDrain::kMicrotasks;
  Rule<TearDown> tear_down = TearDown::kAtOnce;
  Rule<ExitCode> exit_code = ExitCode::kKept;
  Rule<QueueOrder> listener_order = QueueOrder::kOldestFirst;  // exit.exit-last
  Rule<EsmEntry> esm_entry = EsmEntry::kInMain;
  Rule<EsmBody> esm_body = EsmBody::kAsJob;
  Rule<int> fatal_exit_code = 1;  // exit.code
  Rule<RequestedCode> requested_code = RequestedCode::kKept;
  Rule<int> throw_in_handler_code = 7;   // exit.code
  Rule<int> unsettled_module_code = 13;  // exit.unsettled-main-module
  Rule<UnsettledModule> unsettled_module = UnsettledModule::kByItsCode;

  // --- I/O and messages ---

  // close.event-of-destroyed-socket: where a socket that was never connected reports its close, if at all.
  enum class CloseUnconnected : uint8_t { kNever, kTick };
  // close.after-check: where the close event of a socket comes from.
  enum class CloseEvent : uint8_t { kClosingPhase, kTick };
  // close.server-in-a-tick: when a server reports its close.
  enum class ServerClose : uint8_t { kAfterConnections, kAtOnce, kClosingPhase };
  // poll.listening: when the listening event is emitted.
  enum class ListeningEvent : uint8_t { kTick, kInTheCall };
  // poll.connection-before-connect: on which side of the connect event a server gets its connection.
  enum class ConnectionEvent : uint8_t { kBeforeConnect, kAfterConnect };
  // poll.refused-connection: when the error of a refused connection is emitted.
  enum class RefusedError : uint8_t { kTick, kInPoll };
  // pending.connect-errors: where a connection that fails within its call is reported.
  enum class FailedConnect : uint8_t { kPending, kTick, kInPoll };
  // poll.children: how a child that cannot be started reports its error.
  enum class MissingChild : uint8_t { kTick, kAsItsEnd };
  // liveness.signal-handlers, poll.signal-each-time: whether handlers keep the process alive, and what calls them.
  enum class SignalHandlers : uint8_t { kNotAlive, kKeepAlive, kNeverCalled, kByAnotherThread };
  // poll.messages: how many messages a port delivers each time it is woken.
  enum class MessageRun : uint8_t { kUntilEmpty, kOne };
  // drain.after-each-callback, for messages
  enum class MessageDrain : uint8_t { kBetween, kAtEnd, kMicrotasksBetween };

  Rule<CloseUnconnected> close_unconnected = CloseUnconnected::kTick;
  Rule<CloseEvent> close_event = CloseEvent::kClosingPhase;
  Rule<ServerClose> server_close = ServerClose::kAfterConnections;
  Rule<ListeningEvent> listening_event = ListeningEvent::kTick;
  Rule<ConnectionEvent> connection_event = ConnectionEvent::kBeforeConnect;
  Rule<RefusedError> refused_error = RefusedError::kTick;
  Rule<FailedConnect> failed_connect = FailedConnect::kPending;
  Rule<MissingChild> missing_child = MissingChild::kTick;
  Rule<SignalHandlers> signal_handlers = SignalHandlers::kNotAlive;
  Rule<MessageRun> message_run = MessageRun::kUntilEmpty;
  Rule<QueueOrder> message_order = QueueOrder::kOldestFirst;  // poll.messages
  Rule<MessageDrain> message_drain = MessageDrain::kBetween;
  // starvation.messages: how many messages a port delivers each time it is woken; more, if there were more when it
  // began; 0: no limit.
  Rule<int> message_limit = 1000;
  Rule<bool> message_throws_in_tick = true;  // errors.throw-in-message
  Rule<int> read_file_trips = 4;             // poll.pool-completions
  Rule<bool> sleeps_from_fresh_time = true;  // poll.timeout
};

}  // namespace conform::reference

#endif  // CONFORM_REFERENCE_IMPL_HOST_NODE_RULES_H_
