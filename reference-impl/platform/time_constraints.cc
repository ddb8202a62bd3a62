#include "reference-impl/platform/time_constraints.h"

#include <algorithm>

#include "runners/base/check.h"

namespace conform::reference {

int32_t TimeConstraints::NewVariable() {
  const int slot = size();
  if (slot == capacity_) Grow(capacity_ == 0 ? 16 : capacity_ * 2);
  const int32_t name = next_name_++;
  names_.push_back(name);
  for (int i = 0; i < slot; ++i) At(i, slot) = At(slot, i) = kUnbounded;
  At(slot, slot) = 0;
  return name;
}

int32_t TimeConstraints::NewVariableAfter(int32_t x, int64_t least) {
  const int32_t name = NewVariable();
  const int slot = size() - 1;
  const int after = SlotOf(x);
  // What is known of x is known of it, and nothing else becomes known.
  for (int i = 0; i < slot; ++i) {
    if (At(i, after) < kUnbounded) At(i, slot) = At(i, after) - least;
  }
  return name;
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
  columns_.clear();
  for (int q = 0; q < n; ++q) {
    if (At(j, q) < kUnbounded && c + At(j, q) < At(i, q)) columns_.push_back(q);
  }
  for (int p = 0; p < n; ++p) {
    if (At(p, i) >= kUnbounded || At(p, i) + c >= At(p, j)) continue;
    const int64_t to_j = At(p, i) + c;
    for (const int q : columns_) At(p, q) = std::min(At(p, q), to_j + At(j, q));
  }
}

void TimeConstraints::Keep(const std::vector<int32_t>& live) {
  std::vector<int> slots;
  for (int slot = 0; slot < size(); ++slot) {
    if (std::find(live.begin(), live.end(), names_[slot]) != live.end()) slots.push_back(slot);
  }
  if (static_cast<int>(slots.size()) == size()) return;
  const int kept = static_cast<int>(slots.size());
  for (int i = 0; i < kept; ++i) {
    for (int j = 0; j < kept; ++j) At(i, j) = At(slots[i], slots[j]);
  }
  std::vector<int32_t> names;
  for (int slot : slots) names.push_back(names_[slot]);
  names_ = std::move(names);
}

int TimeConstraints::SlotOf(int32_t name) const {
  if (name == names_.back()) return size() - 1;
  const auto it = std::lower_bound(names_.begin(), names_.end(), name);
  CONFORM_CHECK(it != names_.end() && *it == name);
  return static_cast<int>(it - names_.begin());
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
