#include "runners/runtimes/release.h"

#include <gtest/gtest.h>

namespace conform {
namespace {

TEST(RuntimeSpec, NamesARuntimeAndPerhapsAVersion) {
  EXPECT_EQ(ParseRuntimeSpec("node")->version, "");
  EXPECT_EQ(ParseRuntimeSpec("node@20")->version, "20");
  EXPECT_EQ(ParseRuntimeSpec("node@v20.3")->version, "20.3");
  EXPECT_EQ(ParseRuntimeSpec("workerd@1.20261104.1")->version, "1.20261104.1");
  EXPECT_EQ(ParseRuntimeSpec("bun@1.4.2-canary.20260928.1")->ToString(), "bun@1.4.2-canary.20260928.1");
}

TEST(RuntimeSpec, WhatCouldLeadOutOfAFolderIsRefused) {
  for (const char* text : {"node@", "node@..", "node@../x", "node@20/..", "node@1.2.3-../../x", "node@1.2.3-a/b",
                           "node@lts", "node@-1", "node@1.2.3.4", "node@1..2", "node@20 ", "node@1.2.3-",
                           "node@--registry=x", "node@99999999999999999999", "node@1.2.3-\n", "", "@20", "../node"}) {
    EXPECT_FALSE(ParseRuntimeSpec(text).ok()) << text;
  }
  EXPECT_FALSE(ParseRuntimeSpec("node@1.2.3-" + std::string(100, 'a')).ok());
  EXPECT_EQ(ParseRuntimeSpec("ndoe@20").error().hint, "did you mean 'node'?");
}

TEST(Release, APartFitsWholeNumbersAlone) {
  EXPECT_TRUE(Fits("20", "20.3.0"));
  EXPECT_TRUE(Fits("20.3", "20.3.0"));
  EXPECT_TRUE(Fits("20.3.0", "20.3.0"));
  EXPECT_TRUE(Fits("", "20.3.0"));
  EXPECT_FALSE(Fits("2", "20.3.0"));
  EXPECT_FALSE(Fits("20.3", "20.30.0"));
  EXPECT_FALSE(Fits("20.3.0", "20.3.01"));
}

TEST(Release, OneWithASuffixIsMeantByItselfAlone) {
  EXPECT_TRUE(Fits("4.0.0-rc.1", "4.0.0-rc.1"));
  EXPECT_FALSE(Fits("4", "4.0.0-rc.1"));
  EXPECT_FALSE(Fits("", "4.0.0-rc.1"));
  EXPECT_FALSE(Fits("4.0.0", "4.0.0-rc.1"));
}

TEST(Release, NewestIsByNumberNotByLetter) {
  const std::vector<std::string> versions{"20.9.0",       "20.10.1", "20.10.0", "21.0.0",
                                          "20.11.0-rc.1", "bad",     "0.10.48", "0.12.18"};
  EXPECT_EQ(NewestThatFits("20", versions), "20.10.1");
  EXPECT_EQ(NewestThatFits("", versions), "21.0.0");
  EXPECT_EQ(NewestThatFits("0.10", versions), "0.10.48");
  EXPECT_EQ(NewestThatFits("20.11.0-rc.1", versions), "20.11.0-rc.1");
  EXPECT_EQ(NewestThatFits("22", versions), std::nullopt);
  EXPECT_EQ(NewestOfEachMajor(versions), (std::vector<std::string>{"0.10.48", "0.12.18", "20.10.1", "21.0.0"}));
}

TEST(Release, SuffixesAreOlderThanNoneAndCompareByNumber) {
  EXPECT_TRUE(IsOlder("4.0.0-rc.9", "4.0.0-rc.10"));
  EXPECT_TRUE(IsOlder("4.0.0-rc.10", "4.0.0"));
  EXPECT_FALSE(IsOlder("4.0.0", "4.0.0-rc.10"));
  EXPECT_FALSE(IsOlder("4.0.0", "4.0.0"));
  EXPECT_FALSE(IsOlder("4.0.0-a", "4.0.0-a"));
  EXPECT_TRUE(IsOlder("4.0.0", "4.0.1-a"));
}

}  // namespace
}  // namespace conform
