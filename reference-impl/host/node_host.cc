#include "reference-impl/host/node_host.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "runners/base/check.h"

namespace conform::reference {

namespace {

// A listener of the process, of a socket or of a child, under the name of its step.
struct Listener : Thing {
  Listener(std::string event_name, TaskPtr of, ThingPtr on)
      : event(std::move(event_name)), task(std::move(of)), target(std::move(on)) {}
  void AddTo(Fingerprint* fingerprint) const override {
    fingerprint->Add(event);
    AddTask(fingerprint, task);
    AddThing(fingerprint, target.get());
  }
  const std::string event;
  const TaskPtr task;
  const ThingPtr target;  // null for the process
};

}  // namespace

NodeHost::NodeHost(const Case& c, const NodeRules& rules, Platform& platform, Recorder& recorder)
    : ScriptHost(c, platform.clock(), recorder, rules.promises),
      rules_(rules),
      loop_(platform, rules.loop),
      timers_(rules_.timer_store == NodeRules::TimerStore::kListQueue ? MakeListQueueTimers(*this, *this)
                                                                      : MakeHandlePerListTimers(*this, *this)),
      immediates_(*this),
      io_(*this, c.pool),
      signals_(*this),
      rejections_(*this),
      drain_(MakeDrainPolicy(*this, promises_, rejections_, recorder)) {
  io_.set_name_function([this](const std::string& name, ThingPtr thing) { Name(name, std::move(thing)); });
  loop_.set_closed_world(true);
  loop_.set_owner(this);
  loop_.set_sleeps_from_fresh_time(rules_.sleeps_from_fresh_time);
  intruder_.self = this;
  intruder_.callback = [](PhaseHandle* handle) { static_cast<Owner*>(handle)->self->OnIntruder(); };
  intruder_.referenced = engine_wakeup_.referenced = false;
  engine_wakeup_.callback = [](WakeupHandle*) {};
  if (rules_.engine_tasks != NodeRules::EngineTasks::kNone) loop_.StartPrepare(&intruder_);
  reporter_.self = this;
  reporter_.callback = [](PhaseHandle* handle) { static_cast<Owner*>(handle)->self->ReportRejections(true); };
  reporter_.referenced = false;
  if (rules_.rejection_report == NodeRules::RejectionReport::kBeforeWait) loop_.StartPrepare(&reporter_);
  if (rules_.callback_scope == NodeRules::CallbackScope::kOncePerPhase) {
    loop_.set_after_phase([this] {
      drain_->RunMicrotasks();
      CloseScope();
    });
  }
}

void NodeHost::RunFromStart() {
  if (case_.entry == Entry::kScript) {
    RunMain();
  } else {
    RunEsmMain();
  }
  SpinLoop(LoopCall::kRun);
  EndLoop();
}

void NodeHost::RunFromRest() {
  if (tearing_down_) return TearDown(LoopCall::kContinue);
  SpinLoop(LoopCall::kContinue);
  EndLoop();
}

// spec: iteration.main-script-first, drain.after-main-script
void NodeHost::RunMain() {
  const auto main = std::make_shared<Task>();
  std::vector<Frame> stack{{&case_.program}};
  const Outcome outcome = Continue(&stack, main, main->runs, where_);
  // spec: errors.throw-in-message. A message brings the main script to a worker.
  if (outcome.thrown() && case_.entry == Entry::kWorker && rules_.message_throws_in_tick) {
    QueueInternalTick(std::make_shared<ThrowingTick>(outcome.error));
  } else if (outcome.thrown()) {
    // spec: errors.throw-in-main
    if (rules_.main_scope == NodeRules::MainScope::kErrorAfterDrain) CloseScope();
    outside_callbacks_ = true;
    TriggerUncaught(outcome.error);
    outside_callbacks_ = false;
    if (rules_.main_scope == NodeRules::MainScope::kMicrotasksAfterError) return RunMicrotasks();
    if (rules_.main_scope == NodeRules::MainScope::kTickCallback) return;
  }
  switch (rules_.main_scope) {
    case NodeRules::MainScope::kNone:
      return;
    case NodeRules::MainScope::kTickCallback:
      if (const Outcome drained = drain_->RunAfterMain(); drained.thrown()) TriggerUncaught(drained.error);
      return;
    case NodeRules::MainScope::kCallbackScope:
    case NodeRules::MainScope::kErrorAfterDrain:
    case NodeRules::MainScope::kMicrotasksAfterError:
      CloseScope();
      return;
  }
}

// spec: drain.esm-microtasks-first. The body of a module runs as a job, so promise jobs come before ticks.
void NodeHost::RunEsmMain() {
  esm_main_ = std::make_shared<Coroutine>();
  esm_main_->task = std::make_shared<Task>();
  esm_main_->stack = {{&case_.program}};
  esm_main_->promise = Promises::MakePending();
  esm_main_->promise->handled = case_.entry == Entry::kWorker;
  // spec: drain.esm-timers-first
  const bool in_poll = case_.entry == Entry::kWorker || rules_.esm_entry == NodeRules::EsmEntry::kInPoll;
  if (case_.entry == Entry::kWorker) {
    io_.RunInPoll([this] { RunMain(); });
    esm_main_ = nullptr;
    return;
  }
  auto begin = [this] {
    switch (rules_.esm_body) {
      case NodeRules::EsmBody::kAsJob:
        promises_.EnqueueCoroutine(esm_main_);
        break;
      case NodeRules::EsmBody::kAsScript:
        Resume(esm_main_, false, "");
        break;
    }
    CloseScope();
  };
  if (in_poll) {
    io_.RunInPoll(begin);
  } else {
    begin();
  }
}

// spec: exit.before-exit-repeats
void NodeHost::SpinLoop(LoopCall first) {
  const auto run = [this, &first](RunMode mode) {
    return std::exchange(first, LoopCall::kRun) == LoopCall::kContinue ? loop_.Continue() : loop_.Run(mode);
  };
  const bool by_default = rules_.loop_mode == NodeRules::LoopMode::kDefault;
  for (;;) {
    if (!after_before_exit_) {
      bool more = run(by_default ? RunMode::kDefault : RunMode::kOnce);
      if (loop_.stuck()) return;
      if (by_default) more = loop_.Alive();
      if (more) continue;
      if (rejections_.WaitForTheLoop()) {
        ReportRejections(/*more_to_come=*/false);
        if (loop_.Alive()) continue;
      }
      EmitBeforeExit();
      alive_after_before_exit_ = loop_.Alive();
      if (by_default && alive_after_before_exit_) continue;
      if (by_default) return;
      after_before_exit_ = true;
    }
    const bool more = run(RunMode::kNoWait) || alive_after_before_exit_;
    after_before_exit_ = false;
    if (!more || loop_.stuck()) return;
  }
}

void NodeHost::EmitBeforeExit() {
  // spec: exit.unsettled-main-module
  if (ModuleWaits() && rules_.unsettled_module == NodeRules::UnsettledModule::kAsAnError) EndAfterError();
  if (!handlers_.contains("beforeExit") || rules_.before_exit == NodeRules::BeforeExit::kNever) return;
  if (has_failed_) return;
  const bool came = handlers_["beforeExit"].front()->runs > 0;
  if (came && rules_.before_exit == NodeRules::BeforeExit::kOnce) return;
  outside_callbacks_ = true;
  MakeCallback([this] {
    Outcome outcome;
    EmitEvent("beforeExit", "", {"exit", "exit.before-exit-repeats"}, &outcome);
    return outcome;
  });
  outside_callbacks_ = false;
}

bool NodeHost::EmitEvent(const std::string& event, const std::string& outcome, Where where,
                         Outcome* outcome_of_handlers) {
  const auto it = handlers_.find(event);
  if (it == handlers_.end()) return false;
  std::vector<TaskPtr> handlers = it->second;
  if (rules_.listener_order == QueueOrder::kNewestFirst) std::reverse(handlers.begin(), handlers.end());
  for (const TaskPtr& handler : handlers) {
    *outcome_of_handlers = RunTask(handler, where, outcome);
    if (outcome_of_handlers->thrown() && event == "exit" && rules_.event_throw == NodeRules::EventThrow::kInPlace) {
      TriggerUncaught(std::exchange(*outcome_of_handlers, Outcome::Done()).error);
    }
    if (outcome_of_handlers->thrown()) break;
  }
  const bool of_end = event == "beforeExit" || event == "exit";
  if (outcome_of_handlers->thrown() && of_end && rules_.event_throw == NodeRules::EventThrow::kFatal) EndAfterError();
  return true;
}

// spec: errors.uncaught-handler, errors.monitor-first, errors.fatal-exit
void NodeHost::TriggerUncaught(const std::string& error) {
  const auto monitor = [&] {
    Outcome outcome;
    EmitEvent("monitor", error, {"errors", "errors.monitor-first"}, &outcome);
    if (outcome.thrown()) End(rules_.throw_in_handler_code);
  };
  const bool monitor_last = rules_.uncaught == NodeRules::Uncaught::kHandlerThenMonitor;
  if (!monitor_last) monitor();
  const int times = rules_.uncaught == NodeRules::Uncaught::kHandlerTwice ? 2 : 1;
  for (int i = 0; i < times; ++i) {
    Outcome outcome;
    const bool heard = EmitEvent("uncaught", error, {"errors", "errors.uncaught-handler"}, &outcome);
    // spec: exit.code
    if (!heard) EndUnhandled();
    if (outcome.thrown()) End(rules_.throw_in_handler_code);
  }
  if (monitor_last) monitor();
  // What the error interrupted must be taken up again.
  if (rules_.after_uncaught == NodeRules::AfterUncaught::kSpinner) {
    drain_->StartSpinner();
    return;
  }
  if (rules_.after_uncaught == NodeRules::AfterUncaught::kDrainsAtOnce) {
    if (!drain_->is_draining_microtasks() && !outside_callbacks_ && !exiting_) CloseScope();
    return;
  }
  const auto immediate = std::make_shared<Immediate>();
  immediate->drains = rules_.after_uncaught == NodeRules::AfterUncaught::kDrainingImmediate;
  immediates_.Add(immediate);
}

Outcome NodeHost::Call(const TaskPtr& task, Where where, const std::string& outcome) {
  return RunTask(task, where, outcome);
}

// spec: drain.after-each-callback, errors.throw-in-io
bool NodeHost::MakeCallback(const std::function<Outcome()>& body) {
  const Outcome outcome = body();
  if (outcome.thrown()) {
    TriggerUncaught(outcome.error);
    if (rules_.callback_scope == NodeRules::CallbackScope::kDrainsAfterErrorsToo) CloseScope();
    return false;
  }
  const auto is_in = [this](std::string_view phase) { return loop_.phase() == phase; };
  // The end of the phase drains.
  if (rules_.callback_scope == NodeRules::CallbackScope::kOncePerPhase && (is_in("poll") || is_in("closing"))) {
    drain_failed_ = false;
    return true;
  }
  if (rules_.callback_scope == NodeRules::CallbackScope::kMicrotasksFirstInPoll && is_in("poll")) {
    drain_->RunMicrotasks();
  }
  drain_failed_ = rules_.callback_scope != NodeRules::CallbackScope::kDrainsNothing && !CloseScope();
  return true;
}

bool NodeHost::CloseScope() {
  const Outcome outcome = RunNextTicks();
  if (!outcome.thrown()) return true;
  TriggerUncaught(outcome.error);
  return false;
}

// spec: exit.nothing-after
bool NodeHost::TakesTicks() const { return !exiting_ || rules_.exit_drain == NodeRules::ExitDrain::kTicksToo; }

void NodeHost::QueueTick(const TaskPtr& task, const std::string& outcome) {
  if (TakesTicks()) drain_->QueueTick(task, outcome);
}

void NodeHost::QueueInternalTick(std::shared_ptr<InternalTick> tick) {
  if (TakesTicks()) drain_->QueueInternalTick(std::move(tick));
}

// spec: rejections.after-microtasks
// What the listeners queue runs before the next callback. After the last one it is lost, unless a rejection turns out
// to be handled after all.
void NodeHost::ReportRejections(bool more_to_come) {
  while (rejections_.WaitForTheLoop()) {
    const bool drains = more_to_come || rejections_.handled_after_all();
    Outcome outcome;
    rejections_.Process(&outcome);
    if (outcome.thrown()) TriggerUncaught(outcome.error);
    if (drains) CloseScope();
  }
}

// spec: liveness.ref-counts
void NodeHost::Warn() {
  if (case_.entry == Entry::kWorker) io_.AwaitAnswer();
}

bool NodeHost::IsQuiet() const {
  return immediates_.empty() && promises_.empty() && drain_->NothingToDrain() && rejections_.empty();
}

void NodeHost::OnIntruder() {
  const bool usual = rules_.engine_tasks == NodeRules::EngineTasks::kFirstPollAndAnyTime && loop_.iteration() == 1;
  if (!drain_->NothingToDrain() && loop_.platform().Intrudes(usual)) CloseScope();
  // An immediate that is unreferenced runs when something ends the wait of the poll, and such a task does.
  if (immediates_.AreUnreferenced() && loop_.platform().Intrudes(false)) {
    if (!engine_wakeup_.active) loop_.StartWakeup(&engine_wakeup_);
    loop_.Send(&engine_wakeup_);
  }
}

void NodeHost::AddTo(Fingerprint* fingerprint) const {
  AddNames(fingerprint);
  timers_->AddTo(fingerprint);
  immediates_.AddTo(fingerprint);
  io_.AddTo(fingerprint);
  signals_.AddTo(fingerprint);
  promises_.AddTo(fingerprint);
  drain_->AddTo(fingerprint);
  rejections_.AddTo(fingerprint);
  fingerprint->Add((exiting_ ? 1u : 0u) | (after_before_exit_ ? 2u : 0u) |
                   (after_before_exit_ && alive_after_before_exit_ ? 4u : 0u) | (tearing_down_ ? 8u : 0u) |
                   (has_failed_ ? 16u : 0u));
  if (requested_code_) fingerprint->Add(static_cast<uint64_t>(*requested_code_));
  for (const auto& [event, handlers] : handlers_) {
    fingerprint->Add(event);
    for (const TaskPtr& handler : handlers) AddTask(fingerprint, handler);
  }
  AddThing(fingerprint, esm_main_.get());
  loop_.AddTo(fingerprint, [fingerprint](const void* data) { AddThing(fingerprint, static_cast<const Thing*>(data)); });
}

// --- What each op of the case language does in Node ---

constexpr double kMaxDelay = 2147483647.0;

double ClampDelay(double asked, const NodeRules& rules) {
  if (asked == 0) return rules.least_delay_ms;
  if (asked > kMaxDelay && rules.large_delay == NodeRules::LargeDelay::kLargest) return kMaxDelay;
  if (!(asked >= 1 && asked <= kMaxDelay)) return 1;
  return rules.truncates_delay ? std::trunc(asked) : asked;
}

const HostOps<NodeHost>& NodeHost::Ops() {
  static const HostOps<NodeHost> kOps(ScriptOps(),
                                      {
                                          {Op::kTick, &NodeHost::ArmTick},
                                          {Op::kTimeout, &NodeHost::ArmTimer, {"promise"}},
                                          {Op::kInterval, &NodeHost::ArmTimer},
                                          {Op::kImmediate, &NodeHost::ArmImmediate, {"promise"}},
                                          {Op::kRead, &NodeHost::ArmRead},
                                          {Op::kFile, &NodeHost::ArmFile, {"promise", "readFile", "random"}},
                                          {Op::kMessage, &NodeHost::ArmMessage},
                                          {Op::kListen, &NodeHost::MakeServer},
                                          {Op::kSocket, &NodeHost::MakeSocket},
                                          {Op::kConnect, &NodeHost::ArmConnect},
                                          {Op::kAccept, &NodeHost::ArmAccept},
                                          {Op::kRefused, &NodeHost::ArmRefused, {"path"}},
                                          {Op::kClose, &NodeHost::ArmClose},
                                          {Op::kChild, &NodeHost::ArmChild, {"missing"}},
                                          {Op::kSignal, &NodeHost::ArmSignal, {"hup", "winch"}},
                                          {Op::kRaise, &NodeHost::DoRaise},
                                          {Op::kOn, &NodeHost::ArmListener},
                                          {Op::kClear, &NodeHost::DoClear, {ModelledOps::kEveryKind}},
                                          {Op::kRef, &NodeHost::DoRef},
                                          {Op::kUnref, &NodeHost::DoRef},
                                          {Op::kRefresh, &NodeHost::DoRefresh},
                                          {Op::kExit},
                                      });
  return kOps;
}

Outcome NodeHost::Do(const Step& step, const TaskPtr& around) {
  if (step.op == Op::kExit) return DoExit(step);
  Ops().Do(*this, step, around);
  return Outcome::Done();
}

void NodeHost::Rearm(const TaskPtr& task) { Ops().Rearm(*this, task); }

void NodeHost::ArmTick(const TaskPtr& task) { QueueTick(task, ""); }

void NodeHost::ArmImmediate(const TaskPtr& task) {
  const auto immediate = std::make_shared<Immediate>();
  if (task->step->kind == "promise") {
    const PromisePtr promise = Promises::MakePending();
    Name(task->step->label, promises_.Then(promise, Reaction::Kind::kThen, task));
    immediate->resolves = promise;
  } else {
    immediate->task = task;
    Name(task->step->label, immediate);
  }
  immediates_.Add(immediate);
}

void NodeHost::ArmRead(const TaskPtr& task) { Name(task->step->label, io_.Read(task)); }

void NodeHost::ArmFile(const TaskPtr& task) {
  const Step& step = *task->step;
  // spec: poll.read-file-trips
  const int trips = step.kind == "readFile" ? int{rules_.read_file_trips} : 1;
  ThingPtr resolves;
  if (step.kind == "promise") {
    const PromisePtr promise = Promises::MakePending();
    Name(step.label, promises_.Then(promise, Reaction::Kind::kThen, task));
    resolves = promise;
  }
  io_.File(task, trips, resolves);
}

void NodeHost::ArmMessage(const TaskPtr& task) { Name(task->step->label, io_.Message(task, task->step->via)); }

void NodeHost::MakeServer(const Step& step) { Name(step.label, io_.Listen()); }

void NodeHost::MakeSocket(const Step& step) { Name(step.label, io_.MakeSocket()); }

SocketPtr NodeHost::TargetOf(const Step& step) const { return std::dynamic_pointer_cast<Socket>(Find(step.target)); }

void NodeHost::ArmConnect(const TaskPtr& task) {
  const SocketPtr server = TargetOf(*task->step);
  if (server != nullptr && !server->closed) Name(task->step->label, io_.Connect(task, server));
}

void NodeHost::ArmAccept(const TaskPtr& task) { io_.Accept(task, TargetOf(*task->step)); }

void NodeHost::ArmRefused(const TaskPtr& task) {
  Name(task->step->label, io_.Refused(task, task->step->kind == "path"));
}

void NodeHost::ArmClose(const TaskPtr& task) { io_.Close(task, TargetOf(*task->step)); }

void NodeHost::ArmChild(const TaskPtr& task) {
  Name(task->step->label, task->step->kind == "missing" ? io_.MissingChild(task) : io_.Child(task));
}

void NodeHost::ArmSignal(const TaskPtr& task) { Name(task->step->label, signals_.Listen(task)); }

void NodeHost::DoRaise(const Step& step) {
  const auto listener = std::dynamic_pointer_cast<SignalListener>(Find(step.target));
  if (listener != nullptr) signals_.Raise(SignalOf(*listener->task->step).number);
}

void NodeHost::ArmListener(const TaskPtr& task) {
  const Step& step = *task->step;
  const ThingPtr target = step.target.empty() ? nullptr : Find(step.target);
  if (const auto child = std::dynamic_pointer_cast<ChildProcess>(target)) {
    child->on_spawn.push_back(task);
  } else if (const auto socket = std::dynamic_pointer_cast<Socket>(target)) {
    socket->listeners[step.event].push_back(task);
  } else if (step.target.empty()) {
    handlers_[step.event].push_back(task);
  } else {
    return;
  }
  Name(step.label, std::make_shared<Listener>(step.event, task, target));
}

void NodeHost::RemoveListener(const std::string& event, const TaskPtr& task, const ThingPtr& target) {
  if (const auto child = std::dynamic_pointer_cast<ChildProcess>(target)) {
    std::erase(child->on_spawn, task);
    return;
  }
  const auto socket = std::dynamic_pointer_cast<Socket>(target);
  auto& listeners = socket != nullptr ? socket->listeners : handlers_;
  std::erase(listeners[event], task);
  if (listeners[event].empty()) listeners.erase(event);
}

void NodeHost::DoRefresh(const Step& step) {
  if (rules_.refresh == NodeRules::Refresh::kIgnored) return;
  if (const auto timer = std::dynamic_pointer_cast<Timeout>(Find(step.target))) timers_->Refresh(timer);
}

void NodeHost::ArmTimer(const TaskPtr& task) {
  const Step& step = *task->step;
  const auto timer = std::make_shared<Timeout>();
  timer->task = task;
  timer->duration_ms = ClampDelay(DelayOf(step), rules_);
  if (DelayOf(step) > kMaxDelay) Warn();
  timer->repeats = step.op == Op::kInterval;
  if (step.kind == "promise") {
    const PromisePtr promise = Promises::MakePending();
    Name(step.label, promises_.Then(promise, Reaction::Kind::kThen, task));
    timer->resolves = promise;
  } else {
    Name(step.label, timer);
  }
  made_by_[task.get()] = timer;
  timers_->Start(timer);
}

void NodeHost::EndRepetition(const TaskPtr& task) {
  const auto found = made_by_.find(task.get());
  if (found == made_by_.end()) return;
  if (const auto timer = std::dynamic_pointer_cast<Timeout>(found->second.lock())) timers_->Clear(timer);
}

Outcome NodeHost::CallTimer(const TimeoutPtr& timer, const char* clause) {
  if (timer->resolves != nullptr) return Resolve(timer->resolves);
  return RunTask(timer->task, {"timers", clause});
}

Outcome NodeHost::Resolve(const ThingPtr& promise) {
  promises_.Resolve(std::static_pointer_cast<Promise>(promise), nullptr);
  return Outcome::Done();
}

void NodeHost::DoClear(const Step& step) {
  const ThingPtr thing = Find(step.target);
  if (const auto timer = std::dynamic_pointer_cast<Timeout>(thing)) {
    // spec: timers.clear-other-kinds
    const bool by_name = step.kind == "number" || step.kind == "string";
    const bool in_own_callback = timer->repeats && !timer->in_list;
    if (rules_.clear_timer == NodeRules::ClearTimer::kIgnored) return;
    if (rules_.clear_timer == NodeRules::ClearTimer::kNotInOwnCallback && in_own_callback) return;
    if (step.kind == "immediate") return ClearAsImmediate(timer);
    if (by_name && !rules_.clears_by_primitive) return;
    if (step.kind == "interval" && !timer->repeats && !rules_.clear_interval_clears_timeouts) return;
    timers_->Clear(timer);
  } else if (const auto immediate = std::dynamic_pointer_cast<Immediate>(thing)) {
    if (step.kind.empty() || step.kind == "immediate") immediates_.Clear(immediate);
  } else if (const auto listener = std::dynamic_pointer_cast<Listener>(thing)) {
    RemoveListener(listener->event, listener->task, listener->target);
  } else if (const auto of_signal = std::dynamic_pointer_cast<SignalListener>(thing)) {
    signals_.RemoveListener(*of_signal);
  }
}

// spec: timers.clear
void NodeHost::ClearAsImmediate(const TimeoutPtr& timer) {
  using Rule = NodeRules::ClearImmediateOfTimeout;
  const Rule rule = rules_.clear_immediate_of_timeout;
  if (rule == Rule::kNothing || (rule == Rule::kTwoCountsUnlessEnded && timer->destroyed)) return;
  const bool referenced = timers_->ClearAsImmediate(timer);
  if (rule == Rule::kUnlinks || std::exchange(timer->cleared_as_immediate, true)) return;
  immediates_.CountOneLess(referenced);
}

// spec: liveness.ref-counts, liveness.unref, liveness.unref-immediate
void NodeHost::DoRef(const Step& step) {
  const bool ref = step.op == Op::kRef;
  const ThingPtr thing = Find(step.target);
  const auto ignored = ref ? NodeRules::RefUnref::kRefIgnored : NodeRules::RefUnref::kUnrefIgnored;
  if (const auto timer = std::dynamic_pointer_cast<Timeout>(thing)) {
    if (rules_.timer_ref == ignored) return;
    ref ? timers_->Ref(timer) : timers_->Unref(timer);
  } else if (const auto immediate = std::dynamic_pointer_cast<Immediate>(thing)) {
    if (rules_.immediate_ref == ignored) return;
    ref ? immediates_.Ref(immediate) : immediates_.Unref(immediate);
  } else if (const auto socket = std::dynamic_pointer_cast<Socket>(thing)) {
    ref ? loop_.Ref(&socket->io) : loop_.Unref(&socket->io);
  }
}

}  // namespace conform::reference
