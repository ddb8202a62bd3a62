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
constexpr Standing kRefuted = Standing::kRefuted;

// Of a case with a model, unless something else is said.
Judgement JudgeOf(const std::vector<Try>& tries, Basis basis = Basis::kProof) { return Judge(tries, basis); }
bool WorthAnother(const std::vector<Try>& tries, int max_tries, Basis basis = Basis::kProof) {
  return WorthAnotherTry(tries, basis, max_tries);
}

TEST(StandingOf, AnExpectedOrderIsOnTimeWhateverTheModelSays) {
  for (LateSet late :
       {LateSet::kOnTime, LateSet::kIn, LateSet::kRefuted, LateSet::kOut, LateSet::kLimit, LateSet::kNoModel}) {
    EXPECT_EQ(StandingOf(true, late), kOnTime);
  }
}

TEST(StandingOf, OnlyTheModelCanSayThatAnOrderIsImpossible) {
  EXPECT_EQ(StandingOf(false, LateSet::kIn), kLate);
  EXPECT_EQ(StandingOf(false, LateSet::kRefuted), kRefuted);
  EXPECT_EQ(StandingOf(false, LateSet::kOnTime), Standing::kContradiction);
  EXPECT_EQ(StandingOf(false, LateSet::kOut), kOutside);
  EXPECT_EQ(StandingOf(false, LateSet::kLimit), kUnknown);
  EXPECT_EQ(StandingOf(false, LateSet::kNoModel), kUnknown);
}

TEST(Judge, OneTryOnTimeIsAPlainPass) {
  const Judgement judgement = JudgeOf({Stood(kOnTime)});
  EXPECT_EQ(judgement.verdict, Verdict::kPass);
  EXPECT_EQ(judgement.reason, "");
}

TEST(Judge, APassSaysHowManyTriesItTook) {
  const Judgement judgement = JudgeOf({Stood(kLate), Troubled("no answer"), Stood(kOnTime)});
  EXPECT_EQ(judgement.verdict, Verdict::kPass);
  EXPECT_EQ(judgement.reason, "on time at try 3");
}

TEST(Judge, OneTryOutsideFailsHoweverManyAreOnTime) {
  const Judgement judgement = JudgeOf({Stood(kOnTime), Stood(kOnTime), Stood(kOutside, {"B", "A"}), Stood(kOnTime)});
  EXPECT_EQ(judgement.verdict, Verdict::kFail);
  EXPECT_EQ(judgement.reason, "no delay of any length explains B A");
}

TEST(Judge, AnImpossibleEmptyOrderIsNamed) {
  EXPECT_EQ(JudgeOf({Stood(kOutside, {})}).reason, "no delay of any length explains (nothing)");
}

TEST(Judge, LateOnEveryTryIsNeverAFailure) {
  const Judgement judgement = JudgeOf({Stood(kLate), Stood(kLate), Stood(kLate)});
  EXPECT_EQ(judgement.verdict, Verdict::kInconclusive);
  EXPECT_EQ(judgement.reason, "late on each of 3 tries");
}

TEST(Judge, AnInconclusiveVerdictSaysWhatEachTryCameTo) {
  const Judgement judgement = JudgeOf({Stood(kLate), Stood(kUnknown), Troubled("killed by signal 9"), Stood(kLate)});
  EXPECT_EQ(judgement.verdict, Verdict::kInconclusive);
  EXPECT_EQ(
      judgement.reason,
      "late on 2 of 4 tries, not expected, and not decided by the model, on 1 of 4 tries, no end on 1 of 4 tries: "
      "killed by signal 9");
  EXPECT_EQ(JudgeOf({Stood(kUnknown)}).reason, "not expected, and not decided by the model, on the only try");
}

TEST(Judge, ATryThatDidNotEndCountsForNothingWhateverItsStandingSays) {
  Try one = Troubled("no answer within 5000 ms");
  for (Standing standing : {kOnTime, kLate, kOutside, kUnknown}) {
    one.standing = standing;
    const Judgement judgement = JudgeOf({one});
    EXPECT_EQ(judgement.verdict, Verdict::kInconclusive);
    EXPECT_EQ(judgement.reason, "no end on the only try: no answer within 5000 ms");
  }
}

