#include <gtest/gtest.h>

#include "runners/model/case.h"
#include "runners/model/step_parser.h"

namespace conform {
namespace case_check_test {

std::string Refusal(const std::string& program, Entry entry = Entry::kScript) {
  const Result<YamlNode> tree = ReadYaml(program, "f");
  if (!tree.ok()) return tree.error().ToString();
  const Result<Program> parsed = ParseProgram(*tree, "f");
  if (!parsed.ok()) return parsed.error().ToString();
  const std::optional<Error> error = CheckProgram(*parsed, entry, "f");
  return error ? error->ToString() : "accepted";
}

TEST(CheckProgram, AReferenceNamesWhatSomeStepMakes) {
  EXPECT_EQ(Refusal("- timeout timer1 5\n- clear timer2\n"),
            "f:2:3: 'clear timer2' refers to 'timer2', which no step makes (did you mean 'timer1'?)");
  EXPECT_EQ(Refusal("- then P of D"), "f:1:3: 'then P of D' refers to 'D', which no step makes");
  EXPECT_EQ(Refusal("- promise D\n- tick: [resolve D with Q]"),
            "f:2:10: 'resolve D with Q' refers to 'Q', which no step makes");
}

TEST(CheckProgram, AReferenceMayComeBeforeItsMaker) {
  EXPECT_EQ(Refusal("- clear A\n- tick: [timeout A 5]"), "accepted");
}

TEST(CheckProgram, ManyOpsMakeNames) {
  EXPECT_EQ(Refusal("[promise D, then P of D]"), "accepted");
  EXPECT_EQ(Refusal("[async F, then P of F, catch C of P]"), "accepted");
  EXPECT_EQ(Refusal("[thenable N, await W of N]"), "accepted");
  EXPECT_EQ(Refusal("[listen L, connect K to L, accept A of L, write W to A, close C of L]"), "accepted");
  EXPECT_EQ(Refusal("[socket S, close C of S, on error X of S]"), "accepted");
  EXPECT_EQ(Refusal("[idle H, clear H, wake V unsent, send V, signal S, raise S]"), "accepted");
  EXPECT_EQ(Refusal("[message M via P, close C of P]"), "accepted");
}

TEST(CheckProgram, LabelsThatAreOnlyEmittedNameNothing) {
  EXPECT_EQ(Refusal("[log X, clear X]"), "f:1:9: 'clear X' refers to 'X', which no step makes");
  EXPECT_EQ(Refusal("[alive L, clear L]"), "f:1:11: 'clear L' refers to 'L', which no step makes");
  EXPECT_EQ(Refusal("[run once R, clear R]"), "f:1:14: 'clear R' refers to 'R', which no step makes");
  EXPECT_EQ(Refusal("[pause L, clear L]", Entry::kEsm), "f:1:11: 'clear L' refers to 'L', which no step makes");
}

TEST(CheckProgram, SomeOpsMeanOneKindOfThing) {
  EXPECT_EQ(Refusal("[timeout A 5, resolve A]"), "f:1:15: 'resolve A' refers to 'A', which no step makes with promise");
  EXPECT_EQ(Refusal("[tick A, raise A]"), "f:1:10: 'raise A' refers to 'A', which no step makes with signal");
  EXPECT_EQ(Refusal("[idle H1, wake H2, send H1]"),
            "f:1:20: 'send H1' refers to 'H1', which no step makes with wake (did you mean 'H2'?)");
  EXPECT_EQ(Refusal("[tick L, connect K to L]"),
            "f:1:10: 'connect K to L' refers to 'L', which no step makes with listen");
  EXPECT_EQ(Refusal("[listen L, write W to L]"),
            "f:1:12: 'write W to L' refers to 'L', which no step makes with connect or accept or socket");
  EXPECT_EQ(Refusal("[tick A, promise A, resolve A]"), "accepted");
}

TEST(CheckProgram, RunStandsInTheMainBodyOnly) {
  EXPECT_EQ(Refusal("[run once R, run default]"), "accepted");
  EXPECT_EQ(Refusal("[tick: [run once]]"), "f:1:9: 'run' is allowed only in the main body");
  EXPECT_EQ(Refusal("[async: [run once]]"), "f:1:10: 'run' is allowed only in the main body");
}

TEST(CheckProgram, OnlyStandsInsideACallback) {
  EXPECT_EQ(Refusal("[only 1: [log X]]"), "f:1:2: 'only' is allowed only inside a callback");
  EXPECT_EQ(Refusal("[async: [only 1: [log X]]]"), "f:1:10: 'only' is allowed only inside a callback");
  EXPECT_EQ(Refusal("[on beforeExit: [only ..2: [immediate]]]"), "accepted");
  EXPECT_EQ(Refusal("[tick x3: [async: [only 2: [log X]]]]"), "accepted");
}

TEST(CheckProgram, TryIsPartOfTheBodyAroundIt) {
  EXPECT_EQ(Refusal("[try X: [throw]]"), "accepted");
  EXPECT_EQ(Refusal("[async: [try X: [pause]]]"), "accepted");
  EXPECT_EQ(Refusal("[promise D, then: [try: [return of D]]]"), "accepted");
  EXPECT_EQ(Refusal("[tick x2: [try: [again]]]"), "accepted");
  EXPECT_EQ(Refusal("[try X]"), "f:1:2: 'try' needs a body");
  EXPECT_EQ(Refusal("[tick: [try: [pause]]]"),
            "f:1:15: 'pause' is allowed only in the body of 'async', or in the main body of an 'esm' entry");
  EXPECT_EQ(Refusal("[try X: [log A], clear X]"), "f:1:18: 'clear X' refers to 'X', which no step makes");
}

TEST(CheckProgram, AgainStandsInAChain) {
  EXPECT_EQ(Refusal("[again]"), "f:1:2: 'again' is allowed only inside a callback");
  EXPECT_EQ(Refusal("[tick T x2: [tick U: [again]]]"),
            "f:1:23: 'again' re-arms a chain, and 'tick U' is none (add 'xN' to it)");
  EXPECT_EQ(Refusal("[tick T x2: [only 1: [again]]]"), "accepted");
}

TEST(CheckProgram, PauseStandsWhereAFunctionCanWait) {
  const std::string message = "'pause' is allowed only in the body of 'async', or in the main body of an 'esm' entry";
  EXPECT_EQ(Refusal("[pause]"), "f:1:2: " + message);
  EXPECT_EQ(Refusal("[pause]", Entry::kWorker), "f:1:2: " + message);
  EXPECT_EQ(Refusal("[pause]", Entry::kEsm), "accepted");
  EXPECT_EQ(Refusal("[tick: [pause]]", Entry::kEsm), "f:1:9: " + message);
  EXPECT_EQ(Refusal("[async: [pause A, tick: [pause B]]]"), "f:1:26: " + message);
  EXPECT_EQ(Refusal("[tick x2: [async: [only 2: [pause A]]]]"), "accepted");
}

TEST(CheckProgram, ReturnStandsWhereAPromiseTakesTheValue) {
  const std::string message = "'return' is allowed only in the body of 'then', 'catch', 'finally', 'await' or 'async'";
  EXPECT_EQ(Refusal("[promise Q, return of Q]"), "f:1:13: " + message);
  EXPECT_EQ(Refusal("[promise Q, tick: [return of Q]]"), "f:1:20: " + message);
  EXPECT_EQ(Refusal("[promise Q, async: [tick: [return of Q]]]"), "f:1:28: " + message);
  EXPECT_EQ(Refusal("[promise Q, then: [return of Q], async: [return of Q]]"), "accepted");
  EXPECT_EQ(Refusal("[promise Q, then x2: [only 2: [return of Q]]]"), "accepted");
}

}  // namespace case_check_test
}  // namespace conform
