#include "runners/judge/judge.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>

namespace conform {
namespace {

Try Stood(Standing standing, const Order& order = {"A", "B"}) {
  Try one;
  for (const std::string& label : order) one.trace.events.push_back({label, {}, {}, "", ""});
  one.standing = standing;
  return one;
}
Try Troubled(const std::string& trouble) {
  Try one;
  one.trouble = trouble;
  return one;
}

constexpr Standing kOnTime = Standing::kOnTime;
constexpr Standing kLate = Standing::kLate;
constexpr Standing kOutside = Standing::kOutside;
constexpr Standing kUnknown = Standing::kUnknown;

TEST(StandingOf, AnExpectedOrderIsOnTimeWhateverTheModelSays) {
  for (LateSet late : {LateSet::kIn, LateSet::kOut, LateSet::kLimit, LateSet::kNoModel}) {
    EXPECT_EQ(StandingOf(true, late), kOnTime);
  }
}

TEST(StandingOf, OnlyTheModelCanSayThatAnOrderIsImpossible) {
  EXPECT_EQ(StandingOf(false, LateSet::kIn), kLate);
  EXPECT_EQ(StandingOf(false, LateSet::kOut), kOutside);
  EXPECT_EQ(StandingOf(false, LateSet::kLimit), kUnknown);
  EXPECT_EQ(StandingOf(false, LateSet::kNoModel), kUnknown);
}

TEST(Judge, OneTryOnTimeIsAPlainPass) {
  const Judgement judgement = Judge({Stood(kOnTime)});
  EXPECT_EQ(judgement.verdict, Verdict::kPass);
  EXPECT_EQ(judgement.reason, "");
}

TEST(Judge, APassSaysHowManyTriesItTook) {
  const Judgement judgement = Judge({Stood(kLate), Troubled("no answer"), Stood(kOnTime)});
  EXPECT_EQ(judgement.verdict, Verdict::kPass);
  EXPECT_EQ(judgement.reason, "on time at try 3");
}

TEST(Judge, OneTryOutsideFailsHoweverManyAreOnTime) {
  const Judgement judgement = Judge({Stood(kOnTime), Stood(kOnTime), Stood(kOutside, {"B", "A"}), Stood(kOnTime)});
  EXPECT_EQ(judgement.verdict, Verdict::kFail);
  EXPECT_EQ(judgement.reason, "no delay of any length explains B A");
}

TEST(Judge, AnImpossibleEmptyOrderIsNamed) {
  EXPECT_EQ(Judge({Stood(kOutside, {})}).reason, "no delay of any length explains (nothing)");
}

TEST(Judge, LateOnEveryTryIsNeverAFailure) {
  const Judgement judgement = Judge({Stood(kLate), Stood(kLate), Stood(kLate)});
  EXPECT_EQ(judgement.verdict, Verdict::kInconclusive);
  EXPECT_EQ(judgement.reason, "late on each of 3 tries");
}

TEST(Judge, AnInconclusiveVerdictSaysWhatEachTryCameTo) {
  const Judgement judgement = Judge({Stood(kLate), Stood(kUnknown), Troubled("killed by signal 9"), Stood(kLate)});
  EXPECT_EQ(judgement.verdict, Verdict::kInconclusive);
  EXPECT_EQ(
      judgement.reason,
      "late on 2 of 4 tries, not expected, and not decided by the model, on 1 of 4 tries, no end on 1 of 4 tries: "
      "killed by signal 9");
  EXPECT_EQ(Judge({Stood(kUnknown)}).reason, "not expected, and not decided by the model, on the only try");
}

TEST(Judge, ATryThatDidNotEndCountsForNothingWhateverItsStandingSays) {
  Try one = Troubled("no answer within 5000 ms");
  for (Standing standing : {kOnTime, kLate, kOutside, kUnknown}) {
    one.standing = standing;
    const Judgement judgement = Judge({one});
    EXPECT_EQ(judgement.verdict, Verdict::kInconclusive);
    EXPECT_EQ(judgement.reason, "no end on the only try: no answer within 5000 ms");
  }
}

// Every sequence of up to five standings, against the rule as the contract words it; and that the order of the tries
// has no influence on the verdict.
TEST(Judge, FollowsItsContractOnEverySequenceOfTries) {
  const std::array<Standing, 4> all{kOnTime, kLate, kOutside, kUnknown};
  for (int length = 1; length <= 5; ++length) {
    for (int code = 0; code < 1 << (2 * length); ++code) {
      std::vector<Try> tries;
      std::vector<Standing> standings;
      for (int i = 0; i < length; ++i) {
        standings.push_back(all[code >> (2 * i) & 3]);
        tries.push_back(Stood(standings.back()));
      }
      const auto has = [&](Standing s) { return std::find(standings.begin(), standings.end(), s) != standings.end(); };
      const Verdict expected = has(kOutside) ? Verdict::kFail : has(kOnTime) ? Verdict::kPass : Verdict::kInconclusive;
      EXPECT_EQ(Judge(tries).verdict, expected);
      EXPECT_EQ(WorthAnotherTry(tries, 10), expected == Verdict::kInconclusive);
      EXPECT_FALSE(WorthAnotherTry(tries, length));
    }
  }
}

TEST(WorthAnotherTry, AFirstTryAlwaysIsUnlessNoneIsAllowed) {
  EXPECT_TRUE(WorthAnotherTry({}, 1));
  EXPECT_FALSE(WorthAnotherTry({}, 0));
}

TEST(WorthAnotherTry, ATryThatDidNotEndMayBeRepeated) {
  EXPECT_TRUE(WorthAnotherTry({Troubled("no answer")}, 2));
  EXPECT_FALSE(WorthAnotherTry({Troubled("no answer"), Troubled("no answer")}, 2));
}

}  // namespace
}  // namespace conform
