#include "runners/model/clause.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

namespace conform {
namespace clause_test {

ClauseList Parse(std::string_view text) { return ParseClauses(text, "03-timers.md"); }
std::string Errors(const ClauseList& list) {
  std::string text;
  for (const Error& error : list.errors) text += error.ToString() + "\n";
  return text;
}

TEST(Clauses, AClauseHasAnIdALevelAndAText) {
  const ClauseList list = Parse(
      "# 3. Timers\n\nIntroduction.\n\n"
      "### timers.threshold\n**MUST** · node, libuv\n\nA timer MUST NOT run early.\nNever.\n\n"
      "### timers.clamp-to-1\n\n**SHOULD**\n\nText.\n"
      "## Another part\n\nNot of a clause.\n"
      "### a.b.c\n**MAY** · libuv · since libuv 1.44.2 · until libuv 1.48\nText.");
  ASSERT_EQ(Errors(list), "");
  ASSERT_EQ(list.clauses.size(), 3u);
  EXPECT_EQ(list.clauses[0].id, "timers.threshold");
  EXPECT_EQ(list.clauses[0].level, ClauseLevel::kMust);
  EXPECT_EQ(list.clauses[0].applies, "node, libuv");
  EXPECT_EQ(list.clauses[0].text, "A timer MUST NOT run early.\nNever.");
  EXPECT_EQ(list.clauses[0].file, "03-timers.md");
  EXPECT_EQ(list.clauses[0].line, 5);
  EXPECT_EQ(list.clauses[1].level, ClauseLevel::kShould);
  EXPECT_EQ(list.clauses[1].applies, "");
  EXPECT_EQ(list.clauses[1].text, "Text.");
  EXPECT_EQ(list.clauses[2].level, ClauseLevel::kMay);
  EXPECT_EQ(list.clauses[2].applies, "libuv · since libuv 1.44.2 · until libuv 1.48");
  EXPECT_EQ(list.Find("a.b.c"), &list.clauses[2]);
  EXPECT_EQ(list.Find("a.b"), nullptr);
}

TEST(Clauses, HeadingsInsideOfCodeAreText) {
  const ClauseList list = Parse("### a.b\n**MUST**\n```yaml\n### no.clause\n# comment\n```\nEnd.\n");
  ASSERT_EQ(Errors(list), "");
  ASSERT_EQ(list.clauses.size(), 1u);
  EXPECT_NE(list.clauses[0].text.find("### no.clause"), std::string::npos);
  EXPECT_TRUE(list.clauses[0].text.ends_with("End."));
}

TEST(Clauses, AHeadingOfAnyDepthEndsAClauseAndOnlyTheThirdStartsOne) {
  const ClauseList list = Parse("### a.b\n**MUST**\nText.\n#### Why\nNot of the clause.\n### c.d\n**MUST**\nText.\n");
  ASSERT_EQ(Errors(list), "");
  ASSERT_EQ(list.clauses.size(), 2u);
  EXPECT_EQ(list.clauses[0].text, "Text.");
}

TEST(Clauses, LinesMayEndAsOnWindows) {
  const ClauseList list = Parse("### a.b\r\n**MUST** · node\r\n\r\nText.\r\n");
  ASSERT_EQ(Errors(list), "");
  EXPECT_EQ(list.clauses.at(0).applies, "node");
}

TEST(Clauses, EachMistakeIsReportedWithItsLine) {
  EXPECT_EQ(Errors(Parse("\n### Timers\n**MUST**\nText.\n")),
            "03-timers.md:2:1: 'Timers' is not a clause id: expected lower-case words and hyphens joined by dots\n");
  for (const char* id : {"timers", "a..b", "a.", ".a", "a.-b", "a.b-", "a.b_c", "a b.c", "a.B", "a.b--c"}) {
    EXPECT_NE(Errors(Parse(std::string("### ") + id + "\n**MUST**\nText.\n")), "") << id;
  }
  const std::string no_level =
      "03-timers.md:1:1: the clause 'a.b' has no level: expected **MUST**, **SHOULD** or **MAY** first\n";
  EXPECT_EQ(Errors(Parse("### a.b\n\nText.\n")), no_level);
  EXPECT_EQ(Errors(Parse("### a.b\n## Next\n**MUST**\n")), no_level);
  EXPECT_EQ(Errors(Parse("### a.b\n**MUST** node\nText.\n")), no_level);
  EXPECT_EQ(Errors(Parse("### a.b\n**must**\nText.\n")), no_level);
  EXPECT_EQ(Errors(Parse("### a.b\n**MUST**\n\n")), "03-timers.md:1:1: the clause 'a.b' is empty\n");
  EXPECT_EQ(Errors(Parse("### a.b\n**MUST** · since node\nText.\n")),
            "03-timers.md:2:1: expected 'since FAMILY VERSION', found 'since node'\n");
  EXPECT_EQ(Errors(Parse("### a.b\n**MUST** · node · until libuv one\nText.\n")),
            "03-timers.md:2:1: expected 'until FAMILY VERSION', found 'until libuv one'\n");
  EXPECT_EQ(Errors(Parse("### a.b\n**MUST** · in general\nText.\n")),
            "03-timers.md:2:1: expected families such as 'node, libuv', found 'in general'\n");
}

TEST(Clauses, AMistakeInOneClauseDoesNotHideTheOthers) {
  const ClauseList list = Parse("### a.b\nText.\n### c.d\n**MUST**\nText.\n### E\n**MUST**\nText.\n");
  EXPECT_EQ(list.errors.size(), 2u);
  EXPECT_EQ(list.clauses.size(), 1u);
}

TEST(Clauses, AnIdStandsOnce) {
  const ClauseList list = Parse("### a.b\n**MUST**\nOne.\n### a.b\n**MUST**\nTwo.\n");
  EXPECT_EQ(Errors(list), "03-timers.md:4:1: the clause 'a.b' is already at 03-timers.md:1\n");
  ASSERT_EQ(list.clauses.size(), 1u);
  EXPECT_EQ(list.clauses[0].text, "One.");
}

class ClauseFolder : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::path(testing::TempDir()) /
              ("clauses-" + std::string(testing::UnitTest::GetInstance()->current_test_info()->name()));
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  void Write(const std::string& name, const std::string& text) { std::ofstream(folder_ / name) << text; }

