#include "runners/model/pattern.h"

#include <gtest/gtest.h>

namespace conform {
namespace {

// The tree in a form that shows every binding: `(A B)` sequence, `[A|B]`, `<A&B>`, `A{1,2}`.
std::string Show(const PatternNode& node) {
  const auto joined = [&](const char* open, const char* between, const char* close) {
    std::string text = open;
    for (size_t i = 0; i < node.children.size(); ++i) text += (i > 0 ? between : "") + Show(node.children[i]);
    return text + close;
  };
  switch (node.kind) {
    case PatternNode::Kind::kEmpty:
      return "()";
    case PatternNode::Kind::kLabel:
      return node.label;
    case PatternNode::Kind::kAnyLabel:
      return "_";
    case PatternNode::Kind::kAnything:
      return "...";
    case PatternNode::Kind::kSequence:
      return joined("(", " ", ")");
    case PatternNode::Kind::kAlternatives:
      return joined("[", "|", "]");
    case PatternNode::Kind::kInterleaving:
      return joined("<", "&", ">");
    case PatternNode::Kind::kRepetition:
      return Show(node.children[0]) + "{" + std::to_string(node.least) + "," +
             (node.most ? std::to_string(*node.most) : "") + "}";
  }
  return "?";
}

std::string Tree(std::string_view text) {
  auto pattern = Pattern::Parse(text);
  if (!pattern.ok()) return std::to_string(pattern.error().at.column) + ": " + pattern.error().message;
  return Show(pattern->root);
}

TEST(Pattern, RepetitionBindsTighterThanSequenceThanInterleavingThanAlternatives) {
  EXPECT_EQ(Tree("A B{2} C & D | E F"), "[<(A B{2,2} C)&D>|(E F)]");
  EXPECT_EQ(Tree("A | B & C D+"), "[A|<B&(C D{1,})>]");
  EXPECT_EQ(Tree("(A | B) & C"), "<[A|B]&C>");
  EXPECT_EQ(Tree("(A B)*"), "(A B){0,}");
}

TEST(Pattern, InterleavingOfThreeGroupsFromTheLeft) { EXPECT_EQ(Tree("A & B & C"), "<<A&B>&C>"); }

TEST(Pattern, EveryRepetitionHasItsBounds) {
  EXPECT_EQ(Tree("A*"), "A{0,}");
  EXPECT_EQ(Tree("A+"), "A{1,}");
  EXPECT_EQ(Tree("A?"), "A{0,1}");
  EXPECT_EQ(Tree("A{3}"), "A{3,3}");
  EXPECT_EQ(Tree("A{2,5}"), "A{2,5}");
  EXPECT_EQ(Tree("A{2,}"), "A{2,}");
  EXPECT_EQ(Tree("A { 2 , 5 }"), "A{2,5}");
  EXPECT_EQ(Tree("A{0}"), "A{0,0}");
  EXPECT_EQ(Tree("A{100000}"), "A{100000,100000}");
}

TEST(Pattern, BlankTextIsTheEmptyOrder) {
  for (const char* text : {"", "   ", "\t\n", "()", "( )", "''"}) EXPECT_EQ(Tree(text), "()") << text;
  EXPECT_EQ(Tree("A | ()"), "[A|()]");
}

TEST(Pattern, LabelsHoldLettersDigitsUnderscoreDotAndHyphen) {
  EXPECT_EQ(Tree("a-1_b.c"), "a-1_b.c");
  EXPECT_EQ(Tree("X=E W=ECANCELED R=0 exit=-1"), "(X=E W=ECANCELED R=0 exit=-1)");
  EXPECT_EQ(Tree("A_ _ A..B"), "(A_ _ A..B)");
  EXPECT_EQ(Tree("exit=never{2}"), "exit=never{2,2}");
}

TEST(Pattern, WildcardsStandAlone) {
  EXPECT_EQ(Tree("_"), "_");
  EXPECT_EQ(Tree("_{3} ... A ..."), "(_{3,3} ... A ...)");
  EXPECT_EQ(Tree("(...)A"), "(... A)");
}

TEST(Pattern, ErrorsSayTheColumnAndWhatWasExpected) {
  EXPECT_EQ(Tree("A |"), "4: expected a label, '_', '...' or '(', found the end");
  EXPECT_EQ(Tree("A & | B"), "5: expected a label, '_', '...' or '(', found '|'");
  EXPECT_EQ(Tree("| A"), "1: expected a label, '_', '...' or '(', found '|'");
  EXPECT_EQ(Tree("A)"), "2: expected the end of the pattern, found ')'");
  EXPECT_EQ(Tree("(A B"), "5: expected ')', found the end");
  EXPECT_EQ(Tree("A{"), "3: expected a number, found the end");
  EXPECT_EQ(Tree("A{2"), "4: expected '}', found the end");
  EXPECT_EQ(Tree("A{,2}"), "3: expected a number, found ','");
  EXPECT_EQ(Tree("A{3,2}"), "3: a repetition counts upwards: {least,most}");
  EXPECT_EQ(Tree("A %"), "3: expected a label, '_', '...' or '(', found '%'");
  EXPECT_EQ(Tree("A 1B"), "3: a label starts with a letter, '1B' does not");
  EXPECT_EQ(Tree("_A"), "1: a label starts with a letter, '_A' does not");
  EXPECT_EQ(Tree("A ...."), "3: a label starts with a letter, '....' does not");
  EXPECT_EQ(Tree("A="), "3: expected a value after '=', found the end");
  EXPECT_EQ(Tree("A=1=2"), "4: expected a space: a label has one value, found '='");
  EXPECT_EQ(Tree("_=2"), "2: expected a space: only a label has a value, found '='");
  EXPECT_EQ(Tree("A..."), "2: '...' is glued to a label");
  EXPECT_EQ(Tree("A**"), "3: a repetition cannot be repeated");
  EXPECT_EQ(Tree("*"), "1: expected a label, '_', '...' or '(', found '*'");
}

TEST(Pattern, LimitsAreRefusedAndTheirEdgesAreNot) {
  EXPECT_EQ(Tree("A{100001}"), "3: a repetition counts to at most 100000");
  EXPECT_EQ(Tree("A{99999999999999999999999}"), "3: a repetition counts to at most 100000");
  const std::string deepest = std::string(kMaxPatternDepth, '(') + "A" + std::string(kMaxPatternDepth, ')');
  EXPECT_EQ(Tree(deepest), "A");
  EXPECT_NE(Tree("(" + deepest + ")").find("nest at most 100"), std::string::npos);
  EXPECT_EQ(Tree("(A) (B) " + deepest), "(A B A)");
  const std::string longest(kMaxPatternLength, 'A');
  EXPECT_EQ(Tree(longest), longest);
  EXPECT_NE(Tree(longest + "A").find("at most 10000 characters"), std::string::npos);
}

TEST(Pattern, WhatWouldGrowWithoutMeasureIsRefused) {
  EXPECT_NE(Tree("(A{100000}){100000}").find("more than 1000000 states"), std::string::npos);
  EXPECT_NE(Tree("((((A{1000}){1000}){1000}){1000}){1000}").find("more than 1000000 states"), std::string::npos);
  EXPECT_NE(Tree("A{2000} & B{2000}").find("more than 1000000 states"), std::string::npos);
  EXPECT_EQ(Tree("A{900} & B{900}"), "<A{900,900}&B{900,900}>");
  std::string many = "A";
  for (int i = 0; i < 40; ++i) many += " & A";
  EXPECT_NE(Tree(many).find("more than 1000000 states"), std::string::npos);
}

TEST(Pattern, KnowsTheLabelsThatNeverOccur) {
  EXPECT_EQ(Pattern::Parse("A B{0} (C | D=E){0} F{0,2} G?")->Never(), (std::set<std::string>{"B", "C", "D"}));
}

TEST(Pattern, TheTextIsKeptAsWritten) { EXPECT_EQ(Pattern::Parse(" A  B").value().text, " A  B"); }

TEST(OrderToString, RunsOfThreeAndMoreAreFolded) {
  EXPECT_EQ(OrderToString({}), "(nothing)");
  EXPECT_EQ(OrderToString({"A", "A", "B=1"}), "A A B=1");
  EXPECT_EQ(OrderToString({"A", "T", "T", "T", "A"}), "A T{3} A");
  EXPECT_EQ(OrderToString(Order(1000, "T")), "T{1000}");
}

TEST(OrderToString, WhatItPrintsIsAPatternOfThatOrder) {
  EXPECT_EQ(Tree(OrderToString({"A", "T", "T", "T", "X=E"})), "(A T{3,3} X=E)");
}

}  // namespace
}  // namespace conform
