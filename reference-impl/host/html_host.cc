#include "reference-impl/host/html_host.h"

#include <algorithm>
#include <utility>

#include "runners/base/check.h"

namespace conform::reference {

namespace {

bool ListensForRejections(const std::vector<Step>& body) {
  return std::any_of(body.begin(), body.end(), [](const Step& step) {
    return step.event == "unhandled" || step.event == "handled" || ListensForRejections(step.body);
  });
}

}  // namespace

void HtmlHost::Listener::AddTo(Fingerprint* fingerprint) const {
  AddTask(fingerprint, task);
  fingerprint->Add(removed ? 1 : 0);
}

HtmlHost::HtmlHost(const Case& c, const HtmlRules& rules, Platform& platform, Recorder& recorder)
    : ScriptHost(c, platform.clock(), recorder, rules.promises),
      platform_(platform),
      rules_(rules),
      reports_rejections_(ListensForRejections(c.program)),
      timers_(rules_, platform.clock()) {
  where_ = {"main", "html.main-script"};
}

// spec: html.main-script
void HtmlHost::RunFromStart() {
  std::vector<Frame> stack{{&case_.program}};
  const Outcome outcome = Continue(&stack, std::make_shared<Task>(), 0, where_);
  // spec: html.error-in-main
  if (outcome.thrown()) Report(outcome.error, AfterEach::kNothing);
  if (rules_.checkpoint != HtmlRules::Checkpoint::kAfterCallbacks) Checkpoint();
  RunFromRest();
}

void HtmlHost::RunFromRest() {
  while (RunOneTask()) {
  }
}

bool HtmlHost::RunOneTask() {
  platform_.Rest(true);
  std::vector<ReadySource> none;
  if (!channels_.empty() || !rejection_tasks_.empty()) {
    if (!platform_.Wait({}, &none)) return false;
  } else if (!timers_.empty()) {
    const Time now = clock_.Read();
    if (!platform_.Wait({WaitBound::Kind::kUntil, now, timers_.Earliest()}, &none)) return false;
  } else {
    return false;
  }
  const std::vector<Candidate> candidates = Candidates();
  if (candidates.empty()) return true;  // woken early
  size_t next = 0;
  if (candidates.size() > 1) {
    // spec: html.order-between-sources
    next = platform_.First(candidates.size(), [&](size_t i) { return candidates[i].name; });
  }
  ++turns_;
  candidates[next].run();
  return true;
}

std::vector<HtmlHost::Candidate> HtmlHost::Candidates() {
  std::vector<Candidate> candidates;
  if (!timers_.empty()) {
    for (const HtmlTimerPtr& timer : timers_.Ready(clock_.Read())) {
      candidates.push_back({"timer " + timer->task->step->label, [this, timer] { RunTimer(timer); }});
    }
  }
  for (size_t i = 0; i < channels_.size(); ++i) {
    const std::string& label = channels_[i].messages.front()->step->label;
    candidates.push_back({"message " + label, [this, i] { RunMessage(i); }});
  }
  if (!rejection_tasks_.empty()) candidates.push_back({"rejections", [this] { RunRejections(); }});
  return candidates;
}

bool HtmlHost::Chooses(bool either, bool first, const char* yes, const char* no) {
  if (!either) return first;
  return platform_.First(2, [yes, no](size_t i) { return std::string(i == 0 ? yes : no); }) == 0;
}

void HtmlHost::RunTimer(const HtmlTimerPtr& timer) {
  const int level = timer->level;
  timers_.Clear(timer.get());
  bool from_due = false;
  if (timer->repeats) {
    // spec: html.interval-start
    from_due = Chooses(rules_.interval_start == HtmlRules::IntervalStart::kEither,
                       rules_.interval_start == HtmlRules::IntervalStart::kWhenDue, "arming the interval anew",
                       "the callback of the interval");
    if (from_due) timers_.StartFromDue(timer, level);
  }
  level_ = level;
  RunCallback(timer->task, {"timers", "html.timer-order"});
  // Unless it was cleared meanwhile.
  if (timer->repeats && !from_due) timers_.Start(timer, level);
  level_ = 0;
}

// spec: html.messages-in-order, html.channels-are-separate
void HtmlHost::RunMessage(size_t channel) {
  std::deque<TaskPtr>& messages = channels_[channel].messages;
  if (rules_.message_order == QueueOrder::kNewestFirst) {
    std::rotate(messages.begin(), messages.end() - 1, messages.end());
  }
  const TaskPtr task = messages.front();
  messages.pop_front();
  if (channels_[channel].messages.empty()) channels_.erase(channels_.begin() + static_cast<std::ptrdiff_t>(channel));
  RunCallback(task, {"messages", "html.messages-in-order"});
}

// spec: html.rejections-in-a-task, html.rejection-handled-in-time, html.rejection-handled-later
void HtmlHost::RunRejections() {
  const RejectionTask task = std::move(rejection_tasks_.front());
  rejection_tasks_.pop_front();
  if (task.promises.empty()) Fire("handled", "", {"rejections", "html.rejection-handled-later"});
  for (const PromisePtr& promise : task.promises) {
    const bool skips = rules_.handled_rejection != HtmlRules::HandledRejection::kReportedAsUnhandled;
    if (promise->handled && skips) continue;
    Fire("unhandled", promise->error, {"rejections", "html.rejections-in-a-task"});
    if (!promise->handled) reported_.push_back(promise);
  }
}

void HtmlHost::Fire(const std::string& event, const std::string& outcome, Where where) {
  for (const auto& listener : std::vector<std::shared_ptr<Listener>>(listeners_[event])) {
    if (!listener->removed) RunCallback(listener->task, where, outcome);
  }
}

// spec: html.checkpoint, html.error-and-microtasks
void HtmlHost::RunCallback(const TaskPtr& task, Where where, const std::string& outcome) {
  const Outcome result = RunTask(task, where, outcome);
  if (!result.thrown()) {
    if (rules_.checkpoint != HtmlRules::Checkpoint::kAfterScript) Checkpoint();
    return;
  }
  const bool matters = !promises_.empty() || listeners_["uncaught"].size() > 1;
  const bool at_once = Chooses(matters && rules_.error_report == HtmlRules::ErrorReport::kEither,
                               rules_.error_report != HtmlRules::ErrorReport::kAfterMicrotasks,
                               "the report of the error", "the microtasks");
  if (!at_once) Checkpoint();
  Report(result.error, at_once ? AfterEach::kNothing : AfterEach::kCheckpoint);
  Checkpoint();
}

// An error in a listener of errors is not reported. spec: html.error-event
void HtmlHost::Report(const std::string& error, AfterEach after_each) {
  if (rules_.error_event == HtmlRules::ErrorEvent::kNotFired || std::exchange(reporting_, true)) return;
  for (const auto& listener : std::vector<std::shared_ptr<Listener>>(listeners_["uncaught"])) {
    if (listener->removed) continue;
    RunTask(listener->task, {"errors", "html.error-event"}, error);
    if (after_each == AfterEach::kCheckpoint) Checkpoint();
  }
  reporting_ = false;
}

// spec: html.checkpoint, html.microtasks-hold-back-tasks, html.error-in-microtask. A microtask is a separate task:
// timers that it starts are not nested.
void HtmlHost::Checkpoint() {
  if (std::exchange(in_checkpoint_, true)) return;
  const int level = std::exchange(level_, 0);
  while (!promises_.empty()) {
    const Outcome outcome = promises_.RunNextJob();
    if (outcome.thrown()) Report(outcome.error, AfterEach::kNothing);
    if (rules_.checkpoint == HtmlRules::Checkpoint::kOneMicrotask) break;
  }
  level_ = level;
  in_checkpoint_ = false;
  if (!to_report_.empty()) rejection_tasks_.push_back({std::exchange(to_report_, {})});
}

void HtmlHost::RejectedWithoutHandler(const PromisePtr& promise) {
  if (reports_rejections_) to_report_.push_back(promise);
}

void HtmlHost::HandledAfterAll(const PromisePtr& promise) {
  std::erase(to_report_, promise);
  const bool reports = rules_.handled_rejection != HtmlRules::HandledRejection::kNeverReported;
  if (std::erase(reported_, promise) > 0 && reports) rejection_tasks_.push_back({});
}

const HostOps<HtmlHost>& HtmlHost::Ops() {
  static const HostOps<HtmlHost> kOps(ScriptOps(), {
                                                       {Op::kTimeout, &HtmlHost::ArmTimer},
                                                       {Op::kInterval, &HtmlHost::ArmTimer},
                                                       {Op::kMessage, &HtmlHost::ArmMessage},
                                                       {Op::kOn, &HtmlHost::ArmListener},
                                                       {Op::kClear, &HtmlHost::DoClear, {ModelledOps::kEveryKind}},
                                                   });
  return kOps;
}

Outcome HtmlHost::Do(const Step& step, const TaskPtr& around) {
  Ops().Do(*this, step, around);
  return Outcome::Done();
}

void HtmlHost::Rearm(const TaskPtr& task) { Ops().Rearm(*this, task); }

void HtmlHost::ArmListener(const TaskPtr& task) {
  const auto listener = std::make_shared<Listener>();
  listener->task = task;
  listeners_[task->step->event].push_back(listener);
  Name(task->step->label, listener);
}

void HtmlHost::DoClear(const Step& step) { Clear(Find(step.target)); }

void HtmlHost::ArmMessage(const TaskPtr& task) { Send(task->step->via, task); }

void HtmlHost::ArmTimer(const TaskPtr& task) {
  const Step& step = *task->step;
  const auto timer = std::make_shared<HtmlTimer>();
  timer->task = task;
  timer->asked_ms = HtmlDelay(DelayOf(step));
  timer->repeats = step.op == Op::kInterval;
  if (timer->repeats) intervals_[task.get()] = timer;
  Name(step.label, timer);
  timers_.Start(timer, level_);
}

void HtmlHost::Send(const std::string& name, const TaskPtr& task) {
  for (Channel& channel : channels_) {
    if (!name.empty() && channel.name == name) {
      channel.messages.push_back(task);
      return;
    }
  }
  channels_.push_back({name, {task}});
}

void HtmlHost::EndRepetition(const TaskPtr& task) {
  if (const auto found = intervals_.find(task.get()); found != intervals_.end()) Clear(found->second);
}

// spec: html.clear
void HtmlHost::Clear(const ThingPtr& thing) {
  if (const auto timer = std::dynamic_pointer_cast<HtmlTimer>(thing)) {
    if (rules_.clear_timer == HtmlRules::ClearTimer::kIgnored) return;
    timer->repeats = false;
    timers_.Clear(timer.get());
  } else if (const auto listener = std::dynamic_pointer_cast<Listener>(thing)) {
    listener->removed = true;
    for (auto& [event, listeners] : listeners_) std::erase(listeners, listener);
  }
}

void HtmlHost::AddTo(Fingerprint* fingerprint) const {
  AddNames(fingerprint);
  timers_.AddTo(fingerprint);
  promises_.AddTo(fingerprint);
  fingerprint->Add(channels_.size());
  for (const Channel& channel : channels_) {
    fingerprint->Add(channel.name);
    fingerprint->Add(channel.messages.size());
    for (const TaskPtr& task : channel.messages) AddTask(fingerprint, task);
  }
  fingerprint->Add(rejection_tasks_.size());
  for (const RejectionTask& task : rejection_tasks_) {
    fingerprint->Add(task.promises.size());
    for (const PromisePtr& promise : task.promises) AddThing(fingerprint, promise.get());
  }
  fingerprint->Add(reported_.size());
  for (const PromisePtr& promise : reported_) AddThing(fingerprint, promise.get());
  for (const auto& [event, listeners] : listeners_) {
    if (listeners.empty()) continue;
    fingerprint->Add(event);
    for (const auto& listener : listeners) AddThing(fingerprint, listener.get());
  }
}

}  // namespace conform::reference
