#include "runners/study/search.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace conform {
namespace search_test {

using ::testing::HasSubstr;

class SearchTest : public ::testing::Test {
 protected:
  SearchTest() {
    Add("ticks/first", "Ticks come first", "program: [tick T, timeout A 0]\nexpect: T A\n");
    Add("immediates/last", "What is scheduled last", "program: [immediate I]\nexpect: I\n");
    clauses_.clauses = {
        {"ticks.order", ClauseLevel::kMust, "", "Ticks MUST run before process.nextTick returns.", "", 1}};
  }

  void Add(const std::string& id, const std::string& title, const std::string& rest) {
    const auto c = ParseCase("title: " + title + "\n" + rest, "x.yaml", id);
    ASSERT_TRUE(c.ok()) << c.error().ToString();
    cases_.push_back(*c);
  }

  // The ids, or the error.
  std::string Found(const std::vector<std::string>& words) const {
    const auto results = Search(words, cases_, clauses_);
    if (!results) return results.error().ToString();
    std::string ids;
    for (const Case* c : results->cases) ids += c->id + " ";
    for (const Clause* clause : results->clauses) ids += clause->id + " ";
    return ids;
  }

  std::vector<Case> cases_;
  ClauseList clauses_;
};

TEST_F(SearchTest, FindsAStepByWhatEachLoopCallsIt) {
  EXPECT_EQ(Found({"setImmediate"}), "immediates/last ");
  EXPECT_EQ(Found({"uv_timer_start"}), "ticks/first ");
  EXPECT_EQ(Found({"CALL_LATER"}), "ticks/first ");
}

TEST_F(SearchTest, ANameMayLackWhatStandsBeforeItsDotAndHaveParentheses) {
  EXPECT_EQ(Found({"nextTick()"}), "ticks/first ticks.order ");
  EXPECT_EQ(Found({"process.nextTick"}), "ticks/first ticks.order ");
}

TEST_F(SearchTest, FindsTheBeginningsOfWordsAndTheBestFirst) {
  EXPECT_EQ(Found({"sched"}), "immediates/last ");
  EXPECT_EQ(Found({"cheduled"}).substr(0, 18), "no case and no cla");
  EXPECT_EQ(Found({"tick"}), "ticks/first ticks.order ");
}

TEST_F(SearchTest, WhatIsAboutANameComesBeforeWhatOnlyUsesItAndSmallBeforeLarge) {
  Add("check/a-large-one", "What is scheduled", "program: [immediate I, timeout A 0, timeout B 0]\nexpect: I A B\n");
  Add("check/an-order", "Immediates come in order", "program: [immediate I, immediate J, log L]\nexpect: L I J\n");
  EXPECT_EQ(Found({"setImmediate"}), "check/an-order immediates/last check/a-large-one ");
}

TEST_F(SearchTest, AClauseIsFoundByTheNameThatAnApiHasForItsWord) {
  clauses_.clauses = {{"check.batch", ClauseLevel::kMust, "", "Immediates MUST run together.", "", 1},
                      {"poll.wait", ClauseLevel::kMust, "", "A poll MUST end immediately when a timer is due.", "", 1}};
  EXPECT_EQ(Found({"setImmediate"}), "immediates/last check.batch ");
  EXPECT_EQ(Found({"call_later"}), "ticks/first poll.wait ");
}

TEST_F(SearchTest, EveryWordHasToMatch) {
  EXPECT_EQ(Found({"nextTick", "setTimeout"}), "ticks/first ");
  EXPECT_THAT(Found({"nextTick", "setImmediate"}), HasSubstr("matches all of these words"));
}

TEST_F(SearchTest, AWordThatMatchesNothingNamesTheNearest) {
  EXPECT_THAT(Found({"setImediate"}), HasSubstr("did you mean 'setImmediate'?"));
}

}  // namespace search_test
}  // namespace conform
