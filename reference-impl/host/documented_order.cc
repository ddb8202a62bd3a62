#include "reference-impl/host/documented_order.h"

#include "runners/base/check.h"

namespace conform::reference {

namespace {

enum Urgency { kLow, kIdle, kNormal, kHigh };

}  // namespace

void DocumentedRequest::AddTo(Fingerprint* fingerprint) const {
  fingerprint->Add(static_cast<uint64_t>(step->id));
  AddTask(fingerprint, task);
  fingerprint->Add((was_found ? 1u : 0u) | (was_cancelled ? 2u : 0u) | (is_free ? 4u : 0u));
  fingerprint->Add(looks.size());
  for (const Time& look : looks) fingerprint->Add(look);
  if (IsTimer()) fingerprint->Add(deadline);
}

bool DocumentedOrder::MustPrecede(const DocumentedRequest& other, const DocumentedRequest& request) {
  switch (IsAhead(other, request)) {
    case Ahead::kNo:
      return false;
    case Ahead::kUnlessFound:
      return other.ready_since <= request.ready_since;
    case Ahead::kUnlessFree:
      return !request.is_free;
    case Ahead::kAlways:
      return true;
  }
  CONFORM_CHECK(false);
}

DocumentedOrder::Ahead DocumentedOrder::IsAhead(const DocumentedRequest& first, const DocumentedRequest& second) {
  // spec: documented.prepare-first
  if (first.Is(Op::kPrepare) || second.Is(Op::kPrepare)) {
    const bool follows = second.IsLookedFor() || second.Is(Op::kCheck);
    return rules_.prepare_first && first.Is(Op::kPrepare) && follows ? Ahead::kUnlessFound : Ahead::kNo;
  }
  const int urgency = UrgencyOf(first), other_urgency = UrgencyOf(second);
  // spec: documented.check-first
  if (rules_.check == DocumentedRules::Check::kFirst && first.Is(Op::kCheck) && second.IsLookedFor() &&
      urgency >= other_urgency) {
    return Ahead::kUnlessFound;
  }
  // spec: documented.idle-last
  if (IsIdle(second) && !IsIdle(first) && !first.Is(Op::kCheck) && urgency >= other_urgency) return Ahead::kUnlessFree;
  if (urgency > other_urgency) return ByPriority(first, second);
  if (urgency < other_urgency) return Ahead::kNo;
  // spec: documented.fair
  if (rules_.fair && second.step->kind == "kept" && second.task->runs > 0 && first.number < second.number) {
    return Ahead::kAlways;
  }
  // spec: documented.timers-by-deadline
  if (rules_.timers_by_deadline && first.IsTimer() && second.IsTimer() &&
      clock_.Before(first.deadline, second.deadline)) {
    return Ahead::kUnlessFound;
  }
  return InQueue(first, second);
}

// spec: documented.priorities. REQUIRES: the first is more urgent.
DocumentedOrder::Ahead DocumentedOrder::ByPriority(const DocumentedRequest& first,
                                                   const DocumentedRequest& second) const {
  switch (rules_.priorities) {
    case DocumentedRules::Priorities::kOpen:
      return Ahead::kNo;
    case DocumentedRules::Priorities::kByTurn:
      return Ahead::kUnlessFree;
    case DocumentedRules::Priorities::kStrict:
      return first.Is(Op::kSoon) ? Ahead::kAlways : Ahead::kUnlessFree;
    case DocumentedRules::Priorities::kPending:
      if (first.Is(Op::kSoon)) return Ahead::kAlways;
      // What is pending may be called before the loop looks at all.
      return second.Is(Op::kSoon) ? Ahead::kNo : Ahead::kUnlessFound;
    case DocumentedRules::Priorities::kByRound:
      return first.Is(Op::kSoon) && second.Is(Op::kSoon) ? Ahead::kUnlessFound : Ahead::kNo;
  }
  CONFORM_CHECK(false);
}

// spec: documented.posted-in-order, documented.queue. REQUIRES: both are equally urgent.
DocumentedOrder::Ahead DocumentedOrder::InQueue(const DocumentedRequest& first, const DocumentedRequest& second) const {
  const bool is_older = first.number < second.number;
  switch (rules_.soon_order) {
    case DocumentedRules::SoonOrder::kOpen:
      break;
    case DocumentedRules::SoonOrder::kPosted:
      if (first.Is(Op::kSoon) && second.Is(Op::kSoon) && is_older) return Ahead::kAlways;
      break;
    case DocumentedRules::SoonOrder::kQueue: {
      const bool at_head = first.step->kind == "head", other_at_head = second.step->kind == "head";
      if (at_head) return !other_at_head || !is_older ? Ahead::kAlways : Ahead::kNo;
      if (other_at_head || first.step->kind != "event") return Ahead::kNo;
      if (second.IsLookedFor()) return Ahead::kUnlessFree;
      return second.step->kind == "event" && is_older ? Ahead::kAlways : Ahead::kNo;
    }
  }
  return Ahead::kNo;
}

int DocumentedOrder::UrgencyOf(const DocumentedRequest& request) const {
  if (request.step->kind == "high") return kHigh;
  if (request.step->kind == "low") return kLow;
  return IsIdle(request) && rules_.idle_last == DocumentedRules::IdleLast::kSoon ? kIdle : kNormal;
}

bool DocumentedOrder::IsIdle(const DocumentedRequest& request) const {
  switch (rules_.idle_last) {
    case DocumentedRules::IdleLast::kOpen:
      return false;
    case DocumentedRules::IdleLast::kSoon:
      return request.Is(Op::kIdle) || (request.Is(Op::kSoon) && request.step->kind.empty());
    case DocumentedRules::IdleLast::kHandles:
      return request.Is(Op::kIdle);
  }
  CONFORM_CHECK(false);
}

}  // namespace conform::reference
