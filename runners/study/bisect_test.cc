#include "runners/study/bisect.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace conform {
namespace bisect_test {

using ::testing::ElementsAre;
using ::testing::Pair;

// A runtime with the releases 0, 1, 2, …; each gives what `gives` has for it, or the one order A.
class BisectTest : public ::testing::Test {
 protected:
  Bisector::Steps Steps() {
    Bisector::Steps steps;
    steps.run = [this](const std::string& version, int64_t runs) -> Result<ReleaseSample> {
      const size_t release = std::stoul(version);
      ran_.push_back(release);
      if (broken_.contains(release)) return Error{"no binary"};
      ReleaseSample sample{version, {}, {}, "", ""};
      const auto orders = gives_(release);
      for (const std::string& order : orders) sample.orders[{order}] = runs / static_cast<int64_t>(orders.size());
      return sample;
    };
    steps.differ = [](const ReleaseSample& a, const ReleaseSample& b) { return a.orders != b.orders; };
    return steps;
  }
  BisectReport Find(size_t releases, std::set<size_t> suspected = {}, size_t probes = 0) {
    std::vector<std::string> line;
    for (size_t i = 0; i < releases; ++i) line.push_back(std::to_string(i));
    const auto report = Bisector(line, std::move(suspected), Steps(), {30, probes}).Find();
    EXPECT_TRUE(report.ok()) << report.error().ToString();
    return *report;
  }
  static std::vector<std::string> Changes(const BisectReport& report) {
    std::vector<std::string> changes;
    for (const BisectChange& change : report.changes) {
      changes.push_back(report.samples[change.before].version + " " + report.samples[change.after].version);
    }
    return changes;
  }