// --- repetition: a case without a model states that nothing in it depends on time ---

std::vector<Try> Repeated(int count, Standing standing = kUnknown) {
  std::vector<Try> tries;
  while (std::ssize(tries) < count) {
    tries.push_back(Stood(standing, {"B", "A"}));
    tries.back().disturbed = IsDisturbed(tries.size() - 1, Basis::kRepetition);
  }
  return tries;
}

TEST(Judge, AWrongOrderInTwentyFreshProcessesHalfOfThemDisturbedFailsByRepetition) {
  const Judgement judgement = JudgeOf(Repeated(20), Basis::kRepetition);
  EXPECT_EQ(judgement.verdict, Verdict::kFail);
  EXPECT_EQ(judgement.basis, Basis::kRepetition);
  EXPECT_EQ(judgement.reason,
            "nothing in the case depends on time, and none of 20 fresh processes, half of them disturbed, gives an "
            "expected order");
}

TEST(Judge, RepetitionFailsNothingThatDoesNotRestOnIt) {
  EXPECT_EQ(JudgeOf(Repeated(20), Basis::kNone).verdict, Verdict::kInconclusive);
  EXPECT_EQ(JudgeOf(Repeated(20), Basis::kProof).verdict, Verdict::kInconclusive);
}

TEST(Judge, NineteenAreNotEnoughAndWithoutDisturbanceNoNumberIs) {
  EXPECT_EQ(JudgeOf(Repeated(19), Basis::kRepetition).verdict, Verdict::kInconclusive);
  std::vector<Try> calm = Repeated(40);
  for (Try& one : calm) one.disturbed = false;
  EXPECT_EQ(JudgeOf(calm, Basis::kRepetition).verdict, Verdict::kInconclusive);
}

TEST(Judge, OneExpectedOrderAmongThemIsNoFailure) {
  std::vector<Try> tries = Repeated(19);
  tries.push_back(Stood(kOnTime));
  EXPECT_EQ(JudgeOf(tries, Basis::kRepetition).verdict, Verdict::kPass);
}

TEST(WorthAnotherTry, RepetitionGoesOnUntilTwentyOrAnExpectedOrder) {
  EXPECT_TRUE(WorthAnother(Repeated(19), 5, Basis::kRepetition));
  EXPECT_FALSE(WorthAnother(Repeated(20), 5, Basis::kRepetition));
  EXPECT_FALSE(WorthAnother(Repeated(5), 5, Basis::kProof));
  std::vector<Try> tries = Repeated(3);
  tries.push_back(Stood(kOnTime));
  EXPECT_FALSE(WorthAnother(tries, 5, Basis::kRepetition));
  EXPECT_FALSE(WorthAnother(Repeated(1), 1, Basis::kRepetition));
}

// --- suspect ---

TEST(Judge, ADelayThatTheTimesOfTheRunRuleOutIsSuspectAndNeverAFailure) {
  const Judgement judgement = JudgeOf({Stood(kLate), Stood(kRefuted, {"B", "A"})});
  EXPECT_EQ(judgement.verdict, Verdict::kSuspect);
  EXPECT_EQ(judgement.basis, Basis::kTimes);
  EXPECT_EQ(judgement.reason, "only a delay explains B A, and the times of the run rule that delay out");
  EXPECT_EQ(JudgeOf({Stood(kRefuted), Stood(kOnTime)}).verdict, Verdict::kPass);
}

std::vector<Try> LateAndCalm(int count) {
  std::vector<Try> tries = Repeated(count, kLate);
  for (Try& one : tries) one.calm = true;
  return tries;
}

TEST(Judge, LateOnEveryOneOfManyTriesAlthoughNothingWasSlowIsSuspect) {
  EXPECT_EQ(JudgeOf(LateAndCalm(20)).verdict, Verdict::kSuspect);
  EXPECT_EQ(JudgeOf(LateAndCalm(20)).basis, Basis::kRepetition);
  EXPECT_EQ(JudgeOf(LateAndCalm(20)).reason, "late on each of 20 tries, although nothing in them was slow");
  EXPECT_EQ(JudgeOf(LateAndCalm(19)).verdict, Verdict::kInconclusive);
  std::vector<Try> one_slow = LateAndCalm(20);
  one_slow[7].calm = false;
  EXPECT_EQ(JudgeOf(one_slow).verdict, Verdict::kInconclusive);
}