  std::filesystem::path folder_;
};

TEST_F(ClauseFolder, ChaptersAreReadInOrderAndOtherFilesAreNot) {
  Write("02-b.md", "### b.x\n**MUST**\nText.\n");
  Write("01-a.md", "### a.x\n**MUST**\nText.\n");
  Write("README.md", "### No clause\n");
  const ClauseList list = LoadClauses(folder_.string());
  ASSERT_EQ(Errors(list), "");
  ASSERT_EQ(list.clauses.size(), 2u);
  EXPECT_EQ(list.clauses[0].id, "a.x");
  EXPECT_EQ(list.clauses[1].id, "b.x");
}

TEST_F(ClauseFolder, AnIdStandsInOneChapterAlone) {
  Write("01-a.md", "### a.x\n**MUST**\nText.\n");
  Write("02-b.md", "\n### a.x\n**MUST**\nText.\n");
  const ClauseList list = LoadClauses(folder_.string());
  ASSERT_EQ(list.errors.size(), 1u);
  EXPECT_EQ(list.errors[0].at.line, 2);
}

TEST_F(ClauseFolder, AFolderWithoutChaptersIsAnError) {
  EXPECT_EQ(LoadClauses(folder_.string()).errors.size(), 1u);
  EXPECT_EQ(LoadClauses((folder_ / "missing").string()).errors.size(), 1u);
}

TEST(Clauses, TheSpecItselfIsWellFormed) {
  const ClauseList list = LoadClauses(CONFORM_SOURCE_DIR "/spec");
  EXPECT_EQ(Errors(list), "");
  EXPECT_GT(list.clauses.size(), 50u);
}

TEST(FirstSentence, EndsAtAFullStopBeforeASpace) {
  EXPECT_EQ(FirstSentence("Timers, as of 1.5 and\nlater, run. Then more."), "Timers, as of 1.5 and later, run.");
  EXPECT_EQ(FirstSentence("No stop\n\nNext paragraph."), "No stop");
  EXPECT_EQ(FirstSentence(""), "");
}

}  // namespace clause_test
}  // namespace conform
