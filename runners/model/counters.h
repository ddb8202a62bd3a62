// How often each counted label has occurred on the way of a search, and how often it may occur still.
#ifndef CONFORM_RUNNERS_MODEL_COUNTERS_H_
#define CONFORM_RUNNERS_MODEL_COUNTERS_H_

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "runners/model/automaton.h"
#include "runners/model/determiniser.h"

namespace conform {

// The values of all counters at one point of a search have one small number as their name. Behind it they are digits of
// one number of mixed radix, or of several where one would overflow.
class Counters {
 public:
  // REQUIRES: no count is negative.
  Counters(const std::map<std::string, int64_t>& counts, const Alphabet& alphabet);

  std::vector<int> Symbols() const;
  int Zero() const { return 0; }
  bool Full(int values) const { return *values_[values] == full_; }

  // The values after one more `symbol`; nothing when that is one too many.
  std::optional<int> After(int values, int symbol);

  // How often the counted label with this index (in the order of `counts`) has still to occur.
  int64_t Missing(int values, size_t index) const;

 private:
  using Words = std::vector<uint64_t>;
  struct Hash {
    size_t operator()(const Words& words) const;
  };
  struct Digit {
    int symbol;
    size_t word;
    uint64_t unit;
    uint64_t radix;
  };

  int Named(Words words);
  uint64_t Read(const Words& words, const Digit& digit) const { return words[digit.word] / digit.unit % digit.radix; }

  std::vector<Digit> digits_;                  // in the order of `counts`
  std::unordered_map<int, size_t> by_symbol_;  // index into digits_
  Words full_;
  std::unordered_map<Words, int, Hash> names_;
  std::vector<const Words*> values_;  // by name; owned by names_, whose keys do not move
};

// How often each counted label occurs at least and at most on the ways from a state to acceptance.
class RemainingOccurrences {
 public:
  RemainingOccurrences(const Automaton& automaton, const std::map<std::string, int64_t>& counts);

  // False only if from the set `members` no way makes the counters full.
  bool MayComeOut(std::span<const int> members, const Counters& counters, int values) const;

 private:
  struct Bounds {
    std::vector<int64_t> least, greatest;  // by state
  };
  std::vector<Bounds> bounds_;  // in the order of `counts`; empty when that would take too much memory
};

}  // namespace conform

#endif  // CONFORM_RUNNERS_MODEL_COUNTERS_H_
