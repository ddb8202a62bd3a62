#include "reference-impl/explore/rules/model_rules.h"

namespace conform::reference {

namespace {

void ReadTimers(RuleReader* reader, NodeRules* rules) {
  using R = NodeRules;
  reader->Read<R::TimerStore>(
      "timer-store", &rules->timer_store,
      {{"handle-per-list", R::TimerStore::kHandlePerList}, {"list-queue", R::TimerStore::kListQueue}});
  reader->Read<R::TimerLists>("timer-lists", &rules->timer_lists,
                              {{"by-duration", R::TimerLists::kByDuration}, {"one-each", R::TimerLists::kOneEach}});
  ReadOrder(reader, "list-order", &rules->list_order);
  ReadOrder(reader, "list-ties", &rules->list_ties);
  reader->Read<int>("list-threshold", &rules->list_lateness_ms,
                    {{"after-delay", 0}, {"1-ms-before", -1}, {"1-ms-after", 1}});
  reader->Read<R::ListRestart>("list-restart", &rules->list_restart,
                               {{"stale-difference", R::ListRestart::kStaleDifference},
                                {"fresh-at-least-0", R::ListRestart::kFreshAtLeast0},
                                {"fresh-overdue-in-1", R::ListRestart::kFreshOverdueIn1},
                                {"fresh-at-least-1", R::ListRestart::kFreshAtLeast1}});
  reader->Read<R::ListRequeue>(
      "list-requeue", &rules->list_requeue,
      {{"as-due", R::ListRequeue::kAsDue}, {"at-least-next-ms", R::ListRequeue::kAtLeastNextMillisecond}});
  reader->Read<R::ListRemoval>(
      "list-removal", &rules->list_removal,
      {{"keeps-order", R::ListRemoval::kKeepsOrder}, {"sifts-the-root", R::ListRemoval::kSiftsTheRoot}});
  reader->Read<R::ListClock>("list-clock", &rules->list_clock,
                             {{"once-per-pass", R::ListClock::kOncePerPass},
                              {"re-read", R::ListClock::kReread},
                              {"each-timer", R::ListClock::kEachTimer}});
  reader->Read<R::ListStart>("list-start", &rules->list_start,
                             {{"fresh-time", R::ListStart::kFreshTime}, {"loop-time", R::ListStart::kLoopTime}});
  reader->Read<R::TimerDrain>("timer-drain", &rules->timer_drain,
                              {{"between", R::TimerDrain::kBetween},
                               {"not-in-list", R::TimerDrain::kNotInList},
                               {"not-between-lists", R::TimerDrain::kNotBetweenLists}});
  reader->Read<R::TimerThrow>("timer-throw", &rules->timer_throw,
                              {{"rest-in-tick", R::TimerThrow::kRestInTick},
                               {"rest-in-tick-ordered", R::TimerThrow::kRestInTickOrdered},
                               {"rest-in-tick-unless-empty", R::TimerThrow::kRestInTickUnlessEmpty},
                               {"rest-at-once", R::TimerThrow::kRerunList},
                               {"rest-at-once-after-drain-too", R::TimerThrow::kRerunListAfterDrainToo},
                               {"rest-in-next-pass", R::TimerThrow::kRestInNextPass}});
  reader->Read<R::IntervalStart>("interval-start", &rules->interval_start,
                                 {{"after-callback", R::IntervalStart::kAfterCallback},
                                  {"before-callback-floor", R::IntervalStart::kBeforeCallbackFloor},
                                  {"before-callback", R::IntervalStart::kBeforeCallback},
                                  {"when-due", R::IntervalStart::kWhenDue},
                                  {"never", R::IntervalStart::kNever}});
  reader->Read<R::ClearTimer>("clear-timer", &rules->clear_timer,
                              {{"at-once", R::ClearTimer::kAtOnce},
                               {"not-in-pass", R::ClearTimer::kNotInPass},
                               {"not-in-own-callback", R::ClearTimer::kNotInOwnCallback},
                               {"ignored", R::ClearTimer::kIgnored}});
  reader->ReadNumber("least-delay", &rules->least_delay_ms);
  reader->Read<R::LargeDelay>("large-delay", &rules->large_delay,
                              {{"one", R::LargeDelay::kOne}, {"largest", R::LargeDelay::kLargest}});
  reader->Read<R::Refresh>("refresh", &rules->refresh,
                           {{"restarts", R::Refresh::kRestarts},
                            {"keeps-start", R::Refresh::kKeepsStart},
                            {"revives-cleared", R::Refresh::kRevivesCleared},
                            {"ignored", R::Refresh::kIgnored}});
  reader->Read<R::RefUnref>("timer-ref", &rules->timer_ref,
                            {{"take-effect", R::RefUnref::kTakeEffect},
                             {"ref-ignored", R::RefUnref::kRefIgnored},
                             {"unref-ignored", R::RefUnref::kUnrefIgnored}});
  reader->ReadYesNo("delay-truncated", &rules->truncates_delay);
  reader->ReadYesNo("clear-by-primitive", &rules->clears_by_primitive);
  reader->ReadYesNo("clear-interval-clears-timeouts", &rules->clear_interval_clears_timeouts);
  reader->Read<R::ClearImmediateOfTimeout>(
      "clear-immediate-of-timeout", &rules->clear_immediate_of_timeout,
      {{"unlinks", R::ClearImmediateOfTimeout::kUnlinks},
       {"one-count", R::ClearImmediateOfTimeout::kOneCount},
       {"two-counts", R::ClearImmediateOfTimeout::kTwoCounts},
       {"two-counts-unless-ended", R::ClearImmediateOfTimeout::kTwoCountsUnlessEnded},
       {"nothing", R::ClearImmediateOfTimeout::kNothing}});
  reader->ReadYesNo("refresh-in-callback", &rules->refresh_in_callback_kept);
  reader->ReadYesNo("ended-timer-keeps-reference", &rules->ended_timer_keeps_reference);
  reader->Read<R::UnrefHandle>("unref-handle", &rules->unref_handle,
                               {{"new", R::UnrefHandle::kNew},
                                {"taken-and-lost", R::UnrefHandle::kTakenAndLost},
                                {"taken", R::UnrefHandle::kTaken}});
}

void ReadImmediates(RuleReader* reader, NodeRules* rules) {
  using R = NodeRules;
  reader->Read<R::ImmediateBatch>("immediate-batch", &rules->immediate_batch,
                                  {{"one", R::ImmediateBatch::kOne},
                                   {"all", R::ImmediateBatch::kAll},
                                   {"until-empty", R::ImmediateBatch::kUntilEmpty}});
  ReadOrder(reader, "immediate-order", &rules->immediate_order);
  reader->Read<R::ImmediateDrain>(
      "immediate-drain", &rules->immediate_drain,
      {{"after-batch", R::ImmediateDrain::kAfterBatch}, {"between", R::ImmediateDrain::kBetween}});
  reader->Read<R::ImmediateThrow>("immediate-throw", &rules->immediate_throw,
                                  {{"next-iteration", R::ImmediateThrow::kNextIteration},
                                   {"rest-in-tick", R::ImmediateThrow::kRestInTick},
                                   {"rest-at-once", R::ImmediateThrow::kRestAtOnce},
                                   {"rest-or-new-at-once", R::ImmediateThrow::kRestOrNewAtOnce},
                                   {"rest-lost", R::ImmediateThrow::kRestLost}});
  reader->Read<R::ClearImmediate>("clear-immediate", &rules->clear_immediate,
                                  {{"at-once", R::ClearImmediate::kAtOnce},
                                   {"not-in-batch", R::ClearImmediate::kNotInBatch},
                                   {"ignored", R::ClearImmediate::kIgnored}});
  reader->Read<LoopRules::AtPoll>("immediates-at-poll", &rules->immediates_at_poll,
                                  {{"no-wait", LoopRules::AtPoll::kNoWait}, {"ignored", LoopRules::AtPoll::kIgnored}});
  reader->Read<R::RefUnref>("immediate-ref", &rules->immediate_ref,
                            {{"take-effect", R::RefUnref::kTakeEffect},
                             {"ref-ignored", R::RefUnref::kRefIgnored},
                             {"unref-ignored", R::RefUnref::kUnrefIgnored}});
  reader->Read<R::CheckScope>("check-scope", &rules->check_scope,
                              {{"none", R::CheckScope::kNone}, {"every-iteration", R::CheckScope::kEveryIteration}});
  reader->Read<R::IdleStop>(
      "idle-stop", &rules->idle_stop,
      {{"after-immediates", R::IdleStop::kAfterImmediates}, {"every-check", R::IdleStop::kEveryCheck}});
}

void ReadDrain(RuleReader* reader, NodeRules* rules) {
  using R = NodeRules;
  reader->Read<R::Drain>("drain", &rules->drain,
                         {{"tick-depth", R::Drain::kTickDepth},
                          {"microtask-tick", R::Drain::kMicrotaskTick},
                          {"ticks-then-microtask-tick", R::Drain::kTicksThenMicrotaskTick},
                          {"ticks-then-microtasks", R::Drain::kTicksThenMicrotasks},
                          {"microtasks-then-ticks", R::Drain::kMicrotasksThenTicks},
                          {"microtasks-after-each-tick", R::Drain::kMicrotasksAfterEachTick},
                          {"ticks-in-rounds", R::Drain::kTicksInRounds},
                          {"ticks-after-each-microtask", R::Drain::kTicksAfterEachMicrotask},
                          {"rejections-before-microtasks", R::Drain::kRejectionsBeforeMicrotasks}});
  ReadOrder(reader, "tick-order", &rules->tick_order);
  reader->Read<R::TickThrow>("tick-throw", &rules->tick_throw,
                             {{"rest-kept", R::TickThrow::kRestKept}, {"rest-lost", R::TickThrow::kRestLost}});
  reader->Read<R::MicrotaskRun>(
      "microtask-run", &rules->microtask_run,
      {{"until-empty", R::MicrotaskRun::kUntilEmpty}, {"snapshot", R::MicrotaskRun::kSnapshot}});
  reader->Read<R::MicrotaskThrow>("microtask-throw", &rules->microtask_throw,
                                  {{"reported", R::MicrotaskThrow::kReported},
                                   {"swallowed", R::MicrotaskThrow::kSwallowed},
                                   {"ends-drain", R::MicrotaskThrow::kEndsDrain}});
  reader->Read<R::CallbackScope>("callback-scope", &rules->callback_scope,
                                 {{"drains", R::CallbackScope::kDrains},
                                  {"drains-after-errors-too", R::CallbackScope::kDrainsAfterErrorsToo},
                                  {"drains-nothing", R::CallbackScope::kDrainsNothing},
                                  {"microtasks-first-in-poll", R::CallbackScope::kMicrotasksFirstInPoll},
                                  {"once-per-phase", R::CallbackScope::kOncePerPhase}});
  reader->Read<R::MainScope>("main-scope", &rules->main_scope,
                             {{"tick-callback", R::MainScope::kTickCallback},
                              {"callback-scope", R::MainScope::kCallbackScope},
                              {"none", R::MainScope::kNone},
                              {"error-after-drain", R::MainScope::kErrorAfterDrain},
                              {"microtasks-after-error", R::MainScope::kMicrotasksAfterError}});
  reader->Read<R::EngineTasks>("engine-tasks", &rules->engine_tasks,
                               {{"none", R::EngineTasks::kNone},
                                {"any-time", R::EngineTasks::kAnyTime},
                                {"first-poll-and-any-time", R::EngineTasks::kFirstPollAndAnyTime}});
}

void ReadErrors(RuleReader* reader, NodeRules* rules) {
  using R = NodeRules;
  reader->Read<R::AfterUncaught>("after-uncaught", &rules->after_uncaught,
                                 {{"spinner", R::AfterUncaught::kSpinner},
                                  {"draining-immediate", R::AfterUncaught::kDrainingImmediate},
                                  {"empty-immediate", R::AfterUncaught::kNoopImmediate},
                                  {"drains-at-once", R::AfterUncaught::kDrainsAtOnce}});
  reader->Read<R::Uncaught>("uncaught", &rules->uncaught,
                            {{"monitor-then-handler", R::Uncaught::kMonitorThenHandler},
                             {"handler-then-monitor", R::Uncaught::kHandlerThenMonitor},
                             {"handler-twice", R::Uncaught::kHandlerTwice}});
  reader->Read<R::FatalErrors>("fatal-errors", &rules->fatal_errors,
                               {{"at-once", R::FatalErrors::kAtOnce}, {"at-end", R::FatalErrors::kAtEnd}});
  reader->Read<R::EventThrow>("event-throw", &rules->event_throw,
                              {{"uncaught-handler", R::EventThrow::kUncaughtHandler},
                               {"fatal", R::EventThrow::kFatal},
                               {"in-place", R::EventThrow::kInPlace}});
  reader->Read<R::ConnectionThrow>("connection-throw", &rules->connection_throw,
                                   {{"reported", R::ConnectionThrow::kReported}, {"lost", R::ConnectionThrow::kLost}});
  reader->Read<R::Rejections>("rejections", &rules->rejections,
                              {{"ignored", R::Rejections::kIgnored},
                               {"warned", R::Rejections::kWarned},
                               {"thrown", R::Rejections::kThrown},
                               {"fatal", R::Rejections::kFatal}});
  reader->Read<R::RejectionList>("rejection-list", &rules->rejection_list,
                                 {{"as-it-grows", R::RejectionList::kAsItGrows},
                                  {"one-by-one", R::RejectionList::kOneByOne},
                                  {"taken-whole", R::RejectionList::kTakenWhole}});
  reader->Read<R::RejectionFlag>("rejection-flag", &rules->rejection_flag,
                                 {{"kept", R::RejectionFlag::kKept}, {"cleared", R::RejectionFlag::kCleared}});
  ReadOrder(reader, "rejection-order", &rules->rejection_order);
  reader->Read<R::RejectionReport>("rejection-report", &rules->rejection_report,
                                   {{"when-drained", R::RejectionReport::kWhenDrained},
                                    {"at-once", R::RejectionReport::kAtOnce},
                                    {"twice", R::RejectionReport::kTwice},
                                    {"also-if-handled", R::RejectionReport::kAlsoIfHandled},
                                    {"thrown-too", R::RejectionReport::kThrownToo},
                                    {"before-wait", R::RejectionReport::kBeforeWait}});
  reader->Read<R::HandledLate>("handled-late", &rules->handled_late,
                               {{"reported", R::HandledLate::kReported}, {"silent", R::HandledLate::kSilent}});
}

void ReadProcess(RuleReader* reader, NodeRules* rules) {
  using R = NodeRules;
  reader->Read<R::LoopMode>("loop-mode", &rules->loop_mode,
                            {{"default", R::LoopMode::kDefault}, {"once", R::LoopMode::kOnce}});
  reader->Read<R::BeforeExit>("before-exit", &rules->before_exit,
                              {{"repeats", R::BeforeExit::kRepeats},
                               {"once", R::BeforeExit::kOnce},
                               {"never", R::BeforeExit::kNever},
                               {"on-exit-too", R::BeforeExit::kOnExitToo}});
  reader->Read<R::ExitEvent>("exit-event", &rules->exit_event,
                             {{"once", R::ExitEvent::kOnce},
                              {"twice", R::ExitEvent::kTwice},
                              {"not-after-fatal", R::ExitEvent::kNotAfterFatal}});
  reader->Read<R::ExitDrain>("exit-drain", &rules->exit_drain,
                             {{"microtasks", R::ExitDrain::kMicrotasks},
                              {"nothing", R::ExitDrain::kNothing},
                              {"ticks-too", R::ExitDrain::kTicksToo}});
  reader->Read<R::TearDown>("tear-down", &rules->tear_down,
                            {{"at-once", R::TearDown::kAtOnce}, {"turns-loop", R::TearDown::kTurnsLoop}});
  reader->Read<R::ExitCode>("exit-code", &rules->exit_code,
                            {{"kept", R::ExitCode::kKept}, {"zero", R::ExitCode::kZero}});
  ReadOrder(reader, "listener-order", &rules->listener_order);
  reader->Read<R::EsmEntry>("esm-entry", &rules->esm_entry,
                            {{"in-poll", R::EsmEntry::kInPoll}, {"in-main", R::EsmEntry::kInMain}});
  reader->Read<R::EsmBody>("esm-body", &rules->esm_body,
                           {{"as-job", R::EsmBody::kAsJob}, {"as-script", R::EsmBody::kAsScript}});
  reader->ReadNumber("fatal-exit-code", &rules->fatal_exit_code);
  reader->Read<R::RequestedCode>("requested-code", &rules->requested_code,
                                 {{"forgotten", R::RequestedCode::kForgotten},
                                  {"unless-fatal", R::RequestedCode::kUnlessFatal},
                                  {"kept", R::RequestedCode::kKept}});
  reader->ReadNumber("throw-in-handler-code", &rules->throw_in_handler_code);
  reader->ReadNumber("unsettled-module-code", &rules->unsettled_module_code);
  reader->Read<R::UnsettledModule>(
      "unsettled-module", &rules->unsettled_module,
      {{"by-its-code", R::UnsettledModule::kByItsCode}, {"as-an-error", R::UnsettledModule::kAsAnError}});
}

void ReadIo(RuleReader* reader, NodeRules* rules) {
  using R = NodeRules;
  reader->Read<R::CloseUnconnected>("close-unconnected", &rules->close_unconnected,
                                    {{"never", R::CloseUnconnected::kNever}, {"tick", R::CloseUnconnected::kTick}});
  reader->Read<R::CloseEvent>("close-event", &rules->close_event,
                              {{"closing-phase", R::CloseEvent::kClosingPhase}, {"tick", R::CloseEvent::kTick}});
  reader->Read<R::ServerClose>("server-close", &rules->server_close,
                               {{"after-connections", R::ServerClose::kAfterConnections},
                                {"at-once", R::ServerClose::kAtOnce},
                                {"in-closing-phase", R::ServerClose::kClosingPhase}});
  reader->Read<R::ListeningEvent>("listening-event", &rules->listening_event,
                                  {{"tick", R::ListeningEvent::kTick}, {"in-the-call", R::ListeningEvent::kInTheCall}});
  reader->Read<R::ConnectionEvent>(
      "connection-event", &rules->connection_event,
      {{"before-connect", R::ConnectionEvent::kBeforeConnect}, {"after-connect", R::ConnectionEvent::kAfterConnect}});
  reader->Read<R::RefusedError>("refused-error", &rules->refused_error,
                                {{"tick", R::RefusedError::kTick}, {"in-poll", R::RefusedError::kInPoll}});
  reader->Read<R::FailedConnect>("failed-connect", &rules->failed_connect,
                                 {{"pending", R::FailedConnect::kPending},
                                  {"tick", R::FailedConnect::kTick},
                                  {"in-poll", R::FailedConnect::kInPoll}});
  reader->Read<R::MissingChild>("missing-child", &rules->missing_child,
                                {{"tick", R::MissingChild::kTick}, {"as-its-end", R::MissingChild::kAsItsEnd}});
  reader->Read<R::SignalHandlers>("signal-handlers", &rules->signal_handlers,
                                  {{"not-alive", R::SignalHandlers::kNotAlive},
                                   {"keep-alive", R::SignalHandlers::kKeepAlive},
                                   {"never-called", R::SignalHandlers::kNeverCalled},
                                   {"by-another-thread", R::SignalHandlers::kByAnotherThread}});
  reader->Read<R::MessageRun>("message-run", &rules->message_run,
                              {{"until-empty", R::MessageRun::kUntilEmpty}, {"one", R::MessageRun::kOne}});
  ReadOrder(reader, "message-order", &rules->message_order);
  reader->Read<R::MessageDrain>("message-drain", &rules->message_drain,
                                {{"between", R::MessageDrain::kBetween},
                                 {"at-end", R::MessageDrain::kAtEnd},
                                 {"microtasks-between", R::MessageDrain::kMicrotasksBetween}});
  reader->Read<int>("message-limit", &rules->message_limit, {{"none", 0}, {"1000", 1000}, {"1001", 1001}});
  reader->Read<bool>("message-throw", &rules->message_throws_in_tick, {{"at-once", false}, {"in-tick", true}});
  reader->ReadNumber("read-file-trips", &rules->read_file_trips);
  reader->Read<bool>("poll-timeout", &rules->sleeps_from_fresh_time,
                     {{"from-cached-time", false}, {"from-fresh-time", true}});
}

}  // namespace

void ReadRules(RuleReader* reader, NodeRules* rules) {
  ReadRules(reader, &rules->loop);
  ReadRules(reader, &rules->promises);
  ReadTimers(reader, rules);
  ReadImmediates(reader, rules);
  ReadDrain(reader, rules);
  ReadErrors(reader, rules);
  ReadProcess(reader, rules);
  ReadIo(reader, rules);
}

}  // namespace conform::reference
