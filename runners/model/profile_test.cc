#include "runners/model/profile.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "runners/base/text.h"

namespace conform {
namespace profile_test {

const char kLibuv[] = R"(family: libuv
title: libuv
releases: [1.0.0, 1.34.2, 1.44.2, 1.45.0, 1.46.0, 1.52.1]
rules:
  timers:
    clause: iteration.timers-phase
    summary: Where timers run in an iteration
    values:
      - {value: before-poll, range: "<1.45"}
      - {value: after-poll, range: ">=1.45"}
capabilities:
  timeout: ""
  immediate: ""
  idle: ""
)";

const char kNode[] = R"(family: node
title: Node.js
releases: [0.10.48, 10.24.1, 11.15.0, 12.22.12, 13.8.0, 20.2.0, 20.3.0, 24.21.0, 26.10.0]
base: libuv
base-versions:
  - {range: "<12", version: 1.34.2}
  - {range: ">=12 <20.3", version: 1.44.2}
  - {range: ">=20.3 <24", version: 1.45.0}
  - {range: ">=24", version: 1.52.1}
rules:
  drain:
    clause: drain.after-each-callback
    summary: When ticks and microtasks run
    values:
      - value: after-list
        range: "<11"
      - value: after-each-callback
        range: ">=11"
  main-throw:
    clause: errors.main-script
    summary: What runs first after the main script has thrown
    values:
      - {value: immediate, range: "<12.17 || >=13 <13.8"}
      - {value: ticks, range: ">=12.17 <13 || >=13.8"}
capabilities:
  timeout: ""
  timeout as promise: ">=15"
  tick: ""
  immediate: ""
  throw: ""
  on uncaught: ""
  entry esm: ">=12.17 <13 || >=13.2"
  fetch: ">=18"
  message: ">=14 <16 || >=17"
)";

std::string ErrorOf(const std::string& text) {
  const auto family = ParseProfileFamily(text, "p.yaml");
  return family.ok() ? "" : family.error().ToString();
}

Profiles Both() {
  std::vector<ProfileFamily> families;
  for (const char* text : {kLibuv, kNode}) {
    auto family = ParseProfileFamily(text, "p.yaml");
    EXPECT_TRUE(family.ok()) << family.error().ToString();
    families.push_back(std::move(*family));
  }
  auto profiles = Profiles::FromFamilies(std::move(families));
  EXPECT_TRUE(profiles.ok()) << profiles.error().ToString();
  return std::move(*profiles);
}

Step Make(Op op, const std::string& kind = "", const std::string& event = "") {
  Step step;
  step.op = op;
  step.kind = kind;
  step.event = event;
  return step;
}

Expectation Expect(const std::string& family, const std::string& range) {
  Expectation expectation;
  expectation.family = family;
  expectation.range = VersionRange::Parse(range).value();
  expectation.pattern = Pattern::Parse("A").value();
  return expectation;
}

Version V(const char* text) { return Version::Parse(text).value(); }

// "libuv@1.0.0 node@0.10.48 …"
std::string Checkpoints(const Case& c) {
  std::string names;
  for (const Profile& profile : Both().CheckpointsFor(c)) names += (names.empty() ? "" : " ") + profile.Name();
  return names;
}

TEST(ProfileParser, ReadsEveryPartOfAFamily) {
  const auto family = ParseProfileFamily(kNode, "p.yaml");
  ASSERT_TRUE(family.ok()) << family.error().ToString();
  EXPECT_EQ(family->name, "node");
  EXPECT_EQ(family->title, "Node.js");
  EXPECT_EQ(family->releases.size(), 9u);
  EXPECT_EQ(family->base, "libuv");
  ASSERT_EQ(family->base_versions.size(), 4u);
  EXPECT_EQ(family->base_versions[2].second, V("1.45.0"));
  ASSERT_EQ(family->rules.size(), 2u);
  EXPECT_EQ(family->rules[0].name, "drain");
  EXPECT_EQ(family->rules[0].clause, "drain.after-each-callback");
  EXPECT_EQ(family->rules[0].summary, "When ticks and microtasks run");
  EXPECT_EQ(family->rules[0].values, (std::vector<std::string>{"after-list", "after-each-callback"}));
  EXPECT_EQ(family->rules[1].spans[1].range.ToString(), ">=12.17 <13 || >=13.8");
  ASSERT_EQ(family->capabilities.size(), 9u);
  EXPECT_EQ(family->capabilities[1].name, "timeout as promise");
  EXPECT_EQ(family->capabilities[1].range.ToString(), ">=15");
}

