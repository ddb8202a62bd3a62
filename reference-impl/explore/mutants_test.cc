#include "reference-impl/explore/mutants.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "reference-impl/explore/explorer.h"
#include "reference-impl/explore/rules/model_rules.h"

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
  // A host has the rules of the loop that it is built on too.
  EXPECT_TRUE(ids.contains("node:timer-pass=snapshot@0.10.48"));
  EXPECT_TRUE(ids.contains("libuv:timer-pass=heap@1.48.0"));
}

TEST(Mutants, ARuleOfTheBaseIsNotBrokenWhereItsStepIsMissing) {
  const auto rule = [](const std::string& name, const std::string& step) {
    return "  " + name + ":\n    clause: idle.repeats\n    summary: x\n" + step +
           "    values: [{value: a, range: \"<2\"}, {value: b, range: \">=2\"}]\n";
  };
  const auto base =
      ParseProfileFamily("family: below\ntitle: Below\nreleases: [1.0.0, 3.0.0]\nrules:\n" +
                             rule("of-idle", "    step: idle\n") + rule("of-timers", "    step: timeout\n"),
                         "below.yaml");
  ASSERT_TRUE(base.ok()) << base.error().ToString();
  const auto node = ParseProfileFamily(
      "family: node\ntitle: Node\nreleases: [1.0.0]\nbase: below\nbase-versions: [{range: \"\", version: 1.0.0}]\n",
      "node.yaml");
  ASSERT_TRUE(node.ok()) << node.error().ToString();
  const std::vector<Mutant> mutants = AllMutants(*Profiles::FromFamilies({*base, *node}));
  EXPECT_THAT(IdsOf(mutants, "of-timers"), ::testing::Contains("node:of-timers=b@1.0.0"));
  EXPECT_THAT(IdsOf(mutants, "of-idle"), ::testing::Not(::testing::Contains("node:of-idle=b@1.0.0")));
  EXPECT_THAT(IdsOf(mutants, "of-idle"), ::testing::Contains("below:of-idle=b@1.0.0"));
}

TEST(Mutants, ADeviationIsTriedInTheVersionsOfItsRange) {
  const auto family = ParseProfileFamily(R"(family: small
title: Small
releases: [1.0.0, 5.0.0]
rules:
  drain:
    clause: drain.after-each-callback
    summary: x
    values:
      - {value: old, range: "<2"}
      - {value: new, range: ">=2"}
    deviations:
      - {value: never, sentence: nothing is drained}
      - {value: late, range: ">=2 <4", clause: ticks.until-empty, sentence: it is drained late}
capabilities:
  tick: ""
)",
                                         "small.yaml");
  ASSERT_TRUE(family.ok()) << family.error().ToString();
  const Profiles profiles = *Profiles::FromFamilies({*family});
  std::vector<Mutant> mutants = AllMutants(profiles);
  std::erase_if(mutants, [](const Mutant& mutant) { return mutant.kind != Mutant::Kind::kDeviation; });
  ASSERT_EQ(mutants.size(), 2u);
  EXPECT_EQ(mutants[0].id, "small:drain=never");
  EXPECT_EQ(mutants[0].clause, "drain.after-each-callback");
  EXPECT_EQ(mutants[0].sentence, "nothing is drained");
  EXPECT_EQ(mutants[1].clause, "ticks.until-empty");
  const auto at = [&](const char* name) { return *profiles.Resolve(name); };
  EXPECT_TRUE(mutants[0].Touches(at("small@1.0.0")));
  EXPECT_FALSE(mutants[1].Touches(at("small@1.0.0")));
  EXPECT_TRUE(mutants[1].Touches(at("small@2.0.0")));
  EXPECT_FALSE(mutants[1].Touches(at("small@4.0.0")));
  EXPECT_EQ(mutants[1].Break(at("small@3.0.0")).Rule("drain"), "late");
}

TEST(Deviations, AProgramRunsOnALoopThatDeviates) {
  const auto profiles = Profiles::Load(CONFORM_SOURCE_DIR "/spec/profiles");
  Profile profile = *profiles->Resolve("node@24");
  const auto c = ParseCase("program:\n  - tick A\n  - tick B\nexpect: A B\n", "x.yaml", "x");
  ASSERT_TRUE(c.ok());
  EXPECT_EQ(RunInVirtualTime(*c, profile, 0).trace.ToOrder(), (Order{"A", "B"}));
  profile.rules["tick-order"] = "newest-first";
  EXPECT_EQ(RunInVirtualTime(*c, profile, 0).trace.ToOrder(), (Order{"B", "A"}));
}

