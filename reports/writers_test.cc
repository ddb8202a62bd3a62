#include "reports/writers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <random>

#include "reports/diff.h"
#include "reports/escape.h"
#include "reports/merge.h"
#include "reports/report_testing.h"
#include "runners/model/shard.h"

namespace conform::reports {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

// What a hostile adapter or a hostile file may say: markup of every format, ends of lines, and characters that steer.
constexpr char kHostile[] = "<img src=x onerror=alert(1)>\"'&]]>\n::error::x%0A|`*@team# SKIP\x1b[31m\x7f\xe2\x80\xae";

using Report = std::optional<Error> (*)(const ResultSet& set, const Knowledge& knowledge, const TextSink& out);
constexpr Report kTap = [](const ResultSet& set, const Knowledge& knowledge, const TextSink& out) {
  return TapReport(set, knowledge, out);
};
constexpr Report kMarkdown = [](const ResultSet& set, const Knowledge& knowledge, const TextSink& out) {
  return MarkdownReport(set, knowledge, out);
};
constexpr Report kGithub = [](const ResultSet& set, const Knowledge& knowledge, const TextSink& out) {
  return GithubAnnotations(
      set, [](const std::string& path) { return path; }, knowledge, out);
};
constexpr Report kReports[] = {JunitReport, kTap, kMarkdown, kGithub, JsonReport, CsvReport};

std::string Text(Report report, const ResultSet& set, const Knowledge& knowledge = {}) {
  std::string text;
  const auto error = report(set, knowledge, [&](std::string_view piece) -> std::optional<Error> {
    text += piece;
    return std::nullopt;
  });
  EXPECT_FALSE(error) << error->ToString();
  return text;
}

ResultSet HostileSet() {
  CaseResult result = MakeResult(kHostile, kHostile, Verdict::kFail);
  result.profile = result.reason = result.expected = result.reproduce = kHostile;
  result.tries[0].trace.events[0].label = kHostile;
  CaseResult skipped = MakeResult("skipped", kHostile, Verdict::kUnsupported);
  skipped.reason = kHostile;
  return MakeSet({result, skipped});
}

TEST(Escape, CleansWhatSteersATerminalOrAnEditor) {
  EXPECT_EQ(Cleaned("a\nb\tc\x1b[31m\x7f\xc2\x85\xe2\x80\xae\xff\xed\xa0\x80"), "a b c?[31m???????");
  EXPECT_EQ(Cleaned("größer → 日本"), "größer → 日本");
}

TEST(Escape, LeavesNothingOfAFormat) {
  EXPECT_EQ(XmlEscaped("<a b='\"'>&"), "&lt;a b=&#39;&quot;&#39;&gt;&amp;");
  EXPECT_EQ(MarkdownCode("a`|b``c"), "```a`|b``c```");
  EXPECT_EQ(MarkdownCell("a|b\\|c"), "`a\\|b∖\\|c`");
  EXPECT_EQ(MarkdownCode("`"), "`` ` ``");
  EXPECT_EQ(GithubProperty("a:b,c%\n"), "a%3Ab%2Cc%25 ");
  EXPECT_EQ(GithubMessage("a\nb%"), "a%0Ab%25");
  EXPECT_EQ(TapEscaped("a # SKIP \\"), "a \\# SKIP \\\\");
}

TEST(Csv, QuotesWhatWouldEndACellAndDisarmsFormulas) {
  CaseResult result = MakeResult("x", "=cmd()", Verdict::kFail, "B A");
  result.reason = "a \"b\", c";
  const std::string text = Text(CsvReport, MakeSet({result}));
  EXPECT_THAT(text, StartsWith("case,implementation,profile,verdict,reason,expected,observed,reproduce\nx,'=cmd(),"));
  EXPECT_THAT(text, HasSubstr(",fail,\"a \"\"b\"\", c\","));
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 2);
}

