// What is printed of lint, history and verify.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "reports/terminal/history_report.h"
#include "reports/terminal/lint_report.h"
#include "reports/terminal/verify_report.h"

namespace conform::reports {
namespace study_reports_test {

using ::testing::HasSubstr;

TEST(LintText, NamesBothSidesAndTheCommand) {
  LintReport report;
  ProfileLint one;
  one.profile = "node@24.21.0";
  one.pattern = "B A";
  one.agreement = Agreement::kDisagrees;
  one.only_model = Order{"A", "B"};
  one.only_pattern = Order{"B", "A"};
  report.cases.push_back({"x", "x", "x.yaml", false, {}, {}, {one}});
  const std::string text = LintText(report, false, Style(false));
  EXPECT_THAT(text, HasSubstr("the model allows `A B`, the pattern does not"));
  EXPECT_THAT(text, HasSubstr("the pattern allows `B A`, the model does not"));
  EXPECT_THAT(text, HasSubstr("conform explore x --profile=node@24.21.0"));
  EXPECT_EQ(report.ExitCode(), kJudgement);
}

TEST(LintText, CountsTheClausesThatHaveACase) {
  LintReport report;
  report.must_clauses = 2;
  report.must_without_case = {"timers.x"};
  EXPECT_THAT(LintText(report, false, Style(false)), HasSubstr("1 of 2 MUST clauses have a case"));
}

TEST(HistoryMarkdown, HeadsEachChangeWithTheExactVersionAndNamesTheRule) {
  const auto version = [](const char* text) { return *Version::Parse(text); };
  CaseHistory history{"x", "", "node", {}, {}, ""};
  history.by_model = {{version("0.10.0"), version("10.0.0"), "A B T", {}},
                      {version("11.0.0"), version("26.0.0"), "A T B", {"timer-store"}}};
  history.by_runs = {{version("8.17.0"), version("10.24.1"), "A B T", {}},
                     {version("12.22.12"), version("24.21.0"), "A T B", {}}};
  const std::string page = HistoryMarkdown({history}, {"node 8.17.0"});
  EXPECT_THAT(page, HasSubstr("## Node.js 11.0.0\n\n| case | before | since then | run on | rule |\n"));
  EXPECT_THAT(page, HasSubstr("| x | `A B T` | `A T B` | 10.24.1 → 12.22.12 | timer-store |"));
}

TEST(VerifyText, ShowsHowOftenEachOrderCame) {
  Try on_time, late;
  on_time.trace.events = {{"A", {}, {}, "", ""}, {"B", {}, {}, "", ""}};
  on_time.standing = Standing::kOnTime;
  late.trace.events = {{"B", {}, {}, "", ""}, {"A", {}, {}, "", ""}};
  late.standing = Standing::kLate;
  Verified one;
  one.calm.verdict = one.disturbed.verdict = Verdict::kPass;
  one.calm.tries = {on_time};
  one.disturbed.tries = {on_time, late};
  EXPECT_THAT(VerifyText({{one}}, Style(false)), HasSubstr("1 × B A"));
}

}  // namespace study_reports_test
}  // namespace conform::reports
