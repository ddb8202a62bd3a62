// The loop, wrong on purpose: the faults that would hide the list of phases, and that of a phase, where they stand.
#include <algorithm>
#include <vector>

#include "reference-impl/loop/loop.h"

namespace conform::reference {

// RunOnce again, with the places at which a fault leaves a phase out or moves it.
void Loop::RunOnceWithFault(RunMode mode) {
  const auto has = [this](Fault fault) { return rules_.Has(fault); };
  const auto cut = [this] { return stopped_ && rules_.Has(Fault::kStopCutsIteration); };
  const auto timers = [&] {
    if (!has(Fault::kTimersOnStaleTime)) UpdateTime();
    RunTimers();
  };
  ++iteration_;
  const bool timers_first = rules_.timer_phase == LoopRules::TimerPhase::kBeforePoll;
  if (timers_first) timers();
  if (cut()) return;
  const bool could_sleep = pending_.empty() && idle_.alone();
  const bool is_late = rules_.pending_phase == LoopRules::PendingPhase::kAfterPrepare;
  const bool pending_late = is_late || has(Fault::kPendingAfterPrepare);
  bool pending_ran = !pending_late && RunPending();
  if (has(Fault::kPrepareBeforeIdle)) RunPhase(&prepare_, "prepare");
  if (!has(Fault::kIdlePhaseSkipped)) RunPhase(&idle_, "idle");
  if (cut()) return;
  const bool prepare_elsewhere = has(Fault::kPrepareBeforeIdle) || has(Fault::kPrepareAfterPoll);
  if (!prepare_elsewhere && !has(Fault::kPreparePhaseSkipped)) RunPhase(&prepare_, "prepare");
  if (pending_late) pending_ran = RunPending();
  if (has(Fault::kCheckBeforePoll)) RunPhase(&check_, "check");
  if (cut()) return;
  Poll(PollBound(mode, pending_ran, could_sleep));
  if (stuck_ || cut()) return;
  RunPendingAfterPoll();
  if (has(Fault::kPrepareAfterPoll)) RunPhase(&prepare_, "prepare");
  if (has(Fault::kCheckAfterClosing)) RunClosing();
  if (!has(Fault::kCheckBeforePoll) && !has(Fault::kCheckPhaseSkipped)) RunPhase(&check_, "check");
  if (cut()) return;
  const bool timers_last = mode == RunMode::kOnce ? !has(Fault::kTimersNotInSingleRuns) : !timers_first;
  if (timers_last && has(Fault::kTimersBeforeClosing)) timers();
  RunClosing();
  if (timers_last && !has(Fault::kTimersBeforeClosing)) timers();
}

// RunPhase again: who gets a turn.
void Loop::RunPhaseWithFault(RingLink* ring) {
  if (rules_.Has(Fault::kStoppedInPhaseRuns)) {
    std::vector<PhaseHandle*> all;
    for (RingLink* link = ring->next; link != ring; link = link->next) all.push_back(static_cast<PhaseHandle*>(link));
    for (PhaseHandle* handle : all) handle->callback(handle);
    return;
  }
  const auto run = [&](const RingLink* end) {
    next_in_phase_ = ring->next;
    while (next_in_phase_ != ring && next_in_phase_ != end) {
      PhaseHandle* handle = static_cast<PhaseHandle*>(next_in_phase_);
      next_in_phase_ = handle->next;
      handle->callback(handle);
      if (rules_.Has(Fault::kHandleRunsOnce)) StopInPhase(handle);
    }
    next_in_phase_ = nullptr;
  };
  const RingLink* first = ring->next;
  run(ring);
  if (rules_.Has(Fault::kStartedInPhaseRuns)) run(first);
}

// The timers of a pass that have the same deadline, each group in the opposite order.
void Loop::TurnTiesAround() {
  const auto deadline = [](const TimerHandle* timer) { return timer->place.deadline; };
  for (size_t begin = 0, end; begin < due_.size(); begin = end) {
    end = begin + 1;
    while (end < due_.size() && deadline(due_[end]) == deadline(due_[begin])) ++end;
    std::reverse(due_.begin() + static_cast<std::ptrdiff_t>(begin), due_.begin() + static_cast<std::ptrdiff_t>(end));
  }
  for (size_t i = 0; i < due_.size(); ++i) due_[i]->due_index = static_cast<int64_t>(i);
}

void Loop::TurnClosingAround() {
  Handle* turned = nullptr;
  while (closing_ != nullptr) {
    Handle* next = closing_->next_closing;
    closing_->next_closing = turned;
    turned = closing_;
    closing_ = next;
  }
  closing_ = turned;
}

bool Loop::InStartOrder(const RingLink* ring) const {
  return (ring == &idle_ && rules_.Has(Fault::kIdleInStartOrder)) ||
         (ring == &prepare_ && rules_.Has(Fault::kPrepareInStartOrder)) ||
         (ring == &check_ && rules_.Has(Fault::kCheckInStartOrder));
}

}  // namespace conform::reference
