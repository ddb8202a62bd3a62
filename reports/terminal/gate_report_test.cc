#include "reports/terminal/gate_report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "reports/report_testing.h"

namespace conform::reports {
namespace gate_report_test {

using ::testing::HasSubstr;
using ::testing::Not;

std::string TextOf(std::vector<CaseResult> results, const std::string& known = "{}", const GateOptions& options = {}) {
  const auto baseline = ParseBaseline("format: 2\nknown: " + known + "\n", "b.yaml");
  EXPECT_TRUE(baseline.ok()) << (baseline.ok() ? "" : baseline.error().ToString());
  const ResultSet set = MakeSet(std::move(results));
  std::vector<std::string> ids;
  for (const CaseResult& result : set.results()) ids.push_back(result.case_id);
  const auto report = Gate(set, *baseline, {}, ids, options);
  EXPECT_TRUE(report.ok()) << (report.ok() ? "" : report.error().ToString());
  return GateText(*report, "b.yaml", options, Style(false));
}

CaseResult Late(const std::string& case_id) {
  CaseResult late = MakeResult(case_id, "x", Verdict::kInconclusive, "B A");
  late.reason = "late on each of 5 tries";
  return late;
}

TEST(GateText, WhatClosesTheGateComesLastAndIsNamedInTheLastSentence) {
  const std::string text = TextOf({MakeResult("t/a", "x", Verdict::kFail, "B A"), Late("t/b")});
  EXPECT_LT(text.find("undecided  t/b"), text.find("worse  t/a"));
  EXPECT_THAT(text, HasSubstr("now fail; not in the baseline"));
  EXPECT_THAT(text, HasSubstr("b.yaml, 2 results: 1 worse, 1 undecided\nThe gate is closed by t/a.\n"));
}

TEST(GateText, OfManyCasesThatCloseTheGateThreeAreNamed) {
  std::vector<CaseResult> all;
  for (const char* id : {"t/a", "t/b", "t/c", "t/d", "t/e"}) {
    all.push_back(MakeResult(id, "x", Verdict::kFail, "B A"));
  }
  EXPECT_THAT(TextOf(all), HasSubstr("The gate is closed by t/a, t/b, t/c and 2 more.\n"));
}

TEST(GateText, WhatIsUndecidedSaysWhyAndNoMoreUnlessItClosesTheGate) {
  EXPECT_THAT(TextOf({Late("t/a")}), testing::StartsWith("undecided  t/a  x  node@24.21.0\n"
                                                         "    late on each of 5 tries\n\n"));
  EXPECT_THAT(TextOf({Late("t/a")}), HasSubstr("The gate is open.\n"));
  const std::string strict = TextOf({Late("t/a")}, "{}", {.strict = true});
  EXPECT_THAT(strict, HasSubstr("observed: `B A`"));
  EXPECT_THAT(strict, HasSubstr("The gate is closed by t/a.\n"));
}

TEST(GateText, AnImprovementSaysWhatAnUpdateWillDo) {
  const std::string known = "{x: {t/a: {verdict: crash}, t/b: {verdict: fail}}}";
  const std::string text =
      TextOf({MakeResult("t/a", "x", Verdict::kFail, "B A"), MakeResult("t/b", "x", Verdict::kPass)}, known);
  EXPECT_THAT(text, HasSubstr("2 improved"));
  EXPECT_THAT(text, HasSubstr("--update changes these entries of the baseline, or"));
  EXPECT_THAT(text, Not(HasSubstr("--update removes")));
}

}  // namespace gate_report_test
}  // namespace conform::reports
