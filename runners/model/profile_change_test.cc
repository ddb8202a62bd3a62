#include "runners/model/profile_change.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "runners/model/loop_names.h"

namespace conform {
namespace profile_change_test {

using ::testing::HasSubstr;

std::string Refusal(const std::string& text) {
  const auto change = ParseProfileChange(text, "my.yaml");
  return change.ok() ? "accepted" : change.error().ToString();
}

TEST(ProfileChange, HasABaseAndTheRulesThatDiffer) {
  const auto change =
      ParseProfileChange("base: node@24\nrules:\n  drain: after-list\n  iteration: [a, b]\n", "my.yaml");
  ASSERT_TRUE(change.ok()) << change.error().ToString();
  EXPECT_EQ(change->base, "node@24");
  ASSERT_EQ(change->rules.size(), 2U);
  EXPECT_EQ(change->rules[0].name, "drain");
  EXPECT_EQ(change->rules[0].value, "after-list");
  EXPECT_EQ(change->rules[1].value, "a,b");
  EXPECT_EQ(change->rules[1].name_at.line, 4);
}

TEST(ProfileChange, ErrorsHaveALine) {
  EXPECT_THAT(Refusal("rules:\n  drain: x\n"), HasSubstr("my.yaml:1:1: your own profile has no 'base'"));
  EXPECT_THAT(Refusal("base: node@24\n"), HasSubstr("has no 'rules'"));
  EXPECT_THAT(Refusal("base: [node]\nrules: {a: b}\n"), HasSubstr("my.yaml:1:7: 'base' is the name"));
  EXPECT_THAT(Refusal("base: node\nrules: []\n"), HasSubstr("my.yaml:2:8: 'rules' is a map"));
  EXPECT_THAT(Refusal("base: node\nrules:\n  drain: {x: y}\n"), HasSubstr("my.yaml:3:10: the value of 'drain'"));
  EXPECT_THAT(Refusal("base: node\nruls: {a: b}\n"), HasSubstr("my.yaml:2:1"));
}

TEST(ProfileChange, AFileHasASlashOrAnEnding) {
  EXPECT_TRUE(IsProfileFile("./my.yaml"));
  EXPECT_TRUE(IsProfileFile("my.yaml"));
  EXPECT_FALSE(IsProfileFile("node@24.1"));
  EXPECT_TRUE(DescribesFamily("family: x\n"));
  EXPECT_FALSE(DescribesFamily("base: x\n"));
}

TEST(LoopNames, WhatIsCalledOtherwiseElsewhereIsFound) {
  const std::vector<std::string> names{"asyncio", "chromium", "node", "libuv", "qt6"};
  EXPECT_EQ(DidYouMeanLoop("chrome", names), "did you mean 'chromium'?");
  EXPECT_EQ(DidYouMeanLoop("python", names), "did you mean 'asyncio'?");
  EXPECT_EQ(DidYouMeanLoop("node24", names), "did you mean 'node@24'?");
  EXPECT_EQ(DidYouMeanLoop("node-v24.1", names), "did you mean 'node@24.1'?");
  EXPECT_EQ(DidYouMeanLoop("nod", names), "did you mean 'node'?");
  EXPECT_EQ(DidYouMeanLoop("zzzzzzzz", names), "");
  EXPECT_EQ(LoopCalled("node@24", names), "node@24");
  EXPECT_EQ(LoopCalled("nod", names), std::nullopt);
}

}  // namespace profile_change_test
}  // namespace conform
