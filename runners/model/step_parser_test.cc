#include "runners/model/step_parser.h"

#include <gtest/gtest.h>

namespace conform {
namespace step_parser_test {

// "column: message (hint)" of a step that must be refused.
std::string Refusal(const std::string& text) {
  const Result<Step> step = ParseStep(text);
  if (step.ok()) return "accepted as '" + step->ToString() + "'";
  const Error& error = step.error();
  EXPECT_EQ(error.at.line, 1);
  return std::to_string(error.at.column) + ": " + error.message + (error.hint.empty() ? "" : " (" + error.hint + ")");
}

Step Parsed(const std::string& text) {
  const Result<Step> step = ParseStep(text);
  EXPECT_TRUE(step.ok()) << text << ": " << (step.ok() ? "" : step.error().ToString());
  return step.ok() ? *step : Step{};
}

TEST(ParseStep, PutsEachWordIntoItsField) {
  const Step timeout = Parsed("timeout A 1.9 as promise x3");
  EXPECT_EQ(timeout.op, Op::kTimeout);
  EXPECT_EQ(timeout.label, "A");
  EXPECT_EQ(timeout.argument, "1.9");
  EXPECT_EQ(timeout.kind, "promise");
  EXPECT_TRUE(timeout.chained);
  EXPECT_EQ(timeout.times, 3);
  EXPECT_EQ(Parsed("resolve D with Q").target, "D");
  EXPECT_EQ(Parsed("resolve D with Q").with, "Q");
  EXPECT_EQ(Parsed("connect K to L").target, "L");
  EXPECT_EQ(Parsed("write W to K").label, "W");
  EXPECT_EQ(Parsed("message M via P").via, "P");
  EXPECT_TRUE(Parsed("await W plain").plain);
  EXPECT_TRUE(Parsed("wake H unsent").unsent);
  EXPECT_EQ(Parsed("on listening X of L").event, "listening");
  EXPECT_EQ(Parsed("on listening X of L").label, "X");
  EXPECT_EQ(Parsed("on exit").label, "");
  EXPECT_EQ(Parsed("run nowait R").argument, "nowait");
  EXPECT_EQ(Parsed("run nowait R").label, "R");
  EXPECT_EQ(Parsed("reject E of D").argument, "E");
  EXPECT_EQ(Parsed("throw E").argument, "E");
  EXPECT_EQ(Parsed("exit 255").argument, "255");
  EXPECT_EQ(Parsed("promise D").label, "D");
  EXPECT_EQ(Parsed("raise S").target, "S");
}

TEST(ParseStep, WithOneWordATimerIsSilent) {
  EXPECT_EQ(Parsed("timeout 5").label, "");
  EXPECT_EQ(Parsed("timeout none").argument, "none");
  EXPECT_EQ(Parsed("timeout none none").label, "none");
  EXPECT_EQ(Parsed("start H").target, "H");
}

TEST(ParseStep, WorkMayTakeTimeAndNeedsNoLabelForThat) {
  EXPECT_EQ(Parsed("work W 20").label, "W");
  EXPECT_EQ(Parsed("work W 20").argument, "20");
  EXPECT_EQ(Parsed("work W").argument, "");
  EXPECT_EQ(Parsed("work 20").label, "");
  EXPECT_EQ(Parsed("work 20").argument, "20");
  EXPECT_EQ(WorkMsOf(Parsed("work W 20")), 20);
  EXPECT_EQ(WorkMsOf(Parsed("work W")), 0);
}

TEST(ParseStep, ReadsTheRunsOfOnly) {
  const auto runs = [](const char* text) {
    const Step step = Parsed(text);
    return std::pair(step.only_from, step.only_to);
  };
  EXPECT_EQ(runs("only 2"), std::pair(int64_t{2}, int64_t{2}));
  EXPECT_EQ(runs("only ..3"), std::pair(int64_t{1}, int64_t{3}));
  EXPECT_EQ(runs("only 2..4"), std::pair(int64_t{2}, int64_t{4}));
  for (const char* bad : {"0", "..0", "4..2", "2..", "..", "-1", "a", "1.5", "1000001", "2...4"}) {
    EXPECT_EQ(Refusal(std::string("only ") + bad),
              "6: '" + std::string(bad) + "' names no runs (write '2', '..3' or '2..4'; the first run is 1)");
  }
}

TEST(ParseStep, SuggestsTheNearestOp) {
  EXPECT_EQ(Refusal("timout A 5"), "1: unknown op 'timout' (did you mean 'timeout'?)");
  EXPECT_EQ(Refusal("  Tick T"), "3: unknown op 'Tick' (did you mean 'tick'?)");
  EXPECT_EQ(Refusal("banana"), "1: unknown op 'banana'");
  EXPECT_EQ(Refusal(""), "1: a step starts with the name of an op");
  EXPECT_EQ(Refusal("  \n"), "1: a step starts with the name of an op");
}

TEST(ParseStep, NamesTheWordThatIsMissing) {
  EXPECT_EQ(Refusal("timeout"), "1: 'timeout' needs MS (write 'timeout [LABEL] MS [as KIND] [xN]')");
  EXPECT_EQ(Refusal("log"), "1: 'log' needs LABEL (write 'log LABEL')");
  EXPECT_EQ(Refusal("clear"), "1: 'clear' needs NAME (write 'clear NAME [as KIND]')");
  EXPECT_EQ(Refusal("on of H"), "1: 'on' needs EVENT (write 'on EVENT [LABEL] [of NAME] [as KIND]')");
  EXPECT_EQ(Refusal("run"), "1: 'run' needs once|nowait|default (write 'run once|nowait|default [LABEL]')");
  EXPECT_EQ(Refusal("connect K"), "1: 'connect' needs 'to NAME' (write 'connect [LABEL] to NAME [as KIND] [xN]')");
  EXPECT_EQ(Refusal("close C"), "1: 'close' needs 'of NAME' (write 'close [LABEL] of NAME [as KIND]')");
  EXPECT_EQ(Refusal("return"), "1: 'return' needs 'of NAME' (write 'return of NAME')");
  EXPECT_EQ(Refusal("then P of"), "8: 'of' needs a name after it (write 'then [LABEL] [of NAME] [as KIND] [xN]')");
}

TEST(ParseStep, RefusesWordsTooMany) {
  EXPECT_EQ(Refusal("tick T 5"), "8: 'tick' does not take '5' (write 'tick [LABEL] [as KIND] [xN]')");
  EXPECT_EQ(Refusal("stop now"), "6: 'stop' does not take 'now' (write 'stop')");
  EXPECT_EQ(Refusal("then P of D E"), "13: 'E' comes after a keyword (write 'then [LABEL] [of NAME] [as KIND] [xN]')");
}

TEST(ParseStep, RefusesKeywordsThatTheOpDoesNotTake) {
  EXPECT_EQ(Refusal("tick T of D"), "8: 'tick' takes no 'of' (write 'tick [LABEL] [as KIND] [xN]')");
  EXPECT_EQ(Refusal("connect K of L"), "11: 'connect' takes no 'of' (write 'connect [LABEL] to NAME [as KIND] [xN]')");
  EXPECT_EQ(Refusal("then P to D"), "8: 'then' takes no 'to' (write 'then [LABEL] [of NAME] [as KIND] [xN]')");
  EXPECT_EQ(Refusal("reject with Q"), "8: 'reject' takes no 'with' (write 'reject [ERROR] [of NAME]')");
  EXPECT_EQ(Refusal("tick T via P"), "8: 'tick' takes no 'via' (write 'tick [LABEL] [as KIND] [xN]')");
  EXPECT_EQ(Refusal("log X as Y"), "7: 'log' takes no 'as' (write 'log LABEL')");
  EXPECT_EQ(Refusal("tick plain"), "6: 'tick' takes no 'plain' (write 'tick [LABEL] [as KIND] [xN]')");
  EXPECT_EQ(Refusal("idle H unsent"), "8: 'idle' takes no 'unsent' (write 'idle [LABEL] [as KIND] [xN]')");
  EXPECT_EQ(Refusal("log X x3"), "7: 'log' takes no 'xN' (write 'log LABEL')");
}

TEST(ParseStep, RefusesKeywordsGivenTwice) {
  EXPECT_EQ(Refusal("then P of D of E"), "13: 'of' is given twice");
  EXPECT_EQ(Refusal("tick T as a as b"), "13: 'as' is given twice");
  EXPECT_EQ(Refusal("message M via P via P"), "17: 'via' is given twice");
  EXPECT_EQ(Refusal("resolve D with Q with R"), "18: 'with' is given twice");
  EXPECT_EQ(Refusal("await W plain plain"), "15: 'plain' is given twice");
  EXPECT_EQ(Refusal("wake H unsent unsent"), "15: 'unsent' is given twice");
  EXPECT_EQ(Refusal("tick T x2 x3"), "11: 'xN' is given twice");
}

TEST(ParseStep, AChainHasAtLeastOneRunAndAtMostAMillion) {
  EXPECT_EQ(Parsed("tick T x1").times, 1);
  EXPECT_EQ(Parsed("tick T x1000000").times, kMaxTimes);
  for (const char* bad : {"x0", "x-1", "x1.5", "x1000001", "x99999999999999999999"}) {
    EXPECT_EQ(Refusal(std::string("tick T ") + bad), "8: '" + std::string(bad) + "': a chain has 1 to 1000000 runs");
  }
}

TEST(ParseStep, RefusesWhatIsNoLabelOrName) {
  EXPECT_EQ(Refusal("tick 5"), "6: '5' is not a label: a name starts with a letter");
  EXPECT_EQ(Refusal("log A=1"), "5: 'A=1' is not a label: a name holds letters, digits, '_', '.' and '-'");
  EXPECT_EQ(Refusal("log exit"), "5: 'exit' is not a label: it is the label of the end of the process");
  EXPECT_EQ(Refusal("then P of x3"), "11: 'x3' is not a name: it is a word of the language");
  EXPECT_EQ(Refusal("then P of of"), "11: 'of' is not a name: it is a word of the language");
}

TEST(ParseStep, RefusesArgumentsOfTheWrongKind) {
  EXPECT_EQ(
      Refusal("timeout A"),
      "9: 'A' is not a delay: expected a number, NaN, Infinity or none (write 'timeout [LABEL] MS [as KIND] [xN]')");
  for (const char* bad : {"A", "1.2.3", "0x10", "-", ".", "1e", "nan", "5ms", "--5", "1_000"}) {
    EXPECT_EQ(Refusal(std::string("timeout A ") + bad).substr(0, 4), "11: ") << bad;
  }
  EXPECT_EQ(Refusal("busy 1.5"), "6: '1.5' is not an integer number of milliseconds up to 10000");
  EXPECT_EQ(Refusal("busy 10001"), "6: '10001' is not an integer number of milliseconds up to 10000");
  EXPECT_EQ(Refusal("exit 256"), "6: '256' is not an exit code between 0 and 255");
  EXPECT_EQ(Refusal("run onse"), "5: unknown mode 'onse': once, nowait or default (did you mean 'once'?)");
}

TEST(ParseStep, AwaitsAPromiseOrAPlainValueButNotBoth) {
  EXPECT_EQ(Refusal("await W of D plain"),
            "1: 'of' and 'plain' are mutually exclusive: a plain value is not a promise "
            "(write 'await [LABEL] [of NAME] [plain] [as KIND] [xN]')");
}

TEST(ParseStep, KnowsTheEventsOfTheProcess) {
  EXPECT_EQ(Refusal("on beforexit B"), "4: 'beforexit' is not an event of the process (did you mean 'beforeExit'?)");
  EXPECT_EQ(Refusal("on listening X"),
            "4: 'listening' is not an event of the process (an event of a handle needs 'of NAME')");
  EXPECT_TRUE(ParseStep("on anything X of H").ok());
}

}  // namespace step_parser_test
}  // namespace conform