TEST(ProfileParser, MistakesAreNamedWithTheirPlace) {
  const std::string head = "family: f\ntitle: F\nreleases: [1.0.0, 2.0.0]\n";
  EXPECT_EQ(ErrorOf(head), "");
  EXPECT_EQ(ErrorOf("- a\n"), "p.yaml:1:1: a profile is a map, not a list");
  EXPECT_EQ(ErrorOf("family: f\ntitle: F\n"), "p.yaml:1:1: a profile has no 'releases'");
  EXPECT_EQ(ErrorOf(head + "rule: {}\n"), "p.yaml:4:1: 'rule' is not a key of a profile (did you mean 'rules'?)");
  EXPECT_EQ(ErrorOf("family: F\ntitle: F\nreleases: [1]\n"),
            "p.yaml:1:9: 'F' is not a family: expected lower-case letters, digits, dots and hyphens");
  EXPECT_EQ(ErrorOf("family: f\ntitle: F\nreleases: []\n"),
            "p.yaml:3:11: 'releases' is a list of versions, oldest first");
  EXPECT_EQ(ErrorOf("family: f\ntitle: F\nreleases: [2.0.0, 1.0.0]\n"),
            "p.yaml:3:19: releases go from old to new, but 1.0.0 follows 2.0.0");
  EXPECT_NE(ErrorOf("family: f\ntitle: F\nreleases: [two]\n").find("p.yaml:3:12: expected a version"),
            std::string::npos);
  EXPECT_EQ(ErrorOf("family: f\ntitle: ''\nreleases: [1]\n"), "p.yaml:2:8: 'title' is empty");
  EXPECT_EQ(ErrorOf(head + "base: g\n"), "p.yaml:4:7: 'base' without 'base-versions'");
  EXPECT_EQ(ErrorOf(head + "capabilities:\n  tick: >-\n    =1\n    <=2\n").substr(0, 9), "p.yaml:5:");
  EXPECT_EQ(ErrorOf(head + "capabilities:\n  tick: '>=1 <=2'\n"),
            "p.yaml:5:14: '<=' is not a range operator (a boundary is the first version that differs; use '<')");
  EXPECT_EQ(ErrorOf(head + "capabilities:\n  tick:\n"), "p.yaml:5:3: 'tick' has no range (\"\" is every version)");
  EXPECT_EQ(ErrorOf(head + "family: g\n").substr(0, 9), "p.yaml:4:");
}

TEST(ProfileParser, ARecipeIsDocumentedOrLeftOut) {
  const std::string libev = "family: libev\ntitle: libev\nreleases: [4.33]\n";
  EXPECT_FALSE(ParseProfileFamily(libev, "p.yaml")->is_documented);
  EXPECT_TRUE(ParseProfileFamily(libev + "recipe: documented\n", "p.yaml")->is_documented);
  EXPECT_EQ(ErrorOf(libev + "recipe: libuv\n"), "p.yaml:4:9: 'recipe' is 'documented', or left out");
}

