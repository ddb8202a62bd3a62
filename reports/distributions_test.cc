#include "reports/distributions.h"

#include <gtest/gtest.h>

#include <random>

namespace conform::reports {
namespace distributions_test {

constexpr int64_t kRuns = 30;  // as many as a script is run by default

// Draws `runs` times from things with these weights.
std::vector<int64_t> Drawn(std::mt19937_64& random, const std::vector<int64_t>& weights, int64_t runs) {
  int64_t all = 0;
  for (const int64_t weight : weights) all += weight;
  std::vector<int64_t> counts(weights.size());
  for (int64_t i = 0; i < runs; ++i) {
    auto left = static_cast<int64_t>(random() % static_cast<uint64_t>(all));
    size_t thing = 0;
    while (left >= weights[thing]) left -= weights[thing++];
    ++counts[thing];
  }
  return counts;
}

// How many of `comparisons` are called different; each side has its own weights.
int64_t CalledDifferent(const std::vector<int64_t>& a, const std::vector<int64_t>& b, int64_t comparisons,
                        uint64_t seed) {
  std::mt19937_64 random(seed);
  std::map<std::vector<CountPair>, bool> known;
  int64_t different = 0;
  for (int64_t i = 0; i < comparisons; ++i) {
    const auto x = Drawn(random, a, kRuns), y = Drawn(random, b, kRuns);
    std::vector<CountPair> counts;
    for (size_t k = 0; k < x.size(); ++k) {
      if (x[k] + y[k] > 0) counts.emplace_back(x[k], y[k]);
    }
    const auto [entry, is_new] = known.try_emplace(counts);
    if (is_new) entry->second = Liken(counts).likeness == Likeness::kDifferent;
    different += entry->second;
  }
  return different;
}

TEST(ChanceOfDifference, IsThatOfFishersTestForTwoThings) {
  // 2 / C(8, 4), 2 * (1 + 16) / C(8, 4), and no difference at all.
  EXPECT_NEAR(ChanceOfDifference({{4, 0}, {0, 4}}), 2.0 / 70, 1e-12);
  EXPECT_NEAR(ChanceOfDifference({{3, 1}, {1, 3}}), 34.0 / 70, 1e-12);
  EXPECT_NEAR(ChanceOfDifference({{2, 2}, {2, 2}}), 1, 1e-12);
}

TEST(ChanceOfDifference, TakesSamplesOfDifferentSizes) {
  // Of the 15 ways to choose 2 of 6, one takes both of the second kind, and is the farthest.
  EXPECT_NEAR(ChanceOfDifference({{0, 4}, {2, 0}}), 1.0 / 15, 1e-12);
}

TEST(ChanceOfDifference, IsOneWhereNothingOccursTwice) {
  EXPECT_NEAR(ChanceOfDifference({{1, 0}, {1, 0}, {1, 0}, {0, 1}, {0, 1}, {0, 1}}), 1, 1e-12);
  EXPECT_EQ(ChanceOfDifference({{3, 0}}), 1);
  EXPECT_EQ(ChanceOfDifference({}), 1);
}

TEST(ChanceOfDifference, SeesSetsOfManyThingsThatAreApart) {
  std::vector<CountPair> counts;
  for (int i = 0; i < 5; ++i) counts.insert(counts.end(), {{6, 0}, {0, 6}});
  EXPECT_LT(ChanceOfDifference(counts), kMaxChance);
}

TEST(ChanceOfDifference, OfLargeSamplesComesFromPermutationsAndIsTheSameEachTime) {
  std::vector<CountPair> counts;
  for (int i = 0; i < 60; ++i) counts.emplace_back(40 + i % 7, 40 + i % 5);
  const double chance = ChanceOfDifference(counts);
  EXPECT_GT(chance, 0.05);
  EXPECT_EQ(chance, ChanceOfDifference(counts));
  EXPECT_LT(ChanceOfDifference({{900, 100}, {50, 450}, {50, 450}}), kMaxChance);
}

TEST(Liken, DisjointSetsAreDifferentWithEnoughRunsAlone) {
  EXPECT_EQ(Liken({{5, 0}, {0, 5}}).likeness, Likeness::kUndecided);
  EXPECT_EQ(Liken({{7, 0}, {0, 7}}).likeness, Likeness::kDifferent);
  EXPECT_EQ(Liken({{30, 30}}).likeness, Likeness::kEqual);
  EXPECT_EQ(Liken({{30, 29}, {0, 1}}).likeness, Likeness::kOverlapping);
  EXPECT_EQ(Liken({{30, 0}}).likeness, Likeness::kUndecided);
}

// Goal: of comparisons of equal distributions at most one in a thousand is called different, and nearly all of those
// that differ plainly are. Method: 100,000 draws of each, with a fixed seed.
TEST(Liken, EqualDistributionsAreHardlyEverCalledDifferent) {
  EXPECT_LE(CalledDifferent({50, 50}, {50, 50}, 100'000, 1), 100);
  EXPECT_LE(CalledDifferent({90, 10}, {90, 10}, 100'000, 2), 100);
  EXPECT_LE(CalledDifferent({60, 30, 10}, {60, 30, 10}, 100'000, 3), 100);
}

TEST(Liken, DistributionsThatDifferPlainlyAreCalledDifferent) {
  EXPECT_GE(CalledDifferent({90, 10}, {10, 90}, 100'000, 4), 99'000);
}

}  // namespace distributions_test
}  // namespace conform::reports
