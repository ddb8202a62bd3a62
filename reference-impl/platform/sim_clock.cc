#include "reference-impl/platform/sim_clock.h"

#include <algorithm>
#include <vector>

#include "runners/base/check.h"

namespace conform::reference {

SimClock::SimClock(Timing timing, Chooser& chooser) : timing_(timing), chooser_(chooser) {
  origin_ = constraints_.NewVariable();
  last_ = origin_;
  due_.emplace_back(origin_, 0);
}

void SimClock::Hold(const RecordedBounds& bounds) {
  bounds_ = &bounds;
  NeverStands();  // between two labels, time has passed
  recorded_from_ = constraints_.NewVariable();
}

void SimClock::HoldWithinBounds(int32_t now) {
  const RecordedBounds::Bounds bounds = bounds_->Now();
  if (bounds.least) {
    if (constraints_.UpperBound(now, recorded_from_) < *bounds.least) bounds_->Contradicted();
    constraints_.Require(recorded_from_, now, -*bounds.least);
  }
  if (bounds.most) {
    const int64_t least_negated = constraints_.UpperBound(recorded_from_, now);
    if (least_negated < TimeConstraints::kUnbounded && -least_negated > *bounds.most) bounds_->Contradicted();
    constraints_.Require(now, recorded_from_, *bounds.most);
  }
}

Time SimClock::Read() {
  int32_t now;
  if (timing_ == Timing::kOnTime) {
    // The offset from D is 0 or 1, and never shrinks.
    now = constraints_.NewVariableBetween(last_, due_now_ - Due(Time{last_, 0}), origin_, due_now_ + 1);
    due_.emplace_back(now, due_now_);
  } else {
    now = constraints_.NewVariableAfter(last_, busy_since_last_);
  }
  if (slept_) {
    // Early wake-ups exist, so no more is known than that the loop's own deadline has passed.
    const int64_t least = slept_until_.ms;
    if (constraints_.UpperBound(now, slept_until_.reading) >= least) {
      constraints_.Require(slept_until_.reading, now, -least);
    }
    slept_ = false;
  }
  if (bounds_ != nullptr) HoldWithinBounds(now);
  busy_since_last_ = 0;
  last_ = now;
  return {now, 0};
}

void SimClock::Busy(int64_t ms) {
  if (ms <= 0) return;
  due_now_ += ms;
  busy_since_last_ += ms;
  ++spent_count_;
}

void SimClock::SleepUntil(Time base, Time deadline) {
  due_now_ += std::max<int64_t>(0, Due(deadline) - Due(base));
  slept_ = true;
  slept_until_ = deadline;
  ++spent_count_;
}

void SimClock::SpinUntil(Time until) {
  due_now_ = std::max(due_now_, Due(until));
  slept_ = true;
  slept_until_ = until;
}

bool SimClock::MayStandAt(Time now) const {
  if (!may_stand_ || now != Time{last_, 0} || busy_since_last_ > 0 || slept_) return false;
  return timing_ == Timing::kLate || due_now_ == Due(now);
}

bool SimClock::MustHavePassed(Time deadline, Time now) const {
  return constraints_.UpperBound(deadline.reading, now.reading) <= now.ms - deadline.ms;
}

void SimClock::Pass(Time time) {
  const Time now = Read();
  if (constraints_.UpperBound(now.reading, time.reading) < time.ms) {
    CONFORM_CHECK(bounds_ != nullptr);
    bounds_->Contradicted();
  }
  constraints_.Require(time.reading, now.reading, -time.ms);
}

int64_t SimClock::Due(Time time) const {
  const auto is_it = [&](const auto& entry) { return entry.first == time.reading; };
  const auto it = std::find_if(due_.rbegin(), due_.rend(), is_it);
  return it == due_.rend() ? 0 : it->second + time.ms;
}

bool SimClock::Decide(Time a, Time b) {
  // a <= b  <=>  a.reading - b.reading <= room
  const int64_t room = b.ms - a.ms;
  const int slot_of_a = constraints_.SlotOf(a.reading);
  const int slot_of_b = constraints_.SlotOf(b.reading);
  if (constraints_.Bound(slot_of_a, slot_of_b) <= room) return true;
  if (constraints_.Bound(slot_of_b, slot_of_a) < -room) return false;
  const bool yes = chooser_.Choose(
                       2, [] { return std::string("has the time passed?"); },
                       [](int i) { return std::string(i == 0 ? "yes" : "not yet"); }) == 0;
  if (yes) {
    constraints_.Require(a.reading, b.reading, room);
  } else {
    constraints_.Require(b.reading, a.reading, -room - 1);
  }
  return yes;
}

// A sum of three readings is not a difference constraint. The new time is kept between the least and most that it can
// be: a set that is never too small, and exact where the distance is known.
Time SimClock::ShiftBetween(Time a, Time from, Time to) {
  const int32_t shifted = constraints_.NewVariable();
  const int64_t most = constraints_.UpperBound(to.reading, from.reading);
  const int64_t least_negated = constraints_.UpperBound(from.reading, to.reading);
  const int64_t ms = to.ms - from.ms;
  if (least_negated < TimeConstraints::kUnbounded) constraints_.Require(a.reading, shifted, least_negated - ms - a.ms);
  if (most < TimeConstraints::kUnbounded) constraints_.Require(shifted, a.reading, most + ms + a.ms);
  due_.emplace_back(shifted, Due(a) + Due(to) - Due(from));
  return {shifted, 0};
}

void SimClock::AddTo(Fingerprint* fingerprint) {
  fingerprint->Add(Time{last_, 0});
  if (slept_) fingerprint->Add(slept_until_);
  if (timing_ == Timing::kOnTime) fingerprint->Add(Time{origin_, 0});
  if (bounds_ != nullptr) fingerprint->Add(Time{recorded_from_, 0});
  const std::vector<int32_t>& live = fingerprint->live_readings();
  constraints_.Keep(live);
  std::erase_if(due_,
                [&](const auto& entry) { return std::find(live.begin(), live.end(), entry.first) == live.end(); });
  fingerprint->Add(static_cast<uint64_t>(busy_since_last_));
  fingerprint->Add(slept_ ? 1 : 0);
  live_slots_.clear();
  for (const int32_t x : live) live_slots_.push_back(constraints_.SlotOf(x));
  for (size_t i = 0; i < live.size(); ++i) {
    const int32_t x = live[i];
    for (size_t j = 0; j < live.size(); ++j) {
      const int32_t y = live[j];
      int64_t bound = constraints_.Bound(live_slots_[i], live_slots_[j]);
      // Bounds against the origin grow with D; only what is left of them matters.
      if (timing_ == Timing::kOnTime && bound < TimeConstraints::kUnbounded) {
        if (x == origin_) bound += due_now_;
        if (y == origin_) bound -= due_now_;
      }
      fingerprint->Add(static_cast<uint64_t>(bound));
    }
    if (timing_ == Timing::kOnTime && x != origin_) fingerprint->Add(static_cast<uint64_t>(due_now_ - Due(Time{x, 0})));
  }
}

}  // namespace conform::reference
