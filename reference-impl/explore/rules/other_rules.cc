// The rules of promises, asyncio, HTML, loops that are held to their documentation, and the platform below them.
#include "reference-impl/explore/rules/model_rules.h"

namespace conform::reference {

void ReadRules(RuleReader* reader, PlatformRules* rules) {
  using R = PlatformRules;
  reader->Read<R::ReadySources>("ready-sources", &rules->ready_sources,
                                {{"all", R::ReadySources::kAll},
                                 {"newest-first", R::ReadySources::kNewestFirst},
                                 {"one-per-poll", R::ReadySources::kOnePerPoll}});
  reader->Read<R::Wakes>("wakes", &rules->wakes, {{"all", R::Wakes::kAll}, {"first-only", R::Wakes::kFirstOnly}});
  reader->Read<R::PoolWidth>("pool-width", &rules->pool_width,
                             {{"as-asked", R::PoolWidth::kAsAsked},
                              {"one-more", R::PoolWidth::kOneMore},
                              {"one-each", R::PoolWidth::kOneEach}});
}

void ReadRules(RuleReader* reader, PromiseRules* rules) {
  using R = PromiseRules;
  reader->Read<R::Await>("await", &rules->await, {{"direct", R::Await::kDirect}, {"wrapped", R::Await::kWrapped}});
  reader->Read<R::AwaitError>("await-error", &rules->await_error,
                              {{"thrown", R::AwaitError::kThrown},
                               {"thrown-one-job-later", R::AwaitError::kThrownOneJobLater},
                               {"past-the-catch", R::AwaitError::kPastTheCatch}});
  reader->Read<R::ResolveWithPromise>("resolve-with-promise", &rules->resolve_with_promise,
                                      {{"lazy-unwrap", R::ResolveWithPromise::kLazyUnwrap},
                                       {"thenable-job", R::ResolveWithPromise::kThenableJob},
                                       {"fulfilled-shortcut", R::ResolveWithPromise::kFulfilledShortcut},
                                       {"settled-shortcut", R::ResolveWithPromise::kSettledShortcut}});
  reader->Read<R::Finally>("finally", &rules->finally,
                           {{"through-promise", R::Finally::kThroughPromise},
                            {"as-then", R::Finally::kAsThen},
                            {"direct", R::Finally::kDirect}});
  ReadOrder(reader, "microtask-order", &rules->job_order);
  ReadOrder(reader, "reaction-order", &rules->reaction_order);
  reader->ReadNumber("then-jobs", &rules->then_jobs);
  reader->ReadNumber("await-jobs", &rules->await_jobs);
  reader->ReadNumber("thenable-jobs", &rules->thenable_jobs);
  reader->ReadNumber("adopt-jobs", &rules->adopt_jobs);
}

void ReadRules(RuleReader* reader, AsyncioRules* rules) {
  using R = AsyncioRules;
  reader->Read<R::EqualDeadlines>("equal-deadlines", &rules->equal_deadlines,
                                  {{"any", R::EqualDeadlines::kAny}, {"start-order", R::EqualDeadlines::kStartOrder}});
  reader->Read<R::ReadyDescriptors>("ready-descriptors", &rules->ready_descriptors,
                                    {{"any", R::ReadyDescriptors::kAny}, {"as-ready", R::ReadyDescriptors::kAsReady}});
  reader->Read<R::Stop>(
      "stop", &rules->stop,
      {{"queued", R::Stop::kQueued}, {"end-of-pass", R::Stop::kEndOfPass}, {"ignored", R::Stop::kIgnored}});
  reader->Read<R::Pass>(
      "pass", &rules->pass,
      {{"snapshot", R::Pass::kSnapshot}, {"until-empty", R::Pass::kUntilEmpty}, {"one", R::Pass::kOne}});
  ReadOrder(reader, "queue-order", &rules->queue_order);
  reader->Read<R::PassOrder>(
      "pass-order", &rules->pass_order,
      {{"descriptors-first", R::PassOrder::kDescriptorsFirst}, {"timers-first", R::PassOrder::kTimersFirst}});
  reader->Read<R::DueOrder>(
      "due-order", &rules->due_order,
      {{"earliest-first", R::DueOrder::kEarliestFirst}, {"latest-first", R::DueOrder::kLatestFirst}});
  reader->Read<R::CancelQueued>(
      "cancel-queued", &rules->cancel_queued,
      {{"takes-effect", R::CancelQueued::kTakesEffect}, {"ignored", R::CancelQueued::kIgnored}});
  reader->Read<R::FutureCallbacks>("future-callbacks", &rules->future_callbacks,
                                   {{"queued", R::FutureCallbacks::kQueued}, {"at-once", R::FutureCallbacks::kAtOnce}});
  ReadOrder(reader, "waiter-order", &rules->waiter_order);
  reader->Read<R::WorkResult>("work-result", &rules->work_result,
                              {{"queued", R::WorkResult::kQueued}, {"at-once", R::WorkResult::kAtOnce}});
  reader->Read<R::ErrorHandler>("error-handler", &rules->error_handler,
                                {{"called", R::ErrorHandler::kCalled}, {"not-called", R::ErrorHandler::kNotCalled}});
}

void ReadRules(RuleReader* reader, HtmlRules* rules) {
  using R = HtmlRules;
  ReadRules(reader, &rules->promises);
  reader->Read<R::IntervalStart>("interval-start", &rules->interval_start,
                                 {{"when-due", R::IntervalStart::kWhenDue},
                                  {"after-callback", R::IntervalStart::kAfterCallback},
                                  {"either", R::IntervalStart::kEither}});
  reader->Read<R::ErrorReport>("error-report", &rules->error_report,
                               {{"before-microtasks", R::ErrorReport::kBeforeMicrotasks},
                                {"after-microtasks", R::ErrorReport::kAfterMicrotasks},
                                {"either", R::ErrorReport::kEither}});
  reader->ReadNumber("nesting-limit", &rules->nesting_limit);
  reader->ReadNumber("nested-delay", &rules->nested_delay_ms);
  reader->Read<R::Checkpoint>("checkpoint", &rules->checkpoint,
                              {{"after-script-and-callbacks", R::Checkpoint::kAfterScriptAndCallbacks},
                               {"after-script", R::Checkpoint::kAfterScript},
                               {"after-callbacks", R::Checkpoint::kAfterCallbacks},
                               {"one-microtask", R::Checkpoint::kOneMicrotask}});
  reader->Read<R::TimerOrder>("timer-order", &rules->timer_order,
                              {{"by-start-and-delay", R::TimerOrder::kByStartAndDelay}, {"any", R::TimerOrder::kAny}});
  reader->Read<R::ClearTimer>("clear-timer", &rules->clear_timer,
                              {{"takes-effect", R::ClearTimer::kTakesEffect}, {"ignored", R::ClearTimer::kIgnored}});
  ReadOrder(reader, "message-order", &rules->message_order);
  reader->Read<R::ErrorEvent>("error-event", &rules->error_event,
                              {{"fired", R::ErrorEvent::kFired}, {"not-fired", R::ErrorEvent::kNotFired}});
  reader->Read<R::HandledRejection>("handled-rejection", &rules->handled_rejection,
                                    {{"reported-if-late", R::HandledRejection::kReportedIfLate},
                                     {"reported-as-unhandled", R::HandledRejection::kReportedAsUnhandled},
                                     {"never-reported", R::HandledRejection::kNeverReported}});
}

void ReadRules(RuleReader* reader, DocumentedRules* rules) {
  using R = DocumentedRules;
  const auto read_kept = [&](const char* rule, bool* value) {
    reader->ReadPromise<bool>(rule, value, {{"kept", true}});
  };
  read_kept("never-inside", &rules->never_inside);
  read_kept("timer-not-early", &rules->timer_not_early);
  read_kept("timers-by-deadline", &rules->timers_by_deadline);
  read_kept("loop-time", &rules->loop_time);
  read_kept("prepare-first", &rules->prepare_first);
  read_kept("fair", &rules->fair);
  read_kept("cleared-never-comes", &rules->cleared_never_comes);
  read_kept("cancellation-is-reported", &rules->cancellation_is_reported);
  reader->ReadPromise<R::SoonOrder>("soon-order", &rules->soon_order,
                                    {{"posted", R::SoonOrder::kPosted}, {"queue", R::SoonOrder::kQueue}});
  reader->ReadPromise<R::Priorities>("priorities", &rules->priorities,
                                     {{"by-turn", R::Priorities::kByTurn},
                                      {"strict", R::Priorities::kStrict},
                                      {"pending", R::Priorities::kPending},
                                      {"by-round", R::Priorities::kByRound}});
  reader->ReadPromise<R::IdleLast>("idle-last", &rules->idle_last,
                                   {{"soon", R::IdleLast::kSoon}, {"handles", R::IdleLast::kHandles}});
  reader->ReadPromise<R::Check>("check", &rules->check,
                                {{"first", R::Check::kFirst}, {"after-another", R::Check::kAfterAnother}});
  reader->ReadPromise<R::Stop>("stop", &rules->stop,
                               {{"at-once", R::Stop::kAtOnce}, {"after-pending", R::Stop::kAfterPending}});
}

}  // namespace conform::reference
