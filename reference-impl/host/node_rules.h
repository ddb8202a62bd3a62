// The rules of the Node host that differ between releases. spec/profiles/node.yaml gives each release its values.
#ifndef CONFORM_REFERENCE_IMPL_HOST_NODE_RULES_H_
#define CONFORM_REFERENCE_IMPL_HOST_NODE_RULES_H_

#include "reference-impl/loop/faults.h"
#include "runners/model/profile.h"

namespace conform::reference {

struct NodeRules {
  // exit.before-exit-repeats: how the process turns its loop.
  enum class LoopMode { kDefault, kOnce };
  // timers.lists-by-duration
  enum class TimerStore { kHandlePerList, kListQueue };
  // timers.due-in-one-pass: how a list that is not due to its end is put back.
  enum class ListRestart { kStaleDifference, kFreshAtLeast0, kFreshOverdueIn1, kFreshAtLeast1 };
  enum class ListRequeue { kAsDue, kAtLeastNextMillisecond };
  enum class ListClock { kOncePerPass, kReread };
  // errors.throw-in-timer
  enum class TimerThrow {
    kRestInTick,
    kRestInTickOrdered,
    kRestInTickUnlessEmpty,
    kRerunList,
    kRerunListAfterDrainToo
  };
  // timers.interval-rearm
  enum class IntervalStart { kAfterCallback, kBeforeCallbackFloor, kBeforeCallback };
  // check.immediate-batch
  enum class ImmediateBatch { kOne, kAll };
  // drain.after-each-callback, for immediates
  enum class ImmediateDrain { kAfterBatch, kBetween };
  // errors.throw-in-immediate
  enum class ImmediateThrow { kNextIteration, kRestInTick, kRestAtOnce, kRestOrNewAtOnce };
  // errors.throw-in-tick: what of the check phase opens a callback scope besides immediates.
  enum class CheckScope { kNone, kEveryIteration };
  // ticks.before-microtasks
  enum class Drain { kTickDepth, kMicrotaskTick, kTicksThenMicrotaskTick, kTicksThenMicrotasks };
  // errors.throw-in-tick: whether a task of the engine itself runs ticks that an error left over.
  enum class EngineTasks { kNone, kAnyTime, kFirstPollAndAnyTime };
  // errors.throw-in-main
  enum class MainScope { kTickCallback, kCallbackScope };
  // errors.uncaught-handler
  enum class AfterUncaught { kSpinner, kDrainingImmediate, kNoopImmediate };
  // errors.throw-in-microtask
  enum class MicrotaskThrow { kReported, kSwallowed };
  // rejections.default-throws
  enum class Rejections { kIgnored, kWarned, kThrown };
  // rejections.handler-throw-drops
  enum class RejectionList { kOneByOne, kTakenWhole };
  // drain.esm-microtasks-first
  enum class EsmEntry { kInPoll, kInMain };
  // close.after-check
  enum class CloseUnconnected { kNever, kTick };

  LoopMode loop_mode = LoopMode::kDefault;
  TimerStore timer_store = TimerStore::kListQueue;
  ListRestart list_restart = ListRestart::kFreshAtLeast1;
  ListRequeue list_requeue = ListRequeue::kAtLeastNextMillisecond;
  ListClock list_clock = ListClock::kOncePerPass;
  TimerThrow timer_throw = TimerThrow::kRerunList;
  IntervalStart interval_start = IntervalStart::kBeforeCallback;
  ImmediateBatch immediate_batch = ImmediateBatch::kAll;
  ImmediateDrain immediate_drain = ImmediateDrain::kBetween;
  ImmediateThrow immediate_throw = ImmediateThrow::kRestOrNewAtOnce;
  CheckScope check_scope = CheckScope::kEveryIteration;
  Drain drain = Drain::kTicksThenMicrotasks;
  MainScope main_scope = MainScope::kCallbackScope;
  AfterUncaught after_uncaught = AfterUncaught::kNoopImmediate;
  MicrotaskThrow microtask_throw = MicrotaskThrow::kReported;
  Rejections rejections = Rejections::kThrown;
  RejectionList rejection_list = RejectionList::kTakenWhole;
  EsmEntry esm_entry = EsmEntry::kInMain;
  CloseUnconnected close_unconnected = CloseUnconnected::kTick;
  EngineTasks engine_tasks = EngineTasks::kAnyTime;
  bool message_throws_in_tick = true;
  bool sleeps_from_fresh_time = true;
  bool clear_immediate_clears_timeouts = false;
  int fatal_exit_code = 1;
  int throw_in_exit_code = 1;
  bool truncates_delay = true;
  bool clears_by_primitive = true;
  bool clear_interval_clears_timeouts = true;
  bool refresh_in_callback_kept = true;
  bool unref_reuses_handle = true;
  int read_file_trips = 4;
  bool message_limit = true;   // a thousand messages, or as many as there were, for each wake-up of a port
  Fault fault = Fault::kNone;  // what is wrong on purpose

  bool Has(Fault one) const { return fault == one; }

  // REQUIRES: the profile has Node's rules.
  static NodeRules From(const Profile& profile);
};

}  // namespace conform::reference

#endif  // CONFORM_REFERENCE_IMPL_HOST_NODE_RULES_H_