TEST(Writers, NothingHostileSurvives) {
  const ResultSet set = HostileSet();
  for (const std::string& text : {Text(JunitReport, set), BadgeSvg(set)}) {
    EXPECT_THAT(text, Not(HasSubstr("<img")));
    EXPECT_THAT(text, Not(HasSubstr("\x1b")));
  }
  // Outside of code there is nothing but our own words.
  for (const std::string& line : Split(Text(kMarkdown, set), '\n')) {
    std::string outside;
    for (size_t at = 0; at < line.size();) {
      const size_t open = line.find('`', at), inside = line.find_first_not_of('`', open);
      outside += line.substr(at, open - at);
      if (open == line.npos || inside == line.npos) break;
      const size_t close = line.find(line.substr(open, inside - open), inside);
      ASSERT_NE(close, line.npos) << line;
      at = close + (inside - open);
    }
    EXPECT_THAT(outside, Not(HasSubstr("team"))) << line;
    EXPECT_FALSE(line.starts_with("::")) << line;
  }
  for (const std::string& line : Split(Text(kTap, set), '\n')) {
    if (line.starts_with("not ok")) {
      EXPECT_THAT(line, Not(HasSubstr(" # SKIP")));
    }
  }
  const std::string commands = Text(kGithub, set);
  EXPECT_EQ(Split(commands, '\n').size(), 2u) << commands;  // one command, and the end
  EXPECT_EQ(nlohmann::json::parse(Text(JsonReport, set))["results"].size(), 2u);
}

// Goal: whatever a results file holds, every report can be written of what is read. Method: small changes of a good
// file, with a fixed seed.
TEST(Writers, SurviveWhateverCanBeRead) {
  std::mt19937_64 random(11);
  RunResults good;
  good.run.conform = "0.1.0";
  good.run.planned = 2;
  good.complete = true;
  good.results = {MakeResult("t/a", "x@1", Verdict::kFail, "B A"), MakeResult("t/b", "x@1", Verdict::kPass)};
  const std::string text = ResultsText(good);
  const std::string bytes = "{}[]\",:0-\\ un<>&'`|#";
  int accepted = 0;
  for (int i = 0; i < 1500; ++i) {
    std::string changed = text;
    for (size_t changes = 1 + random() % 2; changes > 0; --changes) {
      changed[random() % changed.size()] = bytes[random() % bytes.size()];
    }
    auto read = ParseResults(changed, "r.jsonl");
    if (!read) continue;
    const auto set = ResultSet::Of({{"r.jsonl", std::move(*read)}});
    if (!set) continue;
    ++accepted;
    for (const Report report : kReports) EXPECT_EQ(Text(report, *set).find('\0'), std::string::npos);
    for (const std::string& one : {BadgeSvg(*set), BadgeJson(*set)}) EXPECT_EQ(one.find('\0'), one.npos);
    Compare(*set, *set);
  }
  EXPECT_GT(accepted, 200);
}

// Goal: no failure is without its clause, whoever reads it. Method: every format in which failures are read.
TEST(Writers, AFailureNamesItsClauseAndQuotesItWhereItHolds) {
  ResultSet set = MakeSet({MakeResult("timers/c", "bun@1.4.4", Verdict::kFail, "A", "B")});
  Catalogue catalogue;
  catalogue.cases.resize(1);
  catalogue.cases[0].id = "timers/c";
  catalogue.cases[0].content_hash = ContentHash("timers/c");
  catalogue.cases[0].clauses = {"timers.one", "timers.two"};
  ClauseList clauses;
  clauses.clauses.push_back({"timers.one", ClauseLevel::kMust, "", "Timers MUST run. Always.", "", 1});
  set.Describe(catalogue, clauses);
  for (const Report report : {Report{JunitReport}, kTap, kGithub}) {
    const std::string text = Text(report, set);
    EXPECT_THAT(text, HasSubstr("timers.one: Timers MUST run."));
    EXPECT_THAT(text, Not(HasSubstr("Always")));
  }
  EXPECT_THAT(Text(kMarkdown, set), HasSubstr("`timers.one`"));
  clauses.clauses[0].applies = "node · since node 99";
  set.Describe(catalogue, clauses);
  EXPECT_EQ(set.ClauseOf(set.results()[0]).Text(), "timers.one");
}