TEST(ProfileParser, ValuesOfARuleNeitherOverlapNorLeaveAGap) {
  const auto rule = [](const std::string& values) {
    return ErrorOf(
        "family: f\ntitle: F\nreleases: [1.0.0, 2.0.0, 3.0.0]\nrules:\n  r:\n    clause: a.b\n    summary: s\n"
        "    values:\n" +
        values);
  };
  EXPECT_EQ(rule("      - {value: x, range: \"<2\"}\n      - {value: y, range: \">=2\"}\n"), "");
  EXPECT_EQ(rule("      - {value: x, range: \"<2.0.1\"}\n      - {value: y, range: \">=2\"}\n"),
            "p.yaml:10:9: '>=2' overlaps '<2.0.1' in the rule 'r'");
  EXPECT_EQ(rule("      - {value: x, range: \"<2\"}\n      - {value: y, range: \">=2.0.1\"}\n"),
            "p.yaml:5:3: the rule 'r' does not say what holds at 2.0.0");
  // Every release is covered here, and still there is a gap between two of them.
  EXPECT_EQ(rule("      - {value: x, range: \"<2.5\"}\n      - {value: y, range: \">=2.6\"}\n"),
            "p.yaml:5:3: the rule 'r' does not say what holds at 2.5.0");
  EXPECT_EQ(rule("      - {value: x}\n"), "p.yaml:9:9: a value of the rule 'r' has no 'range'");
  EXPECT_EQ(rule("      []\n"), "p.yaml:5:3: the rule 'r' does not say what holds at 1.0.0");
}

TEST(ProfileParser, BaseVersionsCoverTheFamilyToo) {
  const std::string text = "family: f\ntitle: F\nreleases: [1.0.0, 2.0.0]\nbase: g\nbase-versions:\n";
  EXPECT_EQ(ErrorOf(text + "  - {range: \"<2\", version: 1.0.0}\n"),
            "p.yaml:6:3: 'base-versions' does not say what holds at 2.0.0");
  EXPECT_EQ(ErrorOf(text + "  - {range: \"\", version: 1.0.0}\n  - {range: \"=1.5.0\", version: 1.0.0}\n"),
            "p.yaml:7:5: '=1.5.0' overlaps '' in 'base-versions'");
}

TEST(Profiles, FamiliesFitTogether) {
  const auto parse = [](const std::string& text) { return ParseProfileFamily(text, "p.yaml").value(); };
  const auto error = [](std::vector<ProfileFamily> families) {
    const auto profiles = Profiles::FromFamilies(std::move(families));
    return profiles.ok() ? "" : profiles.error().ToString();
  };
  EXPECT_EQ(error({parse(kNode)}), "p.yaml: there is no family 'libuv' to be the base");
  EXPECT_EQ(error({parse(kLibuv), parse(kLibuv)}), "p.yaml: the family 'libuv' is already defined");
  ProfileFamily shorter = parse(kLibuv);
  shorter.releases.pop_back();
  EXPECT_EQ(error({parse(kNode), shorter}), "p.yaml: libuv 1.52.1 is not known (libuv goes from 1.0.0 to 1.46.0)");
  ProfileFamily third = parse(kNode);
  third.name = "electron";
  third.base = "node";
  EXPECT_EQ(error({parse(kNode), parse(kLibuv), third}), "p.yaml: the base 'node' is itself based on 'libuv'");
}

TEST(ProfileParser, ARuleMayListValuesThatNoVersionHas) {
  const std::string head =
      "family: f\ntitle: F\nreleases: [1.0.0, 2.0.0]\nrules:\n  r:\n    clause: a.b\n    summary: x\n";
  const std::string values = "    values: [{value: [a, b], range: \"\"}]\n    deviations:\n";
  const auto family = ParseProfileFamily(head + values +
                                             "      - {value: [b, a], sentence: turned around}\n"
                                             "      - {value: none, sentence: nothing, clause: c.d, range: \">=2\"}\n",
                                         "p.yaml");
  ASSERT_TRUE(family.ok()) << family.error().ToString();
  const RuleDefinition& rule = family->rules[0];
  EXPECT_EQ(rule.values, (std::vector<std::string>{"a,b"}));
  ASSERT_EQ(rule.deviations.size(), 2u);
  EXPECT_EQ(rule.deviations[0].value, "b,a");
  EXPECT_EQ(rule.deviations[0].sentence, "turned around");
  EXPECT_EQ(rule.deviations[0].clause, "a.b");
  EXPECT_EQ(rule.deviations[1].clause, "c.d");
  EXPECT_FALSE(rule.deviations[1].range.Contains(V("1.0.0")));
  const auto error = [&](const std::string& item) { return ErrorOf(head + values + "      - " + item + "\n"); };
  EXPECT_EQ(error("{value: c}"), "p.yaml:10:9: a deviation of the rule 'r' has no 'sentence'");
  EXPECT_EQ(error("{value: [a, b], sentence: x}"), "p.yaml:10:9: 'a,b' is a value of the rule 'r' already");
  EXPECT_EQ(error("{value: [], sentence: x}"), "p.yaml:10:17: 'value' is an empty list");
  EXPECT_EQ(error("{value: c, sentence: x, range: \"<1 || >=2\"}"),
            "p.yaml:10:40: a deviation has one range, without '||'");
  EXPECT_EQ(error("{value: c, sentense: x}"),
            "p.yaml:10:20: 'sentense' is not a key of a deviation of the rule 'r' (did you mean 'sentence'?)");
}

