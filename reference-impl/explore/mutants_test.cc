#include "reference-impl/explore/mutants.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "reference-impl/explore/explorer.h"
#include "reference-impl/loop/faults.h"

namespace conform::reference {
namespace {

using ::testing::IsEmpty;

// One rule, three stretches; another that cuts the middle one in two.
Profiles SmallProfiles() {
  const auto family = ParseProfileFamily(R"(family: small
title: Small
releases: [1.0.0, 5.0.0]
rules:
  drain:
    clause: drain.after-each-callback
    summary: x
    values:
      - {value: old, range: "<2 || >=4"}
      - {value: new, range: ">=2 <4"}
  other:
    clause: ticks.until-empty
    summary: y
    values:
      - {value: a, range: "<3"}
      - {value: b, range: ">=3"}
capabilities:
  tick: ""
)",
                                         "small.yaml");
  EXPECT_TRUE(family.ok()) << family.error().ToString();
  return *Profiles::FromFamilies({*family});
}

std::vector<std::string> IdsOf(const std::vector<Mutant>& mutants, const std::string& rule) {
  std::vector<std::string> ids;
  for (const Mutant& mutant : mutants) {
    if (mutant.rule == rule) ids.push_back(mutant.id);
  }
  return ids;
}

TEST(Mutants, EveryStretchIsFlippedAndEveryBoundaryMovedByOneStep) {
  const std::vector<Mutant> mutants = AllMutants(SmallProfiles());
  EXPECT_THAT(IdsOf(mutants, "drain"),
              ::testing::ElementsAre("small:drain=new@1.0.0", "small:drain=old@2.0.0", "small:drain=new@4.0.0",
                                     // The first and the last stretch are one step long: flipping them is the rest.
                                     "small:drain@2.0.0:later", "small:drain@4.0.0:earlier"));
  EXPECT_THAT(IdsOf(mutants, "other"), ::testing::ElementsAre("small:other=b@1.0.0", "small:other=a@3.0.0",
                                                              "small:other@3.0.0:later", "small:other@3.0.0:earlier"));
}

TEST(Mutants, AMutantChangesOneRuleInItsVersionsAlone) {
  const Profiles profiles = SmallProfiles();
  const std::vector<Mutant> mutants = AllMutants(profiles);
  const auto flip = std::find_if(mutants.begin(), mutants.end(),
                                 [](const Mutant& mutant) { return mutant.id == "small:drain=old@2.0.0"; });
  ASSERT_NE(flip, mutants.end());
  const auto at = [&](const char* name) { return *profiles.Resolve(name); };
  EXPECT_FALSE(flip->Touches(at("small@1.9.9")));
  EXPECT_TRUE(flip->Touches(at("small@2.0.0")));
  EXPECT_TRUE(flip->Touches(at("small@3.5.0")));
  EXPECT_FALSE(flip->Touches(at("small@4.0.0")));
  Profile expected = at("small@3.5.0");
  expected.rules["drain"] = "old";
  EXPECT_EQ(flip->Break(at("small@3.5.0")).rules, expected.rules);
}

TEST(Mutants, OfTheRealProfilesNoneComesTwice) {
  const auto profiles = Profiles::Load(CONFORM_SOURCE_DIR "/spec/profiles");
  ASSERT_TRUE(profiles.ok());
  std::set<std::string> ids;
  for (const Mutant& mutant : AllMutants(*profiles)) EXPECT_TRUE(ids.insert(mutant.id).second) << mutant.id;
  // A host has the rules of the loop that it stands on too.
  EXPECT_TRUE(ids.contains("node:timer-phase=before-poll@20.3.0"));
  EXPECT_TRUE(ids.contains("libuv:timer-phase=before-poll@1.45.0"));
}

TEST(Faults, TheTableHasEachFaultInItsPlace) {
  std::set<std::string_view> names;
  size_t place = 0;
  for (const FaultInfo& info : Faults()) {
    EXPECT_EQ(static_cast<size_t>(info.fault), ++place) << info.name;
    EXPECT_TRUE(names.insert(info.name).second) << info.name;
  }
  EXPECT_GE(names.size(), 60u);
}

// Every fault is asked for somewhere: with it, some program of the test below ends differently. That is what `conform
// mutants` shows with the catalogue; here it is enough that a broken loop is not the loop that is right.
TEST(Faults, AFaultIsThereOnlyWhereItIsAskedFor) {
  const auto profiles = Profiles::Load(CONFORM_SOURCE_DIR "/spec/profiles");
  Profile profile = *profiles->Resolve("node@24");
  EXPECT_EQ(FaultOf(profile), Fault::kNone);
  const auto c = ParseCase("program:\n  - tick A\n  - tick B\nexpect: A B\n", "x.yaml", "x");
  ASSERT_TRUE(c.ok());
  EXPECT_EQ(RunInVirtualTime(*c, profile, 0).trace.ToOrder(), (Order{"A", "B"}));
  profile.rules[kFaultRule] = "ticks-turned-around";
  EXPECT_EQ(FaultOf(profile), Fault::kTicksTurnedAround);
  EXPECT_EQ(RunInVirtualTime(*c, profile, 0).trace.ToOrder(), (Order{"B", "A"}));
}

TEST(Faults, ALoopThatTurnsWithoutEndIsEndedByTheLimitOnSteps) {
  const auto profiles = Profiles::Load(CONFORM_SOURCE_DIR "/spec/profiles");
  Profile profile = *profiles->Resolve("libuv");
  // An idle handle keeps the poll from waiting, and never gets its turn to stop.
  profile.rules[kFaultRule] = "idle-phase-skipped";
  const auto c = ParseCase("program:\n  - idle H x2\nexpect: H H\n", "x.yaml", "x");
  ASSERT_TRUE(c.ok()) << c.error().ToString();
  ExploreLimits limits;
  limits.max_callbacks = 1'000;
  EXPECT_EQ(RunInVirtualTime(*c, profile, 0, limits).limit_hit, "callbacks in one run");
}

}  // namespace
}  // namespace conform::reference
