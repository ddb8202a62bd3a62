#include "reports/terminal/explore_report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace conform::reports {
namespace explore_report_test {

using ::testing::HasSubstr;
using ::testing::Not;

const Style kPlain(false);

ExploreReport Sample() {
  ExploreReport report;
  report.case_id = report.reference = "timers/x";
  report.profile = "node@24.0.0";
  report.on_time_set = SetFacts{{2, false}, "", 3, 1};
  report.late_set = SetFacts{{3, true}, "runs", 5000, 9};
  ExploredRun explored;
  explored.run.choices = {{"which ended first?", "F2", 1, 2}, {"has the time passed?", "yes", 0, 2}};
  explored.run.trace.events = {
      {"A", {}, 1, "timers", "timers.threshold"}, {"T", {}, 1, "ticks", ""}, {"T", {}, 1, "ticks", ""}};
  report.runs.push_back(explored);
  return report;
}

TEST(ExploreText, ShowsOrderPathChoicesAndEvents) {
  const std::string text = ExploreText(Sample(), {}, kPlain);
  EXPECT_THAT(text, HasSubstr("  1. A T T\n"));
  EXPECT_THAT(text, HasSubstr("conform explore timers/x --profile=node@24.0.0 --path=1\n"));
  EXPECT_THAT(text, HasSubstr("choice: which ended first? F2 (2 of 2)\n"));
  EXPECT_THAT(text, HasSubstr("1  timers  A      timers.threshold\n"));
  EXPECT_THAT(text, HasSubstr("1  ticks   T{2}\n"));
}

TEST(ExploreText, SaysWhichLimitKeptASetFromBeingComplete) {
  const std::string text = ExploreText(Sample(), {}, kPlain);
  EXPECT_THAT(text, HasSubstr("on time:  2 orders\n"));
  EXPECT_THAT(text, HasSubstr("late:     at least 3 orders; not complete: the limit on runs was hit\n"));
}

TEST(ExploreText, SaysWhenNotEveryOrderIsListed) {
  EXPECT_THAT(ExploreText(Sample(), {}, kPlain), HasSubstr("1 of 2 orders are listed"));
}

TEST(ExploreText, TellsEachClauseOnce) {
  ClauseList clauses;
  clauses.clauses.push_back({"timers.threshold", ClauseLevel::kMust, "", "Not before. Ever.", "x.md", 1});
  ExploreReport report = Sample();
  report.runs.push_back(report.runs[0]);
  const std::string text = ExploreText(report, clauses, kPlain);
  EXPECT_THAT(text, HasSubstr("timers.threshold\n    Not before.\n"));
  EXPECT_EQ(text.find("Not before."), text.rfind("Not before."));
}

TEST(ExploreText, MarksWhatTakesLateness) {
  ExploreReport report = Sample();
  report.late = true;
  EXPECT_THAT(ExploreText(report, {}, kPlain), Not(HasSubstr("only when something is late")));
  report.runs[0].on_time = false;
  EXPECT_THAT(ExploreText(report, {}, kPlain), HasSubstr("only when something is late"));
}

TEST(ExploreText, ShowsTheProgramAndCutsALongOne) {
  ExploreReport report = Sample();
  report.language = "JavaScript";
  report.program = "setTimeout(a);\n\nsetImmediate(b);\n";
  EXPECT_THAT(ExploreText(report, {}, kPlain), HasSubstr("\n    setTimeout(a);\n\n    setImmediate(b);\n\n"));
  EXPECT_EQ(ExploreJson(report, {})["program"]["language"], "JavaScript");
  for (int i = 0; i < 100; ++i) report.program += "more();\n";
  EXPECT_THAT(ExploreText(report, {}, kPlain), HasSubstr("    … 63 more lines\n"));
}

TEST(ExploreText, MarksWhatIsOutsideTheExpectation) {
  ExploreReport report = Sample();
  report.runs[0].is_expected = true;
  EXPECT_THAT(ExploreText(report, {}, kPlain), Not(HasSubstr("outside the expectation")));
  report.runs[0].is_expected = false;
  EXPECT_THAT(ExploreText(report, {}, kPlain), HasSubstr("     outside the expectation\n"));
  EXPECT_EQ(ExploreJson(report, {})["runs"][0]["expected"], false);
  // What only a delay gives is not meant to be in the pattern.
  report.late = true;
  report.runs[0].on_time = false;
  EXPECT_THAT(ExploreText(report, {}, kPlain), Not(HasSubstr("outside the expectation")));
}

TEST(ExploreText, CitesTheClauseByWhichAnOrderParts) {
  ExploreReport report = Sample();
  report.runs.push_back(report.runs[0]);
  report.runs[1].run.trace.events[1] = {"B", {}, 1, "check", "check.x"};
  report.runs.push_back(report.runs[1]);
  report.runs[2].run.trace.events.pop_back();
  const std::string text = ExploreText(report, {}, kPlain);
  EXPECT_THAT(text, HasSubstr("     differs from 1 at label 2: B, by check.x\n"));
  EXPECT_THAT(text, HasSubstr("     differs from 2 at label 3: nothing follows\n"));
  EXPECT_EQ(ExploreJson(report, {})["runs"][1]["differs"]["clause"], "check.x");
  EXPECT_FALSE(ExploreJson(report, {})["runs"][0].contains("differs"));
}

TEST(ExploreText, CutsAThousandRowsAtTheLimit) {
  ExploreReport report = Sample();
  for (int i = 0; i < 1000; ++i) report.runs[0].run.trace.events.push_back({"I", {}, i, "check", ""});
  EXPECT_THAT(ExploreText(report, {}, kPlain), HasSubstr("more rows"));
}

}  // namespace explore_report_test
}  // namespace conform::reports
