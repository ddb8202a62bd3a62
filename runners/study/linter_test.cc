#include "runners/study/linter.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "runners/base/output.h"

namespace conform {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Optional;

class LinterTest : public ::testing::Test {
 protected:
  LinterTest()
      : profiles_(*Profiles::Load(CONFORM_SOURCE_DIR "/spec/profiles")),
        clauses_(LoadClauses(CONFORM_SOURCE_DIR "/spec")) {}

  CaseLint Lint(const std::string& program, const std::string& expect, const std::string& clause = "timers.threshold") {
    const std::string text = "clauses: [" + clause + "]\nprogram:\n" + program + "expect:\n  " + expect + "\n";
    const auto c = ParseCase(text, "x.yaml", "x");
    EXPECT_TRUE(c.ok()) << c.error().ToString();
    return LintCase({*c, "x"}, profiles_, clauses_, {});
  }

  const Profiles profiles_;
  const ClauseList clauses_;
};

constexpr char kRace[] = "  - timeout A 0\n  - immediate B\n";

TEST_F(LinterTest, APatternThatIsTheSetOfTheModelIsClean) {
  const CaseLint lint = Lint(kRace, "node: A B | B A");
  EXPECT_TRUE(lint.Clean());
  ASSERT_FALSE(lint.profiles.empty());
  EXPECT_EQ(lint.profiles[0].on_time->orders, 2);
}

TEST_F(LinterTest, APatternThatAllowsTooLittleIsShownWhatTheModelAllows) {
  const CaseLint lint = Lint(kRace, "node: A B");
  EXPECT_FALSE(lint.Clean());
  EXPECT_EQ(lint.profiles[0].agreement, Agreement::kDisagrees);
  EXPECT_THAT(lint.profiles[0].only_model, Optional(ElementsAre("B", "A")));
  EXPECT_EQ(lint.profiles[0].only_pattern, std::nullopt);
}

TEST_F(LinterTest, APatternThatAllowsTooMuchIsShownWhatTheModelDoesNot) {
  const CaseLint lint = Lint("  - tick A\n  - immediate B\n", "node: A B | B A");
  EXPECT_THAT(lint.profiles[0].only_pattern, Optional(ElementsAre("B", "A")));
  EXPECT_EQ(lint.profiles[0].only_model, std::nullopt);
}

TEST_F(LinterTest, APatternMayStateThatACallbackNeverRuns) {
  const std::string program = "  - tick T:\n      - exit 0\n  - immediate B\n";
  EXPECT_TRUE(Lint(program, "node =22.23.3: T B{0}").Clean());
  EXPECT_FALSE(Lint(program, "node =22.23.3: T B").Clean());
  EXPECT_FALSE(Lint("  - immediate B\n", "node: B{0}").Clean());
}

TEST_F(LinterTest, ADelayThatAFamilyDoesNotHaveIsAProblemWithItsPlace) {
  const CaseLint lint = Lint("  - timeout A Infinity\n", "libuv: A");
  ASSERT_EQ(lint.problems.size(), 1u);
  EXPECT_THAT(lint.problems[0].ToString(), HasSubstr("x.yaml:3:5: libuv has no delay 'Infinity'"));
}

TEST(LintReport, ALimitThatWasHitIsNotAJudgement) {
  LintReport report;
  ProfileLint profile;
  profile.agreement = Agreement::kIncomplete;
  report.cases.emplace_back().profiles.push_back(profile);
  EXPECT_EQ(report.ExitCode(), kHarnessTrouble);
  profile.agreement = Agreement::kDisagrees;
  report.cases[0].profiles.push_back(profile);
  EXPECT_EQ(report.ExitCode(), kJudgement);
}

TEST_F(LinterTest, CountsOfTheProgramRestrictThePattern) {
  EXPECT_TRUE(Lint("  - immediate I x4\n", "node: I*").Clean());
}

TEST_F(LinterTest, ACaseWithNeitherAModelNorTheStatementCannotFail) {
  const auto lint = [&](const std::string& statement) {
    const auto c =
        ParseCase("clauses: [timers.threshold]\n" + statement + "native: x.cjs\nexpect:\n  node: A\n", "x.yaml", "x");
    EXPECT_TRUE(c.ok()) << c.error().ToString();
    return LintCase({*c, "x"}, profiles_, clauses_, {});
  };
  ASSERT_EQ(lint("").problems.size(), 1u);
  EXPECT_THAT(lint("").problems[0].message, HasSubstr("a case that cannot fail"));
  EXPECT_FALSE(lint("").Clean());
  EXPECT_TRUE(lint("timeless: true\n").Clean());
}

// Repetition is weaker than proof. What rests on it is counted, so that it does not grow unseen.
TEST_F(LinterTest, FewCasesOfTheCatalogueRestOnRepetition) {
  constexpr int kMost = 20;
  const Catalogue catalogue = LoadCatalogue(CONFORM_SOURCE_DIR "/cases");
  EXPECT_LE(std::count_if(catalogue.cases.begin(), catalogue.cases.end(), [](const Case& c) { return c.timeless; }),
            kMost);
}

TEST_F(LinterTest, AnUnknownClauseNamesTheNearest) {
  const CaseLint lint = Lint(kRace, "node: A B | B A", "timers.treshold");
  ASSERT_EQ(lint.problems.size(), 1u);
  EXPECT_THAT(lint.problems[0].ToString(), HasSubstr("x.yaml:1:11: there is no clause 'timers.treshold'"));
  EXPECT_THAT(lint.problems[0].hint, HasSubstr("timers.threshold"));
}

TEST_F(LinterTest, AnUnknownFamilyNamesTheNearest) {
  const CaseLint lint = Lint(kRace, "noed: A B | B A");
  ASSERT_EQ(lint.problems.size(), 1u);
  EXPECT_THAT(lint.problems[0].hint, HasSubstr("node"));
}

TEST_F(LinterTest, ARangeThatNoKnownVersionIsInIsNoted) {
  const CaseLint lint = Lint(kRace, "node >=99: A B\n  node <99: A B | B A");
  EXPECT_TRUE(lint.Clean());
  EXPECT_EQ(lint.notes.size(), 1u);
}

TEST_F(LinterTest, ACaseThatNoKnownVersionRunsAgreesWithNothing) {
  const CaseLint lint = Lint(kRace, "node >=99: A B");
  ASSERT_EQ(lint.problems.size(), 1u);
  EXPECT_THAT(lint.problems[0].message, HasSubstr("no known version"));
}

TEST_F(LinterTest, MustClausesWithoutACaseAreFound) {
  const auto all = ClausesWithoutCase(clauses_, {}, ClauseLevel::kMust);
  Case c;
  c.clauses = {all[0]->id};
  EXPECT_EQ(ClausesWithoutCase(clauses_, {c}, ClauseLevel::kMust).size(), all.size() - 1);
}

TEST(LintReport, AMustClauseWithoutACaseIsAJudgement) {
  LintReport report;
  report.must_clauses = 2;
  EXPECT_EQ(report.ExitCode(), kAllAsExpected);
  report.must_without_case = {"timers.x"};
  EXPECT_EQ(report.ExitCode(), kJudgement);
}

TEST(LintReport, AnUnreadableFileIsBadInput) {
  LintReport report;
  report.unreadable = {{"no", "x.yaml", {}, ""}};
  EXPECT_EQ(report.ExitCode(), kBadInput);
}

}  // namespace
}  // namespace conform
