#include "reports/html/report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "reports/behaviours.h"
#include "reports/html/allowed.h"
#include "reports/html/assets.h"
#include "reports/html/data.h"
#include "reports/html/page.h"
#include "reports/html/sha256.h"
#include "reports/html/traces.h"
#include "reports/report_testing.h"
#include "runners/model/op_table.h"

namespace conform::reports {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using Json = nlohmann::ordered_json;

constexpr char kHostile[] = "</script><img src=x onerror=alert(1)>&\xE2\x80\xA8'\"";

const ClauseList& NoClauses() {
  static const ClauseList none;
  return none;
}

HtmlInput InputOf(const ResultSet& set) { return {set, NoClauses(), {}, {}, "1.2.3"}; }

size_t CountOf(const std::string& text, const std::string& part) {
  size_t count = 0;
  for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

TEST(Sha256, IsThatOfTheStandard) {
  // The examples that FIPS 180 is tested with: one block, and two.
  EXPECT_EQ(PolicyHash("abc"), "sha256-ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0=");
  EXPECT_EQ(PolicyHash("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
            "sha256-JI1qYdIGOLjlwCaTDD5gOaM85Flk/yFn9uzt1BnbBsE=");
  EXPECT_EQ(PolicyHash(""), "sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=");
}

TEST(ScriptJson, HoldsNothingThatHtmlReads) {
  const std::string text = ScriptJson({{"label", kHostile}, {"broken", "\xFF"}});
  EXPECT_THAT(text, Not(HasSubstr("<")));
  EXPECT_THAT(text, Not(HasSubstr(">")));
  EXPECT_THAT(text, Not(HasSubstr("&")));
  for (const char c : text) EXPECT_TRUE(c >= ' ' && c <= '~') << text;
  EXPECT_EQ(Json::parse(text)["label"], kHostile);
  EXPECT_EQ(Json::parse(text)["broken"], "\xEF\xBF\xBD");
}

TEST(PageText, KeepsAHostileTitleAsText) {
  const std::string page = PageText({kHostile, "../", false, {{"case", kHostile}}});
  EXPECT_THAT(page, Not(HasSubstr("<img")));
  EXPECT_THAT(page, HasSubstr("<title>&lt;/script&gt;&lt;img src=x onerror=alert(1)&gt;&amp;"));
  EXPECT_EQ(CountOf(page, "<script"), CountOf(page, "</script>"));
}

TEST(PageText, OfOneFileLetsOnlyItsOwnScriptAndStyleIn) {
  const std::string page = PageText({"x", "", true, {}});
  EXPECT_THAT(page, HasSubstr("script-src '" + PolicyHash(HtmlScript()) + "'"));
  EXPECT_THAT(page, HasSubstr("style-src '" + PolicyHash(HtmlStyle()) + "'"));
  EXPECT_THAT(page, HasSubstr("<script>" + HtmlScript() + "</script>"));
  EXPECT_THAT(page, Not(HasSubstr("unsafe")));
  EXPECT_THAT(page, Not(HasSubstr("<script src=")));
  EXPECT_THAT(page, Not(HasSubstr("stylesheet")));
  // Either would end its element early.
  EXPECT_THAT(HtmlScript(), Not(HasSubstr("</script")));
  EXPECT_THAT(HtmlStyle(), Not(HasSubstr("</style")));
}

TEST(TraceTable, FoldsRepetitionsAndKeepsEqualTracesOnce) {
  Trace trace;
  for (int i = 0; i < 1000; ++i) trace.events.push_back({"T", {}, 1, "ticks", "ticks.until-empty"});
  trace.events.push_back({"A", 17, {}, "", ""});
  TraceTable table;
  EXPECT_EQ(table.Add(trace), 0u);
  trace.events.back().t_ns = 18;
  EXPECT_EQ(table.Add(trace), 0u);
  trace.events.pop_back();
  EXPECT_EQ(table.Add(trace), 1u);
  EXPECT_EQ(table.ToJson()[0].dump(), R"({"events":[["T",1000,1,"ticks","ticks.until-empty"],["A",1]]})");
}

TEST(TraceTable, SaysHowMuchItCut) {
  Trace trace;
  for (int i = 0; i < 1000; ++i) trace.events.push_back({i % 2 == 0 ? "A" : "B", {}, {}, "", ""});
  TraceTable table;
  table.Add(trace);
  EXPECT_EQ(table.ToJson()[0]["events"].size(), TraceTable::kMaxEvents);
  EXPECT_EQ(table.ToJson()[0]["cut"], 1000 - TraceTable::kMaxEvents);
}

TEST(Behaviours, AreEqualWhereOrdersAreOrWhereOneExpectationCoversBoth) {
  Behaviours behaviours;
  EXPECT_EQ(behaviours.Add(MakeResult("x", "a", Verdict::kPass, "A B", "A & B")), 0);
  EXPECT_EQ(behaviours.Add(MakeResult("x", "b", Verdict::kPass, "B A", "A & B")), 0);
  EXPECT_EQ(behaviours.Add(MakeResult("x", "c", Verdict::kFail, "C", "A & B")), 1);
  EXPECT_EQ(behaviours.Add(MakeResult("x", "d", Verdict::kFail, "A B", "B")), 0);
  EXPECT_EQ(behaviours.Add(MakeResult("x", "e", Verdict::kUnsupported)), Behaviours::kNone);
  EXPECT_THAT(behaviours.Texts(), ElementsAre("A B | B A", "C"));
}

TEST(Shortened, BreaksNoCharacter) {
  EXPECT_EQ(Shortened("abc", 3), "abc");
  EXPECT_EQ(Shortened("aéb", 2), "a…");
}

TEST(PageNames, AreFileNamesWhateverTheIdsAre) {
  const ResultSet set =
      MakeSet({MakeResult("../../x y", "a", Verdict::kPass), MakeResult("drain/x", "a", Verdict::kPass),
               MakeResult("DRAIN/x", "a", Verdict::kPass)});
  EXPECT_THAT(PageNames(set), ElementsAre("case......x.y.html", "DRAIN.x.html", "drain.x~2.html"));
}

TEST(Page, DrawsTheLaneOfEveryStep) {
  for (const OpShape& shape : AllShapes()) {
    if (shape.lane.empty()) continue;
    EXPECT_THAT(std::string(kHtmlScriptSource), HasSubstr("\n  ['" + shape.lane + "', '")) << OpName(shape.op);
  }
}

TEST(IndexData, ShowsTheWorstOfSeveralProfilesAndNoCellWithoutAResult) {
  CaseResult other = MakeResult("x", "a", Verdict::kFail, "B A");
  other.profile = "node@10.24.1";
  const ResultSet set = MakeSet({MakeResult("x", "a", Verdict::kPass), other, MakeResult("y", "b", Verdict::kPass)});
  const Json data = IndexData(InputOf(set), PageNames(set));
  EXPECT_EQ(data["cases"][0]["cells"].dump(), "[[1,0,1],null]");
  EXPECT_EQ(data["cases"][1]["cells"].dump(), "[null,[0,0]]");
  EXPECT_EQ(data["conform"], "1.2.3");
  EXPECT_FALSE(data.contains("survey"));
}

TEST(CaseData, AsksForAllowedOrdersOnceForAllThatPassAndUnderTheVeryProfileOtherwise) {
  Case c;
  c.id = "x";
  CaseResult later = MakeResult("x", "b", Verdict::kPass);
  later.profile = "node@22.0.0";
  CaseResult failed = MakeResult("x", "c", Verdict::kFail, "B A");
  failed.profile = "node@20.0.0";
  ResultSet set = MakeSet({MakeResult("x", "a", Verdict::kPass), later, failed});
  c.content_hash = set.cases()[0].hash;
  Catalogue catalogue;
  catalogue.cases = {c};
  set.Describe(catalogue);
  std::vector<std::string> asked;
  HtmlInput input = InputOf(set);
  input.allowed.emplace_back();
  for (const AllowedQuestion& question : AllowedQuestionsOf(set, 0)) {
    asked.push_back(question.profile + " " + OrderToString(question.near.at(0)));
    input.allowed[0].push_back(AllowedOrders{{Trace{{{"A", {}, 1, "check", ""}}}}, 7, true});
  }
  const Json data = CaseData(input, 0, PageNames(set));
  EXPECT_THAT(asked, ElementsAre("node@24.21.0 A B", "node@20.0.0 B A"));
  EXPECT_EQ(data["results"][1]["allowed"], 0);
  EXPECT_EQ(data["results"][2]["allowed"], 1);
  EXPECT_EQ(data["allowed"][1]["total"], 7);
  EXPECT_EQ(data["allowed"][1]["atLeast"], true);
}

TEST(CaseData, TellsOnceWhatAnImplementationDidUnderSeveralProfiles) {
  CaseResult other = MakeResult("x", "ref", Verdict::kPass);
  other.profile = "node@10.24.1";
  const ResultSet set = MakeSet({MakeResult("x", "ref", Verdict::kPass), other});
  const Json data = CaseData(InputOf(set), 0, PageNames(set));
  ASSERT_EQ(data["results"].size(), 1u);
  EXPECT_EQ(data["results"][0]["profiles"].dump(), R"(["node@24.21.0","node@10.24.1"])");
  EXPECT_FALSE(data.contains("known"));
}

TEST(WriteHtmlFolder, RefusesAFolderThatHoldsAnythingElse) {
  const std::string folder = ::testing::TempDir() + "/conform-html-test";
  std::filesystem::remove_all(folder);
  std::filesystem::create_directories(folder);
  std::ofstream(folder + "/thesis.txt") << "x";
  const ResultSet set = MakeSet({MakeResult("x", "a", Verdict::kPass)});
  const auto error = WriteHtmlFolder(InputOf(set), folder);
  ASSERT_TRUE(error.has_value());
  EXPECT_THAT(error->message, HasSubstr("thesis.txt"));
  std::filesystem::remove(folder + "/thesis.txt");
  EXPECT_FALSE(WriteHtmlFolder(InputOf(set), folder).has_value());
  EXPECT_TRUE(std::filesystem::exists(folder + "/cases/x.html"));
  // A second report leaves no page of the first.
  const ResultSet next = MakeSet({MakeResult("y", "a", Verdict::kPass)});
  EXPECT_FALSE(WriteHtmlFolder(InputOf(next), folder).has_value());
  EXPECT_FALSE(std::filesystem::exists(folder + "/cases/x.html"));
  EXPECT_TRUE(std::filesystem::exists(folder + "/cases/y.html"));
  // Neither does it take what somebody has put among the pages, or a start page that is not its own.
  for (const std::string name : {"cases/thesis.txt", "cases/more", ".hidden"}) {
    std::filesystem::create_directory(folder + "/" + name);
    const auto refused = WriteHtmlFolder(InputOf(next), folder);
    ASSERT_TRUE(refused.has_value()) << name;
    EXPECT_THAT(refused->message, HasSubstr("holds '" + name + "'"));
    EXPECT_TRUE(std::filesystem::remove(folder + "/" + name)) << name;
  }
  // What a report that was killed left behind is not in the way.
  std::filesystem::create_directories(folder + "/.conform-new/cases");
  EXPECT_FALSE(WriteHtmlFolder(InputOf(next), folder).has_value());
  EXPECT_FALSE(std::filesystem::exists(folder + "/.conform-new"));
  const std::string mine = "<!doctype html>\n<title>My site</title>\n";
  std::ofstream(folder + "/index.html") << mine;
  EXPECT_TRUE(WriteHtmlFolder(InputOf(next), folder).has_value());
  EXPECT_EQ(*ReadFile(folder + "/index.html", 1'000), mine);
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace conform::reports