TEST(Junit, TellsFailureErrorAndSkippedApart) {
  const std::string text = Text(
      JunitReport, MakeSet({MakeResult("t/a", "x", Verdict::kPass), MakeResult("t/b", "x", Verdict::kFail, "B A"),
                            MakeResult("t/c", "x", Verdict::kCrash), MakeResult("t/d", "x", Verdict::kUnsupported)}));
  EXPECT_THAT(text, HasSubstr("tests=\"4\" failures=\"1\" errors=\"1\" skipped=\"1\""));
  EXPECT_THAT(text, HasSubstr("<failure type=\"fail\" message=\"first difference at 1: observed B, expected A\">"));
  EXPECT_THAT(text, HasSubstr("<error type=\"crash\""));
  EXPECT_THAT(text, HasSubstr("<skipped message=\"unsupported"));
}

TEST(Junit, AClassIsNamedAfterTheImplementationAndTheFolder) {
  EXPECT_THAT(Text(JunitReport, MakeSet({MakeResult("t/deep/a", "bun@1.4.4", Verdict::kPass)})),
              HasSubstr("classname=\"bun@1.4.4.t.deep\" name=\"t/deep/a\""));
  CaseResult other = MakeResult("t/a", "ref", Verdict::kPass);
  other.profile = "node@10.24.1";
  const std::string both = Text(JunitReport, MakeSet({MakeResult("t/a", "ref", Verdict::kPass), other}));
  EXPECT_THAT(both, HasSubstr("classname=\"ref as node@10.24.1.t\""));
  EXPECT_THAT(both, HasSubstr("classname=\"ref as node@24.21.0.t\""));
}

// Results against a baseline: one passes, one is known, one varies, one is new, one was supported before.
struct AgainstABaseline : testing::Test {
  AgainstABaseline() {
    auto parsed = ParseBaseline(
        "format: 2\nknown:\n  x:\n"
        "    t/known: {verdict: fail, reason: <why>, link: 'https://example.org/1'}\n"
        "    t/race: {verdict: [pass, fail], seen: {pass: 7, fail: 3}}\n",
        "b.yaml");
    baseline = std::move(*parsed);
    knowledge = *Knowledge::Of(set, baseline);
  }
  ResultSet set =
      MakeSet({MakeResult("t/good", "x", Verdict::kPass), MakeResult("t/known", "x", Verdict::kFail, "B A"),
               MakeResult("t/race", "x", Verdict::kFail, "B A"), MakeResult("t/new", "x", Verdict::kFail, "B A"),
               MakeResult("t/lost", "x", Verdict::kUnsupported)});
  Baseline baseline;
  Knowledge knowledge;
};

TEST_F(AgainstABaseline, JunitFailsWhatIsNewAlone) {
  const std::string text = Text(JunitReport, set, knowledge);
  EXPECT_THAT(text, HasSubstr("tests=\"5\" failures=\"2\" errors=\"0\" skipped=\"2\""));
  EXPECT_THAT(text, HasSubstr("<skipped message=\"fail: known deviation: &lt;why&gt; https://example.org/1\"/>"));
  EXPECT_THAT(text, HasSubstr("<skipped message=\"fail: varies: pass (7 times) or fail (3 times)\"/>"));
  EXPECT_THAT(text, HasSubstr("<failure type=\"unsupported\""));
}

TEST_F(AgainstABaseline, TapExpectsWhatIsKnownToFail) {
  const std::string text = Text(kTap, set, knowledge);
  EXPECT_THAT(text, HasSubstr("TAP version 13\n1..5\n"));
  EXPECT_THAT(text, HasSubstr(" - t/known on x as node@24.21.0 # TODO fail: known deviation: <why>"));
  EXPECT_THAT(text, HasSubstr(" - t/race on x as node@24.21.0 # TODO fail: varies: "));
  EXPECT_THAT(text, HasSubstr("not ok 4 - t/new on x as node@24.21.0\n"));
}

