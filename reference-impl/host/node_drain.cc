// Ticks, microtasks and rejections: what runs between callbacks.
#include <algorithm>
#include <utility>

#include "reference-impl/host/node_host.h"

namespace conform::reference {

void NodeHost::QueueTick(const TaskPtr& task, const std::string& outcome) {
  if (exiting_ && !rules_.Has(Fault::kExitRunsTicks)) return;
  ticks_.push_back({task, outcome, nullptr});
  has_tick_scheduled_ = true;
  if (rules_.drain == NodeRules::Drain::kTickDepth) loop_.StartIdle(&spinner_);
}

void NodeHost::QueueInternalTick(std::shared_ptr<InternalTick> tick) {
  ticks_.push_back({nullptr, "", std::move(tick)});
  has_tick_scheduled_ = true;
  if (rules_.drain == NodeRules::Drain::kTickDepth) loop_.StartIdle(&spinner_);
}

bool NodeHost::NothingToDrain() const {
  if (rules_.drain == NodeRules::Drain::kTicksThenMicrotasks) return !has_tick_scheduled_ && !has_rejection_;
  return ticks_.empty();
}

// spec: drain.after-each-callback
bool NodeHost::CloseScope() {
  const Outcome outcome = RunNextTicks();
  if (!outcome.thrown()) return true;
  TriggerUncaught(outcome.error);
  return false;
}

Outcome NodeHost::RunNextTicks() {
  // With no tick queued, the microtasks need no turn of the tick queue.
  if (!has_tick_scheduled_ || (rules_.drain != NodeRules::Drain::kTicksThenMicrotasks && ticks_.empty())) {
    RunMicrotasks();
  }
  if (NothingToDrain()) return Outcome::Done();
  return RunTickCallback();
}

Outcome NodeHost::RunTickCallback() {
  switch (rules_.drain) {
    case NodeRules::Drain::kTickDepth:
      return ProcessTicksByDepth();
    case NodeRules::Drain::kMicrotaskTick:
      return ProcessTicksWithMicrotaskTick();
    case NodeRules::Drain::kTicksThenMicrotaskTick:
      return ProcessTicksThenMicrotaskTick();
    case NodeRules::Drain::kTicksThenMicrotasks:
      return ProcessTicksAndRejections();
  }
  return Outcome::Done();
}

Outcome NodeHost::RunOneTick() {
  if (rules_.Has(Fault::kTicksTurnedAround)) std::rotate(ticks_.begin(), ticks_.end() - 1, ticks_.end());
  const Tick tick = std::move(ticks_.front());
  ticks_.pop_front();
  if (tick.internal != nullptr) {
    recorder_.CountStep();  // a loop that is wrong may ask for it again and again
    return tick.internal->Run();
  }
  return RunTask(tick.task, {"ticks", "ticks.before-microtasks"}, tick.outcome);
}

// spec: ticks.before-microtasks, ticks.until-empty
Outcome NodeHost::ProcessTicksAndRejections() {
  if (rules_.Has(Fault::kMicrotasksBeforeTicks)) RunMicrotasks();
  bool more;
  do {
    for (size_t left = ticks_.size(); !ticks_.empty();) {
      if (rules_.Has(Fault::kTicksSnapshot) && left-- == 0) break;
      if (Outcome outcome = RunOneTick(); outcome.thrown()) {
        if (rules_.Has(Fault::kErrorEndsTicks)) ticks_.clear();
        return outcome;
      }
      if (rules_.Has(Fault::kTickThenMicrotasks)) RunMicrotasks();
    }
    if (rules_.Has(Fault::kUnhandledBeforeMicrotasks)) {
      Outcome outcome;
      ProcessRejections(&outcome);
      if (outcome.thrown()) return outcome;
    }
    RunMicrotasks();
    more = !ticks_.empty();
    if (!more) {
      Outcome outcome;
      more = ProcessRejections(&outcome);
      if (outcome.thrown()) return outcome;
    }
  } while (more);
  has_tick_scheduled_ = false;
  has_rejection_ = false;
  return Outcome::Done();
}

// Release 0.10: generations of ticks, a thousand of them at the most; what is left runs in the idle phase.
// spec: starvation.ticks
Outcome NodeHost::ProcessTicksByDepth() {
  constexpr int kMaxTickDepth = 1000;
  for (int depth = 0; depth < kMaxTickDepth && !ticks_.empty(); ++depth) {
    for (size_t left = ticks_.size(); left > 0; --left) {
      if (Outcome outcome = RunOneTick(); outcome.thrown()) return outcome;
    }
  }
  if (ticks_.empty()) {
    has_tick_scheduled_ = false;
    loop_.StopInPhase(&spinner_);
  }
  return Outcome::Done();
}

void NodeHost::OnSpinner() {
  loop_.StopInPhase(&spinner_);
  const Outcome outcome = ProcessTicksByDepth();
  if (!ticks_.empty()) loop_.StartIdle(&spinner_);
  if (outcome.thrown()) TriggerUncaught(outcome.error);
}

void NodeHost::OnIntruder() {
  const bool usual = rules_.engine_tasks == NodeRules::EngineTasks::kFirstPollAndAnyTime && loop_.iteration() == 1;
  if (!NothingToDrain() && loop_.platform().Intrudes(usual)) CloseScope();
}

// A tick that runs the microtasks, and comes back for as long as ticks are queued.
struct NodeHost::MicrotaskTick : InternalTick {
  NodeHost* self;
  Outcome Run() override {
    self->microtask_tick_scheduled_ = false;
    self->RunMicrotasks();
    bool again = !self->ticks_.empty();
    Outcome outcome;
    if (!again && self->rules_.rejections != NodeRules::Rejections::kIgnored) again = self->ProcessRejections(&outcome);
    if (again) self->ScheduleMicrotaskTick();
    return outcome;
  }
  void AddTo(Fingerprint* fingerprint) const override { fingerprint->Add("microtask tick"); }
};

void NodeHost::ScheduleMicrotaskTick() {
  if (std::exchange(microtask_tick_scheduled_, true)) return;
  auto tick = std::make_shared<MicrotaskTick>();
  tick->self = this;
  QueueInternalTick(tick);
}

// Release 0.12: the microtasks have a place in the tick queue.
Outcome NodeHost::ProcessTicksWithMicrotaskTick() {
  ScheduleMicrotaskTick();
  while (!ticks_.empty()) {
    if (Outcome outcome = RunOneTick(); outcome.thrown()) return outcome;
  }
  return Outcome::Done();
}

// Releases 4 to 9.6: microtasks after the ticks, but a rejection gives them a place among the ticks.
Outcome NodeHost::ProcessTicksThenMicrotaskTick() {
  do {
    while (!ticks_.empty()) {
      if (Outcome outcome = RunOneTick(); outcome.thrown()) return outcome;
    }
    RunMicrotasks();
    Outcome outcome;
    ProcessRejections(&outcome);
    if (outcome.thrown()) return outcome;
  } while (!ticks_.empty());
  return Outcome::Done();
}

// spec: microtasks.until-empty, errors.throw-in-microtask. A job that throws is reported, and the next one runs.
Outcome NodeHost::RunMicrotasks() {
  if (draining_microtasks_) return Outcome::Done();
  draining_microtasks_ = true;
  for (size_t left = promises_.size(); !promises_.empty();) {
    if (rules_.Has(Fault::kMicrotasksSnapshot) && left-- == 0) break;
    const Outcome outcome = promises_.RunNextJob();
    if (outcome.thrown() && rules_.microtask_throw == NodeRules::MicrotaskThrow::kReported) {
      TriggerUncaught(outcome.error);
      if (rules_.Has(Fault::kMicrotaskErrorEndsDrain)) break;
    }
    while (rules_.Has(Fault::kTicksBetweenMicrotasks) && !ticks_.empty()) {
      if (const Outcome tick = RunOneTick(); tick.thrown()) TriggerUncaught(tick.error);
    }
  }
  draining_microtasks_ = false;
  return Outcome::Done();
}

void NodeHost::RejectedWithoutHandler(const PromisePtr& promise) {
  if (rules_.rejections == NodeRules::Rejections::kIgnored || rules_.Has(Fault::kUnhandledNever)) return;
  if (rules_.Has(Fault::kUnhandledAtOnce)) {
    warned_.push_back(promise);
    ReportRejection(promise);
    return;
  }
  pending_rejections_.push_back(promise);
  has_rejection_ = true;
  if (rules_.drain == NodeRules::Drain::kTicksThenMicrotaskTick) ScheduleMicrotaskTick();
}

void NodeHost::HandledAfterAll(const PromisePtr& promise) {
  const auto pending = std::find(pending_rejections_.begin(), pending_rejections_.end(), promise);
  if (pending != pending_rejections_.end()) {
    if (!rules_.Has(Fault::kHandledStillReported)) pending_rejections_.erase(pending);
    return;
  }
  const auto warned = std::find(warned_.begin(), warned_.end(), promise);
  if (warned == warned_.end() || rules_.Has(Fault::kHandledNotTold)) return;
  warned_.erase(warned);
  if (rules_.drain == NodeRules::Drain::kTicksThenMicrotaskTick) {
    struct Handled : InternalTick {
      NodeHost* self;
      Outcome Run() override {
        Outcome outcome;
        self->EmitEvent("handled", "", {"rejections", "rejections.handled-later"}, &outcome);
        return outcome;
      }
      void AddTo(Fingerprint* fingerprint) const override { fingerprint->Add("rejection handled"); }
    };
    auto handled = std::make_shared<Handled>();
    handled->self = this;
    QueueInternalTick(handled);
    return;
  }
  handled_late_.push_back(promise);
  has_rejection_ = true;
}

// spec: rejections.after-microtasks, rejections.handled-later. True when callbacks have run, and the queues must be
// looked at again.
bool NodeHost::ProcessRejections(Outcome* outcome) {
  bool ran = !handled_late_.empty();
  while (!handled_late_.empty()) {
    handled_late_.pop_front();
    EmitEvent("handled", "", {"rejections", "rejections.handled-later"}, outcome);
    if (outcome->thrown()) return false;
  }
  // spec: rejections.handler-throw-drops. Newer releases take the whole list first, and lose the rest when a handler
  // throws.
  std::deque<PromisePtr> taken;
  const bool take_all = rules_.rejection_list == NodeRules::RejectionList::kTakenWhole;
  std::deque<PromisePtr>& list = take_all ? taken : pending_rejections_;
  if (take_all) std::swap(taken, pending_rejections_);
  while (!list.empty()) {
    if (rules_.Has(Fault::kUnhandledTurnedAround)) std::rotate(list.begin(), list.end() - 1, list.end());
    const PromisePtr promise = list.front();
    list.pop_front();
    warned_.push_back(promise);
    ran = true;
    *outcome = ReportRejection(promise);
    if (outcome->thrown()) return false;
  }
  return ran || !pending_rejections_.empty();
}

// spec: rejections.default-throws
Outcome NodeHost::ReportRejection(const PromisePtr& promise) {
  const Where where{"rejections", "rejections.after-microtasks"};
  Outcome outcome;
  if (EmitEvent("unhandled", promise->error, where, &outcome)) {
    if (rules_.Has(Fault::kUnhandledTwice)) EmitEvent("unhandled", promise->error, where, &outcome);
    if (rules_.Has(Fault::kUnhandledWithHandlerThrows)) TriggerUncaught(promise->error);
    return outcome;
  }
  if (rules_.rejections == NodeRules::Rejections::kThrown) TriggerUncaught(promise->error);
  return Outcome::Done();
}

}  // namespace conform::reference
