#include "runners/lift/lift.h"

#include <gtest/gtest.h>

namespace conform {
namespace {

constexpr char kTwoTimers[] = R"({
  "steps": [{"text": "timeout A 0", "line": 1, "file": "/x.js", "body": [{"text": "tick T", "line": 2, "file": "/x.js"}]},
            {"text": "log n1", "line": 4, "file": "/x.js", "body": []}],
  "labels": {"n1": "1"},
  "made_up": {"timer.7": {"line": 7, "file": "/x.js", "what": "needs a name"}},
  "notes": [{"line": 9, "file": "/x.js", "what": "later"}, {"line": 3, "file": "/lib.js", "what": "elsewhere"},
            {"line": 2, "file": "/x.js", "what": "earlier"}],
  "orders": [["n1", "A", "T"], ["n1"]]
})";

TEST(ParseLifted, WritesTheStepsAsTheCaseLanguageHasThem) {
  const auto lifted = ParseLifted(kTwoTimers, "/x.js", {0, 0});
  ASSERT_TRUE(lifted.ok()) << lifted.error().ToString();
  EXPECT_EQ(lifted->program, "program:\n  - timeout A 0:\n      - tick T\n  - log n1\n");
  ASSERT_EQ(lifted->c.program.size(), 2u);
  EXPECT_EQ(lifted->c.program[0].body[0].ToString(), "tick T");
  EXPECT_EQ(lifted->labels.at("n1"), "1");
}

TEST(ParseLifted, SortsNotesByPlaceAndLeavesTheNameOfTheScriptOut) {
  const auto lifted = ParseLifted(kTwoTimers, "/x.js", {0, 0});
  ASSERT_TRUE(lifted.ok());
  ASSERT_EQ(lifted->notes.size(), 3u);
  EXPECT_EQ(lifted->notes[0].what, "earlier");
  EXPECT_EQ(lifted->notes[0].file, "");
  EXPECT_EQ(lifted->notes[1].what, "later");
  EXPECT_EQ(lifted->notes[2].file, "/lib.js");
  EXPECT_EQ(lifted->made_up.at("timer.7").note.line, 7);
}

TEST(ParseLifted, AnExitCodeIsThePartOfAnOrderThatComesLast) {
  const auto lifted = ParseLifted(kTwoTimers, "/x.js", {0, 7});
  ASSERT_TRUE(lifted.ok());
  EXPECT_EQ(lifted->seen[0], (Order{"n1", "A", "T"}));
  EXPECT_EQ(lifted->seen[1], (Order{"n1", "exit=7"}));
}

TEST(ParseLifted, NamesTheLineWhereAScriptReadsItsInput) {
  const auto lifted =
      ParseLifted(R"({"ending": {"how": "input", "line": 3, "file": "/x.js", "text": ""}})", "/x.js", {});
  ASSERT_FALSE(lifted.ok());
  EXPECT_EQ(lifted.error().ToString(), "/x.js:3: reads its standard input; a script that is lifted gets none");
}

TEST(ParseLifted, SaysHowAModuleIsRecognised) {
  const auto lifted = ParseLifted(
      R"({"ending": {"how": "syntax", "line": 1, "file": "/x.js", "text": "Cannot use import statement outside a module"}})",
      "/x.js", {});
  ASSERT_FALSE(lifted.ok());
  EXPECT_NE(lifted.error().hint.find("a module is called .mjs"), std::string::npos);
}

TEST(ParseLifted, HasWordsForAnEndThatIsNotKnown) {
  const auto lifted = ParseLifted(R"({"ending": {"how": "other", "line": -3}})", "/x.js", {});
  ASSERT_FALSE(lifted.ok());
  EXPECT_EQ(lifted.error().ToString(), "/x.js: the recorder wrote something unexpected");
}

TEST(ParseLifted, RefusesAScriptThatDoesNothing) {
  const auto lifted =
      ParseLifted(R"({"steps": [], "labels": {}, "made_up": {}, "notes": [], "orders": []})", "/x.js", {});
  ASSERT_FALSE(lifted.ok());
  EXPECT_EQ(lifted.error().ToString(), "/x.js: schedules and prints nothing that has a step");
}

TEST(ParseLifted, RefusesMembersOfAnotherKind) {
  const std::string whole = kTwoTimers;
  for (const auto& [before, after] : std::vector<std::pair<std::string, std::string>>{
           {"\"labels\": {", "\"other\": {"},
           {"{\"n1\": \"1\"}", "{\"n1\": 1}"},
           {"[[\"n1\", \"A\", \"T\"], [\"n1\"]]", "[[3]]"},
           {"\"line\": 9", "\"is_remark\": 3, \"line\": 9"},
           {"{\"text\": \"tick T\"", "{\"text\": \"tick T\", \"body\": [3]}, {\"text\": \"tick T\""},
       }) {
    std::string json = whole;
    ASSERT_NE(json.find(before), std::string::npos) << before;
    const auto lifted = ParseLifted(json.replace(json.find(before), before.size(), after), "/x.js", {0, 0});
    EXPECT_FALSE(lifted.ok()) << after;
  }
  std::string deep = "{\"text\": \"tick T\"}";
  for (int i = 0; i < 3'000; ++i) deep = "{\"text\": \"tick T\", \"body\": [" + deep + "]}";
  const auto lifted = ParseLifted(
      "{\"steps\": [" + deep + R"(], "labels": {}, "made_up": {}, "notes": [], "orders": []})", "/x.js", {0});
  EXPECT_FALSE(lifted.ok());
}

TEST(ParseLifted, RefusesWhatIsNotJson) {
  const auto lifted = ParseLifted("Segmentation fault", "/x.js", {});
  ASSERT_FALSE(lifted.ok());
  EXPECT_EQ(lifted.error().message, "the recorder wrote something unexpected");
}

}  // namespace
}  // namespace conform
