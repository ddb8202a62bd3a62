#include "runners/model/renamed.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace conform {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr char kTable[] =
    "cases:\n  timers/old: timers/new\nclauses:\n  timers.old: timers.new\nrules:\n  old=x: new=x\n";

RenamedIds Parsed(const std::string& text) {
  const auto renamed = ParseRenamed(text, "renamed.yaml");
  EXPECT_TRUE(renamed.ok());
  return renamed.ok() ? *renamed : RenamedIds{};
}

std::string ErrorOf(const std::string& text) {
  const auto renamed = ParseRenamed(text, "renamed.yaml");
  return renamed.ok() ? "" : renamed.error().ToString();
}

TEST(Renamed, OldIdsLeadToNewOnes) {
  const RenamedIds renamed = Parsed(kTable);
  ASSERT_NE(renamed.CaseNow("timers/old"), nullptr);
  EXPECT_EQ(*renamed.CaseNow("timers/old"), "timers/new");
  EXPECT_EQ(renamed.CaseNow("timers/new"), nullptr);
  ASSERT_NE(renamed.ClauseNow("timers.old"), nullptr);
  EXPECT_EQ(*renamed.ClauseNow("timers.old"), "timers.new");
  EXPECT_EQ(renamed.ClauseNow("timers/old"), nullptr);
}

TEST(Renamed, AnEmptyOrMissingTableRenamesNothing) {
  EXPECT_THAT(Parsed("").cases, IsEmpty());
  EXPECT_THAT(Parsed("cases:\nclauses:\n").clauses, IsEmpty());
  const auto missing = LoadRenamed("/nowhere/renamed.yaml");
  ASSERT_TRUE(missing.ok());
  EXPECT_THAT(missing->cases, IsEmpty());
}

TEST(Renamed, MistakesInTheTableHaveAPlace) {
  EXPECT_THAT(ErrorOf("case: {}\n"), HasSubstr("renamed.yaml:1:1"));
  EXPECT_THAT(ErrorOf("cases: [a]\n"), HasSubstr("renamed.yaml:1:8: 'cases' is a map"));
  EXPECT_THAT(ErrorOf("cases:\n  a: [b]\n"), HasSubstr("renamed.yaml:2:6: the new id of 'a' is a text"));
}

TEST(Renamed, NewIdsExistAndOldOnesDoNot) {
  const RenamedIds renamed = Parsed(kTable);
  EXPECT_THAT(CheckRenamed(renamed, {"timers/new"}, {"timers.new"}, {"new=x"}), IsEmpty());
  const auto errors = CheckRenamed(renamed, {"timers/new", "timers/old"}, {}, {});
  ASSERT_THAT(errors, SizeIs(3));
  EXPECT_EQ(errors[0].ToString(), "renamed.yaml:2:3: the case 'timers/old' exists, and is listed as renamed");
  EXPECT_EQ(errors[1].ToString(), "renamed.yaml:4:3: 'timers.old' was renamed to 'timers.new', which is not a clause");
  EXPECT_EQ(errors[2].ToString(), "renamed.yaml:6:3: 'old=x' was renamed to 'new=x', which is not a rule");
}

TEST(Renamed, AChainIsAnErrorThatNamesItsEnd) {
  const RenamedIds renamed = Parsed("cases:\n  a/x: a/y\n  a/y: a/z\n");
  const auto errors = CheckRenamed(renamed, {"a/z"}, {}, {});
  ASSERT_THAT(errors, SizeIs(1));
  EXPECT_THAT(errors[0].ToString(), HasSubstr("name 'a/z' here"));
}

TEST(Renamed, ResultsUnderOldIdsGetTheNewOnes) {
  CaseResult result;
  result.case_id = "timers/old";
  Try one;
  one.trace.events.resize(2);
  one.trace.events[0].clause = "timers.old";
  one.trace.events[1].clause = "ticks.other";
  result.tries = {one};
  std::vector<CaseResult> results{result, result};
  results[1].case_id = "timers/new";
  EXPECT_THAT(RenameResults(Parsed(kTable), results), ElementsAre("'timers/old' was renamed to 'timers/new'"));
  EXPECT_EQ(results[0].case_id, "timers/new");
  EXPECT_EQ(results[0].tries[0].trace.events[0].clause, "timers.new");
  EXPECT_EQ(results[0].tries[0].trace.events[1].clause, "ticks.other");
  EXPECT_THAT(RenameResults(Parsed(kTable), results), IsEmpty());
}

}  // namespace
}  // namespace conform
