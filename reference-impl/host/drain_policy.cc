#include "reference-impl/host/drain_policy.h"

#include <algorithm>
#include <utility>

namespace conform::reference {

DrainPolicy::DrainPolicy(NodeCore& core, Promises& promises, Rejections& rejections, Recorder& recorder)
    : core_(core), promises_(promises), rejections_(rejections), recorder_(recorder) {
  spinner_.self = this;
  spinner_.callback = [](PhaseHandle* handle) { static_cast<Spinner*>(handle)->self->OnSpinner(); };
}

void DrainPolicy::Queue(Tick tick) {
  ticks_.push_back(std::move(tick));
  has_tick_scheduled_ = true;
}

Outcome DrainPolicy::RunTick() {
  if (core_.rules().tick_order == QueueOrder::kNewestFirst) {
    std::rotate(ticks_.begin(), ticks_.end() - 1, ticks_.end());
  }
  const Tick tick = std::move(ticks_.front());
  ticks_.pop_front();
  Outcome outcome;
  if (tick.internal != nullptr) {
    recorder_.CountStep();  // it may schedule itself again and again
    outcome = tick.internal->Run();
  } else {
    outcome = core_.Call(tick.task, {"ticks", "ticks.before-microtasks"}, tick.outcome);
  }
  if (outcome.thrown() && core_.rules().tick_throw == NodeRules::TickThrow::kRestLost) ticks_.clear();
  return outcome;
}

Outcome DrainPolicy::RunNextTicks() {
  if (RunsMicrotasksFirst()) RunMicrotasks();
  if (NothingToDrain()) return Outcome::Done();
  return RunTickCallback();
}

// spec: starvation.microtasks
void DrainPolicy::RunMicrotasks() {
  if (std::exchange(draining_microtasks_, true)) return;
  const NodeRules& rules = core_.rules();
  const bool bounded = rules.microtask_run == NodeRules::MicrotaskRun::kSnapshot;
  for (size_t left = promises_.size(); !promises_.empty();) {
    if (bounded && left-- == 0) break;
    const Outcome outcome = promises_.RunNextJob();
    if (outcome.thrown() && rules.microtask_throw != NodeRules::MicrotaskThrow::kSwallowed) {
      core_.TriggerUncaught(outcome.error);
      if (rules.microtask_throw == NodeRules::MicrotaskThrow::kEndsDrain) break;
    }
    AfterMicrotask();
  }
  draining_microtasks_ = false;
}

// spec: starvation.ticks
Outcome DrainPolicy::RunTicksByDepth() {
  constexpr int kMaxTickDepth = 1000;
  for (int depth = 0; depth < kMaxTickDepth && !ticks_.empty(); ++depth) {
    for (size_t left = ticks_.size(); left > 0 && !ticks_.empty(); --left) {
      if (Outcome outcome = RunTick(); outcome.thrown()) return outcome;
    }
  }
  if (ticks_.empty()) {
    has_tick_scheduled_ = false;
    core_.loop().StopInPhase(&spinner_);
  }
  return Outcome::Done();
}

void DrainPolicy::OnSpinner() {
  core_.loop().StopInPhase(&spinner_);
  const Outcome outcome = RunTicksByDepth();
  if (!ticks_.empty()) core_.loop().StartIdle(&spinner_);
  if (outcome.thrown()) core_.TriggerUncaught(outcome.error);
}

void DrainPolicy::RunTicksAlone() {
  while (!ticks_.empty()) RunTick();
}

void DrainPolicy::AddTo(Fingerprint* fingerprint) const {
  fingerprint->Add(ticks_.size());
  for (const Tick& tick : ticks_) {
    if (tick.task != nullptr) AddTask(fingerprint, tick.task);
    fingerprint->Add(tick.outcome);
    AddThing(fingerprint, tick.internal.get());
  }
  fingerprint->Add((has_tick_scheduled_ ? 1u : 0u) | (has_rejection_ ? 2u : 0u));
}

namespace {

// Since release 9.7. This is Node's processTicksAndRejections.
class TicksThenMicrotasks : public DrainPolicy {
 public:
  using DrainPolicy::DrainPolicy;

  // spec: ticks.before-microtasks, ticks.until-empty, rejections.after-microtasks
  Outcome RunTickCallback() override {
    Outcome outcome;
    do {
      outcome = RunTicks();
      if (outcome.thrown()) return outcome;
      RunMicrotasks();
    } while (!ticks_.empty() || (!rejections_.WaitForTheLoop() && rejections_.Process(&outcome)));
    if (outcome.thrown()) return outcome;
    has_tick_scheduled_ = false;
    has_rejection_ = false;
    return Outcome::Done();
  }
  Outcome RunAfterMain() override { return RunNextTicks(); }
  bool NothingToDrain() const override { return !has_tick_scheduled_ && !has_rejection_; }

 protected:
  virtual Outcome RunTicks() {
    while (!ticks_.empty()) {
      if (Outcome outcome = RunTick(); outcome.thrown()) return outcome;
    }
    return Outcome::Done();
  }

 private:
  bool RunsMicrotasksFirst() const override { return !has_tick_scheduled_; }
};

// Release 0.10: generations of ticks, a thousand of them at the most; what is left runs in the idle phase.
class TickDepth : public DrainPolicy {
 public:
  using DrainPolicy::DrainPolicy;
  Outcome RunTickCallback() override { return RunTicksByDepth(); }

 private:
  void Queue(Tick tick) override {
    DrainPolicy::Queue(std::move(tick));
    StartSpinner();
  }
};

// Release 0.12: the microtasks have a place in the tick queue.
class MicrotasksInTick : public DrainPolicy {
 public:
  using DrainPolicy::DrainPolicy;