  std::function<std::vector<std::string>(size_t)> gives_;
  std::set<size_t> broken_;
  std::vector<size_t> ran_;
};

TEST_F(BisectTest, FindsTheFirstReleaseThatDiffersInFewRuns) {
  for (size_t first = 1; first < 100; ++first) {
    ran_.clear();
    gives_ = [first](size_t release) { return std::vector<std::string>{release < first ? "A" : "B"}; };
    const BisectReport report = Find(100);
    EXPECT_THAT(Changes(report), ElementsAre(std::to_string(first - 1) + " " + std::to_string(first)));
    EXPECT_TRUE(report.changes[0].not_run.empty());
    EXPECT_LE(ran_.size(), 2u + 7u);
    EXPECT_EQ((std::vector<size_t>{ran_[0], ran_[1]}), (std::vector<size_t>{0, 99}));
  }
}

TEST_F(BisectTest, EndsThatAgreeNeedNoMoreRuns) {
  gives_ = [](size_t) { return std::vector<std::string>{"A"}; };
  const BisectReport report = Find(100);
  EXPECT_TRUE(report.changes.empty());
  EXPECT_EQ(report.samples.size(), 2u);
  EXPECT_EQ(report.ExitCode(), 1);
}

TEST_F(BisectTest, WhatTheModelSuspectsIsRunFirst) {
  gives_ = [](size_t release) { return std::vector<std::string>{release < 7 ? "A" : "B"}; };
  EXPECT_THAT(Changes(Find(1000, {7})), ElementsAre("6 7"));
  std::sort(ran_.begin(), ran_.end());
  EXPECT_THAT(ran_, ElementsAre(0, 6, 7, 999));
}

TEST_F(BisectTest, AWrongSuspicionDoesNotMislead) {
  gives_ = [](size_t release) { return std::vector<std::string>{release < 70 ? "A" : "B"}; };
  EXPECT_THAT(Changes(Find(100, {7})), ElementsAre("69 70"));
}

TEST_F(BisectTest, SeveralChangesAreFoundOneByOne) {
  gives_ = [](size_t release) { return std::vector<std::string>{release < 20 ? "A" : release < 60 ? "B" : "C"}; };
  const BisectReport report = Find(100);
  EXPECT_THAT(Changes(report), ElementsAre("19 20", "59 60"));
  EXPECT_FALSE(report.changes[0].is_taken_back);
}

TEST_F(BisectTest, AChangeThatCameAndWentIsFoundBySuspicionOrProbe) {
  gives_ = [](size_t release) { return std::vector<std::string>{release == 40 ? "B" : "A"}; };
  EXPECT_TRUE(Find(100).changes.empty());
  BisectReport report = Find(100, {40, 41});
  EXPECT_THAT(Changes(report), ElementsAre("39 40", "40 41"));
  EXPECT_TRUE(report.changes[0].is_taken_back);
  EXPECT_FALSE(report.changes[1].is_taken_back);
  gives_ = [](size_t release) { return std::vector<std::string>{release >= 30 && release < 60 ? "B" : "A"}; };
  report = Find(100, {}, 1);
  EXPECT_THAT(Changes(report), ElementsAre("29 30", "59 60"));
}

TEST_F(BisectTest, AReleaseThatCannotBeRunIsSkippedAndNamed) {
  gives_ = [](size_t release) { return std::vector<std::string>{release < 50 ? "A" : "B"}; };
  broken_ = {48, 49, 50};
  const BisectReport report = Find(100);
  EXPECT_THAT(Changes(report), ElementsAre("47 51"));
  EXPECT_THAT(report.changes[0].not_run, ElementsAre("48", "49", "50"));
  EXPECT_THAT(report.skipped, ElementsAre(Pair("48", "no binary"), Pair("49", "no binary"), Pair("50", "no binary")));
}

TEST_F(BisectTest, AnEndThatCannotBeRunIsAnError) {
  gives_ = [](size_t) { return std::vector<std::string>{"A"}; };
  broken_ = {9};
  std::vector<std::string> line{"0", "9"};
  const auto report = Bisector(line, {}, Steps(), {30, 0}).Find();
  ASSERT_FALSE(report.ok());
  EXPECT_EQ(report.error().message, "no binary");
}

// Method: the oldest releases cannot run the program, and the user has named none of them.
TEST_F(BisectTest, WithoutANamedEndTheLineBeginsWithTheFirstReleaseThatRuns) {
  gives_ = [](size_t release) { return std::vector<std::string>{release < 50 ? "A" : "B"}; };
  std::vector<std::string> line;
  for (size_t i = 0; i < 100; ++i) line.push_back(std::to_string(i));
  for (const size_t first : {1u, 2u, 30u, 49u}) {
    broken_.clear();
    for (size_t i = 0; i < first; ++i) broken_.insert(i);
    ran_.clear();
    const auto report = Bisector(line, {}, Steps(), {30, 0, false}).Find();
    ASSERT_TRUE(report.ok()) << report.error().ToString();
    EXPECT_EQ(report->samples[0].version, std::to_string(first));
    EXPECT_THAT(Changes(*report), ElementsAre("49 50"));
    EXPECT_EQ(report->skipped.size(), first);
    EXPECT_LE(ran_.size(), 2u + 7u + 7u);
  }
  broken_.clear();
  for (size_t i = 0; i < 99; ++i) broken_.insert(i);
  EXPECT_FALSE(Bisector(line, {}, Steps(), {30, 0, false}).Find().ok());
}

TEST_F(BisectTest, WhatIsLikeBothSidesIsLeftOutAndNamed) {
  // 0 to 3 give A, 6 to 9 B; 4 and 5 are different from neither.
  gives_ = [](size_t release) {
    return release < 4   ? std::vector<std::string>{"A"}
           : release < 6 ? std::vector<std::string>{"A", "B"}
                         : std::vector<std::string>{"B"};
  };
  Bisector::Steps steps = Steps();
  steps.differ = [](const ReleaseSample& a, const ReleaseSample& b) {
    return std::none_of(a.orders.begin(), a.orders.end(),
                        [&](const auto& one) { return b.orders.contains(one.first); });
  };
  std::vector<std::string> line;
  for (size_t i = 0; i < 10; ++i) line.push_back(std::to_string(i));
  const auto report = Bisector(line, {}, steps, {30, 0}).Find();
  ASSERT_TRUE(report.ok());
  EXPECT_THAT(Changes(*report), ElementsAre("3 6"));
  EXPECT_THAT(report->undecided, ElementsAre("4", "5"));
  EXPECT_THAT(report->changes[0].not_run, ElementsAre("4", "5"));
}

class BisectModelTest : public ::testing::Test {
 protected:
  BisectModelTest() : profiles_(*Profiles::Load(CONFORM_SOURCE_DIR "/spec/profiles")) {
    const auto c = ParseCase(R"(title: Ticks run between two timers
program:
  - timeout A 0: [tick T]
  - timeout B 0
  - busy 5
expect:
  node >=11: A T B
  node <11: A B T
)",
                             "x.yaml", "x");
    EXPECT_TRUE(c.ok()) << c.error().ToString();
    case_ = *c;
  }
  ReleaseSample Sample(const std::string& version, std::map<Order, int64_t> orders) const {
    const auto profile = profiles_.Resolve("node@" + version);
    return {version, std::move(orders), *profile, "node@" + version, ""};
  }

