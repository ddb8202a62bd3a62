// The orders that a page may give, by the HTML host.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "reference-impl/explore/explorer.h"
#include "reference-impl/host/html_timers.h"

namespace conform::reference {
namespace html_test {

using ::testing::UnorderedElementsAre;

Profile Html(const std::string& rule = "", const std::string& value = "") {
  Result<Profiles> loaded = Profiles::Load(std::string(CONFORM_SOURCE_DIR) + "/spec/profiles");
  EXPECT_TRUE(loaded.ok()) << loaded.error().ToString();
  Profile profile = *loaded->Resolve("html");
  if (!rule.empty()) profile.rules[rule] = value;
  return profile;
}

Case Parse(const std::string& program) {
  Result<Case> c = ParseCase("program: " + program + "\nexpect: '...'\n", "test.yaml", "test");
  EXPECT_TRUE(c.ok()) << c.error().ToString();
  return *c;
}

std::vector<std::string> Orders(const std::string& program, Timing timing = Timing::kOnTime,
                                const Profile& profile = Html()) {
  const Exploration exploration = Explore(Parse(program), profile, timing);
  EXPECT_TRUE(exploration.complete) << exploration.limit_hit;
  std::vector<std::string> texts;
  for (const Order& order : exploration.orders.Enumerate(1000)) texts.push_back(OrderToString(order));
  return texts;
}

TEST(HtmlHost, TimersAndMessagesAreNotOrdered) {
  EXPECT_THAT(Orders("[timeout A 0, message M]"), UnorderedElementsAre("A M", "M A"));
}

TEST(HtmlHost, AMessageIsBeforeATimerThatIsNotDueUnlessItIsLate) {
  EXPECT_THAT(Orders("[timeout A 30, message M]"), UnorderedElementsAre("M A"));
  EXPECT_THAT(Orders("[timeout A 30, message M]", Timing::kLate), UnorderedElementsAre("M A", "A M"));
}

TEST(HtmlHost, NoDelayLetsALaterTimerOfNoShorterDelayOvertake) {
  EXPECT_THAT(Orders("[timeout A 1, timeout B 1, timeout C 2, busy 9]", Timing::kLate), UnorderedElementsAre("A B C"));
}

TEST(HtmlHost, ALaterTimerOfShorterDelayMayOvertakeWhatIsOverdue) {
  EXPECT_THAT(Orders("[timeout A 20, busy 30, timeout B 0]"), UnorderedElementsAre("A B", "B A"));
}

TEST(HtmlHost, ChannelsAreOrderedWithinThemselvesAlone) {
  EXPECT_THAT(Orders("[message A via C, message B via D, message E via C]"),
              UnorderedElementsAre("A B E", "A E B", "B A E"));
}

TEST(HtmlHost, ACheckpointFollowsEachCallback) {
  EXPECT_THAT(Orders("[{timeout A 0: [then P, microtask Q]}, timeout B 0]", Timing::kLate),
              UnorderedElementsAre("A P Q B"));
}

TEST(HtmlHost, TheClampBeginsAboveTheFifthLevel) {
  // Runs 1 to 6 take no time. Run 7 is the first to wait for 4 ms, run 8 comes after 8 ms.
  const auto order = [](const std::string& runs, const std::string& delay) {
    return Orders("[{timeout 0 x" + runs + ": [{only " + runs + ": [log End]}]}, timeout B " + delay + "]");
  };
  EXPECT_THAT(order("6", "2"), UnorderedElementsAre("End B"));
  EXPECT_THAT(order("7", "2"), UnorderedElementsAre("B End"));
  EXPECT_THAT(order("7", "6"), UnorderedElementsAre("End B"));
  EXPECT_THAT(order("8", "6"), UnorderedElementsAre("B End"));
}

TEST(HtmlHost, AMicrotaskIsNoTimer) {
  // Twenty timers, each started by a microtask of the one before: none of them is nested.
  std::string program = "log End";
  for (int i = 0; i < 20; ++i) program = "{timeout 0: [{then: [" + program + "]}]}";
  EXPECT_THAT(Orders("[" + program + ", timeout B 9]"), UnorderedElementsAre("End B"));
}

TEST(HtmlHost, AnIntervalCountsAsTheRuleSays) {
  const std::string program = "[{interval V 40 x2: [{only 1: [timeout A 40]}]}]";
  EXPECT_THAT(Orders(program), UnorderedElementsAre("V A V", "V V A"));
  EXPECT_THAT(Orders(program, Timing::kOnTime, Html("interval-start", "after-callback")),
              UnorderedElementsAre("V A V"));
  EXPECT_THAT(Orders(program, Timing::kOnTime, Html("interval-start", "when-due")), UnorderedElementsAre("V V A"));
}

TEST(HtmlHost, AnErrorIsReportedAsTheRuleSays) {
  const std::string program = "[{on uncaught X: [then Y]}, on uncaught Z, {timeout A 0: [then P, throw E]}]";
  EXPECT_THAT(Orders(program), UnorderedElementsAre("A X=E Z=E P Y", "A P X=E Y Z=E"));
  EXPECT_THAT(Orders(program, Timing::kOnTime, Html("error-report", "before-microtasks")),
              UnorderedElementsAre("A X=E Z=E P Y"));
  EXPECT_THAT(Orders(program, Timing::kOnTime, Html("error-report", "after-microtasks")),
              UnorderedElementsAre("A P X=E Y Z=E"));
}

TEST(HtmlHost, AListenerThatWasClearedIsNotCalled) {
  EXPECT_THAT(Orders("[{on uncaught X: [clear Z]}, on uncaught Z, {timeout A 0: [throw E]}]"),
              UnorderedElementsAre("A X=E"));
}

TEST(HtmlHost, ARejectionIsToldOfOnceUnlessItWasHandledInTime) {
  const std::string program = "[on unhandled U, on handled H, promise D, reject E of D, {message M: [catch C of D]}]";
  EXPECT_THAT(Orders(program), UnorderedElementsAre("M C", "U=E M C H"));
}

TEST(HtmlHost, ARealRunGivesOneOfTheOrders) {
  const Case c = Parse("[timeout A 20, {message M: [then P, {timeout B 0: [throw E]}]}, on uncaught X]");
  const ModelRun run = RunForReal(c, Html(), 5'000);
  EXPECT_EQ(run.limit_hit, "");
  EXPECT_EQ(run.trace.events.size(), 5u);
  EXPECT_EQ(CanGive(c, Html(), Timing::kLate, run.trace.ToOrder()), Membership::kIn);
}

TEST(HtmlDelay, IsAnIntegerOf32Bits) {
  EXPECT_EQ(HtmlDelay(1.9), 1);
  EXPECT_EQ(HtmlDelay(-1), 0);
  EXPECT_EQ(HtmlDelay(2147483647.0), 2147483647);
  EXPECT_EQ(HtmlDelay(2147483648.0), 0);
  EXPECT_EQ(HtmlDelay(4294967301.0), 5);
  EXPECT_EQ(HtmlDelay(-4294967291.0), 5);
  EXPECT_EQ(HtmlDelay(1e300 * 1e300), 0);
}

}  // namespace html_test
}  // namespace conform::reference
