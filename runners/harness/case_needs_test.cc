#include "runners/harness/case_needs.h"

#include <gtest/gtest.h>

#include "runners/model/inline_program.h"

namespace conform {
namespace case_needs_test {

Program ProgramOf(const std::string& text) {
  const auto c = ParseInlineProgram(text);
  EXPECT_TRUE(c.ok()) << (c.ok() ? "" : c.error().ToString());
  return c.ok() ? c->program : Program{};
}

TEST(CaseNeeds, WhatWaitsAtTheSameTimeTakesItsTimeOnce) {
  EXPECT_EQ(LeastMs(ProgramOf("work A 60; work B 60; timeout S 30; timeout T 90")), 90);
  EXPECT_EQ(AskedMs(ProgramOf("work A 60; work B 60; timeout S 30; timeout T 90")), 240);
}

TEST(CaseNeeds, WhatFollowsUponSomethingAddsUp) {
  EXPECT_EQ(LeastMs(ProgramOf("timeout A 10: [timeout B 20]; timeout C 5")), 30);
  EXPECT_EQ(LeastMs(ProgramOf("timeout A 10 x3")), 30);
  EXPECT_EQ(LeastMs(ProgramOf("timeout A 10; busy 20; timeout B 5")), 25);
  EXPECT_EQ(LeastMs(ProgramOf("busy 20; tick T")), 20);
}

TEST(CaseNeeds, OnlyWhatGoesThroughTheNetworkNeedsIt) {
  EXPECT_TRUE(NeedsLoopback(ProgramOf("tick T: [refused R]")));
  EXPECT_FALSE(NeedsLoopback(ProgramOf("listen L; connect K to L")));
}

TEST(CaseNeeds, AFileThatLoadsAModuleForTheNetworkNeedsIt) {
  const std::string cases = std::string(CONFORM_SOURCE_DIR) + "/cases/";
  EXPECT_TRUE(FileNeedsLoopback(cases + "poll/http-exchange.cjs"));
  EXPECT_TRUE(FileNeedsLoopback(cases + "poll/data-end-close.cjs"));
  EXPECT_TRUE(FileNeedsLoopback(cases + "poll/datagram-order.cjs"));
  EXPECT_FALSE(FileNeedsLoopback(cases + "workers/has-its-own-loop.cjs"));
  EXPECT_FALSE(FileNeedsLoopback(cases + "there-is-none.cjs"));
}

}  // namespace case_needs_test
}  // namespace conform
