#include "runners/harness/plan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <set>

#include "runners/harness/fake_runner.h"
#include "runners/harness/parallel.h"
#include "runners/harness/run_plan.h"

namespace conform {
namespace {

using ::testing::HasSubstr;

SelectedCase MakeCase(const std::string& id, const std::string& body) {
  auto c = ParseCase(body, id + ".yaml", id);
  EXPECT_TRUE(c.ok()) << c.error().ToString();
  return {*c, id};
}

constexpr char kTwoRanges[] = "program:\n  - timeout A 0\nexpect:\n  node >=11: A\n  node <11: A\n";

class PlanTest : public ::testing::Test {
 protected:
  PlanTest() : profiles_(*Profiles::Load(CONFORM_SOURCE_DIR "/spec/profiles")) {}

  Plan Make(const std::vector<Profile>& as, const Shard& shard = {}) {
    return MakePlan({MakeCase("a", kTwoRanges), MakeCase("b", kTwoRanges)}, profiles_, {&runner_}, as, shard);
  }

  const Profiles profiles_;
  FakeRunner runner_;
};

TEST_F(PlanTest, CoversEveryCheckpointOfEveryCase) {
  const Plan plan = Make({});
  const size_t checkpoints = profiles_.CheckpointsFor(plan.cases[0].c).size();
  EXPECT_GE(checkpoints, 3u);
  EXPECT_EQ(plan.items.size(), 2 * checkpoints);
  for (const PlanItem& item : plan.items) EXPECT_NE(item.expected, nullptr);
}

TEST_F(PlanTest, ShardsAreDisjointAndTogetherTheWhole) {
  const auto key = [](const PlanItem& item) { return std::pair(item.case_index, item.profile->Name()); };
  std::set<std::pair<size_t, std::string>> whole, parts;
  for (const PlanItem& item : Make({}).items) whole.insert(key(item));
  for (int part = 1; part <= 3; ++part) {
    for (const PlanItem& item : Make({}, {part, 3}).items) EXPECT_TRUE(parts.insert(key(item)).second);
  }
  EXPECT_EQ(whole, parts);
}

TEST_F(PlanTest, NoShardGetsAllResultsOfOneImplementation) {
  FakeRunner other;
  const std::vector<Profile> as{*profiles_.Resolve("node@24")};
  std::vector<SelectedCase> cases;
  for (int i = 0; i < 100; ++i) cases.push_back(MakeCase("c" + std::to_string(i), kTwoRanges));
  for (int part = 1; part <= 2; ++part) {
    const Plan plan = MakePlan(cases, profiles_, {&runner_, &other}, as, {part, 2});
    EXPECT_EQ(plan.items.size(), 100u);
    const auto mine = std::count_if(plan.items.begin(), plan.items.end(),
                                    [&](const PlanItem& item) { return item.runner == &runner_; });
    EXPECT_GT(mine, 25);
    EXPECT_LT(mine, 75);
  }
}

TEST_F(PlanTest, EveryShardNamesTheWholeAndEveryChangeOfItHasAnotherName) {
  const Plan whole = Make({});
  const Plan part = Make({}, {2, 3});
  EXPECT_EQ(part.digest, whole.digest);
  EXPECT_EQ(part.catalogue, whole.catalogue);
  const Plan fewer = MakePlan({MakeCase("a", kTwoRanges)}, profiles_, {&runner_}, {}, {});
  EXPECT_NE(fewer.digest, whole.digest);
  EXPECT_NE(fewer.catalogue, whole.catalogue);
  EXPECT_NE(Make({*profiles_.Resolve("node@10")}).digest, whole.digest);
}

TEST_F(PlanTest, AVersionThatNoRangeCoversIsPlannedWithoutAnExpectation) {
  const auto c = MakeCase("c", "program:\n  - timeout A 0\nexpect:\n  node >=20: A\n");
  const Plan plan = MakePlan({c}, profiles_, {&runner_}, {*profiles_.Resolve("node@10")}, {});
  ASSERT_EQ(plan.items.size(), 1u);
  EXPECT_EQ(plan.items[0].expected, nullptr);
  EXPECT_EQ(plan.items[0].unsupported, "");
}

TEST_F(PlanTest, WhatTheProfileLacksIsUnsupportedByName) {
  const auto c = MakeCase("c", "program:\n  - tick T\nexpect: T\n");
  const Plan plan = MakePlan({c}, profiles_, {&runner_}, {*profiles_.Resolve("libuv")}, {});
  ASSERT_EQ(plan.items.size(), 1u);
  EXPECT_THAT(plan.items[0].unsupported, HasSubstr("has no tick"));
}

TEST_F(PlanTest, WhatTheRunnerCannotDoIsUnsupported) {
  runner_.cannot_run = Obstacle{"out of order"};
  EXPECT_EQ(Make({}).items[0].unsupported, "out of order");
}

TEST(Shard, IsWrittenAsPartOfWhole) {
  EXPECT_EQ(Shard::Parse("2/8")->ToString(), "2/8");
  EXPECT_EQ(Shard::Parse("1/1")->ToString(), "");
  for (const char* bad : {"", "2", "0/8", "9/8", "a/b", "1/2/3", "-1/2", "1/9999999999", "1/1000001", " 1/2"}) {
    EXPECT_FALSE(Shard::Parse(bad).ok()) << bad;
  }
}

// A real thing.
class ClaimingRunner : public FakeRunner {
 public:
  ClaimingRunner(std::string family, std::string version) : claims_{std::move(family), std::move(version)} {}
  const Claims* claims() const override { return &claims_; }

