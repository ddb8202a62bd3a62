#include "reference-impl/host/node_rules.h"

#include <cstdlib>

#include "reference-impl/loop/rule_value.h"

namespace conform::reference {

namespace {

bool YesNo(const Profile& profile, const std::string& rule) {
  return RuleValue<bool>(profile, rule, {{"yes", true}, {"no", false}});
}

int Number(const Profile& profile, const std::string& rule) { return std::atoi(RuleText(profile, rule).c_str()); }

void ReadTimers(const Profile& profile, NodeRules* rules) {
  using R = NodeRules;
  rules->timer_store = RuleValue<R::TimerStore>(
      profile, "timer-store",
      {{"handle-per-list", R::TimerStore::kHandlePerList}, {"list-queue", R::TimerStore::kListQueue}});
  rules->list_restart = RuleValue<R::ListRestart>(profile, "list-restart",
                                                  {{"stale-difference", R::ListRestart::kStaleDifference},
                                                   {"fresh-at-least-0", R::ListRestart::kFreshAtLeast0},
                                                   {"fresh-overdue-in-1", R::ListRestart::kFreshOverdueIn1},
                                                   {"fresh-at-least-1", R::ListRestart::kFreshAtLeast1}});
  rules->list_requeue = RuleValue<R::ListRequeue>(
      profile, "list-requeue",
      {{"as-due", R::ListRequeue::kAsDue}, {"at-least-next-ms", R::ListRequeue::kAtLeastNextMillisecond}});
  rules->list_clock = RuleValue<R::ListClock>(
      profile, "list-clock", {{"re-read", R::ListClock::kReread}, {"once-per-pass", R::ListClock::kOncePerPass}});
  rules->timer_throw =
      RuleValue<R::TimerThrow>(profile, "timer-throw",
                               {{"rest-in-tick", R::TimerThrow::kRestInTick},
                                {"rest-in-tick-ordered", R::TimerThrow::kRestInTickOrdered},
                                {"rest-in-tick-unless-empty", R::TimerThrow::kRestInTickUnlessEmpty},
                                {"rest-at-once", R::TimerThrow::kRerunList},
                                {"rest-at-once-after-drain-too", R::TimerThrow::kRerunListAfterDrainToo}});
  rules->interval_start =
      RuleValue<R::IntervalStart>(profile, "interval-start",
                                  {{"after-callback", R::IntervalStart::kAfterCallback},
                                   {"before-callback-floor", R::IntervalStart::kBeforeCallbackFloor},
                                   {"before-callback", R::IntervalStart::kBeforeCallback}});
  rules->truncates_delay = YesNo(profile, "delay-truncated");
  rules->clears_by_primitive = YesNo(profile, "clear-by-primitive");
  rules->clear_interval_clears_timeouts = YesNo(profile, "clear-interval-clears-timeouts");
  rules->clear_immediate_clears_timeouts = YesNo(profile, "clear-immediate-clears-timeouts");
  rules->refresh_in_callback_kept = YesNo(profile, "refresh-in-callback");
  rules->unref_reuses_handle = YesNo(profile, "unref-reuses-handle");
}

void ReadImmediates(const Profile& profile, NodeRules* rules) {
  using R = NodeRules;
  rules->immediate_batch = RuleValue<R::ImmediateBatch>(
      profile, "immediate-batch", {{"one", R::ImmediateBatch::kOne}, {"all", R::ImmediateBatch::kAll}});
  rules->immediate_drain = RuleValue<R::ImmediateDrain>(
      profile, "immediate-drain",
      {{"after-batch", R::ImmediateDrain::kAfterBatch}, {"between", R::ImmediateDrain::kBetween}});
  rules->immediate_throw = RuleValue<R::ImmediateThrow>(profile, "immediate-throw",
                                                        {{"next-iteration", R::ImmediateThrow::kNextIteration},
                                                         {"rest-in-tick", R::ImmediateThrow::kRestInTick},
                                                         {"rest-at-once", R::ImmediateThrow::kRestAtOnce},
                                                         {"rest-or-new-at-once", R::ImmediateThrow::kRestOrNewAtOnce}});
  rules->check_scope = RuleValue<R::CheckScope>(
      profile, "check-scope", {{"none", R::CheckScope::kNone}, {"every-iteration", R::CheckScope::kEveryIteration}});
}

}  // namespace

NodeRules NodeRules::From(const Profile& profile) {
  NodeRules rules;
  rules.loop_mode =
      RuleValue<LoopMode>(profile, "loop-mode", {{"default", LoopMode::kDefault}, {"once", LoopMode::kOnce}});
  ReadTimers(profile, &rules);
  ReadImmediates(profile, &rules);
  rules.drain = RuleValue<Drain>(profile, "drain",
                                 {{"tick-depth", Drain::kTickDepth},
                                  {"microtask-tick", Drain::kMicrotaskTick},
                                  {"ticks-then-microtask-tick", Drain::kTicksThenMicrotaskTick},
                                  {"ticks-then-microtasks", Drain::kTicksThenMicrotasks}});
  rules.main_scope = RuleValue<MainScope>(
      profile, "main-scope",
      {{"tick-callback", MainScope::kTickCallback}, {"callback-scope", MainScope::kCallbackScope}});
  rules.after_uncaught = RuleValue<AfterUncaught>(profile, "after-uncaught",
                                                  {{"spinner", AfterUncaught::kSpinner},
                                                   {"draining-immediate", AfterUncaught::kDrainingImmediate},
                                                   {"empty-immediate", AfterUncaught::kNoopImmediate}});
  rules.microtask_throw = RuleValue<MicrotaskThrow>(
      profile, "microtask-throw", {{"reported", MicrotaskThrow::kReported}, {"swallowed", MicrotaskThrow::kSwallowed}});
  rules.rejections = RuleValue<Rejections>(
      profile, "rejections",
      {{"ignored", Rejections::kIgnored}, {"warned", Rejections::kWarned}, {"thrown", Rejections::kThrown}});
  rules.rejection_list =
      RuleValue<RejectionList>(profile, "rejection-list",
                               {{"one-by-one", RejectionList::kOneByOne}, {"taken-whole", RejectionList::kTakenWhole}});
  rules.esm_entry =
      RuleValue<EsmEntry>(profile, "esm-entry", {{"in-poll", EsmEntry::kInPoll}, {"in-main", EsmEntry::kInMain}});
  rules.close_unconnected = RuleValue<CloseUnconnected>(
      profile, "close-unconnected", {{"never", CloseUnconnected::kNever}, {"tick", CloseUnconnected::kTick}});
  rules.engine_tasks = RuleValue<EngineTasks>(profile, "engine-tasks",
                                              {{"none", EngineTasks::kNone},
                                               {"any-time", EngineTasks::kAnyTime},
                                               {"first-poll-and-any-time", EngineTasks::kFirstPollAndAnyTime}});
  rules.message_throws_in_tick = RuleValue<bool>(profile, "message-throw", {{"at-once", false}, {"in-tick", true}});
  rules.sleeps_from_fresh_time =
      RuleValue<bool>(profile, "poll-timeout", {{"from-cached-time", false}, {"from-fresh-time", true}});
  rules.fatal_exit_code = Number(profile, "fatal-exit-code");
  rules.throw_in_exit_code = Number(profile, "throw-in-exit-code");
  rules.message_limit = YesNo(profile, "message-limit");
  rules.read_file_trips = Number(profile, "read-file-trips");
  rules.fault = FaultOf(profile);
  return rules;
}

}  // namespace conform::reference