  const Profiles profiles_;
  Case case_;
};

TEST_F(BisectModelTest, TheModelKnowsWhereToLookAndWhichRuleChanged) {
  const std::vector<std::string> line{"8.17.0", "10.24.1", "11.0.0", "12.22.12", "24.21.0"};
  EXPECT_THAT(SuspectedChanges(case_, profiles_, *profiles_.Find("node"), line), ElementsAre(2));
  const auto rules = RulesBetween(case_, profiles_, Sample("10.24.1", {}), Sample("11.0.0", {}));
  ASSERT_EQ(rules.size(), 1u);
  EXPECT_EQ(rules[0].rule, "timer-store");
  EXPECT_EQ(rules[0].before, "handle-per-list");
  EXPECT_EQ(rules[0].after, "list-queue");
  EXPECT_EQ(rules[0].clause, "timers.lists-by-duration");
}

TEST_F(BisectModelTest, SetsAreComparedAndNotHowOftenAnOrderOccurs) {
  // Nothing is known of these releases but their runs.
  ReleaseSample a{"1", {{{"A"}, 29}, {{"B"}, 1}}, {}, "", ""}, b{"2", {{{"A"}, 2}, {{"B"}, 28}}, {}, "", ""};
  EXPECT_THAT(SetCounts(case_, a, b), ElementsAre(Pair(30, 30)));
  b.orders = {{{"A"}, 20}, {{"C"}, 10}};
  EXPECT_THAT(SetCounts(case_, a, b), ElementsAre(Pair(29, 20), Pair(1, 0), Pair(0, 10)));
}

TEST_F(BisectModelTest, AnOrderThatTheOtherReleaseMayGiveIsNotADifference) {
  const auto race = ParseCase("title: A race\nprogram: [timeout A 0, immediate B]\nexpect:\n  node: A B | B A\n",
                              "race.yaml", "race");
  ASSERT_TRUE(race.ok()) << race.error().ToString();
  const ReleaseSample a = Sample("22.23.3", {{{"A", "B"}, 30}}), b = Sample("24.21.0", {{{"B", "A"}, 30}});
  EXPECT_THAT(SetCounts(*race, a, b), ElementsAre(Pair(30, 30)));
  // What the model rules out on the other side is one.
  const ReleaseSample c = Sample("10.24.1", {{{"A", "B", "T"}, 30}}), d = Sample("11.0.0", {{{"A", "T", "B"}, 30}});
  EXPECT_THAT(SetCounts(case_, c, d), ElementsAre(Pair(0, 0), Pair(30, 0), Pair(0, 30)));
}

}  // namespace bisect_test
}  // namespace conform
