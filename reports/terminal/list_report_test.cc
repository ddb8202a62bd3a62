#include "reports/terminal/list_report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "reports/terminal/show_report.h"
#include "runners/harness/case_needs.h"
#include "runners/model/case_text.h"

namespace conform::reports {
namespace list_report_test {

using ::testing::HasSubstr;

const Style kPlain(false);

Case Sample() {
  const auto c = ParseCase(
      "title: A title\nclauses: [timers.threshold]\nwhy: Because.\nprogram:\n  - timeout A 0:\n      - tick T x3\n  - "
      "busy 5\nexpect:\n  node >=11: A T{3}\n  node <11: ''\n",
      "x.yaml", "timers/x");
  EXPECT_TRUE(c.ok()) << c.error().ToString();
  return *c;
}

ClauseList SomeClauses() {
  ClauseList clauses;
  clauses.clauses.push_back({"timers.threshold", ClauseLevel::kMust, "node", "Not before. Ever.", "x.md", 1});
  clauses.clauses.push_back({"timers.other", ClauseLevel::kMust, "", "Other.", "x.md", 9});
  clauses.clauses.push_back({"timers.perhaps", ClauseLevel::kMay, "", "Perhaps.", "x.md", 19});
  return clauses;
}

TEST(ProgramText, IsTheCaseLanguage) {
  EXPECT_EQ(ProgramText(Sample().program, "  "), "  - timeout A 0:\n      - tick T x3\n  - busy 5\n");
}

TEST(ShowText, HasClausesProgramExpectationsAndReason) {
  const std::string text = ShowText(Sample(), SomeClauses(), kPlain);
  EXPECT_THAT(text, HasSubstr("timers/x\nA title\n"));
  EXPECT_THAT(text, HasSubstr("timers.threshold  MUST · node\n    Not before.\n"));
  EXPECT_THAT(text, HasSubstr("program:\n  - timeout A 0:\n"));
  EXPECT_THAT(text, HasSubstr("  node >=11: A T{3}\n  node <11:  ''\n"));
  EXPECT_THAT(text, HasSubstr("Because.\n"));
}

TEST(ClausesText, CountsCasesAndTheCoverageOfMust) {
  const std::string text = ClausesText(SomeClauses(), {Sample()});
  EXPECT_THAT(text, HasSubstr("MUST        1  timers.threshold\n"));
  EXPECT_THAT(text, HasSubstr("MAY         0  timers.perhaps\n"));
  EXPECT_THAT(text, HasSubstr("1 of 2 MUST clauses have a case (50.0 %)"));
}

TEST(CasesText, IsCutForATerminalAndWholeForAPipe) {
  EXPECT_EQ(CasesText({Sample()}, 12), "timers/x  A…\n");
  EXPECT_EQ(CasesText({Sample()}, 0), "timers/x  A title\n");
}

TEST(Implementations, NamesAreUnknownWithTheNearest) {
  const RunnerOptions options{Home(CONFORM_SOURCE_DIR), 0, {}, false, nullptr, ""};
  EXPECT_TRUE(MakeRunners("ref,ref:real", options).ok());
  EXPECT_EQ(MakeRunners("ref,ref", options)->size(), 1u);
  const auto wrong = MakeRunners("ref:rael", options);
  ASSERT_FALSE(wrong.ok());
  EXPECT_THAT(wrong.error().ToString(), HasSubstr("did you mean 'ref:real'?"));
}

TEST(DeadlineMs, GrowsWithWhatTheProgramAsksForUpToALimit) {
  const auto deadline = [](const std::string& program) {
    return DeadlineMs(*ParseCase("program:\n" + program + "expect: ...\n", "x", "x"));
  };
  EXPECT_EQ(deadline("  - tick A\n"), 10'000);
  EXPECT_EQ(deadline("  - timeout A 100 x3\n"), 11'200);
  EXPECT_EQ(deadline("  - timeout A 100:\n      - busy 50\n"), 10'600);
  EXPECT_EQ(deadline("  - interval A 1000 x1000000\n"), 120'000);
  EXPECT_EQ(deadline("  - timeout A NaN\n"), 10'004);
}

}  // namespace list_report_test
}  // namespace conform::reports
