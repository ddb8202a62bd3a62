#include "runners/model/known_reports.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace conform {
namespace known_reports_test {

using ::testing::HasSubstr;
using ::testing::SizeIs;

std::string ErrorOf(const std::string& text) {
  const auto read = ParseKnownReports(text, "x.yaml");
  return read.ok() ? "" : read.error().ToString();
}

TEST(KnownReports, AreOfAnImplementationAndAValue) {
  const auto read = ParseKnownReports(
      "- {rule: drain, value: never, of: bun, report: 'https://x', about: y}\n"
      "- {rule: drain, of: bun, report: 'https://z', about: y}\n",
      "x.yaml");
  ASSERT_TRUE(read.ok());
  ASSERT_THAT(*read, SizeIs(2));
  EXPECT_TRUE(read->at(0).IsAbout("bun@1.4.4", "drain", "never"));
  EXPECT_TRUE(read->at(0).IsAbout("bun", "drain", "never"));
  EXPECT_FALSE(read->at(0).IsAbout("bun@1.4.4", "drain", "later"));
  EXPECT_FALSE(read->at(0).IsAbout("bunny@1", "drain", "never"));
  EXPECT_FALSE(read->at(0).IsAbout("bun@1.4.4", "ticks", "never"));
  EXPECT_TRUE(read->at(1).IsAbout("bun@1.4.4", "drain", "later"));
}

TEST(KnownReports, WhatIsWrongIsNamedWithItsPlace) {
  EXPECT_EQ(ErrorOf(""), "");
  EXPECT_THAT(ErrorOf("a: b"), HasSubstr("x.yaml:1:1: expected a list of entries, not a map"));
  EXPECT_THAT(ErrorOf("- {rule: a, of: b, about: c}"), HasSubstr("the entry has no 'report'"));
  EXPECT_THAT(ErrorOf("- {rule: a, of: b, about: c, report: 'http://x'}"), HasSubstr("begins with https://"));
  EXPECT_THAT(ErrorOf("- {rule: a, on: b}"), HasSubstr("'on'"));
  EXPECT_THAT(ErrorOf("- {rule: [a], of: b, about: c, report: 'https://x'}"), HasSubstr("'rule' is a text"));
}

}  // namespace known_reports_test
}  // namespace conform
