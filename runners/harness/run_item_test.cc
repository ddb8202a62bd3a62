#include "runners/harness/run_item.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "runners/harness/fake_runner.h"

namespace conform {
namespace {

using ::testing::ElementsAre;

class RunItemTest : public ::testing::Test {
 protected:
  // `A B` is expected of node 20.
  CaseResult Run(const RunOptions& options) { return RunOrStop(options).value(); }

  std::optional<CaseResult> RunOrStop(const RunOptions& options) {
    Plan plan;
    plan.cases.push_back(
        {*ParseCase(more_ + "program:\n  - timeout A 0\n  - timeout B 0\nexpect:\n  node: " + expect_ + "\n", "x", "x"),
         "x"});
    const Case& c = plan.cases[0].c;
    PlanItem item{0, &runner_, std::make_shared<Profile>(Profile{"node", {20, 0, 0}, {}}), unsupported_, nullptr};
    item.is_missing = is_missing_;
    if (family_) item.claimed = std::make_shared<ProfileFamily>(*family_);
    if (specified_) item.expected = std::make_shared<ExpectedOrders>(c, c.expect[0]);
    return RunItem(plan, item, oracle_, options);
  }

  FakeRunner runner_;
  FakeOracle oracle_;
  std::string unsupported_;
  std::string expect_ = "A B";
  std::string more_;  // keys of the case
  bool is_missing_ = false;
  std::optional<ProfileFamily> family_;  // that it claims to be
  bool specified_ = true;
};

TEST_F(RunItemTest, AnExpectedOrderPasses) {
  runner_.outcomes = {FakeRunner::Gives({"A", "B"})};
  const CaseResult result = Run({});
  EXPECT_EQ(result.verdict, Verdict::kPass);
  EXPECT_EQ(result.tries.size(), 1u);
  EXPECT_EQ(result.expected, "A B");
  EXPECT_EQ(result.reproduce, "conform run x --impl=fake --as=node@20.0.0 --seed=0");
}

TEST_F(RunItemTest, ItemsInTurnsHaveOneRunInEachRound) {
  runner_.outcomes = {FakeRunner::Gives({"A"})};
  Plan plan;
  plan.cases.push_back({Case{}, "x.js"});
  const PlanItem item{0, &runner_, std::make_shared<Profile>(Profile{"node", {20, 0, 0}, {}}), "", nullptr};
  PlanItem unsupported = item;
  unsupported.unsupported = "it cannot";
  const auto results = RunInTurns(plan, {&item, &unsupported, &item}, oracle_, {.repeat = 3});
  EXPECT_THAT(runner_.numbers, ElementsAre(0, 0, 1, 1, 2, 2));
  EXPECT_EQ(results[0]->tries.size(), 3u);
  EXPECT_EQ(results[1]->reason, "it cannot");
  EXPECT_EQ(results[2]->tries.size(), 3u);
}

TEST_F(RunItemTest, OneOrderOutsideAmongManyFailsAndIsTheOneToRepeat) {
  runner_.outcomes = {FakeRunner::Gives({"A", "B"}), FakeRunner::Gives({"B", "A"}), FakeRunner::Gives({"A", "B"})};
  const CaseResult result = Run({.repeat = 3});
  EXPECT_EQ(result.verdict, Verdict::kFail);
  EXPECT_EQ(result.tries.size(), 3u);
  EXPECT_THAT(result.reproduce, ::testing::EndsWith("--seed=1"));
}

TEST_F(RunItemTest, ALateRunIsTriedAgainUntilOneIsOnTime) {
  oracle_.late = LateSet::kIn;
  runner_.may_be_late = true;
  runner_.outcomes = {FakeRunner::Gives({"B", "A"}), FakeRunner::Gives({"B", "A"}), FakeRunner::Gives({"A", "B"})};
  const CaseResult result = Run({.repeat = 1, .tries = 5});
  EXPECT_EQ(result.verdict, Verdict::kPass);
  EXPECT_EQ(result.tries.size(), 3u);
}

TEST_F(RunItemTest, LateOnEveryTryIsInconclusive) {
  oracle_.late = LateSet::kIn;
  runner_.may_be_late = true;
  runner_.outcomes = {FakeRunner::Gives({"B", "A"})};
  const CaseResult result = Run({.repeat = 1, .tries = 4});
  EXPECT_EQ(result.verdict, Verdict::kInconclusive);
  EXPECT_EQ(result.tries.size(), 4u);
}

TEST_F(RunItemTest, EachRepeatHasItsOwnNumber) {
  runner_.outcomes = {FakeRunner::Gives({"A", "B"})};
  Run({.repeat = 3});
  EXPECT_THAT(runner_.numbers, ElementsAre(0, 1, 2));
}

TEST_F(RunItemTest, ARunWithoutAnEndIsATimeoutAndTheLast) {
  RunOutcome endless = FakeRunner::Gives({"A"});
  endless.trouble = Trouble::kTimeout;
  endless.why = "no end";
  runner_.outcomes = {endless};
  runner_.may_be_late = true;
  const CaseResult result = Run({.repeat = 10});
  EXPECT_EQ(result.verdict, Verdict::kTimeout);
  EXPECT_EQ(result.tries.size(), 1u);
}

TEST_F(RunItemTest, ARunThatStillWaitsAtItsDeadlinePassesWhereThatIsExpected) {
  RunOutcome endless = FakeRunner::Gives({"A", "B"});
  endless.trouble = Trouble::kTimeout;
  endless.why = "no end";
  runner_.outcomes = {endless};
  EXPECT_EQ(Run({}).verdict, Verdict::kTimeout);
  expect_ = "A B exit=never";
  const CaseResult result = Run({});
  EXPECT_EQ(result.verdict, Verdict::kPass);
  EXPECT_THAT(result.tries[0].trace.ToOrder(), ElementsAre("A", "B", "exit=never"));
}

TEST_F(RunItemTest, TroubleOfAnAdapterIsTheVerdictWithOrWithoutAnExpectation) {
  const std::pair<Trouble, Verdict> all[] = {{Trouble::kCrash, Verdict::kCrash},
                                             {Trouble::kProtocol, Verdict::kProtocolError},
                                             {Trouble::kUnsupported, Verdict::kUnsupported}};
  for (const auto& [trouble, verdict] : all) {
    for (const bool specified : {true, false}) {
      specified_ = specified;
      runner_.outcomes = {{{}, trouble, "it did"}};
      const CaseResult result = Run({.repeat = 5});
      EXPECT_EQ(result.verdict, verdict);
      EXPECT_EQ(result.reason, "it did");
      EXPECT_EQ(result.tries.size(), 1u);
    }
  }
}

TEST_F(RunItemTest, ARunWithoutAnEndIsNotJudgedWhereNothingIsExpected) {
  runner_.outcomes = {{{}, Trouble::kTimeout, "no end"}};
  specified_ = false;
  const CaseResult result = Run({.repeat = 5});
  EXPECT_EQ(result.verdict, Verdict::kUnspecified);
  EXPECT_EQ(result.tries.back().trouble, "no end");
}

TEST_F(RunItemTest, AProofOutweighsTroubleThatCameLater) {
  runner_.next = 0;
  runner_.outcomes = {FakeRunner::Gives({"B", "A"}), {{}, Trouble::kCrash, "it did"}};
  EXPECT_EQ(Run({.repeat = 2}).verdict, Verdict::kFail);
}

TEST_F(RunItemTest, ARunThatAPersonStoppedHasNoResult) {
  runner_.outcomes = {{{}, Trouble::kInterrupted, ""}};
  EXPECT_FALSE(RunOrStop({}).has_value());
}

TEST_F(RunItemTest, ALimitOfTheModelIsInconclusive) {
  RunOutcome cut = FakeRunner::Gives({"A"});
  cut.trouble = Trouble::kLimit;
  cut.why = "the limit on callbacks was hit";
  runner_.outcomes = {cut};
  EXPECT_EQ(Run({}).verdict, Verdict::kInconclusive);
}

TEST_F(RunItemTest, WithoutAnExpectationTheOrderIsRecordedAndNotJudged) {
  specified_ = false;
  runner_.outcomes = {FakeRunner::Gives({"B", "A"})};
  const CaseResult result = Run({});
  EXPECT_EQ(result.verdict, Verdict::kUnspecified);
  EXPECT_THAT(result.tries[0].trace.ToOrder(), ElementsAre("B", "A"));
}

TEST_F(RunItemTest, WhatIsUnsupportedIsNotRun) {
  unsupported_ = "node@20.0.0 has no soon";
  const CaseResult result = Run({});
  EXPECT_EQ(result.verdict, Verdict::kUnsupported);
  EXPECT_EQ(result.reason, unsupported_);
  EXPECT_TRUE(runner_.numbers.empty());
}

TEST_F(RunItemTest, WhatTheClaimedVersionHasIsMissing) {
  unsupported_ = "fake has no tick, which node@20.0.0 has";
  is_missing_ = true;
  EXPECT_EQ(Run({}).verdict, Verdict::kMissing);
}

TEST_F(RunItemTest, AnAnswerThatItIsUnsupportedIsHeldAgainstWhatItClaimsToBe) {
  RunOutcome refused{{}, Trouble::kUnsupported, "fake has no tick"};
  refused.missing = "tick";
  runner_.outcomes = {refused};
  EXPECT_EQ(Run({}).verdict, Verdict::kUnsupported);
  family_.emplace();
  family_->capabilities = {{"tick", *VersionRange::Parse(">=21")}};
  EXPECT_EQ(Run({}).verdict, Verdict::kUnsupported);
  family_->capabilities = {{"tick", *VersionRange::Parse("")}};
  const CaseResult result = Run({});
  EXPECT_EQ(result.verdict, Verdict::kMissing);
  EXPECT_EQ(result.reason, "fake has no tick, which node@20.0.0 has");
}

TEST_F(RunItemTest, ACaseThatRestsOnRepetitionIsRunTwentyTimesHalfOfThemDisturbed) {
  oracle_.late = LateSet::kNoModel;
  runner_.may_be_late = true;
  more_ = "timeless: true\n";
  runner_.outcomes = {FakeRunner::Gives({"B", "A"})};
  const CaseResult result = Run({.repeat = 1, .tries = 5});
  EXPECT_EQ(result.verdict, Verdict::kFail);
  EXPECT_EQ(result.basis, Basis::kRepetition);
  EXPECT_EQ(result.tries.size(), 20u);
  EXPECT_EQ(std::count(runner_.disturbed.begin(), runner_.disturbed.end(), true), 10);
}

TEST_F(RunItemTest, WithoutAModelAndWithoutTheStatementNothingFails) {
  oracle_.late = LateSet::kNoModel;
  runner_.may_be_late = true;
  runner_.outcomes = {FakeRunner::Gives({"B", "A"})};
  const CaseResult result = Run({.repeat = 1, .tries = 5});
  EXPECT_EQ(result.verdict, Verdict::kInconclusive);
  EXPECT_EQ(result.basis, Basis::kNone);
  EXPECT_EQ(result.tries.size(), 5u);
}

TEST_F(RunItemTest, EveryJudgedResultSaysWhatItRestsOn) {
  runner_.outcomes = {FakeRunner::Gives({"A", "B"})};
  EXPECT_EQ(Run({}).basis, Basis::kProof);
  specified_ = false;
  EXPECT_EQ(Run({}).basis, Basis::kNone);
}

TEST_F(RunItemTest, ASpinIsATimeoutOnceThreeProcessesHaveShownIt) {
  runner_.may_be_late = true;
  RunOutcome spin{{}, Trouble::kSpins, "spins: it has used 500 ms"};
  spin.seen = spin.why;
  runner_.outcomes = {spin};
  const CaseResult result = Run({});
  EXPECT_EQ(result.verdict, Verdict::kTimeout);
  EXPECT_EQ(result.tries.size(), 3u);
  runner_.next = 0;
  runner_.outcomes = {spin, FakeRunner::Gives({"A", "B"})};
  EXPECT_EQ(Run({}).verdict, Verdict::kPass);
}

TEST_F(RunItemTest, ARunIsCalmWhenItTookNoLongerThanItsProgramAsksFor) {
  RunOutcome run = FakeRunner::Gives({"A", "B"});
  run.trace.start_ns = -1'000'000;
  run.trace.events[0].t_ns = 0;
  run.trace.events[1].t_ns = 4'000'000;
  runner_.outcomes = {run};
  EXPECT_TRUE(Run({}).tries[0].calm);
  runner_.outcomes[0].trace.events[1].t_ns = 4'000'001;
  EXPECT_FALSE(Run({}).tries[0].calm);
  runner_.outcomes[0].trace.start_ns.reset();
  EXPECT_FALSE(Run({}).tries[0].calm);
}

TEST_F(RunItemTest, ATraceBeyondTheLimitIsNotKept) {
  runner_.outcomes = {FakeRunner::Gives(Order(kMaxTraceEvents + 1, "A"))};
  const CaseResult result = Run({});
  EXPECT_EQ(result.verdict, Verdict::kInconclusive);
  EXPECT_TRUE(result.tries[0].trace.events.empty());
}

}  // namespace
}  // namespace conform