  Outcome RunTickCallback() override {
    ScheduleMicrotaskTick();
    while (!ticks_.empty()) {
      if (Outcome outcome = RunTick(); outcome.thrown()) return outcome;
    }
    return Outcome::Done();
  }

 protected:
  void ScheduleMicrotaskTick() {
    if (std::exchange(scheduled_, true)) return;
    auto tick = std::make_shared<MicrotaskTick>();
    tick->self = this;
    QueueInternalTick(tick);
  }

 private:
  // Runs the microtasks, and comes back for as long as ticks are queued.
  struct MicrotaskTick : InternalTick {
    MicrotasksInTick* self;
    Outcome Run() override {
      self->scheduled_ = false;
      self->RunMicrotasks();
      bool again = !self->ticks_.empty();
      Outcome outcome;
      const bool ignored = self->core_.rules().rejections == NodeRules::Rejections::kIgnored;
      if (!again && !ignored) again = self->rejections_.Process(&outcome);
      if (again) self->ScheduleMicrotaskTick();
      return outcome;
    }
    void AddTo(Fingerprint* fingerprint) const override { fingerprint->Add("microtask tick"); }
  };

  bool scheduled_ = false;
};

// Releases 4 to 9.6: microtasks after the ticks, but a rejection gives them a place among the ticks.
class TicksThenMicrotasksInTick : public MicrotasksInTick {
 public:
  using MicrotasksInTick::MicrotasksInTick;

  Outcome RunTickCallback() override {
    do {
      while (!ticks_.empty()) {
        if (Outcome outcome = RunTick(); outcome.thrown()) return outcome;
      }
      RunMicrotasks();
      Outcome outcome;
      rejections_.Process(&outcome);
      if (outcome.thrown()) return outcome;
    } while (!ticks_.empty());
    return Outcome::Done();
  }
  void RejectionIsPending() override {
    DrainPolicy::RejectionIsPending();
    ScheduleMicrotaskTick();
  }
};

// --- What no release does ---

class MicrotasksThenTicks : public TicksThenMicrotasks {
 public:
  using TicksThenMicrotasks::TicksThenMicrotasks;
  Outcome RunTickCallback() override {
    RunMicrotasks();
    return TicksThenMicrotasks::RunTickCallback();
  }
};

class MicrotasksAfterEachTick : public TicksThenMicrotasks {
 public:
  using TicksThenMicrotasks::TicksThenMicrotasks;

 private:
  Outcome RunTicks() override {
    while (!ticks_.empty()) {
      if (Outcome outcome = RunTick(); outcome.thrown()) return outcome;
      RunMicrotasks();
    }
    return Outcome::Done();
  }
};

class TicksInRounds : public TicksThenMicrotasks {
 public:
  using TicksThenMicrotasks::TicksThenMicrotasks;

 private:
  Outcome RunTicks() override {
    for (size_t left = ticks_.size(); left > 0 && !ticks_.empty(); --left) {
      if (Outcome outcome = RunTick(); outcome.thrown()) return outcome;
    }
    return Outcome::Done();
  }
};

class TicksAfterEachMicrotask : public TicksThenMicrotasks {
 public:
  using TicksThenMicrotasks::TicksThenMicrotasks;

 private:
  void AfterMicrotask() override {
    while (!ticks_.empty()) {
      if (const Outcome outcome = RunTick(); outcome.thrown()) core_.TriggerUncaught(outcome.error);
    }
  }
};

class RejectionsBeforeMicrotasks : public TicksThenMicrotasks {
 public:
  using TicksThenMicrotasks::TicksThenMicrotasks;

 private:
  Outcome RunTicks() override {
    Outcome outcome = TicksThenMicrotasks::RunTicks();
    if (!outcome.thrown()) rejections_.Process(&outcome);
    return outcome;
  }
};

template <typename Policy>
std::unique_ptr<DrainPolicy> Make(NodeCore& core, Promises& promises, Rejections& rejections, Recorder& recorder) {
  return std::make_unique<Policy>(core, promises, rejections, recorder);
}

}  // namespace

std::unique_ptr<DrainPolicy> MakeDrainPolicy(NodeCore& core, Promises& promises, Rejections& rejections,
                                             Recorder& recorder) {
  const auto maker = [&] {
    switch (core.rules().drain) {
      case NodeRules::Drain::kTickDepth:
        return Make<TickDepth>;
      case NodeRules::Drain::kMicrotaskTick:
        return Make<MicrotasksInTick>;
      case NodeRules::Drain::kTicksThenMicrotaskTick:
        return Make<TicksThenMicrotasksInTick>;
      case NodeRules::Drain::kTicksThenMicrotasks:
        return Make<TicksThenMicrotasks>;
      case NodeRules::Drain::kMicrotasksThenTicks:
        return Make<MicrotasksThenTicks>;
      case NodeRules::Drain::kMicrotasksAfterEachTick:
        return Make<MicrotasksAfterEachTick>;
      case NodeRules::Drain::kTicksInRounds:
        return Make<TicksInRounds>;
      case NodeRules::Drain::kTicksAfterEachMicrotask:
        return Make<TicksAfterEachMicrotask>;
      case NodeRules::Drain::kRejectionsBeforeMicrotasks:
        return Make<RejectionsBeforeMicrotasks>;
    }
    return Make<TicksThenMicrotasks>;
  }();
  return maker(core, promises, rejections, recorder);
}

}  // namespace conform::reference
