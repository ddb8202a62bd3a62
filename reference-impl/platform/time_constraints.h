// Difference constraints between readings of a clock: x - y <= c, over the integers, always in closed form.
#ifndef CONFORM_REFERENCE_IMPL_PLATFORM_TIME_CONSTRAINTS_H_
#define CONFORM_REFERENCE_IMPL_PLATFORM_TIME_CONSTRAINTS_H_

#include <cstddef>
#include <cstdint>
#include <vector>

namespace conform::reference {

// A difference-bound matrix. Adding a constraint keeps it closed, so that "is this implied?" is one look-up.
class TimeConstraints {
 public:
  static constexpr int64_t kUnbounded = INT64_MAX / 4;

  // A new variable without any constraint. Its name is never given again.
  int32_t NewVariable();

  // A new variable of which only this is known: it is at least x + least.
  int32_t NewVariableAfter(int32_t x, int64_t least);

  // Likewise, and it is at most y + most. REQUIRES: x - y <= most - least is implied, so that nothing else becomes
  // known.
  int32_t NewVariableBetween(int32_t x, int64_t least, int32_t y, int64_t most);

  // The least c for which x - y <= c is implied; kUnbounded when none is.
  int64_t UpperBound(int32_t x, int32_t y) const;

  // Requires x - y <= c from now on. REQUIRES: it is consistent: -UpperBound(y, x) <= c.
  void Require(int32_t x, int32_t y, int64_t c);

  // Forgets every variable that is not in `live`; what the others imply of each other stays.
  void Keep(const std::vector<int32_t>& live);

  // Where Bound finds a variable, until one is forgotten.
  int SlotOf(int32_t name) const;
  int64_t Bound(int x_slot, int y_slot) const { return At(x_slot, y_slot); }

  int size() const { return static_cast<int>(names_.size()); }

 private:
  int64_t& At(int i, int j) { return bounds_[static_cast<size_t>(i) * capacity_ + j]; }
  int64_t At(int i, int j) const { return bounds_[static_cast<size_t>(i) * capacity_ + j]; }
  // The slot of a new variable, which has no bounds yet, not even unbounded ones.
  int NewSlot();
  void Grow(int capacity);

  int32_t next_name_ = 0;
  std::vector<int32_t> names_;  // by slot, ascending
  int capacity_ = 0;
  std::vector<int64_t> bounds_;  // capacity_ x capacity_
  std::vector<int> slots_;       // of Require and Keep, which are called too often to make a new one
};

}  // namespace conform::reference

#endif  // CONFORM_REFERENCE_IMPL_PLATFORM_TIME_CONSTRAINTS_H_