TEST_F(AgainstABaseline, MarkdownAndAnnotationsShowWhatIsNewFirst) {
  const std::string text = Text(kMarkdown, set, knowledge);
  EXPECT_THAT(text, HasSubstr("**2 new**, 2 known, 0 improved\n"));
  const size_t fresh = text.find("What is new (2)"), known = text.find("Known deviations (2)");
  EXPECT_LT(fresh, known);
  EXPECT_THAT(text.substr(fresh, known - fresh), Not(HasSubstr("t/known")));
  const std::string commands = Text(kGithub, set, knowledge);
  EXPECT_THAT(commands, HasSubstr("t/new"));
  EXPECT_THAT(commands, HasSubstr("t/lost"));
  EXPECT_THAT(commands, Not(HasSubstr("t/known")));
  EXPECT_THAT(commands, HasSubstr("::notice title=conform::2 known deviations\n"));
}

TEST_F(AgainstABaseline, MarkdownKeepsWhatIsUndecidedApartFromWhatIsNew) {
  CaseResult late = MakeResult("t/late", "x", Verdict::kInconclusive, "B A");
  late.reason = "late on each of 5 tries";
  late.basis = Basis::kProof;
  CaseResult fresh = MakeResult("t/new", "x", Verdict::kFail, "B A");
  fresh.basis = Basis::kProof;
  const ResultSet with_late = MakeSet({late, fresh});
  const auto known_now = Knowledge::Of(with_late, baseline);
  ASSERT_TRUE(known_now);
  const std::string text = Text(kMarkdown, with_late, *known_now);
  EXPECT_THAT(text, HasSubstr("**1 new**, 0 known, 0 improved\n"));
  EXPECT_THAT(text, HasSubstr("What is new (1)"));
  EXPECT_THAT(text, HasSubstr("Not decided (1)"));
  EXPECT_THAT(text, HasSubstr("decided 1 by proof"));
}

TEST(Tap, BailsOutOfARunThatWasCutShort) {
  auto source = MakeSource({MakeResult("a", "x", Verdict::kPass)});
  source.results.complete = false;
  const auto set = ResultSet::Of({source});
  EXPECT_EQ(Text(kTap, *set),
            "TAP version 13\n1..1\nok 1 - a on x as node@24.21.0\nBail out! r.jsonl: cut short, with "
            "1 of 1 results\n");
  EXPECT_THAT(Text(JunitReport, *set), HasSubstr("<error type=\"incomplete\""));
  EXPECT_THAT(BadgeJson(*set), HasSubstr("\"message\":\"incomplete\""));
}

// Goal: what is read again when it is written is what would have been held. Method: files whose results are out of
// order, with several implementations, profiles and verdicts, and ids that were changed since.
TEST(Writers, WriteTheSameOfResultsThatAreNotHeld) {
  std::vector<CaseResult> one, two;
  for (const char* id : {"t/c", "t/a", "t/old"}) {
    for (const char* profile : {"node@24.21.0", "node@10.24.1"}) {
      for (const Verdict verdict : {Verdict::kFail, Verdict::kPass}) {
        one.push_back(MakeResult(id, verdict == Verdict::kPass ? "x@1" : "y@2", verdict, "B A"));
        one.back().profile = profile;
      }
    }
    two.push_back(MakeResult(id, "z@3", Verdict::kUnsupported));
    two.push_back(MakeResult(id, "w@4", Verdict::kInconclusive, "A\nB"));
    two.back().reason = kHostile;
  }
  two[1].tries[0].trace.events[0].t_ns = 1'500'000;
  auto cut = MakeSource(two, "two.jsonl");
  cut.results.complete = false;
  const ResultFiles files({MakeSource(one, "one.jsonl"), cut});
  const auto renamed = ParseRenamed("cases:\n  t/old: t/now\n", "renamed.yaml");
  const auto baseline = ParseBaseline("format: 1\nknown:\n  y:\n    t/a: {verdict: fail, reason: why}\n", "b.yaml");
  ASSERT_TRUE(renamed.ok() && baseline.ok());
  const auto held = ResultSet::Read(files.paths(), *renamed);
  const auto skimmed = ResultSet::Skim(files.paths(), *renamed, Knowledge::Matters(*baseline));
  const auto bare = ResultSet::Skim(files.paths(), *renamed, [](const CaseResult&) { return false; });
  ASSERT_TRUE(held.ok() && skimmed.ok() && bare.ok());
  EXPECT_EQ(held->results().size(), 18u);
  EXPECT_EQ(skimmed->results().size(), 14u);  // what does not pass, and t/a
  EXPECT_TRUE(bare->results().empty());
  const Knowledge of_held = *Knowledge::Of(*held, *baseline), of_skimmed = *Knowledge::Of(*skimmed, *baseline);
  for (const Report report : kReports) {
    EXPECT_EQ(Text(report, *bare), Text(report, *held));
    EXPECT_EQ(Text(report, *skimmed, of_skimmed), Text(report, *held, of_held));
  }
}

