// The rules of the host for loops that are held to their documentation. A rule that a profile does not have is open:
// nothing is documented, and so everything is allowed.
#ifndef CONFORM_REFERENCE_IMPL_HOST_DOCUMENTED_RULES_H_
#define CONFORM_REFERENCE_IMPL_HOST_DOCUMENTED_RULES_H_

namespace conform::reference {

struct DocumentedRules {
  // documented.posted-in-order: all that is scheduled with `soon`, or what is put into the queue of events.
  enum class SoonOrder { kOpen, kPosted, kQueue };
  // documented.priorities: how long a callback that is more urgent is still ahead of one that is ready.
  enum class Priorities {
    kOpen,
    kByTurn,   // until the loop may have chosen the other one for the turn
    kStrict,   // the same, and always where it was scheduled with `soon`
    kPending,  // until the loop may have found the other one, and always where it was scheduled with `soon`
    kByRound,  // of posted events alone, until the loop may have begun a round with the other one
  };
  // documented.idle-last: what is idle, the callbacks of `soon` or those of idle handles.
  enum class IdleLast { kOpen, kSoon, kHandles };
  // documented.check-first, documented.after-another
  enum class Check { kOpen, kFirst, kAfterAnother };
  // documented.stop
  enum class Stop { kOpen, kAtOnce, kAfterPending };

  bool never_inside = false;
  bool timer_not_early = false;
  bool timers_by_deadline = false;
  bool loop_time = false;
  bool prepare_first = false;
  bool fair = false;
  bool cleared_never_comes = false;
  bool cancellation_is_reported = false;
  SoonOrder soon_order = SoonOrder::kOpen;
  Priorities priorities = Priorities::kOpen;
  IdleLast idle_last = IdleLast::kOpen;
  Check check = Check::kOpen;
  Stop stop = Stop::kOpen;
};

}  // namespace conform::reference

#endif  // CONFORM_REFERENCE_IMPL_HOST_DOCUMENTED_RULES_H_
