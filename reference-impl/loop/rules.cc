#include "reference-impl/loop/rules.h"

#include "reference-impl/loop/rule_value.h"

namespace conform::reference {

LoopRules LoopRules::From(const Profile& profile) {
  LoopRules rules;
  rules.timer_phase = RuleValue<TimerPhase>(
      profile, "timer-phase", {{"before-poll", TimerPhase::kBeforePoll}, {"after-poll", TimerPhase::kAfterPoll}});
  rules.timer_pass =
      RuleValue<TimerPass>(profile, "timer-pass", {{"heap", TimerPass::kHeap}, {"snapshot", TimerPass::kSnapshot}});
  if (profile.rules.contains("pending-phase")) {
    rules.pending_phase = RuleValue<PendingPhase>(
        profile, "pending-phase",
        {{"after-timers", PendingPhase::kAfterTimers}, {"after-prepare", PendingPhase::kAfterPrepare}});
  }
  rules.pending_run = RuleValue<PendingRun>(profile, "pending-run",
                                            {{"until-empty", PendingRun::kUntilEmpty},
                                             {"snapshot", PendingRun::kSnapshot},
                                             {"snapshot-and-after-poll", PendingRun::kSnapshotAndAfterPoll}});
  rules.once_sleep = RuleValue<OnceSleep>(profile, "once-sleep",
                                          {{"always", OnceSleep::kAlways},
                                           {"unless-pending-ran", OnceSleep::kUnlessPendingRan},
                                           {"unless-pending-or-idle", OnceSleep::kUnlessPendingOrIdle}});
  rules.dead_loop_timers = RuleValue<DeadLoopTimers>(profile, "dead-loop-timers",
                                                     {{"skip", DeadLoopTimers::kSkip}, {"run", DeadLoopTimers::kRun}});
  rules.write_callbacks = RuleValue<WriteCallbacks>(
      profile, "write-callbacks",
      {{"until-empty", WriteCallbacks::kUntilEmpty}, {"snapshot", WriteCallbacks::kSnapshot}});
  rules.pending_at_poll = RuleValue<PendingAtPoll>(
      profile, "pending-at-poll", {{"ignored", PendingAtPoll::kIgnored}, {"no-wait", PendingAtPoll::kNoWait}});
  rules.signal_order = RuleValue<SignalOrder>(profile, "signal-order",
                                              {{"as-ready", SignalOrder::kAsReady}, {"last", SignalOrder::kLast}});
  rules.accepting = RuleValue<Accepting>(profile, "accepting",
                                         {{"all-that-wait", Accepting::kAllThatWait}, {"one", Accepting::kOne}});
  rules.fault = FaultOf(profile);
  return rules;
}

}  // namespace conform::reference