TEST(Writers, SayThatAFileWasChangedInBetween) {
  const ResultFiles files({MakeSource({MakeResult("a", "x", Verdict::kPass), MakeResult("b", "x", Verdict::kPass)})});
  const auto set = ResultSet::Skim(files.paths(), {}, [](const CaseResult&) { return false; });
  ASSERT_TRUE(set.ok());
  const ResultSet::Source other =
      MakeSource({MakeResult("c", "x", Verdict::kPass), MakeResult("b", "x", Verdict::kPass)});
  ASSERT_FALSE(WriteWholeFile(files.paths()[0], ResultsText(other.results)));
  const auto ignore = [](std::string_view) -> std::optional<Error> { return std::nullopt; };
  const auto error = CsvReport(*set, {}, ignore);
  ASSERT_TRUE(error);
  EXPECT_EQ(files.WithoutFolder(error->ToString()), "r.jsonl: was changed while it was read");
  ASSERT_FALSE(WriteWholeFile(files.paths()[0], "short"));
  EXPECT_TRUE(CsvReport(*set, {}, ignore));
}

TEST(Markdown, FitsAComment) {
  std::vector<CaseResult> results;
  for (int i = 0; i < 3000; ++i) {
    results.push_back(MakeResult("case/" + std::to_string(i), "x" + std::to_string(i % 500), Verdict::kFail, "B A"));
  }
  const std::string text = Text(kMarkdown, MakeSet(std::move(results)));
  EXPECT_LE(text.size(), kMaxCommentBytes);
  EXPECT_GT(text.size(), kMaxCommentBytes / 2);
  EXPECT_THAT(text, HasSubstr(" more in the results files"));
}

std::string Lines(const Order& before, const Order& after, size_t width = 80) {
  std::string out;
  for (const AlignedLines& lines : AlignmentLines(AlignOrders(before, after), width)) {
    out += lines.before + "\n" + lines.after + "\n";
  }
  return out;
}

TEST(Alignment, ShowsTheLabelThatMoved) {
  EXPECT_EQ(Lines({"A", "B", "T", "P"}, {"A", "T", "P", "B"}), "A [B] T P ·\nA ·   T P [B]\n");
  EXPECT_EQ(Lines({"A", "B"}, {"A", "B"}), "A B\nA B\n");
  EXPECT_EQ(Lines({}, {"A"}), "·\n[A]\n");
}

TEST(Alignment, CountsLabelsInARow) {
  Order before(1000, "M"), after(1024, "M");
  before.emplace_back("I");
  before.insert(before.end(), 500, "M");
  after.emplace_back("I");
  after.insert(after.end(), 476, "M");
  EXPECT_EQ(Lines(before, after), "M{1000} [I] M{24} ·   M{476}\nM{1000} ·   M{24} [I] M{476}\n");
}

TEST(Alignment, BreaksLinesInTheSamePlaces) {
  EXPECT_EQ(Lines({"AAAA", "B", "CC"}, {"AAAA", "CC", "D"}, 8), "AAAA [B]\nAAAA ·\nCC ·\nCC [D]\n");
}

