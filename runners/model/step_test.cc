#include "runners/model/step.h"

#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <random>

#include "runners/model/case_json.h"
#include "runners/model/op_table.h"
#include "runners/model/step_parser.h"

namespace conform {
namespace step_test {

Step Parsed(const std::string& text) {
  const Result<Step> step = ParseStep(text);
  EXPECT_TRUE(step.ok()) << text << ": " << (step.ok() ? "" : step.error().ToString());
  return step.ok() ? *step : Step{};
}

TEST(StepToString, WritesStepsAsTheLanguageDoes) {
  for (const char* text : {"tick T",
                           "tick",
                           "timeout A 5 x3",
                           "timeout 5",
                           "timeout A -1.5 as promise x2",
                           "then P of D",
                           "await W plain",
                           "await W of D x2",
                           "connect K to L",
                           "write W to K as text x2",
                           "close C of H",
                           "message M via P",
                           "wake H unsent",
                           "send H",
                           "on exit X of K",
                           "on beforeExit",
                           "run once R",
                           "run default",
                           "throw",
                           "throw E",
                           "reject E of D",
                           "reject of D",
                           "resolve D with Q",
                           "return of Q",
                           "async F",
                           "pause",
                           "pause L of P",
                           "exit",
                           "exit 3",
                           "only 2",
                           "only ..3",
                           "only 2..4",
                           "start H",
                           "start H 5",
                           "clear A as number",
                           "interval V NaN x1",
                           "busy 0",
                           "log X",
                           "again",
                           "alive L"}) {
    EXPECT_EQ(Parsed(text).ToString(), text);
  }
}

TEST(StepToString, NormalisesBlanksAndTheOrderOfKeywords) {
  EXPECT_EQ(Parsed("  then   P\tx3  as kind of D ").ToString(), "then P of D as kind x3");
  EXPECT_EQ(Parsed("only ..1").ToString(), "only 1");
  EXPECT_EQ(Parsed("only 1..3").ToString(), "only ..3");
  EXPECT_EQ(Parsed("tick T x007").ToString(), "tick T x7");
}

// Goal: what ToString prints, the parser reads back as the same step. Method: random steps of every op, with every part
// that its row of the table allows present or absent at random.
TEST(StepToString, AnyStepSurvivesPrintingAndParsing) {
  std::mt19937 random(20240607);
  const auto coin = [&random] { return random() % 2 == 0; };
  const auto pick = [&random](const std::vector<std::string>& words) { return words[random() % words.size()]; };
  const std::vector<std::string> names = {"A", "tick", "a.b-c_d", "x", "NaN", "none", "once", "Infinity", "e1"};
  const std::vector<std::string> delays = {"0",  "5",   "-5",       "1.9",       ".5",  "1e3",
                                           "+2", "NaN", "Infinity", "-Infinity", "none"};
  for (int round = 0; round < 20'000; ++round) {
    Step step;
    step.op = *OpFromName(pick(OpNames()));
    const OpShape& shape = ShapeOf(step.op);
    for (const Positional& positional : shape.positionals) {
      if (!positional.required && coin()) continue;
      switch (positional.role) {
        case Role::kLabel:
          step.label = pick(names);
          break;
        case Role::kTarget:
          step.target = pick(names);
          break;
        case Role::kDelay:
          step.argument = pick(delays);
          break;
        case Role::kMilliseconds:
          step.argument = std::to_string(random() % (kMaxBusyMs + 1));
          break;
        case Role::kErrorName:
          step.argument = pick(names);
          break;
        case Role::kExitCode:
          step.argument = std::to_string(random() % 256);
          break;
        case Role::kRunMode:
          step.argument = pick(RunModes());
          break;
        case Role::kEvent:
          step.event = pick(ProcessEvents());
          break;
        case Role::kRuns:
          step.only_from = 1 + static_cast<int64_t>(random() % 5);
          step.only_to = step.only_from + static_cast<int64_t>(random() % 5);
          break;
      }
    }
    if (shape.plain && coin()) step.plain = true;
    const bool refers = shape.of == Presence::kRequired || shape.to == Presence::kRequired ||
                        (shape.of == Presence::kOptional && !step.plain && coin());
    if (refers) step.target = pick(names);
    if (shape.with && coin()) step.with = pick(names);
    if (shape.via && coin()) step.via = pick(names);
    if (shape.as && coin()) step.kind = pick(names);
    if (shape.unsent && coin()) step.unsent = true;
    if (shape.times && coin()) {
      step.chained = true;
      step.times = 1 + static_cast<int64_t>(random() % kMaxTimes);
    }
    const Result<Step> parsed = ParseStep(step.ToString());
    ASSERT_TRUE(parsed.ok()) << step.ToString() << ": " << parsed.error().ToString();
    EXPECT_EQ(ProgramToJson({*parsed}), ProgramToJson({step})) << step.ToString();
    EXPECT_EQ(parsed->ToString(), step.ToString());
  }
}

TEST(DelayOf, IsTheNumberThatJavaScriptMakesOfTheText) {
  EXPECT_EQ(DelayOf(Parsed("timeout 5")), 5);
  EXPECT_EQ(DelayOf(Parsed("timeout A -5")), -5);
  EXPECT_EQ(DelayOf(Parsed("interval A +1.9")), 1.9);
  EXPECT_EQ(DelayOf(Parsed("timeout A .5e1")), 5);
  EXPECT_EQ(DelayOf(Parsed("start H 1e999")), std::numeric_limits<double>::infinity());
  EXPECT_EQ(DelayOf(Parsed("timeout A 1e-999")), 0);
  EXPECT_EQ(DelayOf(Parsed("timeout A Infinity")), std::numeric_limits<double>::infinity());
  EXPECT_EQ(DelayOf(Parsed("timeout A -Infinity")), -std::numeric_limits<double>::infinity());
  EXPECT_EQ(DelayOf(Parsed("timeout A 2147483648")), 2147483648.0);
}

TEST(DelayOf, IsNoNumberWithoutAnArgument) {
  EXPECT_TRUE(std::isnan(DelayOf(Parsed("timeout A none"))));
  EXPECT_TRUE(std::isnan(DelayOf(Parsed("timeout A NaN"))));
  EXPECT_TRUE(std::isnan(DelayOf(Parsed("start H"))));
}

}  // namespace step_test
}  // namespace conform