TEST(ProfileParser, ARuleMayNameTheStepThatItIsAbout) {
  const auto with = [](const std::string& step) {
    return "family: f\ntitle: F\nreleases: [1.0.0]\nrules:\n  r:\n    clause: a.b\n    summary: x\n    step: " + step +
           "\n    values: [{value: a, range: \"\"}]\n";
  };
  const auto family = ParseProfileFamily(with("write"), "p.yaml");
  ASSERT_TRUE(family.ok()) << family.error().ToString();
  EXPECT_EQ(family->rules[0].step, Op::kWrite);
  EXPECT_EQ(ErrorOf(with("wrte")), "p.yaml:8:11: there is no step 'wrte' (did you mean 'write'?)");
}

TEST(Profiles, AProfileHasTheRulesOfItsVersionAndOfItsBase) {
  const Profiles profiles = Both();
  const ProfileFamily& node = *profiles.Find("node");
  EXPECT_EQ(profiles.At(node, V("10.24.1")).Rule("drain"), "after-list");
  EXPECT_EQ(profiles.At(node, V("11.0.0")).Rule("drain"), "after-each-callback");
  EXPECT_EQ(profiles.At(node, V("20.2.9")).Rule("timers"), "before-poll");
  EXPECT_EQ(profiles.At(node, V("20.3.0")).Rule("timers"), "after-poll");
  EXPECT_EQ(profiles.At(node, V("13.7.0")).Rule("main-throw"), "immediate");
  EXPECT_FALSE(profiles.At(*profiles.Find("libuv"), V("1.45.0")).rules.contains("drain"));
}

TEST(Profiles, AFamilysOwnRuleWinsOverItsBases) {
  std::vector<ProfileFamily> families{ParseProfileFamily(kLibuv, "p.yaml").value(),
                                      ParseProfileFamily(kNode, "p.yaml").value()};
  families[1].rules.push_back({"timers", "a.b", "", {"own"}, {{VersionRange(), "own"}}});
  const auto profiles = Profiles::FromFamilies(std::move(families));
  EXPECT_EQ(profiles->Resolve("node@24")->Rule("timers"), "own");
  EXPECT_EQ(profiles->Resolve("libuv")->Rule("timers"), "after-poll");
}

TEST(ProfilesDeathTest, AskingForARuleThatDoesNotExistIsABug) {
  const Profile profile = Both().Resolve("libuv").value();
  EXPECT_DEATH(profile.Rule("drain"), "check failed");
}

