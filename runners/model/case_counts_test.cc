#include <gtest/gtest.h>

#include "runners/model/case.h"

namespace conform {
namespace {

using Counts = std::map<std::string, int64_t>;

Counts Of(const std::string& program, const std::string& more = "") {
  const Result<Case> parsed = ParseCase("program: " + program + "\nexpect: ...\n" + more, "f", "id");
  EXPECT_TRUE(parsed.ok()) << (parsed.ok() ? "" : parsed.error().ToString());
  return parsed.ok() ? FixedCounts(*parsed) : Counts{};
}

TEST(FixedCounts, MultipliesChainsWithTheBodiesAroundThem) {
  EXPECT_EQ(Of("[immediate I x10, timeout A 0]"), (Counts{{"A", 1}, {"I", 10}}));
  EXPECT_EQ(Of("[tick A x3: [then B x4: [log C]]]"), (Counts{{"A", 3}, {"B", 12}, {"C", 12}}));
  EXPECT_EQ(Of("[tick A, timeout 5 x2: [tick A]]"), (Counts{{"A", 3}}));
  EXPECT_EQ(Of("[interval V 1 x3: [log X], idle H x2, wake W x5]"), (Counts{{"H", 2}, {"V", 3}, {"W", 5}, {"X", 3}}));
}

TEST(FixedCounts, CountsOnlyTheRunsThatOnlyNames) {
  EXPECT_EQ(Of("[then P x100: [only 1: [tick T]]]"), (Counts{{"P", 100}, {"T", 1}}));
  EXPECT_EQ(Of("[tick P x3: [only 2..9: [log X], only 4: [log Y]]]"), (Counts{{"P", 3}, {"X", 2}, {"Y", 0}}));
  EXPECT_EQ(Of("[tick P x3: [tick Q x2: [only 2: [log X]]]]"), (Counts{{"P", 3}, {"Q", 6}, {"X", 3}}));
  EXPECT_EQ(Of("[tick P x4: [only ..3: [only 2..4: [log X]]]]"), (Counts{{"P", 4}, {"X", 2}}));
  EXPECT_EQ(Of("[tick P x4: [only 2..3: [tick Q x2: [log X]]]]"), (Counts{{"P", 4}, {"Q", 4}, {"X", 4}}));
  EXPECT_EQ(Of("[tick P x3: [async: [only 2: [log X]]]]"), (Counts{{"P", 3}, {"X", 1}}));
}

TEST(FixedCounts, LeavesOutWhatAnotherStepCanChange) {
  for (const char* change : {"clear A", "unref A", "close of A", "refresh A", "start A 5"}) {
    EXPECT_EQ(Of("[timeout A 5: [tick T], log X, " + std::string(change) + "]"), (Counts{{"X", 1}})) << change;
  }
  EXPECT_EQ(Of("[wake H, log X, send H]"), (Counts{{"X", 1}}));
  EXPECT_EQ(Of("[message M via P, log X, close of P]"), (Counts{{"X", 1}}));
  EXPECT_EQ(Of("[timeout A 5, ref A, busy 1]"), (Counts{{"A", 1}}));
}

TEST(FixedCounts, LeavesOutALabelThatOneOfItsStepsMakesUncertain) {
  EXPECT_EQ(Of("[tick A, tick B, interval V 5: [log A]]"), (Counts{{"B", 1}}));
}

TEST(FixedCounts, LeavesOutWhatHasNoEndOrNoCertainStart) {
  for (const char* step : {"interval V 5", "idle V", "prepare V x3", "check V x3", "wake V unsent", "on exit V",
                           "signal V", "thenable V", "catch V", "refused V", "child V", "alive V"}) {
    EXPECT_EQ(Of("[log X, " + std::string(step) + "]"), (Counts{{"X", 1}})) << step;
  }
  EXPECT_EQ(Of("[promise D, then A of D: [log Y], await B of D, finally C of D, log X]"), (Counts{{"X", 1}}));
  EXPECT_EQ(Of("[listen L, connect K to L, accept A of L, write W to K, log X]"), (Counts{{"X", 1}}));
  EXPECT_EQ(Of("[then A, finally B, await C, await D plain]"), (Counts{{"A", 1}, {"B", 1}, {"C", 1}, {"D", 1}}));
}

TEST(FixedCounts, LeavesOutWhatFollowsAWaitForAPromise) {
  EXPECT_EQ(Of("[promise D, async F: [log A, pause B, pause C of D, log E], log X]"),
            (Counts{{"A", 1}, {"B", 1}, {"X", 1}}));
  EXPECT_EQ(Of("[tick x2: [promise D, async: [only 1: [pause of D], log E], log X]]"), (Counts{{"X", 2}}));
  EXPECT_EQ(Of("[promise D, log A, pause of D, log E]", "entry: esm"), (Counts{{"A", 1}}));
}

TEST(FixedCounts, KnowsNothingOfProgramsThatEndEarly) {
  for (const char* step : {"throw", "reject", "exit", "stop", "run once"}) {
    EXPECT_EQ(Of("[tick A, " + std::string(step) + "]"), Counts{}) << step;
  }
  EXPECT_EQ(Of("[tick A x2: [again]]"), Counts{});
  EXPECT_EQ(Of("[tick A, signal S, raise S]"), Counts{});
  EXPECT_EQ(Of("[tick A, promise Q, then: [return of Q]]"), Counts{});
  EXPECT_EQ(Of("[tick A: [tick: [throw]]]"), Counts{});
}

TEST(FixedCounts, LeavesOutNumbersBeyondAnyTrace) {
  EXPECT_EQ(Of("[tick A x1000000: [tick B x1000000: [tick C x1000000]]]"), (Counts{{"A", 1'000'000}}));
}

TEST(FixedCounts, KnowsNothingOfNativeCases) {
  const Result<Case> parsed = ParseCase("native: x.cjs\nexpect: A", "f", "id");
  ASSERT_TRUE(parsed.ok());
  EXPECT_EQ(FixedCounts(*parsed), Counts{});
}

}  // namespace
}  // namespace conform
