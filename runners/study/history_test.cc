#include "runners/study/history.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace conform {
namespace {

using ::testing::ElementsAre;

class HistoryTest : public ::testing::Test {
 protected:
  HistoryTest() : profiles_(*Profiles::Load(CONFORM_SOURCE_DIR "/spec/profiles")) {
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

  CaseResult Ran(const std::string& profile, const Order& order) const {
    CaseResult result;
    result.case_id = "x";
    result.content_hash = case_.content_hash;
    result.implementation = result.profile = profile;
    result.verdict = Verdict::kPass;
    result.tries = {Ended(order, Standing::kOnTime)};
    return result;
  }
  static Try Ended(const Order& order, Standing standing) {
    Try one;
    for (const std::string& label : order) one.trace.events.push_back({label, {}, {}, "", ""});
    one.standing = standing;
    return one;
  }
  CaseHistory History(const std::vector<CaseResult>& results) const {
    return HistoryOf(case_, profiles_, *profiles_.Find("node"), RunsOf(results, case_, "node"));
  }

  const Profiles profiles_;
  Case case_;
};

TEST_F(HistoryTest, TheModelKnowsTheVersionAndTheRule) {
  const CaseHistory history = History({});
  ASSERT_EQ(history.by_model.size(), 2u);
  EXPECT_EQ(history.by_model[0].orders, "A B T");
  EXPECT_EQ(history.by_model[1].first.ToString(), "11.0.0");
  EXPECT_EQ(history.by_model[1].orders, "A T B");
  EXPECT_THAT(history.by_model[1].changed_by, ElementsAre("timer-store"));
}

TEST_F(HistoryTest, RunsOfOneOrderAreOneSpanFromTheFirstToTheLastThatWasRun) {
  const std::vector<CaseResult> results{Ran("node@24.21.0", {"A", "T", "B"}), Ran("node@8.17.0", {"A", "B", "T"}),
                                        Ran("node@12.22.12", {"A", "T", "B"}), Ran("node@10.24.1", {"A", "B", "T"})};
  const CaseHistory history = History(results);
  ASSERT_EQ(history.by_runs.size(), 2u);
  EXPECT_EQ(history.by_runs[0].first.ToString(), "8.17.0");
  EXPECT_EQ(history.by_runs[0].last.ToString(), "10.24.1");
  EXPECT_EQ(history.by_runs[1].first.ToString(), "12.22.12");
  const std::vector<CaseHistory> all{history};
  const std::vector<Change> changes = ChangesShown(all);
  ASSERT_EQ(changes.size(), 1u);
  EXPECT_EQ(changes[0].since->ToString(), "11.0.0");
  EXPECT_THAT(changes[0].changed_by, ElementsAre("timer-store"));
}

TEST_F(HistoryTest, RunsOfAnotherCaseAnotherContentOrAnotherRuntimeDoNotCount) {
  std::vector<CaseResult> results(3, Ran("node@24.21.0", {"A", "T", "B"}));
  results[0].case_id = "y";
  results[1].content_hash = "0000000000000000";
  results[2].implementation = "bun@1.4.4";
  EXPECT_TRUE(History(results).by_runs.empty());
}

// Goal: what may be chance is no change. Method: orders that two releases share, and two that pass alike.
TEST_F(HistoryTest, ReleasesOfAnImplementationChangeWhereTheyShareNothing) {
  const auto ran = [&](const std::string& version, const Order& order, Verdict verdict, const std::string& expected) {
    CaseResult result = Ran("bun@" + version, order);
    result.profile = "node@22.0.0";
    result.verdict = verdict;
    result.expected = expected;
    return result;
  };
  const std::vector<CaseResult> results = {
      ran("1.0.36", {"A", "B", "T"}, Verdict::kFail, "A T B"), ran("1.1.45", {"B", "A", "T"}, Verdict::kFail, "A T B"),
      ran("1.1.45", {"A", "B", "T"}, Verdict::kFail, "A T B"), ran("1.2.0", {"A", "T", "B"}, Verdict::kPass, "A T B"),
      ran("1.10.0", {"T", "A", "B"}, Verdict::kPass, "A T B"), Ran("node@24.0.0", {"X"})};
  const CaseHistory history = HistoryOfReleases(case_, "bun", results);
  ASSERT_EQ(history.by_runs.size(), 2u);
  EXPECT_EQ(history.by_runs[0].orders, "A B T | B A T");
  EXPECT_EQ(history.by_runs[0].last.ToString(), "1.1.45");
  EXPECT_EQ(history.by_runs[1].first.ToString(), "1.2.0");
  EXPECT_EQ(history.by_runs[1].last.ToString(), "1.10.0");
}

TEST_F(HistoryTest, RunsWithoutAnOrderDoNotCount) {
  CaseResult unsupported = Ran("node@10.24.1", {});
  unsupported.verdict = Verdict::kUnsupported;
  CaseResult endless = Ran("node@11.15.0", {"A", "A"});
  endless.tries[0].trouble = "no end within 10000 ms";
  const CaseHistory history = History({unsupported, endless, Ran("node@12.22.12", {"A", "T", "B"})});
  ASSERT_EQ(history.by_runs.size(), 1u);
  EXPECT_EQ(history.by_runs[0].first.ToString(), "12.22.12");
}

}  // namespace
}  // namespace conform
