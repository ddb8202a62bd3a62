#include "runners/study/verify.h"

#include <gtest/gtest.h>

namespace conform {
namespace {

Try Ended(const Order& order, Standing standing) {
  Try one;
  for (const std::string& label : order) one.trace.events.push_back({label, {}, {}, "", ""});
  one.standing = standing;
  return one;
}

CaseResult Passed(const Order& order) {
  CaseResult result;
  result.verdict = Verdict::kPass;
  result.tries = {Ended(order, Standing::kOnTime)};
  return result;
}

TEST(Verify, ACaseIsStableOnlyIfEveryRunOfBothRoundsGaveTheSame) {
  Verified one{Passed({"A", "B"}), Passed({"A", "B"})};
  EXPECT_EQ(one.stability(), Stability::kStable);
  one.disturbed = Passed({"B", "A"});
  EXPECT_EQ(one.stability(), Stability::kVaries);
  one.disturbed.tries.push_back(Ended({"B", "A"}, Standing::kLate));
  EXPECT_EQ(one.stability(), Stability::kLate);
  one.calm.tries.push_back(Ended({"B"}, Standing::kOutside));
  EXPECT_EQ(one.stability(), Stability::kWrong);
  EXPECT_EQ(VerifyReport{{one}}.ExitCode(false), 1);
}

TEST(Verify, AStatementThatNothingDependsOnTimeIsRefutedByTwoOrders) {
  Verified one{Passed({"A", "B"}), Passed({"A", "B"})};
  one.calm.basis = one.disturbed.basis = Basis::kRepetition;
  EXPECT_EQ(one.stability(), Stability::kStable);
  one.disturbed.tries.push_back(Ended({"B", "A"}, Standing::kOnTime));
  EXPECT_EQ(one.stability(), Stability::kRefuted);
  EXPECT_EQ(VerifyReport{{one}}.ExitCode(false), 1);
  one.disturbed.tries.back().standing = Standing::kUnknown;
  EXPECT_EQ(one.stability(), Stability::kRefuted);
}

TEST(Verify, TheSameWrongOrderThroughoutRefutesNothing) {
  Verified one{Passed({"B", "A"}), Passed({"B", "A"})};
  one.calm.basis = one.disturbed.basis = Basis::kRepetition;
  one.calm.tries[0].standing = one.disturbed.tries[0].standing = Standing::kUnknown;
  EXPECT_EQ(one.stability(), Stability::kWrong);
}

TEST(Verify, LatenessCountsOnlyIfAskedFor) {
  Verified one{Passed({"A", "B"}), Passed({"A", "B"})};
  one.disturbed.tries.push_back(Ended({"B", "A"}, Standing::kLate));
  const VerifyReport report{{one}};
  EXPECT_EQ(report.ExitCode(false), 0);
  EXPECT_EQ(report.ExitCode(true), 1);
}

}  // namespace
}  // namespace conform
