#include "runners/study/what_if.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace conform {
namespace what_if_test {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class WhatIfTest : public ::testing::Test {
 protected:
  WhatIfTest() : profiles_(Loaded()), profile_(*profiles_.Resolve("node@24")) {
    Add("drain", "immediate A: [tick T]\n  - immediate B", "A T B");
    Add("ticks", "tick A\n  - tick B", "A B");
    Add("race", "timeout A 0\n  - immediate B", "A & B");
  }

  static const Profiles& Loaded() {
    static const Profiles profiles = *Profiles::Load(CONFORM_SOURCE_DIR "/spec/profiles");
    return profiles;
  }
  void Add(const std::string& id, const std::string& program, const std::string& expect) {
    const auto c = ParseCase("title: x\nclauses: [" + id + ".clause]\nwhy: x\nprogram:\n  - " + program +
                                 "\nexpect: {node: " + expect + "}\n",
                             id + ".yaml", id);
    ASSERT_TRUE(c.ok()) << c.error().ToString();
    cases_.push_back({*c, id});
  }
  RuleChange Change(const std::string& word) const { return *ParseChange(profiles_, profile_, word); }
  WhatIfReport Ask(const std::string& word, const std::vector<CaseResult>& results = {}) const {
    const WhatIf what_if(profile_, {Change(word)}, cases_, profiles_);
    return what_if.Report(results, 1, [](size_t, const std::string&) {});
  }
  CaseResult Ran(size_t index, Verdict verdict, const Order& order, Standing standing) const {
    Try one;
    for (const std::string& label : order) one.trace.events.push_back({label, {}, {}, "", ""});
    one.standing = standing;
    CaseResult result;
    result.case_id = cases_[index].c.id;
    result.content_hash = cases_[index].c.content_hash;
    result.implementation = "bun@1.4.4";
    result.profile = profile_.Name();
    result.verdict = verdict;
    result.basis = Basis::kProof;
    result.tries = {one};
    return result;
  }

  const Profiles& profiles_;
  const Profile profile_;
  std::vector<SelectedCase> cases_;
};

TEST_F(WhatIfTest, NamesTheCasesWhoseOrdersChangeAndTheirClauses) {
  const WhatIfReport report = Ask("immediate-drain=after-batch");
  EXPECT_EQ(report.asked, 3);
  ASSERT_EQ(report.cases.size(), 1u);
  EXPECT_EQ(report.cases[0].case_id, "drain");
  EXPECT_EQ(report.cases[0].effect, Effect::kFails);
  EXPECT_THAT(report.cases[0].before, ElementsAre(ElementsAre("A", "T", "B")));
  EXPECT_THAT(report.cases[0].after, ElementsAre(ElementsAre("A", "B", "T")));
  ASSERT_EQ(report.clauses.size(), 1u);
  EXPECT_EQ(report.clauses[0].clause, "drain.clause");
}

TEST_F(WhatIfTest, TellsFewerOrdersFromWrongOnes) {
  // Timers before the poll may still be early or late; without it, an immediate always wins.
  const WhatIfReport report = Ask("least-delay=0");
  for (const CaseEffect& one : report.cases) {
    EXPECT_EQ(one.case_id, "race");
    EXPECT_EQ(one.effect, Effect::kFewerOrders);
  }
  EXPECT_EQ(report.cases.size(), 1u);
}

TEST_F(WhatIfTest, JudgesResultsAgain) {
  const CaseResult fails = Ran(0, Verdict::kFail, {"A", "B", "T"}, Standing::kOutside);
  const CaseResult passes = Ran(0, Verdict::kPass, {"A", "T", "B"}, Standing::kOnTime);
  const CaseResult other = Ran(1, Verdict::kPass, {"A", "B"}, Standing::kOnTime);
  CaseResult older = fails, elsewhere = fails;
  older.content_hash = "0";
  elsewhere.profile = "node@10.24.1";
  const WhatIfReport report = Ask("immediate-drain=after-batch", {fails, passes, other, older, elsewhere});
  EXPECT_EQ(report.judged_again, 3);
  ASSERT_EQ(report.results.size(), 2u);
  EXPECT_EQ(report.results[0].before, Verdict::kFail);
  EXPECT_EQ(report.results[0].after, Verdict::kPass);
  EXPECT_EQ(report.results[1].before, Verdict::kPass);
  EXPECT_EQ(report.results[1].after, Verdict::kFail);
}

TEST_F(WhatIfTest, AnswersAnUnknownRuleOrValueWithTheNearest) {
  const auto hint = [&](const std::string& word) { return ParseChange(profiles_, profile_, word).error().ToString(); };
  EXPECT_THAT(hint("imediate-drain=between"), HasSubstr("did you mean 'immediate-drain'?"));
  EXPECT_THAT(hint("immediate-drain=after-bach"), HasSubstr("did you mean 'after-batch'?"));
  EXPECT_THAT(hint("immediate-drain=between"), HasSubstr("already has"));
  EXPECT_THAT(hint("immediate-drain"), HasSubstr("RULE=VALUE"));
}

TEST_F(WhatIfTest, AllChangesHaveTheValuesOfOtherReleasesAndOfTheBaseAndDeviations) {
  const std::vector<RuleChange> all = AllChanges(profiles_, profile_, Narrower::kLeftOut);
  const auto words = [&](const std::string& name) {
    for (const RuleChange& change : all) {
      if (change.Name() == name) return change.words;
    }
    return std::string("none");
  };
  EXPECT_EQ(words("immediate-drain=after-batch"), "as in node <11");
  EXPECT_EQ(words("tick-order=newest-first"), "the newest tick runs first");
  EXPECT_NE(words("close-callbacks=same-phase"), "none");
  EXPECT_EQ(words("immediate-drain=between"), "none");
}

}  // namespace what_if_test
}  // namespace conform
