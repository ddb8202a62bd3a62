// Whether what was counted twice could come from one distribution. Nothing is claimed that chance could claim.
#ifndef CONFORM_REPORTS_DISTRIBUTIONS_H_
#define CONFORM_REPORTS_DISTRIBUTIONS_H_

#include <cstdint>
#include <map>
#include <string_view>
#include <utility>
#include <vector>

namespace conform::reports {

// A difference is claimed where chance would show one as large at most this often: one comparison in a thousand.
inline constexpr double kMaxChance = 0.001;

// How often one thing was counted on either side.
using CountPair = std::pair<int64_t, int64_t>;

// How likely two samples of these sizes, drawn from one distribution, are to be at least as far apart as these: a
// permutation test of the distance that sums up the differences of the frequencies. Exact; where that would take too
// long, by 100,000 permutations with a fixed seed. 1 where a side is empty.
double ChanceOfDifference(const std::vector<CountPair>& counts);

template <typename Key>
std::vector<CountPair> CountPairs(const std::map<Key, int64_t>& a, const std::map<Key, int64_t>& b) {
  std::map<Key, CountPair> counts;
  for (const auto& [key, count] : a) counts[key].first += count;
  for (const auto& [key, count] : b) counts[key].second += count;
  std::vector<CountPair> pairs;
  for (const auto& [key, pair] : counts) pairs.push_back(pair);
  return pairs;
}

enum class Likeness {
  kEqual,        // the same things were seen, and no more often on one side than chance explains
  kOverlapping,  // some things were seen on one side alone, no more often than chance explains
  kDifferent,    // chance alone would produce such a difference at most once in `1 / level` times
  kUndecided,    // nothing was seen on both sides, in too few runs to exclude chance
};
std::string_view LikenessName(Likeness likeness);  // "equal", "overlapping", "different", "undecided"

struct Likened {
  Likeness likeness;
  double chance;  // as ChanceOfDifference has it
};
Likened Liken(const std::vector<CountPair>& counts, double level = kMaxChance);

}  // namespace conform::reports

#endif  // CONFORM_REPORTS_DISTRIBUTIONS_H_
