#include <gtest/gtest.h>

#include "runners/model/case.h"
#include "runners/model/step_parser.h"

namespace conform {
namespace program_parser_test {

Result<Program> Read(const std::string& yaml) {
  const Result<YamlNode> tree = ReadYaml(yaml, "f");
  if (!tree.ok()) return tree.error();
  return ParseProgram(*tree, "f");
}

std::string Refusal(const std::string& yaml) {
  const Result<Program> program = Read(yaml);
  return program.ok() ? "accepted" : program.error().ToString();
}

// The program in one line, bodies in brackets.
std::string Written(const Program& program) {
  std::string text;
  for (const Step& step : program) {
    if (!text.empty()) text += ", ";
    text += step.ToString();
    if (!step.body.empty()) text += ": [" + Written(step.body) + "]";
  }
  return text;
}

TEST(ParseProgram, ReadsBodiesBelowAndInLine) {
  const Result<Program> program = Read(
      "- timeout A 0:\n"
      "    - tick T\n"
      "    - then P x2: [tick U, only 1: [log X]]\n"
      "- timeout B 0: [tick V]\n"
      "- async F: []\n"
      "- busy 5\n");
  ASSERT_TRUE(program.ok()) << program.error().ToString();
  EXPECT_EQ(Written(*program),
            "timeout A 0: [tick T, then P x2: [tick U, only 1: [log X]]], timeout B 0: [tick V], async F, busy 5");
}

// Goal: the in-line form is a way to print a whole program. Method: print, read again, print.
TEST(ParseProgram, ReadsItsOwnInLineForm) {
  const std::string text =
      "[timeout A 0: [tick T, then P x2: [only ..2: [log X]]], on uncaught X: [throw E], run once R]";
  const Result<Program> program = Read(text);
  ASSERT_TRUE(program.ok()) << program.error().ToString();
  EXPECT_EQ("[" + Written(*program) + "]", text);
}

TEST(ParseProgram, NumbersStepsInReadingOrderAndKeepsTheirPlaces) {
  const Result<Program> program = Read("- timeout A 0:\n    - tick T: [log X]\n- log Y\n");
  ASSERT_TRUE(program.ok());
  const Step& timeout = (*program)[0];
  const Step& tick = timeout.body[0];
  EXPECT_EQ(timeout.id, 0);
  EXPECT_EQ(tick.id, 1);
  EXPECT_EQ(tick.body[0].id, 2);
  EXPECT_EQ((*program)[1].id, 3);
  EXPECT_EQ(tick.at.line, 2);
  EXPECT_EQ(tick.at.column, 7);
  EXPECT_EQ(tick.body[0].at.column, 16);
}

TEST(ParseProgram, PointsAtTheWrongWord) {
  EXPECT_EQ(Refusal("- tick T\n- timeout A 5:\n    - tikc U\n"), "f:3:7: unknown op 'tikc' (did you mean 'tick'?)");
  EXPECT_EQ(Refusal("- timeout A 5: [log X, log 7]\n"), "f:1:28: '7' is not a label: a name starts with a letter");
  EXPECT_EQ(Refusal("- 'then P of 7'\n"), "f:1:14: '7' is not a name: a name starts with a letter");
  EXPECT_EQ(Refusal("- tick T x0:\n    - log X\n"), "f:1:10: 'x0': a chain has 1 to 1000000 runs");
}

TEST(ParseProgram, RefusesABodyWhereNoneCanBe) {
  EXPECT_EQ(Refusal("- busy 5: [log X]"), "f:1:3: 'busy' has no body");
  EXPECT_EQ(Refusal("- log X:\n    - log Y"), "f:1:3: 'log' has no body");
  EXPECT_EQ(Refusal("- listen L: [log X]"),
            "f:1:3: 'listen' has no body (use 'accept [LABEL] of NAME' or 'on listening [LABEL] of NAME')");
}

TEST(ParseProgram, RefusesABodyThatIsMissing) {
  EXPECT_EQ(Refusal("- tick T:\n- tick U"),
            "f:1:3: the body of 'tick T' is missing (without a body, leave out the colon)");
  EXPECT_EQ(Refusal("- only 2"), "f:1:3: 'only' needs a body");
  EXPECT_EQ(Refusal("- only 2: []"), "f:1:3: 'only' needs a body");
}

TEST(ParseProgram, RefusesABodyThatIsNoList) {
  EXPECT_EQ(Refusal("- tick T: log X"),
            "f:1:11: a body is a list of steps, not a text (write '[tick T]', or '- tick T' below)");
  EXPECT_EQ(Refusal("- tick T:\n    log X: []"),
            "f:2:5: a body is a list of steps, not a map (write '[tick T]', or '- tick T' below)");
}

TEST(ParseProgram, RefusesListItemsThatAreNoStep) {
  EXPECT_EQ(Refusal("- tick T: []\n  tick U: []"), "f:2:3: a list item holds one step (start each step with '- ')");
  EXPECT_EQ(Refusal("- [tick T]"), "f:1:3: a step is written here, not a list");
  EXPECT_EQ(Refusal("-\n- tick T").substr(0, 2), "f:");
  EXPECT_EQ(Refusal("{}"), "f:1:1: a program is a list of steps, not a map");
  EXPECT_EQ(Refusal("- {}"), "f:1:3: a list item holds one step (start each step with '- ')");
}

TEST(ParseProgram, BodiesNest64Deep) {
  const auto nested = [](int depth) {
    std::string text = "[log X]";
    for (int i = 0; i < depth; ++i) text = "[tick: " + text + "]";
    return text;
  };
  EXPECT_EQ(Refusal(nested(kMaxBodyDepth)), "accepted");
  EXPECT_EQ(Refusal(nested(kMaxBodyDepth + 1)), "f:1:456: bodies are nested more than 64 deep");
}

TEST(ParseProgram, HasAtMostTenThousandSteps) {
  std::string text;
  for (int i = 0; i < kMaxSteps; ++i) text += "- tick\n";
  EXPECT_EQ(Refusal(text), "accepted");
  EXPECT_EQ(Refusal(text + "- tick\n"), "f:10001:3: a program has at most 10000 steps");
}

}  // namespace program_parser_test
}  // namespace conform
