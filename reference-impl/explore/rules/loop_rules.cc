#include <limits>

#include "reference-impl/explore/rules/model_rules.h"

namespace conform::reference {

namespace {

void ReadIteration(RuleReader* reader, PhaseList* iteration) {
  static const std::map<std::string, Phase> phases{
      {"timers", Phase::kTimers},   {"timers-if-once", Phase::kTimersIfOnce},
      {"pending", Phase::kPending}, {"pending-again", Phase::kPendingAgain},
      {"idle", Phase::kIdle},       {"prepare", Phase::kPrepare},
      {"poll", Phase::kPoll},       {"pool", Phase::kPool},
      {"check", Phase::kCheck},     {"pool-again", Phase::kPoolAgain},
      {"closing", Phase::kClosing},
  };
  *iteration = {};
  for (const std::string& name : reader->ReadList("iteration")) {
    const auto phase = phases.find(name);
    if (phase == phases.end()) reader->RefuseItem("iteration", name);
    iteration->Add(phase->second);
  }
}

void ReadTimers(RuleReader* reader, LoopRules* rules) {
  using R = LoopRules;
  reader->Read<R::TimersAtStart>(
      "timers-at-start", &rules->timers_at_start,
      {{"no", R::TimersAtStart::kNo}, {"if-alive", R::TimersAtStart::kIfAlive}, {"always", R::TimersAtStart::kAlways}});
  reader->Read<R::TimerPass>("timer-pass", &rules->timer_pass,
                             {{"heap", R::TimerPass::kHeap}, {"snapshot", R::TimerPass::kSnapshot}});
  reader->Read<R::TimersClock>("timers-clock", &rules->timers_clock,
                               {{"read", R::TimersClock::kRead}, {"remembered", R::TimersClock::kRemembered}});
  ReadOrder(reader, "timer-ties", &rules->timer_ties);
  reader->Read<int>("timer-threshold", &rules->timer_lateness_ms,
                    {{"at-deadline", 0}, {"1-ms-before", -1}, {"1-ms-after", 1}});
  reader->Read<R::DueTimers>("due-timers", &rules->due_timers,
                             {{"all", R::DueTimers::kAll}, {"one-per-pass", R::DueTimers::kOnePerPass}});
  reader->Read<R::TimerStop>("timer-stop", &rules->timer_stop,
                             {{"at-once", R::TimerStop::kAtOnce},
                              {"not-in-pass", R::TimerStop::kNotInPass},
                              {"ignored", R::TimerStop::kIgnored}});
  reader->Read<R::TimerRestart>("timer-restart", &rules->timer_restart,
                                {{"counts-anew", R::TimerRestart::kCountsAnew},
                                 {"keeps-deadline", R::TimerRestart::kKeepsDeadline},
                                 {"again-ignored", R::TimerRestart::kAgainIgnored}});
  reader->Read<R::TimerBase>("timer-base", &rules->timer_base,
                             {{"loop-time", R::TimerBase::kLoopTime}, {"fresh-time", R::TimerBase::kFreshTime}});
  reader->Read<R::TimerRepeat>("timer-repeat", &rules->timer_repeat,
                               {{"before-callback", R::TimerRepeat::kBeforeCallback},
                                {"after-callback", R::TimerRepeat::kAfterCallback},
                                {"from-deadline", R::TimerRepeat::kFromDeadline},
                                {"never", R::TimerRepeat::kNever}});
  reader->Read<R::ClosedTimer>("closed-timer", &rules->closed_timer,
                               {{"stopped", R::ClosedTimer::kStopped}, {"runs", R::ClosedTimer::kRuns}});
}

void ReadRuns(RuleReader* reader, LoopRules* rules) {
  using R = LoopRules;
  reader->Read<R::OnceSleep>("once-sleep", &rules->once_sleep,
                             {{"always", R::OnceSleep::kAlways},
                              {"unless-pending-ran", R::OnceSleep::kUnlessPendingRan},
                              {"unless-pending-or-idle", R::OnceSleep::kUnlessPendingOrIdle},
                              {"never", R::OnceSleep::kNever}});
  reader->Read<R::NowaitSleep>("nowait-sleep", &rules->nowait_sleep,
                               {{"never", R::NowaitSleep::kNever}, {"as-default", R::NowaitSleep::kAsDefault}});
  reader->Read<R::OnceRun>(
      "once-run", &rules->once_run,
      {{"one-iteration", R::OnceRun::kOneIteration}, {"until-nothing-is-left", R::OnceRun::kUntilNothingIsLeft}});
  reader->Read<R::RunResult>("run-result", &rules->run_result,
                             {{"whether-alive", R::RunResult::kWhetherAlive}, {"alive", R::RunResult::kAlive}});
  reader->Read<R::StopEffect>("stop", &rules->stop,
                              {{"after-iteration", R::StopEffect::kAfterIteration},
                               {"before-next-phase", R::StopEffect::kBeforeNextPhase},
                               {"stays", R::StopEffect::kStays},
                               {"ignored", R::StopEffect::kIgnored}});
  reader->Read<R::KeepsAlive>("keeps-alive", &rules->keeps_alive,
                              {{"requests-and-closing", R::KeepsAlive::kRequestsAndClosing},
                               {"requests", R::KeepsAlive::kRequests},
                               {"closing", R::KeepsAlive::kClosing}});
  reader->Read<R::LastData>(
      "last-data", &rules->last_data,
      {{"with-the-end", R::LastData::kWithTheEnd}, {"before-the-end", R::LastData::kBeforeTheEnd}});
  reader->Read<R::PendingAlive>(
      "pending-alive", &rules->pending_alive,
      {{"counts", R::PendingAlive::kCounts}, {"does-not-count", R::PendingAlive::kDoesNotCount}});
  reader->Read<R::Ref>("ref", &rules->ref,
                       {{"counted-once", R::Ref::kCountedOnce},
                        {"counted-again", R::Ref::kCountedAgain},
                        {"ignored", R::Ref::kIgnored}});
  reader->Read<R::Unref>("unref", &rules->unref,
                         {{"takes-effect", R::Unref::kTakesEffect}, {"ignored", R::Unref::kIgnored}});
}

void ReadPhases(RuleReader* reader, LoopRules* rules) {
  using R = LoopRules;
  ReadOrder(reader, "idle-order", &rules->idle_order);
  ReadOrder(reader, "prepare-order", &rules->prepare_order);
  ReadOrder(reader, "check-order", &rules->check_order);
  reader->Read<R::PhasePass>("phase-pass", &rules->phase_pass,
                             {{"active", R::PhasePass::kActive},
                              {"also-started", R::PhasePass::kAlsoStarted},
                              {"also-stopped", R::PhasePass::kAlsoStopped},
                              {"once-each", R::PhasePass::kOnceEach}});
  reader->Read<R::PendingRun>("pending-run", &rules->pending_run,
                              {{"until-empty", R::PendingRun::kUntilEmpty},
                               {"snapshot", R::PendingRun::kSnapshot},
                               {"one", R::PendingRun::kOne}});
  ReadOrder(reader, "pending-order", &rules->pending_order);
  reader->Read<int>("pending-rounds", &rules->pending_rounds,
                    {{"8", 8}, {"1", 1}, {"no-limit", std::numeric_limits<int>::max()}});
  reader->Read<R::WriteCallbacks>(
      "write-callbacks", &rules->write_callbacks,
      {{"until-empty", R::WriteCallbacks::kUntilEmpty}, {"snapshot", R::WriteCallbacks::kSnapshot}});
  ReadOrder(reader, "write-order", &rules->write_order);
  ReadOrder(reader, "close-order", &rules->close_order);
  reader->Read<R::CloseCallbacks>("close-callbacks", &rules->close_callbacks,
                                  {{"next-phase", R::CloseCallbacks::kNextPhase},
                                   {"same-phase", R::CloseCallbacks::kSamePhase},
                                   {"in-the-call", R::CloseCallbacks::kInTheCall}});
  reader->Read<R::CloseRequests>(
      "close-requests", &rules->close_requests,
      {{"cancelled", R::CloseRequests::kCancelled}, {"dropped", R::CloseRequests::kDropped}});
}

void ReadPoll(RuleReader* reader, LoopRules* rules) {
  using R = LoopRules;
  for (const auto& [rule, value] :
       {std::pair{"pending-at-poll", &rules->pending_at_poll}, std::pair{"idle-at-poll", &rules->idle_at_poll},
        std::pair{"closing-at-poll", &rules->closing_at_poll}}) {
    reader->Read<R::AtPoll>(rule, value, {{"no-wait", R::AtPoll::kNoWait}, {"ignored", R::AtPoll::kIgnored}});
  }
  reader->Read<R::BusyPoll>("busy-poll", &rules->busy_poll,
                            {{"looks", R::BusyPoll::kLooks}, {"skipped", R::BusyPoll::kSkipped}});
  reader->Read<R::SignalOrder>(
      "signal-order", &rules->signal_order,
      {{"as-ready", R::SignalOrder::kAsReady}, {"last", R::SignalOrder::kLast}, {"first", R::SignalOrder::kFirst}});
  reader->Read<R::Shutdown>("shutdown", &rules->shutdown,
                            {{"in-poll", R::Shutdown::kInPoll},
                             {"in-pending", R::Shutdown::kInPending},
                             {"in-the-call", R::Shutdown::kInTheCall}});
  reader->Read<R::ClosedShutdown>(
      "closed-shutdown", &rules->closed_shutdown,
      {{"behind-writes", R::ClosedShutdown::kBehindWrites}, {"when-closed", R::ClosedShutdown::kWhenClosed}});
  reader->Read<R::WriteAfterShutdown>(
      "write-after-shutdown", &rules->write_after_shutdown,
      {{"made", R::WriteAfterShutdown::kMade}, {"refused", R::WriteAfterShutdown::kRefused}});
  reader->Read<R::DatagramRun>("datagram-run", &rules->datagram_run,
                               {{"thirty-three", R::DatagramRun::kThirtyThree},
                                {"thirty-two", R::DatagramRun::kThirtyTwo},
                                {"one", R::DatagramRun::kOne}});
  reader->Read<R::StreamRun>("stream-run", &rules->stream_run,
                             {{"thirty-two", R::StreamRun::kThirtyTwo}, {"one", R::StreamRun::kOne}});
  reader->Read<R::StreamStop>("stream-stop", &rules->stream_stop,
                              {{"at-once", R::StreamStop::kAtOnce}, {"after-the-poll", R::StreamStop::kAfterThePoll}});
  reader->Read<R::StoppedWhileWriting>(
      "stopped-while-writing", &rules->stopped_while_writing,
      {{"stays-active", R::StoppedWhileWriting::kStaysActive}, {"stops", R::StoppedWhileWriting::kStops}});
  reader->Read<R::StreamEnd>(
      "stream-end", &rules->stream_end,
      {{"ends-reading", R::StreamEnd::kEndsReading}, {"keeps-alive", R::StreamEnd::kKeepsAlive}});
  reader->Read<R::DatagramSent>(
      "datagram-sent", &rules->datagram_sent,
      {{"in-pending", R::DatagramSent::kInPending}, {"in-the-call", R::DatagramSent::kInTheCall}});
  reader->Read<R::SignalQueue>("signal-queue", &rules->signal_queue,
                               {{"as-raised", R::SignalQueue::kAsRaised}, {"by-number", R::SignalQueue::kByNumber}});
  reader->Read<R::SignalOnce>("signal-once", &rules->signal_once,
                              {{"stops", R::SignalOnce::kStops}, {"stays", R::SignalOnce::kStays}});
  reader->Read<R::SignalClose>("signal-close", &rules->signal_close,
                               {{"when-delivered", R::SignalClose::kWhenDelivered},
                                {"active-until-delivered", R::SignalClose::kActiveUntilDelivered},
                                {"waits-in-queue", R::SignalClose::kWaitsInQueue}});
  reader->ReadNumber("writes-at-once", &rules->writes_at_once);
  reader->Read<R::Accepting>("accepting", &rules->accepting,
                             {{"all-that-wait", R::Accepting::kAllThatWait}, {"one", R::Accepting::kOne}});
  reader->Read<R::Wakeups>("wakeups", &rules->wakeups, {{"once", R::Wakeups::kOnce}, {"twice", R::Wakeups::kTwice}});
  ReadOrder(reader, "wakeup-order", &rules->wakeup_order);
  reader->Read<R::PoolCompletions>(
      "pool-completions", &rules->pool_completions,
      {{"before-wakeups", R::PoolCompletions::kBeforeWakeups}, {"after-wakeups", R::PoolCompletions::kAfterWakeups}});
  reader->Read<R::CancelledRequest>(
      "cancelled-request", &rules->cancelled_request,
      {{"reported", R::CancelledRequest::kReported}, {"as-ended", R::CancelledRequest::kAsEnded}});
}

}  // namespace

void ReadOrder(RuleReader* reader, const char* rule, QueueOrder* order) {
  reader->Read<QueueOrder>(rule, order,
                           {{"oldest-first", QueueOrder::kOldestFirst}, {"newest-first", QueueOrder::kNewestFirst}});
}

void ReadOrder(RuleReader* reader, const char* rule, Rule<QueueOrder>* order) {
  reader->Read<QueueOrder>(rule, order,
                           {{"oldest-first", QueueOrder::kOldestFirst}, {"newest-first", QueueOrder::kNewestFirst}});
}

void ReadRules(RuleReader* reader, LoopRules* rules) {
  ReadIteration(reader, &rules->iteration);
  ReadTimers(reader, rules);
  ReadRuns(reader, rules);
  ReadPhases(reader, rules);
  ReadPoll(reader, rules);
}

}  // namespace conform::reference
