#include "runners/harness/expected_orders.h"

#include <gtest/gtest.h>

namespace conform {
namespace {

ExpectedOrders Make(const std::string& program, const std::string& pattern) {
  const auto c = ParseCase("program:\n" + program + "expect: " + pattern + "\n", "x.yaml", "x");
  EXPECT_TRUE(c.ok()) << c.error().ToString();
  return ExpectedOrders(*c, c->expect[0]);
}

TEST(ExpectedOrders, ContainsWhatThePatternAccepts) {
  const ExpectedOrders expected = Make("  - timeout A 0\n  - immediate B\n", "A B | B A");
  EXPECT_TRUE(expected.Contains({"A", "B"}));
  EXPECT_TRUE(expected.Contains({"B", "A"}));
  EXPECT_FALSE(expected.Contains({"A"}));
}

TEST(ExpectedOrders, HoldsThePatternToTheCountsOfTheProgram) {
  const ExpectedOrders expected = Make("  - immediate I x4\n  - timeout A 0\n", "I{1,3} A I*");
  EXPECT_TRUE(expected.Contains({"I", "I", "A", "I", "I"}));
  EXPECT_FALSE(expected.Contains({"I", "I", "A", "I"}));
}

TEST(ExpectedOrders, WhatNeverRunsHasNoCount) {
  const ExpectedOrders expected = Make("  - timeout A 0\n  - immediate B\n", "A B{0}");
  EXPECT_TRUE(expected.Contains({"A"}));
  EXPECT_FALSE(expected.Contains({"A", "B"}));
}

TEST(WrongCount, NamesTheLabelAndBothNumbers) {
  EXPECT_EQ(WrongCount({"I"}, {{"I", 2}}), "1 of I where the program makes 2");
  EXPECT_EQ(WrongCount({"I", "I", "B"}, {{"I", 2}}), std::nullopt);
}

}  // namespace
}  // namespace conform