TEST(Alignment, OfVeryLongOrdersIsBounded) {
  Order before, after;
  for (int i = 0; i < 100'000; ++i) before.push_back("a" + std::to_string(i)), after.push_back("b" + std::to_string(i));
  EXPECT_EQ(AlignOrders(before, after).size(), 200'000u);
}

TEST(Diff, TellsNewGoneAndChangedCasesFromChangedBehaviour) {
  CaseResult changed = MakeResult("d", "x@2", Verdict::kFail, "B A");
  changed.content_hash = "another";
  const ResultSet before = MakeSet({MakeResult("a", "x@1", Verdict::kPass), MakeResult("b", "x@1", Verdict::kPass),
                                    MakeResult("c", "x@1", Verdict::kPass), MakeResult("d", "x@1", Verdict::kPass),
                                    MakeResult("f", "x@1", Verdict::kFail, "B")});
  const ResultSet after =
      MakeSet({MakeResult("a", "x@2", Verdict::kPass, "B A"), MakeResult("b", "x@2", Verdict::kFail, "B A"), changed,
               MakeResult("e", "x@2", Verdict::kPass), MakeResult("f", "x@2", Verdict::kFail, "A")});
  const Diff diff = Compare(before, after);
  std::vector<std::string> found;
  for (const DiffEntry& entry : diff.entries)
    found.push_back(entry.case_id + " " + std::string(DiffKindName(entry.kind)));
  EXPECT_EQ(found, (std::vector<std::string>{"b verdict", "c gone", "d case-changed", "e new", "f order"}));
  EXPECT_EQ(diff.same, 1);  // two orders that one expectation covers
  EXPECT_TRUE(diff.differs());
}

// Goal: of files that are read twice, with passes that are the same left out, the differences are those of the whole.
// Method: passes under one and several profiles, with and without a twin, and an expectation that has changed.
TEST(Diff, OfFilesIsThatOfAllTheirResults) {
  const auto as = [](CaseResult result, const std::string& profile) {
    result.profile = profile;
    return result;
  };
  const std::vector<ResultSet::Source> sides{
      MakeSource({as(MakeResult("a", "x@1", Verdict::kPass), "p@1"), as(MakeResult("b", "x@1", Verdict::kPass), "p@1"),
                  as(MakeResult("b", "x@1", Verdict::kPass), "p@2"), MakeResult("c", "x@1", Verdict::kPass),
                  MakeResult("d", "x@1", Verdict::kPass, "A B", "A B"), MakeResult("e", "x@1", Verdict::kPass),
                  as(MakeResult("f", "x@1", Verdict::kPass), "p@1"), as(MakeResult("f", "x@1", Verdict::kPass), "p@2")},
                 "1.jsonl"),
      MakeSource({as(MakeResult("a", "x@2", Verdict::kPass), "p@2"), as(MakeResult("b", "x@2", Verdict::kPass), "p@1"),
                  as(MakeResult("b", "x@2", Verdict::kFail, "B A"), "p@2"), MakeResult("c", "x@2", Verdict::kPass),
                  MakeResult("d", "x@2", Verdict::kPass, "B A", "A & B"),
                  as(MakeResult("f", "x@2", Verdict::kPass), "p@1"), as(MakeResult("f", "x@2", Verdict::kPass), "p@3")},
                 "2.jsonl")};
  const ResultFiles files(sides);
  const auto compared = CompareFiles(files.paths()[0], files.paths()[1], {});
  ASSERT_TRUE(compared.ok()) << compared.error().ToString();
  const ResultSet before = std::move(ResultSet::Of({sides[0]})).value(),
                  after = std::move(ResultSet::Of({sides[1]})).value();
  const Diff whole = Compare(before, after);
  EXPECT_EQ(DiffJson(compared->diff), DiffJson(whole));
  EXPECT_EQ(whole.same, 4);
  EXPECT_EQ(whole.entries.size(), 5u);
  EXPECT_LT(compared->before.results().size() + compared->after.results().size(), 10u);
}

TEST(Diff, WhatIsUndecidedIsNotKnownToDiffer) {
  const Diff diff = Compare(MakeSet({MakeResult("a", "x", Verdict::kPass)}),
                            MakeSet({MakeResult("a", "y", Verdict::kInconclusive, "B A")}));
  ASSERT_EQ(diff.entries.size(), 1u);
  EXPECT_EQ(diff.entries[0].kind, DiffKind::kUndecided);
  EXPECT_FALSE(diff.differs());
}

// The parts of a run with nine results, as `conform run --shard` would have written them.
std::vector<ResultSet::Source> Parts(int of) {
  PlanDigest digest;
  std::vector<ResultSet::Source> parts;
  for (int part = 1; part <= of; ++part) {
    parts.push_back(MakeSource({}, std::to_string(part) + ".jsonl"));
    parts.back().results.run.shard = Shard{part, of}.ToString();
    parts.back().results.run.arguments = {"--impl=x", "--shard", std::to_string(part) + "/" + std::to_string(of)};
    parts.back().results.run.catalogue = "catalogue";
  }
  for (size_t i = 0; i < 9; ++i) {
    const CaseResult result = MakeResult("c" + std::to_string(i), "x", Verdict::kPass);
    digest.Add(result);
    RunResults& results = parts[ShardHolding(i, of)].results;
    results.results.push_back(result);
    ++results.run.planned;
  }
  for (auto& part : parts) part.results.run.plan = digest.ToString();
  return parts;
}

std::string MergeError(const std::vector<ResultSet::Source>& parts) {
  const ResultFiles files(parts);
  const auto whole = MergedParts::Of(files.paths());
  return whole.ok() ? "" : files.WithoutFolder(whole.error().ToString());
}

TEST(Merge, PutsResultsInTheOrderOfTheWhole) {
  std::vector<ResultSet::Source> parts = Parts(4);
  std::swap(parts[0], parts[2]);
  const ResultFiles files(parts);
  const auto merged = MergedParts::Of(files.paths());
  ASSERT_TRUE(merged.ok()) << merged.error().ToString();
  std::string text;
  EXPECT_FALSE(merged->WriteTo([&](std::string_view line) {
    text += line;
    return std::nullopt;
  }));
  const auto whole = ParseResults(text, "r");
  ASSERT_TRUE(whole.ok()) << whole.error().ToString();
  EXPECT_TRUE(whole->complete);
  ASSERT_EQ(whole->results.size(), 9u);
  for (size_t i = 0; i < 9; ++i) EXPECT_EQ(whole->results[i].case_id, "c" + std::to_string(i));
  EXPECT_EQ(whole->run.shard, "");
  EXPECT_EQ(whole->run.planned, 9);
  EXPECT_EQ(whole->run.command, "conform run --impl=x");
}

TEST(Merge, RefusesWhatIsNotAllPartsOfOneRun) {
  const std::vector<ResultSet::Source> parts = Parts(3);
  EXPECT_EQ(MergeError({parts[0], parts[2]}), "the part 2/3 is missing");
  EXPECT_EQ(MergeError({parts[0], parts[1], parts[2], parts[1]}), "2.jsonl: is part 2/3, and so is 2.jsonl");
  EXPECT_EQ(MergeError({parts[0], Parts(2)[1], parts[2]}), "2.jsonl: is one of 2 parts, and 1.jsonl one of 3");
  const auto changed = [&](const auto& change) {
    std::vector<ResultSet::Source> all = parts;
    change(all[1].results);
    return MergeError(all);
  };
  EXPECT_EQ(changed([](RunResults& r) { r.run.conform = "0.2.0"; }),
            "2.jsonl: written by another version of conform: 0.2.0, and 0.1.0 in 1.jsonl");
  EXPECT_THAT(changed([](RunResults& r) { r.run.catalogue = "other"; }), HasSubstr("run on another catalogue"));
  EXPECT_THAT(changed([](RunResults& r) { r.run.plan = "other"; }), HasSubstr("a part of another plan"));
  EXPECT_THAT(changed([](RunResults& r) { r.run.arguments.emplace_back("--repeat=2"); }), HasSubstr("other options"));
  EXPECT_THAT(changed([](RunResults& r) {
                r.run.implementations.push_back({"x", "2", "", {}});
              }),
              HasSubstr("run on other implementations"));
  EXPECT_THAT(changed([](RunResults& r) { r.complete = false; }), HasSubstr("2.jsonl: cut short, with 3 of 3"));
  EXPECT_THAT(changed([](RunResults& r) { r.run.shard.clear(); }), HasSubstr("is a whole run, not a part of one"));
  EXPECT_THAT(changed([](RunResults& r) { r.results[0].case_id = "other"; }),
              HasSubstr("do not contain what was planned"));
}

}  // namespace
}  // namespace conform::reports
