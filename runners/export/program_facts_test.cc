#include "runners/export/program_facts.h"

#include <gtest/gtest.h>

#include "runners/export/program_testing.h"

namespace conform {
namespace {

const Step& Find(const ProgramFacts& facts, const std::string& text) {
  for (const Step* step : facts.steps()) {
    if (step->ToString() == text) return *step;
  }
  ADD_FAILURE() << "no step " << text;
  return *facts.steps().front();
}

TEST(ProgramFacts, AThingExistsAfterTheStepThatMakesIt) {
  const Case c = CaseWith(R"(
  - unref A
  - timeout A 0: [clear A]
  - ref A
  - timeout B 0:
      - timeout C 0
      - refresh A
  - refresh C
)");
  const ProgramFacts facts(c.program);
  EXPECT_FALSE(facts.SurelyExists("A", Find(facts, "unref A")));
  EXPECT_TRUE(facts.SurelyExists("A", Find(facts, "clear A"))) << "in its own callback";
  EXPECT_TRUE(facts.SurelyExists("A", Find(facts, "ref A")));
  EXPECT_TRUE(facts.SurelyExists("A", Find(facts, "refresh A"))) << "made by an outer body";
  EXPECT_FALSE(facts.SurelyExists("C", Find(facts, "refresh C"))) << "made in a callback that may not have run";
}

TEST(ProgramFacts, WhatAConditionMakesMayBeMissing) {
  const Case c = CaseWith(R"(
  - tick T x2:
      - only 2: [timeout A 0]
      - unref A
)");
  const ProgramFacts facts(c.program);
  EXPECT_FALSE(facts.SurelyExists("A", Find(facts, "unref A")));
}

TEST(ProgramFacts, AReactionOfSomethingMissingIsMissingToo) {
  const Case c = CaseWith(R"(
  - then P of D
  - then Q of P
  - promise D
)");
  const ProgramFacts facts(c.program);
  EXPECT_FALSE(facts.SurelyExists("P", Find(facts, "then Q of P")));
}

TEST(ProgramFacts, TheServersSideExistsWithTheConnection) {
  const Case c = CaseWith(R"(
  - listen L
  - accept A of L: [unref A]
  - ref A
)");
  const ProgramFacts facts(c.program);
  EXPECT_TRUE(facts.SurelyExists("A", Find(facts, "unref A")));
  EXPECT_FALSE(facts.SurelyExists("A", Find(facts, "ref A")));
}

TEST(ProgramFacts, AgainArmsTheCallbackAroundIt) {
  const Case c = CaseWith(R"(
  - tick A x2: [again]
  - tick B x2:
      - only 1: [again]
  - tick C x2:
      - timeout D 0 x2: [again]
)");
  const ProgramFacts facts(c.program);
  EXPECT_EQ(facts.RearmingOf(Find(facts, "tick A x2")), ProgramFacts::Rearming::kByAgain);
  EXPECT_EQ(facts.RearmingOf(Find(facts, "tick B x2")), ProgramFacts::Rearming::kPerhapsByAgain);
  EXPECT_EQ(facts.RearmingOf(Find(facts, "tick C x2")), ProgramFacts::Rearming::kAtEnd);
  EXPECT_EQ(facts.RearmingOf(Find(facts, "timeout D 0 x2")), ProgramFacts::Rearming::kByAgain);
}

TEST(ProgramFacts, RunsMultiplyUpToTheCap) {
  const Case c = CaseWith(R"(
  - tick A x10:
      - read R x4
      - tick B x100000: [read S]
)");
  const ProgramFacts facts(c.program);
  EXPECT_EQ(facts.RunsAtMost(Find(facts, "read R x4"), 50), 40);
  EXPECT_EQ(facts.RunsAtMost(Find(facts, "read S"), 50), 50);
  EXPECT_TRUE(facts.MayRepeat(Find(facts, "read S")));
}

}  // namespace
}  // namespace conform
