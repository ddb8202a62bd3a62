#include "reports/terminal/run_report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "reports/terminal/progress.h"

namespace conform::reports {
namespace run_report_test {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::Pair;

Try TryOf(const Order& order, Standing standing) {
  Try one;
  for (const std::string& label : order) one.trace.events.push_back({label, {}, {}, "", ""});
  one.standing = standing;
  return one;
}

SelectedCase Selected(const std::string& id) {
  SelectedCase selected;
  selected.c.id = id;
  selected.c.clauses = {"timers.threshold"};
  selected.c.expect.emplace_back();
  selected.reference = id;
  return selected;
}

CaseResult ResultOf(const std::string& profile, Verdict verdict, std::vector<Try> tries) {
  CaseResult result;
  result.case_id = "timers/x";
  result.implementation = "ref";
  result.profile = profile;
  result.verdict = verdict;
  result.expected = "A B";
  result.tries = std::move(tries);
  result.reproduce = "conform run timers/x --impl=ref --as=" + profile;
  return result;
}

const Style kPlain(false);

TEST(RunReport, CountsCasesProfilesClausesAndVerdicts) {
  RunReport report;
  report.Add(ResultOf("node@10.0.0", Verdict::kPass, {}), Selected("timers/x"));
  report.Add(ResultOf("node@11.0.0", Verdict::kPass, {}), Selected("timers/x"));
  EXPECT_EQ(report.Text(kPlain), "1 case on ref, 2 profiles, 1 clause: 2 results\n  2 pass\n");
  EXPECT_EQ(report.ExitCode(false), 0);
}

TEST(RunReport, AFailureIsAnnouncedWithItsClause) {
  ClauseList spec;
  spec.clauses.push_back({"timers.threshold", ClauseLevel::kMust, "", "Not before. Ever.", "x.md", 1});
  const RunReport report(spec);
  const SelectedCase selected = Selected("timers/x");
  EXPECT_EQ(report.Headline(ResultOf("node@10.0.0", Verdict::kFail, {}), selected, kPlain),
            "fail  timers/x  ref  node@10.0.0\n    timers.threshold: Not before.\n");
  EXPECT_EQ(report.Headline(ResultOf("node@10.0.0", Verdict::kPass, {}), selected, kPlain), "");
  EXPECT_EQ(report.Headline(ResultOf("node@10.0.0", Verdict::kInconclusive, {}), selected, kPlain), "");
}

TEST(RunReport, AClauseThatDoesNotHoldForAReleaseIsNamedAndNotQuoted) {
  ClauseList spec;
  spec.clauses.push_back({"timers.threshold", ClauseLevel::kMust, "node · since node 11", "Not before.", "x.md", 1});
  const RunReport report(spec);
  const SelectedCase selected = Selected("timers/x");
  EXPECT_THAT(report.Headline(ResultOf("node@11.0.0", Verdict::kFail, {}), selected, kPlain),
              HasSubstr("timers.threshold: Not before.\n"));
  const std::string before = report.Headline(ResultOf("node@10.24.1", Verdict::kFail, {}), selected, kPlain);
  EXPECT_THAT(before, HasSubstr("timers.threshold (node · since node 11) does not hold for node@10.24.1"));
  EXPECT_THAT(before, Not(HasSubstr("Not before")));
}

TEST(RunReport, AFailureLeadsToItsCauseAndToAProgramForABugReport) {
  const auto text = [](Verdict verdict, const RunReport::Help& help) {
    RunReport report;
    report.Offer(help);
    report.Add(ResultOf("node@10.0.0", verdict, {TryOf({"B", "A"}, Standing::kOutside)}), Selected("timers/x"));
    return report.Text(kPlain);
  };
  const auto language_of = [](const std::string& family) { return std::string(family == "node" ? "js" : "?"); };
  EXPECT_THAT(text(Verdict::kFail, {"my run.jsonl", language_of}),
              AllOf(HasSubstr("conform causes 'my run.jsonl'\n"), HasSubstr("conform show timers/x --as=js\n")));
  EXPECT_THAT(text(Verdict::kFail, {}),
              AllOf(HasSubstr("run with --output=FILE, then: conform causes FILE\n"), Not(HasSubstr("conform show"))));
  EXPECT_THAT(text(Verdict::kPass, {"run.jsonl", language_of}), Not(HasSubstr("conform causes")));
}

TEST(Progress, SaysHowMuchTimeIsLeftOnceThatIsKnown) {
  EXPECT_EQ(TimeLeftText(0, 100, 60'000), "");
  EXPECT_EQ(TimeLeftText(10, 100, 4'000), "");
  EXPECT_EQ(TimeLeftText(50, 100, 30'000), " · 30 s left");
  EXPECT_EQ(TimeLeftText(10, 100, 60'000), " · 9 min left");
  EXPECT_EQ(TimeLeftText(1, 1000, 60'000), " · 16.6 h left");
  EXPECT_EQ(TimeLeftText(100, 100, 60'000), "");
}

TEST(RunReport, WhatIsMissingIsCountedByItsReasonAndIsAJudgement) {
  RunReport report;
  CaseResult result = ResultOf("node@10.0.0", Verdict::kMissing, {});
  result.reason = "node has no tick, which node@10.0.0 has";
  report.Add(result, Selected("timers/x"));
  report.Add(result, Selected("timers/y"));
  EXPECT_THAT(report.Text(kPlain), HasSubstr("  missing: node has no tick, which node@10.0.0 has (2)\n"));
  EXPECT_EQ(report.ExitCode(false), 1);
}

TEST(RunReport, AFailureSaysWhatItRestsOnAndTheTotalsWhereNotAllRestOnProof) {
  RunReport report;
  CaseResult result = ResultOf("node@10.0.0", Verdict::kFail, {TryOf({"B", "A"}, Standing::kOutside)});
  result.basis = Basis::kProof;
  report.Add(result, Selected("timers/x"));
  EXPECT_THAT(report.Text(kPlain), HasSubstr("    basis: proof\n"));
  EXPECT_THAT(report.Text(kPlain), Not(HasSubstr("decided")));
  result.verdict = Verdict::kPass;
  result.basis = Basis::kRepetition;
  report.Add(result, Selected("timers/y"));
  EXPECT_THAT(report.Text(kPlain), HasSubstr("  decided 1 by proof, 1 by repetition\n"));
}

// A result of a case, or of a script, with these orders.
void AddTo(RunReport& report, const std::string& id, const std::string& implementation,
           const std::vector<Order>& orders) {
  SelectedCase selected = Selected(id);
  if (id.ends_with(".js")) selected.c.expect.clear();
  selected.c.source = "the text of " + id;
  std::vector<Try> tries;
  for (const Order& order : orders) tries.push_back(TryOf(order, Standing::kOnTime));
  CaseResult result = ResultOf("node@10.0.0", id.ends_with(".js") ? Verdict::kUnspecified : Verdict::kPass, tries);
  result.expected.clear();
  result.reason = "nothing is expected";
  result.case_id = id;
  result.implementation = implementation;
  report.Add(result, selected);
}

TEST(RunReport, CasesAreToldWhereTheyDifferAndScriptsAlways) {
  RunReport report;
  const std::vector<std::string> names{"node@10.24.1", "node@11.15.0", "node@24.21.0"};
  const auto is_old = [&](const std::string& name) { return name == names[0]; };
  for (const std::string& name : names) AddTo(report, "timers/same", name, {{"A"}});
  for (const std::string& name : names) AddTo(report, "timers/x", name, {is_old(name) ? Order{"A"} : Order{"B"}});
  for (const std::string& name : names) AddTo(report, "same.js", name, std::vector<Order>(30, {"A"}));
  for (const std::string& name : names) {
    AddTo(report, "other.js", name, std::vector<Order>(30, is_old(name) ? Order{"A"} : Order{"B"}));
  }
  report.Explain([](const std::string& source, const ScriptSide&, const ScriptSide&) {
    EXPECT_EQ(source, "the text of other.js");
    return std::vector<ScriptCause>{{"drain", "node", "11.0.0", "drain.x", "drain/x"}};
  });
  const std::string text = report.Text(kPlain);
  EXPECT_THAT(text, HasSubstr("They differ in 1 case:\n\ntimers/x\n"));
  EXPECT_THAT(text, HasSubstr("node@11.15.0 and node@24.21.0: equal; the same orders, about as often\n"));
  EXPECT_THAT(text, HasSubstr("  node@10.24.1, 30 runs\n      30 × A\n"));
  EXPECT_THAT(text, HasSubstr("node@10.24.1 and node@11.15.0: different; chance alone would"));
  EXPECT_THAT(text, HasSubstr("may be due to drain (since node 11.0.0, drain.x)"));
  EXPECT_THAT(text, Not(HasSubstr("timers/same")));
  EXPECT_EQ(report.ExitCode(false), 1);
  EXPECT_TRUE(report.SilentScripts().empty());
}

TEST(RunReport, AFewRunsDecideNothingAboutAScript) {
  RunReport report;
  AddTo(report, "other.js", "a", {{"A"}, {"A"}});
  AddTo(report, "other.js", "b", {{"B"}, {"B"}});
  EXPECT_THAT(report.Text(kPlain), HasSubstr("a and b: undecided; no order was seen on both sides"));
  EXPECT_EQ(report.ExitCode(false), 0);
}

TEST(RunReport, AScriptWithoutLabelsIsNamed) {
  RunReport report;
  AddTo(report, "mute.js", "a", {{}, {}});
  AddTo(report, "mute.js", "b", {{}, {}});
  AddTo(report, "other.js", "a", {{}, {"A"}});
  EXPECT_EQ(report.SilentScripts(), std::vector<std::string>{"mute.js"});
}

TEST(RunReport, AScriptThatDoesNotEndIsNotAsExpected) {
  RunReport report;
  CaseResult endless = ResultOf("node@24.0.0", Verdict::kUnspecified, {TryOf({"A"}, Standing::kUnknown)});
  endless.tries[0].trouble = endless.reason = "no end within 2000 ms";
  SelectedCase script = Selected("endless.js");
  script.c.expect.clear();
  report.Add(endless, script);
  EXPECT_THAT(report.Text(kPlain), HasSubstr("no end within 2000 ms"));
  EXPECT_EQ(report.ExitCode(false), kHarnessTrouble);
}

TEST(RunReport, AFailureShowsBothOrdersAndHowToSeeItAgain) {
  RunReport report;
  report.Add(ResultOf("node@10.0.0", Verdict::kFail, {TryOf({"B", "A"}, Standing::kOutside)}), Selected("timers/x"));
  const std::string text = report.Text(kPlain);
  EXPECT_THAT(text, HasSubstr("expected: `A B`"));
  EXPECT_THAT(text, HasSubstr("observed: `B A`"));
  EXPECT_THAT(text, HasSubstr("first difference at 1: observed B, expected A"));
  EXPECT_THAT(text, HasSubstr("conform run timers/x --impl=ref --as=node@10.0.0\n"));
  EXPECT_THAT(text, HasSubstr("conform explore timers/x --profile=node@10.0.0\n"));
  EXPECT_EQ(report.ExitCode(false), 1);
}

TEST(RunReport, AnOrderThatFillsAScreenIsCutShort) {
  Order order;
  for (int i = 0; i < 2000; ++i) order.push_back(i % 2 == 0 ? "A" : "B");
  RunReport report;
  report.Add(ResultOf("node@10.0.0", Verdict::kFail, {TryOf(order, Standing::kOutside)}), Selected("timers/x"));
  EXPECT_LT(report.Text(kPlain).size(), 2000U);
  EXPECT_THAT(report.Text(kPlain), HasSubstr("A B … and 1650 more`"));
}

TEST(RunReport, TheSameFailureAtSeveralVersionsIsToldOnce) {
  RunReport report;
  for (const char* profile : {"node@10.0.0", "node@11.0.0", "node@12.0.0"}) {
    report.Add(ResultOf(profile, Verdict::kFail, {TryOf({"B", "A"}, Standing::kOutside)}), Selected("timers/x"));
  }
  EXPECT_THAT(report.Text(kPlain), HasSubstr("fail  timers/x  ref  node@10.0.0 to node@12.0.0 (3 versions)\n"));
}

TEST(RunReport, InconclusiveIsShownAndCountsOnlyWhenStrict) {
  RunReport report;
  report.Add(ResultOf("node@10.0.0", Verdict::kInconclusive, {TryOf({"B", "A"}, Standing::kLate)}),
             Selected("timers/x"));
  EXPECT_THAT(report.Text(kPlain), HasSubstr("inconclusive  timers/x"));
  EXPECT_EQ(report.ExitCode(false), 0);
  EXPECT_EQ(report.ExitCode(true), 1);
}

TEST(RunReport, EveryKindOfTroubleIsAJudgement) {
  for (const Verdict verdict :
       {Verdict::kFail, Verdict::kSuspect, Verdict::kTimeout, Verdict::kCrash, Verdict::kProtocolError}) {
    RunReport report;
    report.Add(ResultOf("node@10.0.0", verdict, {}), Selected("timers/x"));
    EXPECT_EQ(report.ExitCode(false), 1) << VerdictName(verdict);
  }
}

TEST(RunReport, SeveralOrdersOfOneCaseAreAHistogram) {
  RunReport report;
  report.Add(ResultOf("node@10.0.0", Verdict::kPass,
                      {TryOf({"A", "B"}, Standing::kOnTime), TryOf({"B", "A"}, Standing::kOnTime),
                       TryOf({"A", "B"}, Standing::kOnTime)}),
             Selected("timers/x"));
  EXPECT_THAT(report.Text(kPlain), HasSubstr("timers/x  ref  node@10.0.0\n     2 × A B\n     1 × B A\n"));
}

TEST(RunReport, OneOrderManyTimesIsNoHistogram) {
  RunReport report;
  report.Add(ResultOf("node@10.0.0", Verdict::kPass,
                      {TryOf({"A", "B"}, Standing::kOnTime), TryOf({"A", "B"}, Standing::kOnTime)}),
             Selected("timers/x"));
  EXPECT_THAT(report.Text(kPlain), Not(HasSubstr("×")));
}

TEST(RunReport, UnsupportedIsToldByReason) {
  RunReport report;
  CaseResult result = ResultOf("libuv@1.44.2", Verdict::kUnsupported, {});
  result.reason = "libuv@1.44.2 has no tick";
  report.Add(result, Selected("timers/x"));
  EXPECT_THAT(report.Text(kPlain), HasSubstr("unsupported: libuv@1.44.2 has no tick (1)"));
  EXPECT_EQ(report.ExitCode(true), 0);
}

TEST(RunReport, LinesStayWithinEightyColumns) {
  RunReport report;
  CaseResult result = ResultOf("node@10.0.0", Verdict::kFail, {TryOf(Order(100, "ABC"), Standing::kOutside)});
  result.expected = "";
  for (int i = 0; i < 50; ++i) result.expected += "LABEL ";
  report.Add(result, Selected("timers/x"));
  const std::string text = report.Text(kPlain);
  for (size_t start = 0; start < text.size();) {
    const size_t end = text.find('\n', start);
    EXPECT_LE(Columns(text.substr(start, end - start)), kLineWidth);
    start = end + 1;
  }
}

TEST(HistogramOf, ListsTheMostFrequentFirst) {
  CaseResult result;
  for (const char* label : {"A", "B", "B"}) result.tries.push_back(TryOf({label}, Standing::kOnTime));
  EXPECT_THAT(HistogramOf(result), ElementsAre(Pair("B", 2), Pair("A", 1)));
}

}  // namespace run_report_test
}  // namespace conform::reports