TEST(WorthAnotherTry, OnASlowMachineTheTriesAreNoMoreThanTheyWere) {
  EXPECT_TRUE(WorthAnother(LateAndCalm(5), 5));
  EXPECT_FALSE(WorthAnother(LateAndCalm(20), 5));
  std::vector<Try> one_slow = LateAndCalm(5);
  one_slow[0].calm = false;
  EXPECT_FALSE(WorthAnother(one_slow, 5));
}

// --- waits and spins that were seen from outside ---

Try Seen(Standing standing, int processes = 1) {
  Try one = Stood(standing, {"A", "exit=never"});
  one.seen = "waits forever";
  one.processes = processes;
  return one;
}

TEST(Judge, AWrongWaitFailsOnceThreeFreshProcessesHaveShownIt) {
  EXPECT_EQ(JudgeOf({Seen(kOutside, 2), Seen(kOutside)}).verdict, Verdict::kFail);
  EXPECT_EQ(JudgeOf({Seen(kOutside, 2), Seen(kOutside)}).reason,
            "no delay of any length explains A exit=never: waits forever");
  EXPECT_TRUE(WorthAnother({Seen(kOutside, 2)}, 5));
  EXPECT_FALSE(WorthAnother({Seen(kOutside, 2), Seen(kOutside)}, 5));
}

TEST(Judge, AWrongWaitThatDoesNotRepeatIsSuspect) {
  const Judgement judgement = JudgeOf({Seen(kOutside, 2), Stood(kOnTime)});
  EXPECT_EQ(judgement.verdict, Verdict::kSuspect);
  EXPECT_EQ(judgement.reason, "waits forever, but not in every fresh process");
}

TEST(Judge, AWaitWithoutAModelIsATimeoutOrAFailureByRepetition) {
  const std::vector<Try> waits{Seen(kUnknown), Seen(kUnknown), Seen(kUnknown)};
  EXPECT_EQ(JudgeOf(waits, Basis::kNone).verdict, Verdict::kTimeout);
  EXPECT_EQ(JudgeOf(waits, Basis::kRepetition).verdict, Verdict::kFail);
  EXPECT_EQ(JudgeOf(waits, Basis::kRepetition).reason, "waits forever, in 3 fresh processes");
  EXPECT_EQ(JudgeOf({waits[0], waits[1]}, Basis::kNone).verdict, Verdict::kInconclusive);
}

TEST(WorthAnotherTry, ASpinIsLookedForInThreeFreshProcesses) {
  Try spin = Troubled("spins");
  spin.seen = "spins";
  EXPECT_TRUE(WorthAnother({spin, spin}, 5));
  EXPECT_FALSE(WorthAnother({spin, spin, spin}, 5));
}

TEST(Judge, APatternThatContradictsTheModelIsReportedAsThat) {
  const Judgement judgement = JudgeOf({Stood(Standing::kContradiction, {"B", "A"})});
  EXPECT_EQ(judgement.verdict, Verdict::kInconclusive);
  EXPECT_EQ(judgement.reason, "the pattern contradicts the model, which gives B A on time: see conform lint");
  EXPECT_FALSE(WorthAnother({Stood(Standing::kContradiction)}, 5));
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
      EXPECT_EQ(JudgeOf(tries).verdict, expected);
      EXPECT_EQ(WorthAnother(tries, 10), expected == Verdict::kInconclusive);
      EXPECT_FALSE(WorthAnother(tries, length));
    }
  }
}

TEST(WorthAnotherTry, AFirstTryAlwaysIsUnlessNoneIsAllowed) {
  EXPECT_TRUE(WorthAnother({}, 1));
  EXPECT_FALSE(WorthAnother({}, 0));
}

TEST(WorthAnotherTry, ATryThatDidNotEndMayBeRepeated) {
  EXPECT_TRUE(WorthAnother({Troubled("no answer")}, 2));
  EXPECT_FALSE(WorthAnother({Troubled("no answer"), Troubled("no answer")}, 2));
}

}  // namespace
}  // namespace conform
