#include "reference-impl/host/immediates.h"

#include <algorithm>
#include <utility>

namespace conform::reference {

void Immediate::AddTo(Fingerprint* fingerprint) const {
  if (task != nullptr) AddTask(fingerprint, task);
  AddThing(fingerprint, resolves.get());
  fingerprint->Add((referenced ? 1u : 0u) | (destroyed ? 2u : 0u) | (drains ? 4u : 0u));
}

Immediates::Immediates(NodeCore& core) : core_(core) {
  check_.callback = [](PhaseHandle* handle) { static_cast<Owner*>(handle)->self->Check(); };
  check_.self = this;
  check_.referenced = false;
  idle_.callback = [](PhaseHandle*) {};
  idle_.self = this;
}

void Immediates::Add(const ImmediatePtr& immediate) {
  core_.loop().StartCheck(&check_);
  queue_.push_back(immediate);
  ++count_;
  if (immediate->referenced) CountRefUp();
}

// spec: poll.timeout
void Immediates::CountRefUp() {
  const bool counts = core_.rules().immediates_at_poll == LoopRules::AtPoll::kNoWait;
  if (ref_count_++ == 0 && counts) core_.loop().StartIdle(&idle_);
}

void Immediates::CountRefDown() {
  --ref_count_;
  StopIdleIfNone();
}

void Immediates::StopIdleIfNone() {
  if (ref_count_ == 0) core_.loop().StopInPhase(&idle_);
}

void Immediates::CountOneLess(bool referenced) {
  core_.loop().StartCheck(&check_);
  --count_;
  switch (core_.rules().clear_immediate_of_timeout) {
    case NodeRules::ClearImmediateOfTimeout::kUnlinks:
    case NodeRules::ClearImmediateOfTimeout::kNothing:
      return;
    case NodeRules::ClearImmediateOfTimeout::kOneCount:
      --ref_count_;  // the same number; only the check phase looks whether it is 0
      return;
    case NodeRules::ClearImmediateOfTimeout::kTwoCounts:
    case NodeRules::ClearImmediateOfTimeout::kTwoCountsUnlessEnded:
      if (referenced) CountRefDown();
      return;
  }
}

// spec: check.clear
void Immediates::Clear(const ImmediatePtr& immediate) {
  if (immediate->destroyed) return;
  switch (core_.rules().clear_immediate) {
    case NodeRules::ClearImmediate::kAtOnce:
      return Destroy(immediate);
    case NodeRules::ClearImmediate::kNotInBatch:
      if (std::find(batch_.begin(), batch_.end(), immediate) == batch_.end()) Destroy(immediate);
      return;
    case NodeRules::ClearImmediate::kIgnored:
      return;
  }
}

void Immediates::Destroy(const ImmediatePtr& immediate) {
  immediate->destroyed = true;
  --count_;
  if (immediate->referenced) CountRefDown();
}

void Immediates::Ref(const ImmediatePtr& immediate) {
  if (immediate->referenced) return;
  immediate->referenced = true;
  if (!immediate->destroyed) CountRefUp();
}

void Immediates::Unref(const ImmediatePtr& immediate) {
  if (!immediate->referenced) return;
  immediate->referenced = false;
  if (!immediate->destroyed) CountRefDown();
}

void Immediates::Stop() {
  core_.loop().StopInPhase(&check_);
  core_.loop().StopInPhase(&idle_);
}

// spec: check.immediates-after-poll
void Immediates::Check() {
  const NodeRules& rules = core_.rules();
  // A separate callback scope comes first; closing it drains what an error left behind. spec: errors.throw-in-tick
  if (rules.check_scope == NodeRules::CheckScope::kEveryIteration) core_.CloseScope();
  // The count of those that keep the loop turning may be 0 although none has run. spec: timers.clear-other-kinds
  if (rules.idle_stop == NodeRules::IdleStop::kEveryCheck) StopIdleIfNone();
  if (count_ == 0) return;
  switch (rules.immediate_batch) {
    case NodeRules::ImmediateBatch::kOne:  // spec: check.immediate-batch, before 0.12
      core_.MakeCallback([this] { return ProcessOne(); });
      break;
    case NodeRules::ImmediateBatch::kAll:
    case NodeRules::ImmediateBatch::kUntilEmpty:
      do {
        core_.MakeCallback([this] { return ProcessImmediates(); });
      } while (GoesOnAtOnce());
      break;
  }
  StopIdleIfNone();
}

// spec: errors.throw-in-immediate. After an error the rest of the batch follows at once; if there is none, what was
// queued meanwhile does in newer releases.
bool Immediates::GoesOnAtOnce() const {
  switch (core_.rules().immediate_throw) {
    case NodeRules::ImmediateThrow::kNextIteration:
    case NodeRules::ImmediateThrow::kRestInTick:
    case NodeRules::ImmediateThrow::kRestLost:
      return false;
    case NodeRules::ImmediateThrow::kRestAtOnce:
      return !batch_.empty();
    case NodeRules::ImmediateThrow::kRestOrNewAtOnce:
      return interrupted_;
  }
  return false;
}

Outcome Immediates::ProcessOne() {
  while (!queue_.empty()) {
    const ImmediatePtr immediate = queue_.front();
    queue_.pop_front();
    if (!immediate->destroyed) return RunOne(immediate);
  }
  return Outcome::Done();
}

ImmediatePtr Immediates::TakeNext() {
  const bool newest_first = core_.rules().immediate_order == QueueOrder::kNewestFirst;
  const ImmediatePtr next = newest_first ? batch_.back() : batch_.front();
  newest_first ? batch_.pop_back() : batch_.pop_front();
  return next;
}

// spec: check.immediate-batch, check.nested-immediate-waits, starvation.immediates-yield. What is queued from now on
// waits for the next iteration.
Outcome Immediates::ProcessImmediates() {
  if (batch_.empty()) batch_ = std::exchange(queue_, {});
  const NodeRules& rules = core_.rules();
  interrupted_ = true;  // until the end of the batch is reached
  bool ran_one = false;
  while (!batch_.empty()) {
    if (ran_one && rules.immediate_drain == NodeRules::ImmediateDrain::kBetween) {
      // spec: drain.after-each-callback
      if (Outcome outcome = core_.RunNextTicks(); outcome.thrown()) return outcome;
      if (batch_.empty()) break;  // a tick has run the rest
    }
    const ImmediatePtr immediate = TakeNext();
    if (immediate->destroyed) continue;
    ran_one = true;
    Outcome outcome = RunOne(immediate);
    if (batch_.empty() && rules.immediate_batch == NodeRules::ImmediateBatch::kUntilEmpty) std::swap(batch_, queue_);
    if (outcome.thrown()) {
      if (rules.immediate_throw == NodeRules::ImmediateThrow::kRestInTick) LeaveRestToTick();
      if (rules.immediate_throw == NodeRules::ImmediateThrow::kRestLost) {
        for (const ImmediatePtr& lost : std::exchange(batch_, {})) Destroy(lost);
      }
      return outcome;
    }
  }
  interrupted_ = false;
  StopIdleIfNone();
  return Outcome::Done();
}

// spec: errors.throw-in-immediate. The rest goes back to the head of the queue, and a tick runs whatever is there
// then.
void Immediates::LeaveRestToTick() {
  if (batch_.empty()) return;
  queue_.insert(queue_.begin(), batch_.begin(), batch_.end());
  batch_.clear();
  struct Rest : InternalTick {
    Immediates* self;
    Outcome Run() override { return self->ProcessImmediates(); }
    void AddTo(Fingerprint* fingerprint) const override { fingerprint->Add("rest of immediates"); }
  };
  auto rest = std::make_shared<Rest>();
  rest->self = this;
  core_.QueueInternalTick(rest);
}

Outcome Immediates::RunOne(const ImmediatePtr& immediate) {
  immediate->destroyed = true;
  --count_;
  if (immediate->referenced) --ref_count_;  // only the end of the phase looks whether it is 0
  if (immediate->drains) return core_.RunTickCallback();
  if (immediate->resolves != nullptr) return core_.Resolve(immediate->resolves);
  if (immediate->task == nullptr) return Outcome::Done();
  return core_.Call(immediate->task, {"check", "check.immediates-after-poll"}, {});
}

void Immediates::AddTo(Fingerprint* fingerprint) const {
  fingerprint->Add(static_cast<uint64_t>(count_));
  fingerprint->Add(static_cast<uint64_t>(ref_count_));
  for (const auto* queue : {&queue_, &batch_}) {
    fingerprint->Add(queue->size());
    for (const ImmediatePtr& immediate : *queue) AddThing(fingerprint, immediate.get());
  }
}

}  // namespace conform::reference
