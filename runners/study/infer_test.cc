#include "runners/study/infer.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "runners/study/home.h"
#include "runners/study/ref_runners.h"

namespace conform {
namespace infer_test {

class InferTest : public ::testing::Test {
 protected:
  InferTest() : profiles_(*LoadProfiles(*FindHome())) {
    for (Case& c : LoadCatalogue(FindHome()->Cases()).cases) {
      if (c.id.starts_with("ticks/") || c.id.starts_with("drain/between")) catalogue_.push_back({c, c.id, true});
    }
  }

  // What a loop with the rules of `does` gives, held to the newest release.
  InferReport Infer(const Profile& does, int64_t random_programs) {
    const Profile start = *profiles_.Resolve("node");
    const ProfileFamily& family = *profiles_.Find("node");
    std::vector<CaseResult> results;
    for (const SelectedCase& selected : catalogue_) {
      const Case& c = selected.c;
      if (reference::NotModelled(c, "node") || !c.models.empty()) continue;
      if (family.Unsupported(c, does.version)) continue;
      CaseResult result;
      result.case_id = c.id;
      result.content_hash = c.content_hash;
      result.implementation = "hidden";
      for (uint64_t seed = 0; seed < 3; ++seed) {
        Try one;
        one.trace = reference::RunInVirtualTime(c, does, seed).trace;
        result.tries.push_back(std::move(one));
      }
      results.push_back(std::move(result));
    }
    const CauseEvidence evidence = GatherEvidence(results, catalogue_, profiles_, start, 1);
    const auto runner = MakeRefRunner(0);
    InferSettings settings;
    settings.random_programs = random_programs;
    return Inferrer(evidence, profiles_, catalogue_, *runner, does, settings).Infer();
  }
  static const InferredRule* Find(const std::vector<InferredRule>& rules, const std::string& name) {
    const auto found = std::find_if(rules.begin(), rules.end(), [&](const auto& one) { return one.rule == name; });
    return found == rules.end() ? nullptr : &*found;
  }

  const Profiles profiles_;
  std::vector<SelectedCase> catalogue_;
};

TEST_F(InferTest, ADeviationIsDecidedByTheCasesThatShowIt) {
  Profile hidden = *profiles_.Resolve("node@24");
  hidden.rules["tick-order"] = "newest-first";
  const InferReport report = Infer(hidden, 0);
  const InferredRule* rule = Find(report.decided, "tick-order");
  ASSERT_NE(rule, nullptr);
  EXPECT_EQ(rule->value, "newest-first");
  const auto of_rule = [](const RuleChange& change) { return change.rule == "tick-order"; };
  EXPECT_TRUE(std::any_of(report.differences.begin(), report.differences.end(), of_rule));
  EXPECT_NE(InferredProfileText(report).find("  tick-order: \"newest-first\"\n"), std::string::npos);
}

TEST_F(InferTest, WhatNoCaseShowsStaysOpenUntilAProgramDecidesIt) {
  const Profile node = *profiles_.Resolve("node@24");
  const InferReport few = Infer(node, 0);
  // None of these cases has a file.
  const InferredRule* rule = Find(few.open, "exit-event");
  ASSERT_NE(rule, nullptr);
  EXPECT_FALSE(rule->others.empty());
  EXPECT_FALSE(rule->reason.empty());
  EXPECT_EQ(few.programs, 0);
  const InferReport more = Infer(node, 60);
  EXPECT_GT(more.programs, 0);
  EXPECT_GT(more.decided.size(), few.decided.size());
  EXPECT_TRUE(more.unexplained.empty());
}

}  // namespace infer_test
}  // namespace conform
