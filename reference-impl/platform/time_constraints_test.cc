#include "reference-impl/platform/time_constraints.h"

#include <gtest/gtest.h>

#include <random>
#include <vector>

namespace conform::reference {
namespace {

TEST(TimeConstraints, ANewVariableIsUnbounded) {
  TimeConstraints c;
  const int32_t x = c.NewVariable();
  const int32_t y = c.NewVariable();
  EXPECT_EQ(c.UpperBound(x, y), TimeConstraints::kUnbounded);
  EXPECT_EQ(c.UpperBound(x, x), 0);
}

TEST(TimeConstraints, BoundsAddUpAlongAChain) {
  TimeConstraints c;
  const int32_t x = c.NewVariable();
  const int32_t y = c.NewVariable();
  const int32_t z = c.NewVariable();
  c.Require(x, y, 3);
  c.Require(y, z, 4);
  EXPECT_EQ(c.UpperBound(x, z), 7);
  EXPECT_EQ(c.UpperBound(z, x), TimeConstraints::kUnbounded);
}

TEST(TimeConstraints, ForgettingAVariableKeepsWhatItImplied) {
  TimeConstraints c;
  const int32_t x = c.NewVariable();
  const int32_t y = c.NewVariable();
  const int32_t z = c.NewVariable();
  c.Require(x, y, 3);
  c.Require(y, z, 4);
  c.Keep({x, z});
  EXPECT_EQ(c.size(), 2);
  EXPECT_EQ(c.UpperBound(x, z), 7);
}

// Goal: a variable that is made with bounds is as exact as one that gets them later. Method: both, beside the same
// random constraints, compared bound by bound.
TEST(TimeConstraints, AVariableMadeWithBoundsKnowsWhatRequiringThemImplies) {
  constexpr int kVariables = 5;
  std::mt19937 random(2);
  for (int round = 0; round < 200; ++round) {
    TimeConstraints made;
    TimeConstraints required;
    for (int i = 0; i < kVariables; ++i) EXPECT_EQ(made.NewVariable(), required.NewVariable());
    for (int step = 0; step < 6; ++step) {
      const auto x = static_cast<int32_t>(random() % kVariables);
      const auto y = static_cast<int32_t>(random() % kVariables);
      const int64_t bound = static_cast<int64_t>(random() % 9) - 4;
      if (x == y || -made.UpperBound(y, x) > bound) continue;
      made.Require(x, y, bound);
      required.Require(x, y, bound);
    }
    const auto x = static_cast<int32_t>(random() % kVariables);
    const auto y = static_cast<int32_t>(random() % kVariables);
    if (made.UpperBound(x, y) >= TimeConstraints::kUnbounded) continue;
    const int64_t least = static_cast<int64_t>(random() % 5);
    const int64_t most = least + made.UpperBound(x, y) + static_cast<int64_t>(random() % 3);
    made.NewVariableBetween(x, least, y, most);
    const int32_t later = required.NewVariable();
    required.Require(x, later, -least);
    required.Require(later, y, most);
    for (int32_t i = 0; i <= kVariables; ++i) {
      for (int32_t j = 0; j <= kVariables; ++j) {
        EXPECT_EQ(made.UpperBound(i, j), required.UpperBound(i, j)) << "round " << round;
      }
    }
  }
}

// Goal: the closed form is exact. Method: bounds on four small integers, compared with every assignment of -3..3.
TEST(TimeConstraints, AgreesWithBruteForce) {
  constexpr int kVariables = 4;
  constexpr int kRange = 7;
  std::mt19937 random(1);
  for (int round = 0; round < 200; ++round) {
    TimeConstraints c;
    std::vector<int32_t> v;
    for (int i = 0; i < kVariables; ++i) v.push_back(c.NewVariable());
    for (int32_t a : v) {
      for (int32_t b : v) c.Require(a, b, a == b ? 0 : kRange - 1);  // all values within 0..6 of each other
    }
    std::vector<std::vector<int>> assignments;
    for (int code = 0; code < kRange * kRange * kRange * kRange; ++code) {
      std::vector<int> a;
      for (int i = 0, rest = code; i < kVariables; ++i, rest /= kRange) a.push_back(rest % kRange);
      assignments.push_back(a);
    }
    for (int step = 0; step < 5; ++step) {
      const int x = static_cast<int>(random() % kVariables);
      const int y = static_cast<int>(random() % kVariables);
      const int bound = static_cast<int>(random() % 9) - 4;
      if (x == y || -c.UpperBound(v[y], v[x]) > bound) continue;  // inconsistent: never queried
      c.Require(v[x], v[y], bound);
      std::erase_if(assignments, [&](const std::vector<int>& a) { return a[x] - a[y] > bound; });
      ASSERT_FALSE(assignments.empty());
      for (int i = 0; i < kVariables; ++i) {
        for (int j = 0; j < kVariables; ++j) {
          int most = -kRange;
          for (const auto& a : assignments) most = std::max(most, a[i] - a[j]);
          EXPECT_EQ(c.UpperBound(v[i], v[j]), most) << "round " << round;
        }
      }
    }
  }
}

}  // namespace
}  // namespace conform::reference
