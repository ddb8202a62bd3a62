#include "runners/study/source_mutants.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "runners/study/known_mutants.h"
#include "runners/study/source_hunt.h"
#include "runners/study/workshop.h"

namespace conform {
namespace {

using Ids = std::vector<std::string>;

Ids IdsOf(const std::vector<SourceMutant>& mutants) {
  Ids ids;
  for (const SourceMutant& mutant : mutants) ids.push_back(mutant.id);
  return ids;
}
Ids OfC(const std::string& text) { return IdsOf(MakeSourceMutants("x.c", text, SourceLanguage::kC)); }
Ids OfJs(const std::string& text) { return IdsOf(MakeSourceMutants("x", text, SourceLanguage::kJavaScript)); }

std::string MutatedBy(const std::string& id, const std::string& text, SourceLanguage language) {
  for (const SourceMutant& mutant : MakeSourceMutants(language == SourceLanguage::kC ? "x.c" : "x", text, language)) {
    if (mutant.id == id) return Mutated(text, mutant.range, mutant.replacement);
  }
  return "there is no mutant " + id;
}

TEST(SourceTokens, CommentsTextsAndDirectivesHoldNoCode) {
  const std::string text = "#define A(x) f(x)\n/* g(); */ // h();\nint i = \"j(); \\\" k();\"[0]; 'l';";
  std::vector<std::string> tokens;
  for (const SourceToken& token : Tokenize(text, SourceLanguage::kC).tokens) {
    tokens.push_back(text.substr(token.begin, token.end - token.begin));
  }
  const std::vector<std::string> expected{"int", "i", "=", "\"j(); \\\" k();\"", "[", "0", "]", ";", "'l'", ";"};
  EXPECT_EQ(tokens, expected);
}

TEST(SourceTokens, ASlashAfterAnOperatorBeginsARegex) {
  const std::string text = "x = /a;[/]\\/b/g; y = a / b; `${c};`";
  std::vector<std::string> texts;
  for (const SourceToken& token : Tokenize(text, SourceLanguage::kJavaScript).tokens) {
    if (token.kind == SourceToken::Kind::kText) texts.push_back(text.substr(token.begin, token.end - token.begin));
  }
  EXPECT_EQ(texts, (std::vector<std::string>{"/a;[/]\\/b/", "`${c};`"}));
}

TEST(SourceMutants, StatementsAreRemovedAndDeclarationsAreNot) {
  const Ids expected{"x.c:f remove g(a);", "x.c:f remove a->b = c;", "x.c:f remove *p = a;", "x.c:f remove break;"};
  EXPECT_EQ(OfC("void f(int a) {\n  uv_loop_t* loop = h();\n  g(a);\n  a->b = c;\n  *p = a;\n  for (;;) break;\n"
                "  return a;\n}\n"),
            expected);
}

TEST(SourceMutants, AStatementInSeveralLinesLeavesItsLines) {
  const std::string text = "void f() {\n  g(a,\n    b);\n  h();\n}\n";
  EXPECT_EQ(MutatedBy("x.c:f remove g(a, b);", text, SourceLanguage::kC), "void f() {\n  ;\n\n  h();\n}\n");
}

TEST(SourceMutants, ATimeIsNamedAsSuch) {
  EXPECT_EQ(OfC("void f() {\n  uv__update_time(loop);\n}\n"), Ids{"x.c:f time uv__update_time(loop);"});
  EXPECT_EQ(OfJs("function f() {\n  now = getLibuvNow();\n}\n"), Ids{"x:f time now = getLibuvNow();"});
}

TEST(SourceMutants, AConditionIsNegatedAsAWholeAndByOperand) {
  const std::string text = "int f() {\n  if (a && b->c)\n    return d;\n  while (e);\n}\n";
  const Ids expected{"x.c:f negate a && b->c", "x.c:f negate a in a && b->c", "x.c:f negate b->c in a && b->c",
                     "x.c:f negate e"};
  EXPECT_EQ(OfC(text), expected);
  EXPECT_EQ(MutatedBy("x.c:f negate b->c in a && b->c", text, SourceLanguage::kC),
            "int f() {\n  if (a && !(b->c))\n    return d;\n  while (e);\n}\n");
}

TEST(SourceMutants, ConstantsAndComparisonsAreShifted) {
  const std::string text = "int f() {\n  return a < 2;\n}\n";
  EXPECT_EQ(MutatedBy("x.c:f shift 2 in return a < 2;", text, SourceLanguage::kC), "int f() {\n  return a < 3;\n}\n");
  EXPECT_EQ(MutatedBy("x.c:f shift < in return a < 2;", text, SourceLanguage::kC), "int f() {\n  return a <= 2;\n}\n");
}

TEST(SourceMutants, WhatStandsForAnErrorOrForNoneIsNotShifted) {
  const Ids expected{"x.c:f negate r < 0", "x.c:f remove fd = -1;", "x.c:f remove n = n - 1;",
                     "x.c:f shift 1 in n = n - 1;"};
  EXPECT_EQ(OfC("int f() {\n  if (r < 0) return 0;\n  fd = -1;\n  n = n - 1;\n  return 0;\n}\n"), expected);
}

TEST(SourceMutants, HeadStandsForTailAndCallsAreSwapped) {
  const std::string text = "void f() {\n  QUEUE_REMOVE(q);\n  QUEUE_INSERT_TAIL(&l, q);\n}\n";
  EXPECT_EQ(MutatedBy("x.c:f tail QUEUE_INSERT_TAIL in QUEUE_INSERT_TAIL(&l, q);", text, SourceLanguage::kC),
            "void f() {\n  QUEUE_REMOVE(q);\n  QUEUE_INSERT_HEAD(&l, q);\n}\n");
  EXPECT_EQ(MutatedBy("x.c:f swap QUEUE_REMOVE(q); QUEUE_INSERT_TAIL(&l, q);", text, SourceLanguage::kC),
            "void f() {\n  QUEUE_INSERT_TAIL(&l, q); QUEUE_REMOVE(q);\n\n}\n");
}

TEST(SourceMutants, AFunctionInsideAMacroIsOneToo) {
  const std::string text =
      "#define D(name) \\\n  int uv_##name##_stop(h) { \\\n    QUEUE_REMOVE(h); \\\n    return 0; \\\n  }\n";
  const Ids ids = OfC(text);
  EXPECT_NE(std::find(ids.begin(), ids.end(), "x.c:uv_##name##_stop remove QUEUE_REMOVE(h);"), ids.end());
}

TEST(SourceMutants, WhatOnlyAFailureReachesIsLeftOut) {
  const Ids expected{"x.c:f negate err"};
  EXPECT_EQ(OfC("int f() {\n  assert(a > 1);\n  if (err) {\n    g();\n    return UV__ERR(errno);\n  }\n  return err;\n"
                "fail_loop:\n  h();\n  return err;\n}\n"),
            expected);
}

TEST(SourceMutants, AnArrowAMethodAndALiteralInJavaScript) {
  const Ids expected{"x:m remove this.a = { b: c };",
                     "x:m remove l.forEach((e) => { g(e); });",
                     "x:m remove g(e);",
                     "x:k remove q.push(1);",
                     "x:k tail push in q.push(1);",
                     "x:k shift 1 in q.push(1);"};
  EXPECT_EQ(OfJs("class C {\n  m() {\n    this.a = { b: c };\n    l.forEach((e) => { g(e); });\n  }\n}\n"
                 "C.prototype.k = function() { q.push(1); };\n"),
            expected);
}

TEST(SourceMutants, TheProbeOfAConditionEndsTheProcessWhereItIsAsked) {
  const std::string text = "function f() {\n  if (a)\n    b();\n}\n";
  const auto mutants = MakeSourceMutants("x", text, SourceLanguage::kJavaScript);
  ASSERT_EQ(mutants.size(), 2u);
  EXPECT_EQ(Mutated(text, mutants[0].probe_range, mutants[0].probe),
            "function f() {\n  if ((process.reallyExit(77), (a)))\n    b();\n}\n");
  EXPECT_EQ(Mutated(text, mutants[1].probe_range, mutants[1].probe),
            "function f() {\n  if (a)\n    process.reallyExit(77);\n}\n");
}

TEST(SourceMutants, ALongerTextTakesItsRoomFromComments) {
  const std::string text = "// 0123456789\nif (a) b();\n";
  const auto longer = MutatedInPlace(text, {18, 19}, "!(a)");
  ASSERT_TRUE(longer.ok());
  EXPECT_EQ(*longer, "//23456789\nif (!(a)) b();\n");
  EXPECT_EQ(longer->size(), text.size());
  const auto shorter = MutatedInPlace(text, {21, 25}, ";");
  ASSERT_TRUE(shorter.ok());
  EXPECT_EQ(*shorter, "// 0123456789\nif (a) ;   \n");
  EXPECT_FALSE(MutatedInPlace(text, {18, 19}, "a much longer condition").ok());
}

TEST(KnownMutants, AStarStandsForAnyTextAndOthersForThemselves) {
  EXPECT_TRUE(MatchesGlob("a.c:*", "a.c:f remove *p = [1];"));
  EXPECT_TRUE(MatchesGlob("a.c:f remove *p = [1];", "a.c:f remove *p = [1];"));
  EXPECT_TRUE(MatchesGlob("*g*", "abcgde"));
  EXPECT_FALSE(MatchesGlob("a.c:*x", "a.c:f"));
  EXPECT_FALSE(MatchesGlob("a", "ab"));
}

TEST(KnownMutants, AnEntryNeedsAReason) {
  const auto wrong = ParseKnownMutants("libuv:\n  beyond:\n    - mutants: [a]\n", "f.yaml", "libuv");
  ASSERT_FALSE(wrong.ok());
  EXPECT_EQ(wrong.error().ToString(), "f.yaml:3:7: the entry has no 'reason'");
  const auto right = ParseKnownMutants("libuv:\n  beyond:\n    - {mutants: [a], reason: b}\n", "f.yaml", "libuv");
  ASSERT_TRUE(right.ok());
  EXPECT_EQ(FindKnown(*right, "a")->kind, KnownMutants::Kind::kBeyond);
  EXPECT_EQ(FindKnown(*right, "b"), nullptr);
}

TEST(SourceHunt, ASeedDrawsTheSameMutantsAgainAndNoneOutside) {
  const auto mutants =
      MakeSourceMutants("x.c", "void f() {\n  a();\n  b();\n  c();\n}\nvoid g() {\n  d();\n}\n", SourceLanguage::kC);
  KnownMutants outside;
  outside.mutants = {"x.c:g *"};
  const auto all = DrawMutants(mutants, {outside}, "", 1, 100);
  EXPECT_EQ(all.size(), 5u);
  const auto some = DrawMutants(mutants, {outside}, "", 1, 2);
  EXPECT_EQ(some, (std::vector<const SourceMutant*>{all[0], all[1]}));
  EXPECT_NE(DrawMutants(mutants, {outside}, "", 2, 100), all);
  EXPECT_EQ(DrawMutants(mutants, {outside}, "*swap*", 1, 100).size(), 2u);
}

TEST(SourceHunt, ASuspectResultCountsIfItComesAgainAndTheUnchangedSourcePasses) {
  const auto gives = [](Verdict verdict) { return [verdict] { return std::optional(verdict); }; };
  EXPECT_EQ(IsMoreThanChance(gives(Verdict::kSuspect), gives(Verdict::kPass)), true);
  EXPECT_EQ(IsMoreThanChance(gives(Verdict::kPass), gives(Verdict::kPass)), false);
  EXPECT_EQ(IsMoreThanChance(gives(Verdict::kInconclusive), gives(Verdict::kPass)), false);
  EXPECT_EQ(IsMoreThanChance(gives(Verdict::kSuspect), gives(Verdict::kInconclusive)), false);
  EXPECT_EQ(IsMoreThanChance(gives(Verdict::kSuspect), [] { return std::optional<Verdict>(); }), std::nullopt);
  int left = 1;
  const auto once_more = [&] { return std::optional(left-- > 0 ? Verdict::kSuspect : Verdict::kPass); };
  EXPECT_EQ(IsMoreThanChance(once_more, gives(Verdict::kPass)), false);
}

TEST(LibuvSource, ListsOfPackagesBecomeListsOfSources) {
  EXPECT_EQ(SourceList("a.list", "# deb x\ndeb [signed-by=/k] http://a b main\ndeb-src http://a b main\n"),
            "deb-src [signed-by=/k] http://a b main\n");
  EXPECT_EQ(SourceList("a.sources", "Types: deb\nURIs: http://a\n"), "Types: deb-src\nURIs: http://a\n\n");
}

}  // namespace
}  // namespace conform