TEST(Profiles, APartialVersionIsTheNewestReleaseThatFits) {
  const Profiles profiles = Both();
  const auto name = [&](const char* text) {
    const auto profile = profiles.Resolve(text);
    return profile.ok() ? profile->Name() : profile.error().ToString();
  };
  EXPECT_EQ(name("node"), "node@26.10.0");
  EXPECT_EQ(name("node@20"), "node@20.3.0");
  EXPECT_EQ(name("node@20.2"), "node@20.2.0");
  EXPECT_EQ(name("node@v20.2"), "node@20.2.0");
  EXPECT_EQ(name("node@22.5.1"), "node@22.5.1");
  EXPECT_EQ(name("libuv@1"), "libuv@1.52.1");
  EXPECT_EQ(name("libuv@1.45"), "libuv@1.45.0");
  EXPECT_EQ(name("nod"), "there is no profile 'nod' (did you mean 'node'?)");
  EXPECT_EQ(name("node@22.3"), "node@22.3.0");
  EXPECT_EQ(name("node@22"), "no release of node 22 is listed (write the whole version, such as node@22.0.0)");
  EXPECT_EQ(name("node@27"), "'node@27' is not known (node goes from 0.10.48 to 26.10.0)");
  EXPECT_EQ(name("node@26.10.1"), "'node@26.10.1' is not known (node goes from 0.10.48 to 26.10.0)");
  EXPECT_NE(name("node@new").find("expected a version"), std::string::npos);
  EXPECT_NE(name("node@").find("expected a version"), std::string::npos);
}

TEST(Capabilities, AreTheOpsKindsEventsEntryAndNeedsOfACase) {
  Case c;
  c.entry = Entry::kEsm;
  c.needs = {"fetch"};
  Step outer = Make(Op::kTimeout, "promise");
  outer.body = {Make(Op::kTick), Make(Op::kOn, "", "uncaught"), Make(Op::kLog)};
  c.program = {outer, Make(Op::kTimeout), Make(Op::kBusy), Make(Op::kOnly), Make(Op::kAgain)};
  EXPECT_EQ(CapabilitiesUsed(c),
            (std::vector<std::string>{"entry esm", "fetch", "timeout", "timeout as promise", "tick", "on uncaught"}));
}

TEST(Capabilities, WhatAFamilyLacksMakesACaseUnsupported) {
  const ProfileFamily node = ParseProfileFamily(kNode, "p.yaml").value();
  Case c;
  EXPECT_EQ(node.Unsupported(c, V("0.10.48")), std::nullopt);
  c.program = {Make(Op::kTimeout, "promise")};
  EXPECT_EQ(node.Unsupported(c, V("14.0.0")), "timeout as promise");
  EXPECT_EQ(node.Unsupported(c, V("15.0.0")), std::nullopt);
  c.program = {Make(Op::kIdle)};
  EXPECT_EQ(node.Unsupported(c, V("24.0.0")), "idle");
  c.program = {Make(Op::kOn, "", "beforeExit")};
  EXPECT_EQ(node.Unsupported(c, V("24.0.0")), "on beforeExit");
  c.program = {};
  c.entry = Entry::kEsm;
  EXPECT_EQ(node.Unsupported(c, V("13.0.0")), "entry esm");
  EXPECT_EQ(node.Unsupported(c, V("13.2.0")), std::nullopt);
  c.entry = Entry::kWorker;
  EXPECT_EQ(node.Unsupported(c, V("24.0.0")), "entry worker");
  c.entry = Entry::kScript;
  c.needs = {"fetch"};
  EXPECT_EQ(node.Unsupported(c, V("17.9.9")), "fetch");
}

TEST(Checkpoints, AreWhereARangeStartsWhereARuleChangesAndTheNewestRelease) {
  Case c;
  c.program = {Make(Op::kTick)};
  c.expect = {Expect("node", ">=11"), Expect("node", "<11")};
  // 12.0.0 and 24.0.0 bring another libuv, but no other order, and are left out.
  EXPECT_EQ(Checkpoints(c), "node@0.10.48 node@11.0.0 node@12.17.0 node@13.0.0 node@13.8.0 node@20.3.0 node@26.10.0");
}

TEST(Checkpoints, LieInsideTheRangesOfTheExpectations) {
  Case c;
  c.program = {Make(Op::kTick)};
  c.expect = {Expect("node", ">=12.20 <13.1 || >=20 <21")};
  EXPECT_EQ(Checkpoints(c), "node@12.20.0 node@13.0.0 node@20.0.0 node@20.3.0");
  c.expect = {Expect("node", "<0.10.48")};
  EXPECT_EQ(Checkpoints(c), "");
  c.expect = {Expect("node", ">=0.8 <0.11")};
  EXPECT_EQ(Checkpoints(c), "node@0.10.48");
  c.expect = {Expect("node", "=20.3.0")};
  EXPECT_EQ(Checkpoints(c), "node@20.3.0");
  c.expect = {Expect("node", ">=27")};
  EXPECT_EQ(Checkpoints(c), "");
  c.expect = {Expect("html", "")};
  EXPECT_EQ(Checkpoints(c), "");
}

