#include "runners/model/op_table.h"

#include <gtest/gtest.h>

#include <string>

#include "runners/base/text.h"

namespace conform {
namespace {

TEST(OpTable, EveryNameLeadsToItsOp) {
  for (const std::string& name : OpNames()) {
    const std::optional<Op> op = OpFromName(name);
    ASSERT_TRUE(op.has_value()) << name;
    EXPECT_EQ(OpName(*op), name);
    EXPECT_EQ(ShapeOf(*op).op, *op);
  }
  EXPECT_EQ(OpFromName("Tick"), std::nullopt);
  EXPECT_EQ(OpFromName(""), std::nullopt);
}

TEST(OpTable, UsageShowsOptionalPartsInBrackets) {
  EXPECT_EQ(UsageOf(Op::kTick), "tick [LABEL] [as KIND] [xN]");
  EXPECT_EQ(UsageOf(Op::kTimeout), "timeout [LABEL] MS [as KIND] [xN]");
  EXPECT_EQ(UsageOf(Op::kConnect), "connect [LABEL] to NAME [as KIND] [xN]");
  EXPECT_EQ(UsageOf(Op::kOn), "on EVENT [LABEL] [of NAME] [as KIND]");
  EXPECT_EQ(UsageOf(Op::kRun), "run once|nowait|default [LABEL]");
  EXPECT_EQ(UsageOf(Op::kResolve), "resolve NAME [with NAME]");
  EXPECT_EQ(UsageOf(Op::kStop), "stop");
}

TEST(OpTable, OnlyCallbacksAreChains) {
  for (const std::string& name : OpNames()) {
    const OpShape& shape = ShapeOf(*OpFromName(name));
    if (shape.times) {
      EXPECT_TRUE(shape.callback) << name;
    }
    if (shape.callback) {
      EXPECT_EQ(shape.body, Presence::kOptional) << name;
      EXPECT_TRUE(shape.emits && shape.makes && shape.as) << name;
    }
    // Both are kept in Step::target, so no op can take both.
    EXPECT_TRUE(shape.of == Presence::kNever || shape.to == Presence::kNever) << name;
  }
}

TEST(OpTable, TheDocumentShowsEveryOpAsItIsWritten) {
  const Result<std::string> document = ReadFile(CONFORM_SOURCE_DIR "/spec/case-language.md", 1 << 20);
  ASSERT_TRUE(document.ok()) << document.error().ToString();
  for (const std::string& name : OpNames()) {
    std::string usage = UsageOf(*OpFromName(name));
    // A bar would end the cell of a Markdown table.
    for (size_t at = 0; (at = usage.find('|', at)) != std::string::npos; at += 2) usage.insert(at, "\\");
    EXPECT_NE(document->find("`" + usage + "`"), std::string::npos) << usage;
  }
}

TEST(OpTable, EveryCallbackHasALaneExceptWhereItsEventDecides) {
  for (const OpShape& shape : AllShapes()) {
    EXPECT_TRUE(!shape.callback || shape.op == Op::kOn || !shape.lane.empty()) << OpName(shape.op);
  }
}

TEST(OpTable, WhatActsHasATarget) {
  for (const OpShape& shape : AllShapes()) {
    if (!shape.acts) continue;
    bool has_target = shape.of != Presence::kNever;
    for (const Positional& word : shape.positionals) has_target = has_target || word.role == Role::kTarget;
    EXPECT_TRUE(has_target) << OpName(shape.op);
  }
}

TEST(Names, StartWithALetterAndHoldFewSigns) {
  for (const char* good : {"A", "a1", "tick", "a_b.c-d", "x", "xa", "x1a", "none", "NaN"}) {
    EXPECT_EQ(WhyNoLabel(good), std::nullopt) << good;
  }
  EXPECT_EQ(WhyNoLabel("1a"), "a name starts with a letter");
  EXPECT_EQ(WhyNoLabel(""), "a name starts with a letter");
  EXPECT_EQ(WhyNoLabel("_"), "a name starts with a letter");
  EXPECT_EQ(WhyNoLabel("a=b"), "a name holds letters, digits, '_', '.' and '-'");
  EXPECT_EQ(WhyNoLabel("\xc3\xa9"), "a name starts with a letter");
  EXPECT_EQ(WhyNoLabel(std::string(101, 'a')), "a name has at most 100 characters");
  EXPECT_EQ(WhyNoLabel(std::string(100, 'a')), std::nullopt);
}

TEST(Names, AreNoWordsOfTheLanguage) {
  for (const char* word : {"of", "to", "with", "via", "as", "plain", "unsent", "x1", "x-1", "x1.5"}) {
    EXPECT_EQ(WhyNoLabel(word), "it is a word of the language") << word;
  }
}

TEST(Names, LeaveExitToTheEndOfTheProcess) {
  EXPECT_EQ(WhyNoLabel("exit"), "it is the label of the end of the process");
  EXPECT_EQ(WhyNoName("exit"), std::nullopt);
}

}  // namespace
}  // namespace conform