// The times of a timer that has ended are not kept while the loop waits, so nothing may count from them.
TEST(Deviations, ATimerThatHasEndedHasNoStartToKeep) {
  const auto profiles = Profiles::Load(CONFORM_SOURCE_DIR "/spec/profiles");
  Profile profile = *profiles->Resolve("node@24");
  profile.rules["refresh"] = "keeps-start";
  const auto c =
      ParseCase("program:\n  - timeout A 1\n  - timeout 40:\n      - refresh A\nexpect: A A\n", "x.yaml", "x");
  ASSERT_TRUE(c.ok()) << c.error().ToString();
  EXPECT_EQ(RunInVirtualTime(*c, profile, 0).trace.ToOrder(), (Order{"A", "A"}));
}

// What is written in the profiles and what the loop reads are the same: a value that is not described cannot be
// read, and one that is described is known.
TEST(Deviations, EveryValueThatTheLoopKnowsIsDescribed) {
  const auto profiles = Profiles::Load(CONFORM_SOURCE_DIR "/spec/profiles");
  ASSERT_TRUE(profiles.ok());
  std::map<std::string, std::set<std::string>> described;
  std::map<std::string, std::set<std::string>> known;
  for (const char* name : {"libuv", "node", "asyncio", "html"}) {
    const ProfileFamily& family = *profiles->Find(name);
    for (const RuleDefinition& rule : family.rules) {
      described[rule.name].insert(rule.values.begin(), rule.values.end());
      for (const auto& deviation : rule.deviations) described[rule.name].insert(deviation.value);
      for (const auto& other : rule.narrower) described[rule.name].insert(other.value);
    }
    const Profile profile = profiles->At(family, family.releases.back());
    for (const auto& [rule, values] : KnownValues(profile)) known[rule].insert(values.begin(), values.end());
  }
  for (const auto& [rule, values] : known) {
    for (const std::string& value : values) EXPECT_TRUE(described[rule].contains(value)) << rule << ": " << value;
  }
  EXPECT_GE(known.size(), 130u);
  EXPECT_EQ(CheckRules(*profiles), std::nullopt);
}

TEST(Deviations, AListOfPhasesIsWalkedInItsOrder) {
  const auto profiles = Profiles::Load(CONFORM_SOURCE_DIR "/spec/profiles");
  Profile profile = *profiles->Resolve("libuv");
  const auto c = ParseCase("program:\n  - idle I x1\n  - prepare P x1\n  - check C x1\n  - run nowait\nexpect: I P C\n",
                           "x.yaml", "x");
  ASSERT_TRUE(c.ok()) << c.error().ToString();
  EXPECT_EQ(RunInVirtualTime(*c, profile, 0).trace.ToOrder(), (Order{"I", "P", "C"}));
  profile.rules["iteration"] = "check,idle,poll,prepare,closing";
  EXPECT_EQ(RunInVirtualTime(*c, profile, 0).trace.ToOrder(), (Order{"C", "I", "P"}));
  profile.rules["iteration"] = "check,tea";
  EXPECT_THROW(Model model(profile), UnknownRule);
}

TEST(Deviations, ALoopThatTurnsWithoutEndIsEndedByTheLimitOnSteps) {
  const auto profiles = Profiles::Load(CONFORM_SOURCE_DIR "/spec/profiles");
  Profile profile = *profiles->Resolve("libuv");
  // An idle handle keeps the poll from waiting, and never gets its turn to stop.
  profile.rules["iteration"] = "pending,prepare,poll,check,closing,timers";
  const auto c = ParseCase("program:\n  - idle H x2\nexpect: H H\n", "x.yaml", "x");
  ASSERT_TRUE(c.ok()) << c.error().ToString();
  ExploreLimits limits;
  limits.max_callbacks = 1'000;
  EXPECT_EQ(RunInVirtualTime(*c, profile, 0, limits).limit_hit, "callbacks in one run");
}

}  // namespace
}  // namespace conform::reference
