#include "reports/gate.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <random>

#include "reports/baseline_text.h"
#include "reports/baseline_update.h"
#include "reports/report_testing.h"

namespace conform::reports {
namespace gate_test {

using ::testing::HasSubstr;

constexpr char kBaseline[] =
    "# What we know of Bun.\n"
    "format: 1\n"
    "known:\n"
    "  bun >=1.4 <1.5:\n"
    "    # Asked upstream.\n"
    "    timers/a:\n"
    "      verdict: fail   # since 1.3\n"
    "      reason: Ticks run late.\n"
    "      link: https://example.org/1\n"
    "\n"
    "    # This one is not understood.\n"
    "    timers/b: {verdict: timeout, reason: 'never ends'}\n"
    "  deno:\n"
    "    timers/a:\n"
    "      verdict: crash\n";

Baseline Known(const std::string& text = kBaseline) {
  auto baseline = ParseBaseline(text, "b.yaml");
  EXPECT_TRUE(baseline.ok()) << (baseline.ok() ? "" : baseline.error().ToString());
  return *baseline;
}

std::string ErrorOf(const std::string& text) {
  const auto baseline = ParseBaseline(text, "b.yaml");
  return baseline.ok() ? "" : baseline.error().ToString();
}

CaseResult Bun(const std::string& case_id, Verdict verdict, const std::string& version = "1.4.4") {
  return MakeResult(case_id, "bun@" + version, verdict, verdict == Verdict::kPass ? "A B" : "B A");
}

const std::vector<std::string> kIds{"timers/a", "timers/b", "timers/c"};

std::map<GateKind, int64_t> Totals(std::vector<CaseResult> results, const GateOptions& options = {}) {
  const auto report = Gate(MakeSet(std::move(results)), Known(), {}, kIds, options);
  EXPECT_TRUE(report.ok());
  return report->totals;
}

TEST(Baseline, AnEntryCoversItsImplementationAndItsVersionsAlone) {
  const Baseline baseline = Known();
  const auto known = [&](const std::string& name) {
    const ResultSet set = MakeSet({MakeResult("timers/a", name, Verdict::kFail)});
    return *baseline.Find("timers/a", set.implementations()[0], "node@24.21.0");
  };
  ASSERT_NE(known("bun@1.4.4"), nullptr);
  EXPECT_EQ(known("bun@1.4.4")->reason, "Ticks run late.");
  EXPECT_EQ(known("bun@1.4.4")->link, "https://example.org/1");
  EXPECT_EQ(known("bun@1.5.0"), nullptr);
  EXPECT_EQ(known("bun"), nullptr);
  EXPECT_EQ(known("deno@2.9.6")->verdicts, KnownVerdicts::Only(Verdict::kCrash));
  EXPECT_EQ(known("node@24.21.0"), nullptr);
}

TEST(Baseline, ABinaryThatIsGivenByPathIsOfItsKindAndOfTheVersionThatItReports) {
  auto source = MakeSource({MakeResult("timers/a", "bun=./build/bun", Verdict::kFail)});
  source.results.run.implementations.push_back({"bun=./build/bun", "1.4.7", "", {}});
  const ResultSet set = *ResultSet::Of({source});
  const Baseline baseline = Known();
  EXPECT_NE(*baseline.Find("timers/a", set.implementations()[0], "node@24.21.0"), nullptr);
}

TEST(Baseline, ASectionMaySpeakOfOneProfile) {
  const Baseline baseline = Known("format: 1\nknown:\n  ref as node <11:\n    a: {verdict: fail}\n");
  const ResultSet set = MakeSet({MakeResult("a", "ref", Verdict::kFail)});
  EXPECT_NE(*baseline.Find("a", set.implementations()[0], "node@10.24.1"), nullptr);
  EXPECT_EQ(*baseline.Find("a", set.implementations()[0], "node@24.21.0"), nullptr);
  EXPECT_EQ(*baseline.Find("a", set.implementations()[0], "libuv@1.0.0"), nullptr);
}

TEST(Baseline, ErrorsNameThePlaceAndWhatMayBeMeant) {
  const std::string head = "format: 1\nknown:\n  bun >=1.4:\n";
  EXPECT_EQ(ErrorOf(head + "    a: {verdict: fial}\n"), "b.yaml:4:18: 'fial' is not a verdict (did you mean 'fail'?)");
  EXPECT_EQ(ErrorOf(head + "    a:\n      verdit: fail\n"),
            "b.yaml:5:7: 'verdit' is not a key of what is known of 'a' (did you mean 'verdict'?)");
  EXPECT_EQ(ErrorOf(head + "    a: {reason: x}\n"), "b.yaml:4:5: 'a' has no 'verdict'");
  EXPECT_EQ(ErrorOf(head + "    a: {verdict: pass}\n"),
            "b.yaml:4:18: a case that passes is not listed (remove the entry)");
  EXPECT_THAT(ErrorOf("format: 1\nknown:\n  bun >1.4:\n"), HasSubstr("b.yaml:3:7: "));
  EXPECT_THAT(ErrorOf("format: 1\nknown:\n  bun@1.4:\n"), HasSubstr("b.yaml:3:3: 'bun@1.4' is not an implementation"));
  EXPECT_THAT(ErrorOf("format: 3\n"), HasSubstr("b.yaml:1:9: format '3' is not known"));
  EXPECT_THAT(ErrorOf("known:\n"), HasSubstr("'format' is missing"));
  EXPECT_THAT(ErrorOf(head + "    a: {verdict: fail, link: 'javascript:1'}\n"), HasSubstr("is not a link"));
}

TEST(Baseline, AnUnknownCaseIsToldWithTheNearest) {
  const Baseline baseline = Known("format: 1\nknown:\n  bun:\n    timers/drian: {verdict: fail}\n");
  const auto report = Gate(MakeSet({Bun("timers/c", Verdict::kPass)}), baseline, {}, {"timers/drain"}, {});
  ASSERT_FALSE(report.ok());
  EXPECT_EQ(report.error().ToString(), "b.yaml:4:5: there is no case 'timers/drian' (did you mean 'timers/drain'?)");
}

TEST(Baseline, TwoEntriesForOneResultAreRefused) {
  const Baseline twice =
      Known("format: 1\nknown:\n  bun:\n    a: {verdict: fail}\n  bun >=1:\n    a: {verdict: crash}\n");
  const auto report = Gate(MakeSet({Bun("a", Verdict::kFail)}), twice, {}, {}, {});
  ASSERT_FALSE(report.ok());
  EXPECT_THAT(report.error().ToString(),
              HasSubstr("b.yaml:6:5: 'a' is known twice for bun@1.4.4; the first is in line 4"));
}

TEST(Gate, IsOpenForWhatPassesAndForWhatIsKnown) {
  const auto report = Gate(
      MakeSet({Bun("timers/a", Verdict::kFail), Bun("timers/b", Verdict::kTimeout), Bun("timers/c", Verdict::kPass)}),
      Known(), {}, kIds, {});
  ASSERT_TRUE(report.ok());
  EXPECT_TRUE(report->Passes({}));
  EXPECT_EQ(report->totals, (std::map<GateKind, int64_t>{{GateKind::kPasses, 1}, {GateKind::kAsKnown, 2}}));
}

TEST(Gate, IsClosedForAnythingWorse) {
  for (const Verdict verdict : {Verdict::kFail, Verdict::kSuspect, Verdict::kTimeout, Verdict::kCrash,
                                Verdict::kProtocolError, Verdict::kUnsupported, Verdict::kUnspecified}) {
    EXPECT_EQ(Totals({Bun("timers/c", verdict)}, {.only_what_ran = true})[GateKind::kWorse], 1) << VerdictName(verdict);
  }
  EXPECT_EQ(Totals({Bun("timers/a", Verdict::kCrash)}, {.only_what_ran = true})[GateKind::kWorse], 1);
}

TEST(Gate, IsClosedForAnImprovementUnlessThatIsAllowed) {
  const auto report = Gate(MakeSet({Bun("timers/a", Verdict::kPass)}), Known(), {}, kIds, {.only_what_ran = true});
  ASSERT_TRUE(report.ok());
  EXPECT_EQ(report->findings[0].kind, GateKind::kImproved);
  EXPECT_FALSE(report->Passes({}));
  EXPECT_TRUE(report->Passes({.allow_improvements = true}));
}

TEST(Gate, WhatIsUndecidedCountsOnlyWhereThatIsAsked) {
  const auto report = Gate(MakeSet({Bun("timers/a", Verdict::kInconclusive), Bun("timers/c", Verdict::kInconclusive)}),
                           Known(), {}, kIds, {.only_what_ran = true});
  ASSERT_TRUE(report.ok());
  EXPECT_EQ(report->totals, (std::map<GateKind, int64_t>{{GateKind::kUndecided, 2}}));
  EXPECT_TRUE(report->Passes({}));
  EXPECT_FALSE(report->Passes({.strict = true}));
}

TEST(Gate, IsClosedForAKnownCaseThatDidNotRun) {
  const auto report = Gate(MakeSet({Bun("timers/a", Verdict::kFail)}), Known(), {}, kIds, {});
  ASSERT_TRUE(report.ok());
  ASSERT_EQ(report->findings.size(), 2u);
  EXPECT_EQ(report->findings[1].kind, GateKind::kNotRun);
  EXPECT_EQ(report->findings[1].case_id, "timers/b");
  EXPECT_FALSE(report->Passes({}));
  EXPECT_EQ(Totals({Bun("timers/a", Verdict::kFail)}, {.only_what_ran = true}).count(GateKind::kNotRun), 0u);
}

TEST(Gate, IsClosedForACaseOfTheCatalogueThatDidNotRunOrChangedSince) {
  const auto make = [](const std::string& id, const std::string& family) {
    auto c = ParseCase("program:\n  - timeout A 0\nexpect:\n  " + family + ": A\n", id, id);
    EXPECT_TRUE(c.ok());
    return *c;
  };
  const Case changed = make("timers/c", "node"), missing = make("timers/d", "node"), other = make("x", "libuv");
  const auto report =
      Gate(MakeSet({Bun("timers/c", Verdict::kPass)}), Known("format: 1\n"), {&changed, &missing, &other}, {}, {});
  ASSERT_TRUE(report.ok());
  EXPECT_EQ(report->totals,
            (std::map<GateKind, int64_t>{{GateKind::kPasses, 1}, {GateKind::kNotRun, 1}, {GateKind::kOutdated, 1}}));
  EXPECT_FALSE(report->Passes({}));
}

TEST(Gate, IsClosedForAnIncompleteRun) {
  auto source = MakeSource({Bun("timers/c", Verdict::kPass)});
  source.results.complete = false;
  const auto report = Gate(*ResultSet::Of({source}), Known("format: 1\n"), {}, {}, {});
  ASSERT_TRUE(report.ok());
  EXPECT_FALSE(report->Passes({}));
}

BaselineUpdate Updated(const std::string& text, std::vector<CaseResult> results) {
  auto update = UpdateBaseline(Known(text), text, MakeSet(std::move(results)), kIds);
  EXPECT_TRUE(update.ok());
  return *update;
}

TEST(BaselineUpdate, ChangesWhatChangedAndNothingElse) {
  const BaselineUpdate update = Updated(kBaseline, {Bun("timers/a", Verdict::kTimeout), Bun("timers/b", Verdict::kPass),
                                                    Bun("timers/c", Verdict::kFail)});
  EXPECT_TRUE(update.comments_kept);
  EXPECT_EQ(update.changes.size(), 3u);
  EXPECT_EQ(update.text,
            "# What we know of Bun.\n"
            "format: 1\n"
            "known:\n"
            "  bun >=1.4 <1.5:\n"
            "    # Asked upstream.\n"
            "    timers/a:\n"
            "      verdict: timeout   # since 1.3\n"
            "      reason: Ticks run late.\n"
            "      link: https://example.org/1\n"
            "\n"
            "    # This one is not understood.\n"
            "    timers/c:\n"
            "      verdict: fail\n"
            "      reason: observed B A where A B is expected\n"
            "  deno:\n"
            "    timers/a:\n"
            "      verdict: crash\n");
}

TEST(BaselineUpdate, IsEmptyWhereNothingChanged) {
  const BaselineUpdate update =
      Updated(kBaseline, {Bun("timers/a", Verdict::kFail), Bun("timers/b", Verdict::kInconclusive)});
  EXPECT_TRUE(update.changes.empty());
  EXPECT_EQ(update.text, kBaseline);
}

TEST(BaselineUpdate, MakesAFileThatOpensTheGate) {
  const std::vector<CaseResult> results{Bun("timers/a", Verdict::kFail), Bun("timers/b", Verdict::kUnsupported),
                                        MakeResult("odd: #id", "odd:one", Verdict::kCrash)};
  const BaselineUpdate update = Updated(EmptyBaseline(), results);
  EXPECT_TRUE(update.comments_kept);
  EXPECT_THAT(update.text, HasSubstr("  bun >=1.4.4:\n    timers/a:\n"));
  const auto report = Gate(MakeSet(results), Known(update.text), {}, kIds, {});
  ASSERT_TRUE(report.ok());
  EXPECT_TRUE(report->Passes({})) << update.text;
}

// Goal: whatever a case is called, what is written can be read.
TEST(BaselineUpdate, CanReadWhatItWrites) {
  for (const char* id :
       {"null", "Null", "NULL", "~", "true", "False", "yes", "NO", "on", "y",  "1",  "1.0", "0x1f", ".inf", "-",
        "?",    "a: b", "a #b", "'", "\"",   "[a]",   "{a}", "*a", "&a", "!a", "%a", "@a",  "`a",   " a "}) {
    const std::vector<CaseResult> results{Bun(id, Verdict::kFail)};
    const BaselineUpdate update = Updated(EmptyBaseline(), results);
    const auto read = ParseBaseline(update.text, "b.yaml");
    ASSERT_TRUE(read.ok()) << read.error().ToString() << "\n" << update.text;
    EXPECT_EQ(read->sections[0].known[0].case_id, id) << update.text;
  }
  EXPECT_EQ(YamlText("null"), "\"null\"");
  EXPECT_EQ(YamlText("timers/null"), "timers/null");
}

TEST(BaselineUpdate, WhereLinesCannotBeChangedTheWholeIsWrittenAnew) {
  const std::string flow =
      "format: 1\nknown: {bun: {timers/a: {verdict: fail, reason: why}, timers/b: {verdict: fail}}}\n";
  const BaselineUpdate update = Updated(flow, {Bun("timers/a", Verdict::kFail), Bun("timers/b", Verdict::kPass)});
  EXPECT_FALSE(update.comments_kept);
  EXPECT_EQ(update.text, "format: 2\nknown:\n  bun:\n    timers/a:\n      verdict: fail\n      reason: why\n");
}

TEST(BaselineUpdate, AnEntryThatTwoVersionsContradictStaysAndIsTold) {
  const BaselineUpdate update =
      Updated(kBaseline, {Bun("timers/a", Verdict::kPass, "1.4.5"), Bun("timers/a", Verdict::kFail, "1.4.4")});
  EXPECT_TRUE(update.changes.empty());
  ASSERT_EQ(update.conflicts.size(), 1u);
  EXPECT_THAT(update.conflicts[0], HasSubstr("timers/a is fail on bun@1.4.4, pass on bun@1.4.5"));
}

constexpr char kVarying[] =
    "format: 2\n"
    "known:\n"
    "  bun >=1.4:\n"
    "    timers/a:   # a race\n"
    "      verdict: [pass, fail]\n"
    "      seen: {pass: 7, fail: 3}\n"
    "      reason: Ticks run late.\n";

TEST(Baseline, WhatVariesNeedsTheCountsOfEachVerdict) {
  EXPECT_EQ(Known(kVarying).sections[0].known[0].verdicts.ToString(), "pass (7 times) or fail (3 times)");
  const std::string head = "format: 2\nknown:\n  bun:\n";
  EXPECT_THAT(ErrorOf(head + "    a: {verdict: [pass, fail]}\n"), HasSubstr("b.yaml:4:5: 'a' has several verdicts"));
  EXPECT_EQ(ErrorOf(head + "    a: {verdict: [pass, fail], seen: {pass: 7}}\n"),
            "b.yaml:4:38: 'fail' was not seen (a case varies only where each of its verdicts was)");
  EXPECT_THAT(ErrorOf(head + "    a: {verdict: [pass, fail], seen: {pass: 7, fail: 0}}\n"), HasSubstr("at least 1"));
  EXPECT_THAT(ErrorOf(head + "    a: {verdict: [pass, fail], seen: {pass: 7, fail: 1, crash: 1}}\n"),
              HasSubstr("'crash' is not among the verdicts"));
  EXPECT_THAT(ErrorOf(head + "    a: {verdict: fail, seen: {fail: 7}}\n"), HasSubstr("belongs to several verdicts"));
  EXPECT_THAT(ErrorOf(head + "    a: {verdict: [fail, fail]}\n"), HasSubstr("'fail' is listed twice"));
  EXPECT_THAT(ErrorOf(head + "    a: {verdict: [pass]}\n"), HasSubstr("a case that passes is not listed"));
  EXPECT_THAT(ErrorOf(head + "    a: {verdict: []}\n"), HasSubstr("'verdict' is empty"));
  EXPECT_THAT(ErrorOf(head + "    a: {verdict: [fail, inconclusive]}\n"), HasSubstr("never closes the gate"));
  EXPECT_THAT(ErrorOf("format: 1\nknown:\n  bun:\n    a: {verdict: [pass, fail]}\n"), HasSubstr("need format 2"));
}

TEST(Gate, IsOpenForEveryVerdictThatWasSeenOfWhatVaries) {
  const auto kind = [](Verdict verdict) {
    const Baseline baseline = Known(kVarying);
    return Gate(MakeSet({Bun("timers/a", verdict)}), baseline, {}, kIds, {})->findings[0].kind;
  };
  EXPECT_EQ(kind(Verdict::kPass), GateKind::kAsKnown);
  EXPECT_EQ(kind(Verdict::kFail), GateKind::kAsKnown);
  EXPECT_EQ(kind(Verdict::kInconclusive), GateKind::kUndecided);
  EXPECT_EQ(kind(Verdict::kTimeout), GateKind::kWorse);
  EXPECT_EQ(kind(Verdict::kUnsupported), GateKind::kWorse);  // better than fail, worse than pass, and never seen
}

// Several runs, one set of verdicts for each.
ResultSet Runs(const std::vector<std::vector<CaseResult>>& runs, const ResultSet::Keep& keep = nullptr) {
  std::vector<ResultSet::Source> sources;
  for (const auto& run : runs) sources.push_back(MakeSource(run, "r" + std::to_string(sources.size()) + ".jsonl"));
  return *ResultSet::Of(std::move(sources), ResultSet::Runs::kSeveral, keep);
}

std::string Learned(const std::string& text, const std::vector<std::vector<CaseResult>>& runs) {
  const auto update = UpdateBaseline(Known(text), text, Runs(runs), kIds);
  EXPECT_TRUE(update.ok());
  EXPECT_TRUE(update->comments_kept);
  EXPECT_TRUE(update->conflicts.empty());
  return update->text;
}

TEST(Gate, SeveralRunsOfACaseCloseItOnlyIfChanceIsExcluded) {
  const auto kind = [](size_t passes, size_t failures) {
    std::vector<std::vector<CaseResult>> runs(failures, {Bun("timers/c", Verdict::kFail)});
    runs.resize(passes + failures, {Bun("timers/c", Verdict::kPass)});
    const Baseline baseline = Known("format: 2\n");
    const auto report = Gate(Runs(runs), baseline, {}, kIds, {});
    EXPECT_EQ(report->totals.contains(GateKind::kVaries), !report->Passes({.strict = true}) && report->Passes({}));
    // Passes that are counted and not kept change nothing.
    const ResultSet fewer = Runs(runs, [](const CaseResult&) { return false; });
    EXPECT_EQ(fewer.results().size(), failures);
    EXPECT_EQ(Gate(fewer, baseline, {}, kIds, {})->totals, report->totals);
    return report->findings[0].kind;
  };
  EXPECT_EQ(kind(10, 1), GateKind::kVaries);
  EXPECT_EQ(kind(3, 8), GateKind::kVaries);
  EXPECT_EQ(kind(2, 9), GateKind::kWorse);
  EXPECT_EQ(kind(0, 2), GateKind::kWorse);
}

TEST(BaselineUpdate, SeveralRunsShowWhatVaries) {
  const std::vector<std::vector<CaseResult>> runs{
      {Bun("timers/a", Verdict::kPass), Bun("timers/b", Verdict::kFail), Bun("timers/c", Verdict::kPass)},
      {Bun("timers/a", Verdict::kFail), Bun("timers/b", Verdict::kFail), Bun("timers/c", Verdict::kInconclusive)},
      {Bun("timers/a", Verdict::kPass), Bun("timers/b", Verdict::kInconclusive), Bun("timers/c", Verdict::kPass)}};
  const std::string text = Learned(EmptyBaseline(), runs);
  EXPECT_THAT(text, HasSubstr("    timers/a:\n      verdict: [pass, fail]\n      seen: {pass: 2, fail: 1}\n"));
  EXPECT_THAT(text, HasSubstr("    timers/b:\n      verdict: fail\n"));
  EXPECT_EQ(text.find("timers/c"), std::string::npos);
  const auto report = Gate(Runs(runs), Known(text), {}, kIds, {});
  EXPECT_TRUE(report->Passes({}));
  EXPECT_EQ(Learned(text, runs), text);  // and there is nothing more to learn from the same runs
}

TEST(BaselineUpdate, ARepeatedResultCountsEachOfItsRuns) {
  CaseResult repeated = Bun("timers/a", Verdict::kFail);
  Try good = repeated.tries[0], late = good;
  good.standing = Standing::kOnTime;
  late.standing = Standing::kLate;
  repeated.tries.insert(repeated.tries.end(), {good, late, good, good});
  EXPECT_THAT(Learned(EmptyBaseline(), {{repeated}}), HasSubstr("seen: {pass: 3, fail: 1}"));
}

TEST(BaselineUpdate, AnOlderFileThatComesToVaryGetsTheNewerFormat) {
  const std::string text = Learned(kBaseline, {{Bun("timers/a", Verdict::kPass)}, {Bun("timers/a", Verdict::kFail)}});
  EXPECT_THAT(text, HasSubstr("\nformat: 2\n"));
  EXPECT_THAT(text, HasSubstr("    timers/a:\n      verdict: [pass, fail]\n      seen: {pass: 1, fail: 1}\n"
                              "      reason: Ticks run late.\n      link: https://example.org/1\n"));
}

TEST(BaselineUpdate, AFlowEntryThatComesToVaryIsWrittenInLines) {
  const std::string text =
      Learned(kBaseline, {{Bun("timers/b", Verdict::kPass)}, {Bun("timers/b", Verdict::kTimeout)}});
  EXPECT_THAT(text, HasSubstr("    # This one is not understood.\n    timers/b:\n      verdict: [pass, timeout]\n"
                              "      seen: {pass: 1, timeout: 1}\n      reason: never ends\n"));
}

TEST(BaselineUpdate, WhatVariesStaysUntilChanceIsExcluded) {
  const auto passes = [](size_t times) {
    return std::vector<std::vector<CaseResult>>(times, {Bun("timers/a", Verdict::kPass)});
  };
  EXPECT_EQ(Learned(kVarying, passes(20)), kVarying);
  EXPECT_EQ(Learned(kVarying, passes(100)), "format: 2\nknown:\n  bun >=1.4:\n");
  EXPECT_THAT(Learned(kVarying, {{Bun("timers/a", Verdict::kCrash)}}),
              HasSubstr("    timers/a:   # a race\n      verdict: [pass, fail, crash]\n"
                        "      seen: {pass: 7, fail: 3, crash: 1}\n      reason: Ticks run late.\n"));
}

Case MakeCase(const std::string& id, const std::string& family = "node", const std::string& clause = "") {
  const std::string head = clause.empty() ? "" : "clauses: [" + clause + "]\n";
  auto c = ParseCase(head + "program:\n  - timeout A 0\nexpect:\n  " + family + ": A\n", id, id);
  EXPECT_TRUE(c.ok()) << (c.ok() ? "" : c.error().ToString());
  return *c;
}

TEST(Gate, WordsForWhatRanAreFoldersWhereAllOfThemRan) {
  const std::vector<Case> catalogue{MakeCase("drain/a"),     MakeCase("drain/deep/b"), MakeCase("drain/deep/c"),
                                    MakeCase("timers/a"),    MakeCase("timers/b"),     MakeCase("timers/uv", "libuv"),
                                    MakeCase("rejections/a")};
  const auto words = [&](const std::vector<std::string>& ids) {
    std::vector<CaseResult> results;
    for (const std::string& id : ids) results.push_back(Bun(id, Verdict::kPass));
    return WordsForWhatRan(MakeSet(std::move(results)), catalogue);
  };
  using Words = std::vector<std::string>;
  EXPECT_EQ(words({"timers/a", "timers/b"}), (Words{"timers/"}));
  EXPECT_EQ(words({"timers/b", "drain/deep/b", "drain/deep/c"}), (Words{"drain/deep/", "timers/b"}));
  EXPECT_EQ(words({"drain/a", "drain/deep/b", "drain/deep/c", "timers/a", "timers/b", "rejections/a"}), Words{});
  EXPECT_EQ(words({"timers/b", "my own"}), (Words{"timers/b", "my own"}));
}

TEST(Gate, AFindingNamesTheClauseAndItsFirstSentence) {
  const std::vector<Case> catalogue{MakeCase("timers/c", "node", "timers.one")};
  auto report = Gate(MakeSet({Bun("timers/c", Verdict::kFail)}), Known("format: 1\n"), {}, kIds, {});
  ClauseList clauses;
  clauses.clauses.push_back({"timers.one", ClauseLevel::kMust, "", "Timers MUST run. Always.", "", 1});
  NameClauses(*report, catalogue, clauses);
  EXPECT_EQ(report->findings[0].clause, "timers.one");
  EXPECT_EQ(report->findings[0].sentence, "Timers MUST run.");
  // One that does not hold for the release would accuse an order that keeps it.
  report->findings[0].sentence.clear();
  report->findings[0].profile = "node@10.24.1";
  clauses.clauses[0].applies = "node · since node 11";
  NameClauses(*report, catalogue, clauses);
  EXPECT_EQ(report->findings[0].clause, "timers.one");
  EXPECT_EQ(report->findings[0].sentence, "");
}

// The baseline above, in which timers/a has got the name timers/c since.
Baseline WithARenamedCase(const std::string& text = kBaseline) {
  Baseline baseline = Known(text);
  RenamedIds renamed;
  renamed.cases["timers/a"] = {"timers/c", {}};
  Rename(baseline, renamed);
  return baseline;
}

TEST(Gate, AnEntryUnderAnOldIdCountsForTheNewOne) {
  const ResultSet set = MakeSet({Bun("timers/c", Verdict::kFail), Bun("timers/b", Verdict::kTimeout)});
  const Baseline baseline = WithARenamedCase();
  const auto report = Gate(set, baseline, {}, {"timers/b", "timers/c"}, {});
  ASSERT_TRUE(report.ok());
  EXPECT_EQ(report->totals, (std::map<GateKind, int64_t>{{GateKind::kAsKnown, 2}}));
  ASSERT_EQ(report->hints.size(), 2u);
  EXPECT_EQ(report->hints[0], "b.yaml:6:5: 'timers/a' was renamed to 'timers/c' (--update renames the entry)");
  EXPECT_EQ(GateJson(*report, baseline, {})["findings"][1]["known"]["renamed_from"], "timers/a");
}

TEST(BaselineUpdate, RenamesEntriesAndNothingElse) {
  const ResultSet set = MakeSet({Bun("timers/c", Verdict::kFail), Bun("timers/b", Verdict::kTimeout)});
  const auto update = UpdateBaseline(WithARenamedCase(), kBaseline, set, {"timers/b", "timers/c"});
  ASSERT_TRUE(update.ok());
  ASSERT_EQ(update->changes.size(), 2u);
  EXPECT_EQ(update->changes[0].renamed_from, "timers/a");
  EXPECT_EQ(update->changes[0].case_id, "timers/c");
  EXPECT_TRUE(update->comments_kept);
  std::string expected = kBaseline;
  for (size_t at = expected.find("timers/a"); at != std::string::npos; at = expected.find("timers/a")) {
    expected.replace(at, 8, "timers/c");
  }
  EXPECT_EQ(update->text, expected);
}

TEST(BaselineUpdate, AnOldIdInQuotesIsRenamedToo) {
  const std::string text = "format: 1\nknown:\n  bun: {'timers/a': {verdict: fail}, timers/b: {verdict: fail}}\n";
  const ResultSet set = MakeSet({Bun("timers/c", Verdict::kFail), Bun("timers/b", Verdict::kFail)});
  const auto update = UpdateBaseline(WithARenamedCase(text), text, set, {"timers/b", "timers/c"});
  ASSERT_TRUE(update.ok());
  EXPECT_THAT(update->text, HasSubstr("timers/c"));
  EXPECT_EQ(update->text.find("timers/a"), std::string::npos);
}

// Goal: no baseline can crash the parser or the editor, and what the editor writes can be read. Method: small changes
// of a good file, with a fixed seed.
TEST(BaselineFuzz, SurvivesMutation) {
  std::mt19937_64 random(7);
  const std::string bytes = "{}[]:#-'\" \n<>=@x1\t|>&*!%\x01\xff";
  int accepted = 0, refused = 0;
  for (int i = 0; i < 3000; ++i) {
    std::string text = i % 2 == 0 ? kBaseline : kVarying;
    for (size_t changes = 1 + random() % 3; changes > 0; --changes) {
      const size_t at = random() % text.size();
      if (random() % 3 == 0) {
        text.erase(at, 1 + random() % 9);
      } else {
        text.insert(at, 1, bytes[random() % bytes.size()]);
      }
    }
    const auto baseline = ParseBaseline(text, "b.yaml");
    if (!baseline.ok()) {
      EXPECT_GT(baseline.error().at.line, 0) << text;
      ++refused;
      continue;
    }
    ++accepted;
    const auto update = UpdateBaseline(
        *baseline, text, MakeSet({Bun("timers/a", Verdict::kPass), Bun("timers/c", Verdict::kFail)}), kIds);
    if (update.ok()) {
      EXPECT_TRUE(ParseBaseline(update->text, "b.yaml").ok()) << text << "\n->\n" << update->text;
    }
  }
  EXPECT_GT(accepted, 300);
  EXPECT_GT(refused, 300);
}

}  // namespace gate_test
}  // namespace conform::reports
