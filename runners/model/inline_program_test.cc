#include "runners/model/inline_program.h"

#include <gtest/gtest.h>

namespace conform {
namespace inline_program_test {

std::string Refusal(const std::string& text) {
  const Result<Case> c = ParseInlineProgram(text);
  return c.ok() ? "" : c.error().ToString();
}

TEST(InlineProgram, StepsAreSeparatedBySemicolonsAndLineEnds) {
  const Result<Case> c = ParseInlineProgram(" timeout A 0:  [tick B, then C] ;immediate D\nlog E;");
  ASSERT_TRUE(c.ok()) << c.error().ToString();
  ASSERT_EQ(c->program.size(), 3u);
  EXPECT_EQ(c->program[0].body.size(), 2u);
  EXPECT_EQ(c->id, "timeout A 0:  [tick B, then C]; immediate D; log E");
  EXPECT_TRUE(c->expect.empty());
}

TEST(InlineProgram, ASemicolonInQuotesOrBracketsSeparatesNothing) {
  EXPECT_EQ(Refusal("timeout A 0: [tick B; tick C]"), "-e:1:21: steps in brackets are separated by commas");
  EXPECT_TRUE(Refusal("'tick A; tick B'").starts_with("-e:1:"));
}

TEST(InlineProgram, ErrorsHaveTheColumnOfTheText) {
  EXPECT_EQ(Refusal("timeout A 0; imediate B"), "-e:1:14: unknown op 'imediate' (did you mean 'immediate'?)");
  EXPECT_EQ(Refusal("timeout A 0: [tik B]"), "-e:1:15: unknown op 'tik' (did you mean 'tick'?)");
  const Result<Case> c = ParseInlineProgram("log L; timeout A 0: [tick B]");
  ASSERT_TRUE(c.ok());
  EXPECT_EQ(c->program[1].at.column, 8);
  EXPECT_EQ(c->program[1].body[0].at.column, 22);
  EXPECT_EQ(Refusal(" ; "), "-e: a program has at least one step, such as 'timeout A 0; immediate B'");
}

TEST(InlineProgram, IsKnownByASpaceOrASemicolon) {
  EXPECT_TRUE(IsInlineProgram("tick A"));
  EXPECT_TRUE(IsInlineProgram("tick;"));
  EXPECT_FALSE(IsInlineProgram("timers/clear"));
}

TEST(InlineText, IsReadAsTheSameProgram) {
  const std::string program = "timeout A 0: [tick T, then P x3: [only 2: [log X]]]\nimmediate B";
  const auto c = ParseInlineProgram(program);
  ASSERT_TRUE(c.ok());
  EXPECT_EQ(InlineText(c->program), program);
}

}  // namespace inline_program_test
}  // namespace conform
