// The host for loops that are held to their documentation, by the sets of orders that exploring it gives.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "reference-impl/explore/explorer.h"
#include "reference-impl/explore/rules/rule_reader.h"

namespace conform::reference {
namespace documented_test {

using ::testing::UnorderedElementsAre;
using Rules = std::map<std::string, std::string>;

Case Parse(const std::string& program) {
  Result<Case> c = ParseCase("program: " + program + "\nexpect: '...'\n", "test.yaml", "test");
  EXPECT_TRUE(c.ok()) << c.error().ToString();
  return *c;
}

Profile With(Rules rules) {
  rules.try_emplace("timer-not-early", "kept");
  rules.try_emplace("never-inside", "kept");
  return {"some-loop", {1, 0, 0}, std::move(rules)};
}

std::vector<std::string> Orders(const std::string& program, const Rules& rules = {}, Timing timing = Timing::kOnTime) {
  const Case c = Parse(program);
  EXPECT_EQ(NotModelled(c, "some-loop"), std::nullopt);
  const Exploration exploration = Explore(c, With(rules), timing);
  EXPECT_TRUE(exploration.complete) << exploration.limit_hit;
  std::vector<std::string> texts;
  for (const Order& order : exploration.orders.Enumerate(1000)) texts.push_back(OrderToString(order));
  return texts;
}

TEST(DocumentedHost, WhatIsNotDocumentedIsOpen) {
  EXPECT_THAT(Orders("[soon A, timeout B 0, read R]"),
              UnorderedElementsAre("A B R", "A R B", "B A R", "B R A", "R A B", "R B A"));
  EXPECT_THAT(Orders("[{soon A: [soon B, log Z]}]", {{"never-inside", "open"}}),
              UnorderedElementsAre("A Z B", "A B Z"));
  EXPECT_THAT(Orders("[timeout A 50, timeout B 1]", {{"timer-not-early", "open"}}), UnorderedElementsAre("A B", "B A"));
}

TEST(DocumentedHost, ATimerThatIsNotDueIsBehindUnlessTheRunIsLate) {
  EXPECT_THAT(Orders("[timeout A 50, timeout B 1]"), UnorderedElementsAre("B A"));
  EXPECT_THAT(Orders("[timeout A 50, timeout B 1]", {}, Timing::kLate), UnorderedElementsAre("A B", "B A"));
}

TEST(DocumentedHost, NoDelayBreaksThePromiseOfDeadlines) {
  const Rules rules{{"timers-by-deadline", "kept"}, {"loop-time", "kept"}};
  EXPECT_THAT(Orders("[timeout A 20, timeout B 10, busy 40]", rules, Timing::kLate), UnorderedElementsAre("B A"));
  EXPECT_THAT(Orders("[timeout A 20, busy 40, timeout B 10]", rules, Timing::kLate), UnorderedElementsAre("B A"));
}

TEST(DocumentedHost, ATimerThatIsStartedByACallbackIsNotAheadOfThoseThatTheLoopHasFound) {
  EXPECT_THAT(Orders("[{soon S: [timeout N 1]}, timeout B 20, busy 60]", {{"timers-by-deadline", "kept"}}),
              UnorderedElementsAre("S N B", "S B N", "B S N"));
}

TEST(DocumentedHost, PrioritiesLastForAsLongAsTheRuleSays) {
  const std::string program = "[{soon A: [soon H as high]}, soon B]";
  EXPECT_THAT(Orders(program), UnorderedElementsAre("A B H", "A H B", "B A H"));
  EXPECT_THAT(Orders(program, {{"priorities", "by-turn"}}), UnorderedElementsAre("A B H", "A H B", "B A H"));
  EXPECT_THAT(Orders(program, {{"priorities", "strict"}}), UnorderedElementsAre("A H B", "B A H"));
  EXPECT_THAT(Orders(program, {{"priorities", "pending"}}), UnorderedElementsAre("A H B", "B A H"));
}

// A turn of GLib holds those of one priority, so that L has to wait for what its equals schedule; a round of Qt holds
// all.
TEST(DocumentedHost, ATurnIsChosenByPriorityAndARoundIsNot) {
  const std::string program = "[{soon A as high: [soon H as high]}, soon L as low]";
  EXPECT_THAT(Orders(program, {{"priorities", "by-turn"}}), UnorderedElementsAre("A H L"));
  EXPECT_THAT(Orders(program, {{"priorities", "by-round"}}), UnorderedElementsAre("A H L", "A L H"));
}

// What is pending in libev may be called before it looks for timers, and what it has found before it looks again.
TEST(DocumentedHost, AnUrgentTimerIsAheadOfWhatIsFoundWithIt) {
  const Rules rules{{"priorities", "pending"}};
  EXPECT_THAT(Orders("[soon S, timeout T 0 as high, timeout N 0, busy 40]", rules),
              UnorderedElementsAre("S T N", "T S N", "T N S"));
  EXPECT_THAT(Orders("[{timeout A 1: [timeout T 0 as high, busy 40]}, timeout N 1, busy 40]", rules),
              UnorderedElementsAre("A N T", "A T N", "N A T"));
}

TEST(DocumentedHost, IdleWaitsForAsLongAsOthersCome) {
  EXPECT_THAT(Orders("[soon I, soon D as default x3]", {{"idle-last", "soon"}}), UnorderedElementsAre("D{3} I"));
  EXPECT_THAT(Orders("[idle I x1, soon D x3]", {{"idle-last", "handles"}}), UnorderedElementsAre("D{3} I"));
  EXPECT_THAT(Orders("[idle I x1, timeout T 9]", {{"idle-last", "handles"}}), UnorderedElementsAre("I T"));
  // An idle handle is called when the loop has looked, and what is pending may be called before.
  EXPECT_THAT(Orders("[idle I x1, soon L as low]", {{"idle-last", "handles"}, {"priorities", "pending"}}),
              UnorderedElementsAre("I L", "L I"));
}

TEST(DocumentedHost, AQueueHasAHeadAndATail) {
  const Rules rules{{"soon-order", "queue"}};
  EXPECT_THAT(Orders("[soon A as event, soon B as event, soon H as head, soon G as head]", rules),
              UnorderedElementsAre("G H A B"));
  EXPECT_THAT(Orders("[read R, soon E as event x3]", rules), UnorderedElementsAre("E{3} R"));
  EXPECT_THAT(Orders("[soon A, soon B]", rules), UnorderedElementsAre("A B", "B A"));
}

TEST(DocumentedHost, ASourceThatIsKeptLetsOthersGoFirst) {
  const std::string program = "[{soon S as kept x2: [{only 1: [soon T]}]}]";
  EXPECT_THAT(Orders(program), UnorderedElementsAre("S S T", "S T S"));
  EXPECT_THAT(Orders(program, {{"fair", "kept"}}), UnorderedElementsAre("S T S"));
}

TEST(DocumentedHost, AStoppedRunEndsAsTheRuleSays) {
  const std::string program = "[{soon A: [stop]}, soon B, run default, log M, run default]";
  EXPECT_THAT(Orders(program), UnorderedElementsAre("A B M", "A M B", "B A M"));
  EXPECT_THAT(Orders(program, {{"stop", "at-once"}}), UnorderedElementsAre("A M B", "B A M"));
  EXPECT_THAT(Orders(program, {{"stop", "after-pending"}}), UnorderedElementsAre("A B M", "B A M"));
}

TEST(DocumentedHost, WhatIsClearedMayComeOnlyWhereNothingIsPromised) {
  const std::string program = "[{timeout A 1: [clear B]}, {timeout B 1: [clear A]}, busy 40]";
  EXPECT_THAT(Orders(program), UnorderedElementsAre("A", "A B", "B", "B A"));
  EXPECT_THAT(Orders(program, {{"cleared-never-comes", "kept"}}), UnorderedElementsAre("A", "B"));
}

TEST(DocumentedHost, ACancelledTimerTellsAndOneThatIsDueMayHaveCome) {
  const Rules rules{{"cancellation-is-reported", "kept"}};
  EXPECT_THAT(Orders("[timeout A 500, clear A as cancel, log Z]", rules), UnorderedElementsAre("Z A=ECANCELED"));
  EXPECT_THAT(Orders("[timeout A 1, busy 40, clear A as cancel]", rules), UnorderedElementsAre("A", "A=ECANCELED"));
}

TEST(DocumentedHost, ARealRunGivesOneOfTheOrders) {
  const Case c = Parse("[timeout A 20, {soon S: [read R, timeout B 0]}, check C x1, prepare P x1]");
  const Profile profile = With({{"check", "first"}, {"prepare-first", "kept"}});
  const ModelRun run = RunForReal(c, profile, 5'000);
  EXPECT_EQ(run.limit_hit, "");
  EXPECT_EQ(run.trace.events.size(), 6u);
  EXPECT_EQ(CanGive(c, profile, Timing::kLate, run.trace.ToOrder()), Membership::kIn);
}

TEST(DocumentedHost, SaysWhatItCannotRun) {
  const auto reason = [](const std::string& program) { return NotModelled(Parse(program), "some-loop").value_or(""); };
  EXPECT_EQ(reason("[tick T]"), "tick");
  EXPECT_EQ(reason("[idle I]"), "idle without x1");
  EXPECT_EQ(reason("[check C x2]"), "check without x1");
  EXPECT_EQ(reason("[run once]"), "run once");
  EXPECT_EQ(reason("[soon A: [stop]]"), "");
  EXPECT_EQ(reason("[stop]"), "stop outside of a callback");
  EXPECT_EQ(reason("[soon A, clear A as cancel]"), "clear as cancel of no timer");
}

TEST(DocumentedRules, ARuleThatNobodyKnowsIsRefused) {
  EXPECT_THROW(Model(With({{"timers-by-age", "kept"}})), UnknownRule);
  EXPECT_THROW(Model(With({{"stop", "kept"}})), UnknownRule);
}

}  // namespace documented_test
}  // namespace conform::reference