 private:
  const Claims claims_;
};

TEST_F(PlanTest, ARealImplementationIsHeldToWhatItClaims) {
  const ClaimingRunner node("node", "10.24.1");
  const Plan plan = MakePlan({MakeCase("a", kTwoRanges)}, profiles_, {&node}, {}, {});
  ASSERT_EQ(plan.items.size(), 1u);
  EXPECT_EQ(plan.items[0].profile->Name(), "node@10.24.1");
  EXPECT_TRUE(plan.items[0].as_claimed);
  EXPECT_NE(plan.items[0].expected, nullptr);
}

// What an adapter refuses in the middle of a run is looked up then.
TEST_F(PlanTest, APlanOutlivesItsProfiles) {
  const ClaimingRunner node("node", "10.24.1");
  auto profiles = std::make_unique<Profiles>(*Profiles::Load(CONFORM_SOURCE_DIR "/spec/profiles"));
  const Plan plan = MakePlan({MakeCase("a", kTwoRanges)}, *profiles, {&node}, {}, {});
  profiles.reset();
  EXPECT_TRUE(plan.items[0].Promises("tick"));
  EXPECT_FALSE(plan.items[0].Promises("entry esm"));
}

TEST_F(PlanTest, WhatARealImplementationHasIsNotTakenFromItsProfile) {
  const ClaimingRunner node("node", "0.10.48");
  const auto c = MakeCase("c", "program:\n  - microtask Q\nexpect:\n  node: Q\n");
  EXPECT_EQ(MakePlan({c}, profiles_, {&node}, {}, {}).items[0].unsupported, "");
  EXPECT_NE(MakePlan({c}, profiles_, {&runner_}, {*profiles_.Resolve("node@0.10.48")}, {}).items[0].unsupported, "");
}

TEST_F(PlanTest, WhatTheVersionThatIsClaimedHasIsMissing) {
  ClaimingRunner node("node", "24.0.0");
  node.cannot_run = Obstacle{"node has no microtask", "microtask"};
  const auto c = MakeCase("c", "program:\n  - microtask Q\nexpect:\n  node: Q\n");
  const Plan plan = MakePlan({c}, profiles_, {&node}, {}, {});
  EXPECT_TRUE(plan.items[0].is_missing);
  EXPECT_EQ(plan.items[0].unsupported, "node has no microtask, which node@24.0.0 has");
  // Held to something else, it has promised nothing.
  const Plan other = MakePlan({c}, profiles_, {&node}, {*profiles_.Resolve("node@24")}, {});
  EXPECT_FALSE(other.items[0].is_missing);
  EXPECT_EQ(other.items[0].unsupported, "node has no microtask");
}

TEST_F(PlanTest, WhatTheVersionThatIsClaimedLacksTooIsUnsupported) {
  const auto c = MakeCase("c", "program:\n  - microtask Q\nexpect:\n  node: Q\n");
  ClaimingRunner old("node", "0.10.48");
  old.cannot_run = Obstacle{"node has no microtask", "microtask"};
  EXPECT_FALSE(MakePlan({c}, profiles_, {&old}, {}, {}).items[0].is_missing);
  ClaimingRunner node("node", "24.0.0");
  node.cannot_run = Obstacle{"the case has no file for it"};
  EXPECT_FALSE(MakePlan({c}, profiles_, {&node}, {}, {}).items[0].is_missing);
  // Nothing is expected of this version.
  const auto silent = MakeCase("d", "program:\n  - microtask Q\nexpect:\n  node <20: Q\n");
  node.cannot_run = Obstacle{"node has no microtask", "microtask"};
  EXPECT_FALSE(MakePlan({silent}, profiles_, {&node}, {}, {}).items[0].is_missing);
}

TEST_F(PlanTest, ACaseAboutOtherFamiliesIsPlannedOnlyWhenItIsNamed) {
  const ClaimingRunner node("node", "24.0.0");
  auto c = MakeCase("c", "program:\n  - timeout A 0\nexpect:\n  libuv: A\n");
  EXPECT_TRUE(MakePlan({c}, profiles_, {&node}, {}, {}).items.empty());
  c.named = true;
  const Plan plan = MakePlan({c}, profiles_, {&node}, {}, {});
  ASSERT_EQ(plan.items.size(), 1u);
  EXPECT_EQ(plan.items[0].expected, nullptr);
}

TEST_F(PlanTest, ALoopThatIsHeldToItsDocumentationIsAskedAllCases) {
  const ClaimingRunner libev("libev", "4.33");
  const auto c = MakeCase("c", "program:\n  - timeout A 0\nexpect:\n  libuv: A\n");
  const Plan plan = MakePlan({c}, profiles_, {&libev}, {}, {});
  ASSERT_EQ(plan.items.size(), 1u);
  EXPECT_EQ(plan.items[0].expected, nullptr);
  EXPECT_TRUE(MakePlan({c}, profiles_, {&runner_}, {*profiles_.Resolve("libev")}, {}).items.empty());
}

TEST_F(PlanTest, AVersionFromTheFutureIsHeldToTheNewestRules) {
  const ClaimedProfile claimed = ProfileOf({"node", "99.0.0-nightly2026"}, profiles_);
  EXPECT_EQ(claimed.profile.version, profiles_.Find("node")->releases.back());
  EXPECT_FALSE(claimed.profile.rules.empty());
  EXPECT_THAT(claimed.note, HasSubstr("newer"));
}

TEST_F(PlanTest, AClaimThatMeansNothingHasNoRulesAndIsExplained) {
  const std::pair<Claims, std::string> all[] = {{{"", ""}, "claims no profile"},
                                                {{"nodd", "1.0"}, "no profile 'nodd'"},
                                                {{"node", "0.1.0"}, "older"},
                                                {{"node", "x"}, "not a version"}};
  for (const auto& [claims, why] : all) {
    const ClaimedProfile claimed = ProfileOf(claims, profiles_);
    EXPECT_TRUE(claimed.profile.rules.empty());
    EXPECT_THAT(claimed.note, HasSubstr(why));
    const ClaimingRunner runner(claims.family, claims.version);
    auto c = MakeCase("c", "program:\n  - timeout A 0\nexpect: A\n");
    c.named = true;
    const Plan plan = MakePlan({c}, profiles_, {&runner}, {}, {});
    ASSERT_EQ(plan.items.size(), 1u);
    EXPECT_EQ(plan.items[0].expected, nullptr) << why;
  }
}

TEST_F(PlanTest, MoreCasesThanCoresRunAtOnceWhereAllOfThemWait) {
  EXPECT_EQ(JobsFor(Make({})), DefaultJobs());  // in virtual time
  FakeRunner waits;
  waits.may_be_late = true;
  const std::vector<SelectedCase> cases{MakeCase("a", kTwoRanges)};
  EXPECT_EQ(JobsFor(MakePlan(cases, profiles_, {&waits}, {}, {})), kRunsPerCore * DefaultJobs());
  EXPECT_EQ(JobsFor(MakePlan(cases, profiles_, {&waits, &runner_}, {}, {})), DefaultJobs());
  // How often an order occurs is what a script is compared by.
  Plan of_script = MakePlan(cases, profiles_, {&waits}, {}, {});
  of_script.cases[0].c.expect.clear();
  EXPECT_EQ(JobsFor(of_script), DefaultJobs());
}

}  // namespace
}  // namespace conform