TEST(Checkpoints, FollowTheCapabilitiesThatTheCaseUses) {
  Case c;
  c.program = {Make(Op::kTimeout, "promise")};
  c.expect = {Expect("node", ">=11")};
  EXPECT_EQ(Checkpoints(c), "node@15.0.0 node@20.3.0 node@26.10.0");
  c.program = {Make(Op::kTick)};
  c.entry = Entry::kEsm;
  EXPECT_EQ(Checkpoints(c), "node@12.17.0 node@13.2.0 node@13.8.0 node@20.3.0 node@26.10.0");
}

TEST(Checkpoints, StartAnewBehindAGapInACapability) {
  Case c;
  c.program = {Make(Op::kMessage)};
  c.expect = {Expect("node", "")};
  EXPECT_EQ(Checkpoints(c), "node@14.0.0 node@17.0.0 node@20.3.0 node@26.10.0");
}

TEST(Checkpoints, AnUnqualifiedPatternSpeaksOfEveryFamilyThatCanRunTheCase) {
  Case c;
  c.expect = {Expect("", "")};
  c.program = {Make(Op::kTimeout)};
  EXPECT_EQ(Checkpoints(c),
            "libuv@1.0.0 libuv@1.45.0 libuv@1.52.1 node@0.10.48 node@11.0.0 node@12.17.0 node@13.0.0 node@13.8.0 "
            "node@20.3.0 node@26.10.0");
  c.program = {Make(Op::kIdle)};
  EXPECT_EQ(Checkpoints(c), "libuv@1.0.0 libuv@1.45.0 libuv@1.52.1");
}

TEST(Profiles, AFolderIsReadInTheOrderOfItsFiles) {
  const std::filesystem::path folder = std::filesystem::path(testing::TempDir()) / "profiles-test";
  std::filesystem::remove_all(folder);
  std::filesystem::create_directories(folder);
  EXPECT_FALSE(Profiles::Load(folder.string()).ok());
  std::ofstream(folder / "node.yaml") << kNode;
  std::ofstream(folder / "libuv.yaml") << kLibuv;
  std::ofstream(folder / "README.md") << "not a profile";
  const auto profiles = Profiles::Load(folder.string());
  ASSERT_TRUE(profiles.ok()) << profiles.error().ToString();
  ASSERT_EQ(profiles->families().size(), 2u);
  EXPECT_EQ(profiles->families()[0].name, "libuv");
  std::ofstream(folder / "bad.yaml") << "family: [";
  const auto bad = Profiles::Load(folder.string());
  ASSERT_FALSE(bad.ok());
  EXPECT_EQ(bad.error().file, (folder / "bad.yaml").string());
  EXPECT_FALSE(Profiles::Load((folder / "missing").string()).ok());
  std::filesystem::remove_all(folder);
}

TEST(Profiles, TheProfilesOfTheSpecAreWellFormed) {
  const auto profiles = Profiles::Load(CONFORM_SOURCE_DIR "/spec/profiles");
  ASSERT_TRUE(profiles.ok()) << profiles.error().ToString();
  EXPECT_NE(profiles->Find("node"), nullptr);
  EXPECT_NE(profiles->Find("libuv"), nullptr);
}

TEST(Profiles, TheExampleOfTheDocumentationIsWellFormed) {
  const std::string text = ReadFile(CONFORM_SOURCE_DIR "/spec/profiles/README.md", 1 << 20).value();
  const size_t start = text.find("```yaml\n");
  ASSERT_NE(start, std::string::npos);
  EXPECT_EQ(ErrorOf(text.substr(start + 8, text.find("```", start + 8) - start - 8)), "");
}

}  // namespace profile_test
}  // namespace conform
