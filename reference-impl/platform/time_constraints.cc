#include "reference-impl/platform/time_constraints.h"

#include <algorithm>

#include "runners/base/check.h"

namespace conform::reference {

namespace {

constexpr int kFewSlots = 8;    // they are copied with the state of a run
constexpr int kManySlots = 32;  // to be looked at one by one

}  // namespace

int TimeConstraints::NewSlot() {
  const int slot = size();
  if (slot == capacity_) Grow(capacity_ == 0 ? kFewSlots : capacity_ + capacity_ / 2);
  names_.push_back(next_name_++);
  At(slot, slot) = 0;
  return slot;
}

int32_t TimeConstraints::NewVariable() {
  const int slot = NewSlot();
  for (int i = 0; i < slot; ++i) At(i, slot) = At(slot, i) = kUnbounded;
  return names_.back();
}

int32_t TimeConstraints::NewVariableAfter(int32_t x, int64_t least) {
  const int slot = NewSlot();
  const int after = SlotOf(x);
  // What is known of x is known of it, and nothing else becomes known.
  for (int i = 0; i < slot; ++i) {
    At(i, slot) = At(i, after) < kUnbounded ? At(i, after) - least : kUnbounded;
    At(slot, i) = kUnbounded;
  }
  return names_.back();
}

int32_t TimeConstraints::NewVariableBetween(int32_t x, int64_t least, int32_t y, int64_t most) {
  const int slot = NewSlot();
  const int after = SlotOf(x);
  const int before = SlotOf(y);
  CONFORM_CHECK(At(after, before) <= most - least);
  for (int i = 0; i < slot; ++i) {
    At(i, slot) = At(i, after) < kUnbounded ? At(i, after) - least : kUnbounded;
    At(slot, i) = At(before, i) < kUnbounded ? most + At(before, i) : kUnbounded;
  }
  return names_.back();
}

int64_t TimeConstraints::UpperBound(int32_t x, int32_t y) const { return At(SlotOf(x), SlotOf(y)); }

void TimeConstraints::Require(int32_t x, int32_t y, int64_t c) {
  const int i = SlotOf(x);
  const int j = SlotOf(y);
  if (At(i, j) <= c) return;
  CONFORM_CHECK(At(j, i) >= kUnbounded || -At(j, i) <= c);
  // Only what comes nearer to y by way of x can come nearer to anything else by way of both, and only what x comes
  // nearer to.
  const int n = size();
  slots_.clear();
  for (int q = 0; q < n; ++q) {
    if (At(j, q) < kUnbounded && c + At(j, q) < At(i, q)) slots_.push_back(q);
  }
  for (int p = 0; p < n; ++p) {
    if (At(p, i) >= kUnbounded || At(p, i) + c >= At(p, j)) continue;
    const int64_t to_j = At(p, i) + c;
    for (const int q : slots_) At(p, q) = std::min(At(p, q), to_j + At(j, q));
  }
}

void TimeConstraints::Keep(const std::vector<int32_t>& live) {
  slots_.clear();
  for (int slot = 0; slot < size(); ++slot) {
    if (std::find(live.begin(), live.end(), names_[slot]) != live.end()) slots_.push_back(slot);
  }
  const int kept = static_cast<int>(slots_.size());
  if (kept == size()) return;
  for (int i = 0; i < kept; ++i) {
    names_[i] = names_[slots_[i]];
    for (int j = 0; j < kept; ++j) At(i, j) = At(slots_[i], slots_[j]);
  }
  names_.resize(static_cast<size_t>(kept));
}

int TimeConstraints::SlotOf(int32_t name) const {
  // Mostly one of the newest is looked for. The newest have no gaps between their names.
  int slot = size() - 1 - (names_.back() - name);
  if (slot >= 0 && names_[slot] == name) return slot;
  if (size() <= kManySlots) {
    for (slot = size() - 1; slot >= 0 && names_[slot] > name;) --slot;
  } else {
    slot = static_cast<int>(std::lower_bound(names_.begin(), names_.end(), name) - names_.begin());
  }
  CONFORM_CHECK(slot >= 0 && slot < size() && names_[slot] == name);
  return slot;
}

void TimeConstraints::Grow(int capacity) {
  std::vector<int64_t> bounds(static_cast<size_t>(capacity) * capacity, kUnbounded);
  for (int i = 0; i < size(); ++i) {
    for (int j = 0; j < size(); ++j) bounds[static_cast<size_t>(i) * capacity + j] = At(i, j);
  }
  bounds_ = std::move(bounds);
  capacity_ = capacity;
}

}  // namespace conform::reference
