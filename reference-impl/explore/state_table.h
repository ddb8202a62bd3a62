// Numbers by state: an open table, because a chain of a hundred thousand states is looked up more often than memory is
// near.
#ifndef CONFORM_REFERENCE_IMPL_EXPLORE_STATE_TABLE_H_
#define CONFORM_REFERENCE_IMPL_EXPLORE_STATE_TABLE_H_

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "reference-impl/platform/fingerprint.h"

namespace conform::reference {

// A state, and how far the run had come that was there: two runs meet only where both are equal.
struct Visit {
  Fingerprint::Value state;
  uint64_t at = 0;
  bool operator==(const Visit&) const = default;
};

class StateTable {
 public:
  StateTable() : entries_(kFewEntries) {}

  // The number of the visit, to be set where it is new; and whether it is. The number stays where it is until the next
  // call.
  std::pair<int*, bool> Find(const Visit& visit) {
    if (count_ * 2 >= entries_.size()) Grow();
    Entry& entry = entries_[PlaceOf(visit)];
    if (entry.number != kNone) return {&entry.number, false};
    ++count_;
    entry = {visit, 0};
    return {&entry.number, true};
  }
  size_t size() const { return count_; }

 private:
  static constexpr size_t kFewEntries = 64;
  static constexpr int kNone = -1;
  struct Entry {
    Visit visit;
    int number = kNone;
  };

  // Where the visit is, or would be.
  size_t PlaceOf(const Visit& visit) const {
    const size_t mask = entries_.size() - 1;
    size_t place = static_cast<size_t>(visit.state.low + visit.at * 0x9e3779b97f4a7c15u) & mask;
    while (entries_[place].number != kNone && entries_[place].visit != visit) place = (place + 1) & mask;
    return place;
  }
  void Grow() {
    std::vector<Entry> fewer(entries_.size() * 2);
    fewer.swap(entries_);
    for (const Entry& entry : fewer) {
      if (entry.number != kNone) entries_[PlaceOf(entry.visit)] = entry;
    }
  }

  std::vector<Entry> entries_;  // at most half of them used
  size_t count_ = 0;
};

}  // namespace conform::reference

#endif  // CONFORM_REFERENCE_IMPL_EXPLORE_STATE_TABLE_H_
