// Which of two callbacks that are ready is ahead of the other one.
#include "reference-impl/host/documented_host.h"
#include "runners/base/check.h"

namespace conform::reference {

namespace {

enum Urgency { kLow, kIdle, kNormal, kHigh };

}  // namespace

bool DocumentedHost::IsHeldBack(const Request& request) {
  for (const RequestPtr& other : requests_) {
    if (other->ready_since == 0 || other.get() == &request) continue;
    switch (IsAhead(*other, request)) {
      case Ahead::kNo:
        break;
      case Ahead::kUnlessFound:
        if (other->ready_since <= request.ready_since) return true;
        break;
      case Ahead::kUnlessFree:
        if (!request.is_free) return true;
        break;
      case Ahead::kAlways:
        return true;
    }
  }
  return false;
}

DocumentedHost::Ahead DocumentedHost::IsAhead(const Request& first, const Request& second) {
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
DocumentedHost::Ahead DocumentedHost::ByPriority(const Request& first, const Request& second) const {
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
DocumentedHost::Ahead DocumentedHost::InQueue(const Request& first, const Request& second) const {
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

int DocumentedHost::UrgencyOf(const Request& request) const {
  if (request.step->kind == "high") return kHigh;
  if (request.step->kind == "low") return kLow;
  return IsIdle(request) && rules_.idle_last == DocumentedRules::IdleLast::kSoon ? kIdle : kNormal;
}

bool DocumentedHost::IsIdle(const Request& request) const {
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
