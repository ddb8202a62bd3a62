#include "reports/distributions.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numeric>
#include <optional>
#include <random>

#include "runners/base/check.h"

namespace conform::reports {
namespace {

constexpr int64_t kMaxExactSteps = 2'000'000;  // well below a second
constexpr int64_t kPermutations = 100'000;
constexpr int64_t kEnoughHits = 1'000;  // a chance so large that more permutations would change nothing
constexpr uint64_t kSeed = 20'260'101;

// The table of what was counted: a column for each thing, the sums of which stay as they are while its rows are drawn
// anew.
struct Table {
  std::vector<int64_t> sums;  // of columns, the largest first
  int64_t first = 0;          // the size of the first sample
  int64_t all = 0;            // of both

  // What a column with `count` in the first row adds to the distance, in whole numbers.
  int64_t Distance(int64_t sum, int64_t count) const { return std::llabs(count * all - sum * first); }
};

// Goes through the columns and keeps how likely it is to have given so many to the first sample with such a distance.
// Nothing where there are too many of these states.
std::optional<double> ExactChance(const Table& table, int64_t observed) {
  std::vector<double> log_factorial(table.all + 1, 0.0);
  for (int64_t i = 2; i <= table.all; ++i) log_factorial[i] = log_factorial[i - 1] + std::log(static_cast<double>(i));
  const auto log_choose = [&](int64_t n, int64_t k) {
    return log_factorial[n] - log_factorial[k] - log_factorial[n - k];
  };
  std::map<std::pair<int64_t, int64_t>, double> states{{{0, 0}, 1.0}};  // given, distance
  double chance = 0;
  int64_t left = table.all, steps = 0;  // what the columns to come hold
  for (const int64_t sum : table.sums) {
    std::map<std::pair<int64_t, int64_t>, double> next;
    left -= sum;
    for (const auto& [state, probability] : states) {
      const int64_t open = table.first - state.first;
      for (int64_t count = std::max<int64_t>(0, open - left); count <= std::min(sum, open); ++count) {
        if (++steps > kMaxExactSteps) return std::nullopt;
        const double here = probability * std::exp(log_choose(sum, count) + log_choose(left, open - count) -
                                                   log_choose(left + sum, open));
        const int64_t distance = state.second + table.Distance(sum, count);
        // It can only grow from here.
        if (distance >= observed) {
          chance += here;
        } else {
          next[{state.first + count, distance}] += here;
        }
      }
    }
    states = std::move(next);
  }
  return std::min(chance, 1.0);
}

double PermutationChance(const Table& table, int64_t observed) {
  std::vector<size_t> things;
  for (size_t i = 0; i < table.sums.size(); ++i) things.insert(things.end(), table.sums[i], i);
  std::mt19937_64 random(kSeed);
  std::vector<int64_t> row(table.sums.size());
  int64_t hits = 0, rounds = 0;
  while (rounds < kPermutations && hits < kEnoughHits) {
    std::fill(row.begin(), row.end(), 0);
    for (int64_t i = 0; i < table.first; ++i) {
      std::swap(things[i], things[i + random() % (things.size() - i)]);
      ++row[things[i]];
    }
    int64_t distance = 0;
    for (size_t i = 0; i < row.size(); ++i) distance += table.Distance(table.sums[i], row[i]);
    hits += distance >= observed;
    ++rounds;
  }
  return static_cast<double>(hits + 1) / static_cast<double>(rounds + 1);
}

}  // namespace

double ChanceOfDifference(const std::vector<CountPair>& counts) {
  Table table;
  for (const auto& [a, b] : counts) {
    table.first += a;
    table.all += a + b;
    table.sums.push_back(a + b);
  }
  if (table.first == 0 || table.first == table.all) return 1;
  int64_t observed = 0;
  for (const auto& [a, b] : counts) observed += table.Distance(a + b, a);
  // With the largest columns first there are few states in the beginning, and many of them end early.
  std::sort(table.sums.rbegin(), table.sums.rend());
  const auto exact = ExactChance(table, observed);
  return exact ? *exact : PermutationChance(table, observed);
}

std::string_view LikenessName(Likeness likeness) {
  switch (likeness) {
    case Likeness::kEqual:
      return "equal";
    case Likeness::kOverlapping:
      return "overlapping";
    case Likeness::kDifferent:
      return "different";
    case Likeness::kUndecided:
      return "undecided";
  }
  CONFORM_CHECK(false);
}

Likened Liken(const std::vector<CountPair>& counts, double level) {
  const double chance = ChanceOfDifference(counts);
  if (chance <= level) return {Likeness::kDifferent, chance};
  const auto on_both = [](const CountPair& pair) { return pair.first > 0 && pair.second > 0; };
  if (std::none_of(counts.begin(), counts.end(), on_both)) return {Likeness::kUndecided, chance};
  const bool same = std::all_of(counts.begin(), counts.end(), on_both);
  return {same ? Likeness::kEqual : Likeness::kOverlapping, chance};
}

}  // namespace conform::reports
