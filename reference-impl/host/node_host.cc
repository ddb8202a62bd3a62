#include "reference-impl/host/node_host.h"

#include <algorithm>
#include <utility>

#include "runners/base/check.h"

namespace conform::reference {

namespace {

// The exit code after an error in an error handler, in every release.
constexpr int kThrowInHandlerCode = 7;

}  // namespace

NodeHost::NodeHost(const Case& c, const Profile& profile, Platform& platform, Recorder& recorder)
    : ScriptHost(c, platform.clock(), recorder, PromiseRules::From(profile)),
      rules_(NodeRules::From(profile)),
      loop_(platform, LoopRules::From(profile)),
      timers_(rules_.timer_store == NodeRules::TimerStore::kListQueue ? MakeListQueueTimers(*this, *this)
                                                                      : MakeHandlePerListTimers(*this, *this)),
      immediates_(*this),
      io_(*this, *this, c.pool) {
  io_.set_name_function([this](const std::string& name, ThingPtr thing) { Name(name, std::move(thing)); });
  loop_.set_closed_world(true);
  loop_.set_sleeps_from_fresh_time(rules_.sleeps_from_fresh_time);
  spinner_.self = intruder_.self = this;
  spinner_.callback = [](PhaseHandle* handle) { static_cast<Owner*>(handle)->self->OnSpinner(); };
  intruder_.callback = [](PhaseHandle* handle) { static_cast<Owner*>(handle)->self->OnIntruder(); };
  intruder_.referenced = false;
  if (rules_.engine_tasks != NodeRules::EngineTasks::kNone) loop_.StartPrepare(&intruder_);
}

void NodeHost::RunCase() {
  try {
    if (case_.entry == Entry::kScript) {
      RunMain();
    } else {
      RunEsmMain();
    }
    SpinLoop();
    if (loop_.stuck()) {
      Emit("exit", {"exit", "exit.code"}, "never");
      return;
    }
    const bool unsettled = esm_main_ != nullptr && esm_main_->promise->state == Promise::State::kPending &&
                           !rules_.Has(Fault::kUnsettledModuleIsFine);
    Exit(unsettled ? 13 : 0, true, true);
  } catch (const ProcessEnd&) {
    // The end was reported before.
  }
}

// spec: iteration.main-script-first, drain.after-main-script
void NodeHost::RunMain() {
  const auto main = std::make_shared<Task>();
  std::vector<Frame> stack{{&case_.program}};
  const Outcome outcome = Continue(&stack, main, where_);
  if (outcome.thrown()) {
    // spec: errors.throw-in-main
    TriggerUncaught(outcome.error);
    if (rules_.main_scope == NodeRules::MainScope::kTickCallback) return;
  }
  if (rules_.Has(Fault::kMainNotDrained)) return;
  if (rules_.main_scope == NodeRules::MainScope::kTickCallback) {
    // The queue is run even when it is empty.
    if (const Outcome drained = RunTickCallback(); drained.thrown()) TriggerUncaught(drained.error);
    return;
  }
  CloseScope();
}

// spec: drain.esm-microtasks-first. The body of a module runs as a job, so promise jobs come before ticks.
void NodeHost::RunEsmMain() {
  esm_main_ = std::make_shared<Coroutine>();
  esm_main_->task = std::make_shared<Task>();
  esm_main_->stack = {{&case_.program}};
  esm_main_->promise = Promises::MakePending();
  esm_main_->promise->handled = case_.entry == Entry::kWorker;
  const bool in_poll = case_.entry == Entry::kWorker || rules_.esm_entry == NodeRules::EsmEntry::kInPoll;
  if (case_.entry == Entry::kWorker) {
    io_.RunInPoll([this] { RunMain(); });
    esm_main_ = nullptr;
    return;
  }
  auto begin = [this] {
    if (rules_.Has(Fault::kEsmTicksFirst)) {
      Resume(esm_main_, false, "");
    } else {
      promises_.EnqueueCoroutine(esm_main_);
    }
    CloseScope();
  };
  if (in_poll) {
    io_.RunInPoll(begin);
  } else {
    begin();
  }
}

void NodeHost::SpinLoop() {
  // spec: exit.before-exit-repeats
  if (rules_.loop_mode == NodeRules::LoopMode::kDefault) {
    bool more;
    do {
      loop_.Run(RunMode::kDefault);
      if (loop_.stuck()) return;
      if (loop_.Alive()) {
        more = true;
        continue;
      }
      EmitBeforeExit();
      more = loop_.Alive();
    } while (more);
    return;
  }
  bool more;
  do {
    more = loop_.Run(RunMode::kOnce);
    if (loop_.stuck()) return;
    if (more) continue;
    EmitBeforeExit();
    more = loop_.Alive();
    after_before_exit_ = true;
    if (loop_.Run(RunMode::kNoWait)) more = true;
    after_before_exit_ = false;
    if (loop_.stuck()) return;
  } while (more);
}

void NodeHost::EmitBeforeExit() {
  if (!handlers_.contains("beforeExit") || rules_.Has(Fault::kBeforeExitNever)) return;
  if (rules_.Has(Fault::kBeforeExitOnce) && handlers_["beforeExit"].front()->runs > 0) return;
  MakeCallback([this] {
    Outcome outcome;
    EmitEvent("beforeExit", "", {"exit", "exit.before-exit-repeats"}, &outcome);
    return outcome;
  });
}

// spec: exit.exit-last, exit.code, exit.nothing-after
void NodeHost::Exit(int code, bool run_handlers, bool loop_ended) {
  if (run_handlers && !exiting_) {
    exiting_ = true;
    Outcome outcome;
    if (rules_.Has(Fault::kBeforeExitOnExit) && !loop_ended) EmitEvent("beforeExit", "", {"exit", ""}, &outcome);
    EmitEvent("exit", "", {"exit", "exit.exit-last"}, &outcome);
    if (rules_.Has(Fault::kExitEventTwice)) EmitEvent("exit", "", {"exit", "exit.exit-last"}, &outcome);
    if (outcome.thrown()) {
      code = rules_.throw_in_exit_code;
    } else if (loop_ended && !rules_.Has(Fault::kExitDropsMicrotasks)) {
      RunMicrotasks();
    }
    while (rules_.Has(Fault::kExitRunsTicks) && !ticks_.empty()) RunOneTick();
  }
  if (code != 0 && !rules_.Has(Fault::kExitCodeLost)) Emit("exit", {"exit", "exit.code"}, std::to_string(code));
  throw ProcessEnd();
}

bool NodeHost::EmitEvent(const std::string& event, const std::string& outcome, Where where,
                         Outcome* outcome_of_handlers) {
  const auto it = handlers_.find(event);
  if (it == handlers_.end()) return false;
  std::vector<TaskPtr> handlers = it->second;
  if (rules_.Has(Fault::kListenersTurnedAround)) std::reverse(handlers.begin(), handlers.end());
  for (const TaskPtr& handler : handlers) {
    *outcome_of_handlers = RunTask(handler, where, outcome);
    if (outcome_of_handlers->thrown()) break;
  }
  return true;
}

// spec: errors.uncaught-handler, errors.monitor-first, errors.fatal-exit
void NodeHost::TriggerUncaught(const std::string& error) {
  const int throw_in_handler_code =
      rules_.Has(Fault::kHandlerThrowIsFatal) ? rules_.fatal_exit_code : kThrowInHandlerCode;
  const bool monitor_first = !rules_.Has(Fault::kMonitorLast);
  Outcome outcome;
  const auto monitor = [&] { EmitEvent("monitor", error, {"errors", "errors.monitor-first"}, &outcome); };
  if (monitor_first) monitor();
  if (outcome.thrown()) Exit(throw_in_handler_code, false, false);
  if (!EmitEvent("uncaught", error, {"errors", "errors.uncaught-handler"}, &outcome)) {
    Exit(rules_.fatal_exit_code, !rules_.Has(Fault::kFatalWithoutExitEvent), false);
  }
  if (rules_.Has(Fault::kUncaughtTwice)) EmitEvent("uncaught", error, {"errors", ""}, &outcome);
  if (outcome.thrown()) Exit(throw_in_handler_code, false, false);
  if (!monitor_first) monitor();
  // What the error interrupted must be taken up again.
  if (rules_.after_uncaught == NodeRules::AfterUncaught::kSpinner) {
    loop_.StartIdle(&spinner_);
    return;
  }
  const auto immediate = std::make_shared<Immediate>();
  immediate->drains = rules_.after_uncaught == NodeRules::AfterUncaught::kDrainingImmediate;
  immediates_.Add(immediate);
}

Outcome NodeHost::Call(const TaskPtr& task, Where where, const std::string& outcome) {
  return RunTask(task, where, outcome);
}

bool NodeHost::MakeCallback(const std::function<Outcome()>& body) {
  const Outcome outcome = body();
  if (outcome.thrown()) {
    TriggerUncaught(outcome.error);
    if (rules_.Has(Fault::kScopeDrainedAfterError)) CloseScope();
    return false;
  }
  drain_failed_ = !rules_.Has(Fault::kScopeNotDrained) && !CloseScope();
  return true;
}

void NodeHost::AddTo(Fingerprint* fingerprint) const {
  AddNames(fingerprint);
  timers_->AddTo(fingerprint);
  immediates_.AddTo(fingerprint);
  io_.AddTo(fingerprint);
  promises_.AddTo(fingerprint);
  fingerprint->Add(ticks_.size());
  for (const Tick& tick : ticks_) {
    if (tick.task != nullptr) AddTask(fingerprint, tick.task);
    fingerprint->Add(tick.outcome);
    AddThing(fingerprint, tick.internal.get());
  }
  fingerprint->Add((has_tick_scheduled_ ? 1u : 0u) | (has_rejection_ ? 2u : 0u) | (exiting_ ? 4u : 0u) |
                   (after_before_exit_ ? 8u : 0u));
  for (const auto* queue : {&pending_rejections_, &handled_late_}) {
    fingerprint->Add(queue->size());
    for (const PromisePtr& promise : *queue) AddThing(fingerprint, promise.get());
  }
  fingerprint->Add(warned_.size());
  for (const PromisePtr& promise : warned_) AddThing(fingerprint, promise.get());
  for (const auto& [event, handlers] : handlers_) {
    fingerprint->Add(event);
    for (const TaskPtr& handler : handlers) AddTask(fingerprint, handler);
  }
  AddThing(fingerprint, esm_main_.get());
  loop_.AddTo(fingerprint, [fingerprint](const void* data) { AddThing(fingerprint, static_cast<const Thing*>(data)); });
}

}  // namespace conform::reference
