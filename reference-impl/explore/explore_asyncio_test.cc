// The asyncio host, by the sets of orders that exploring it gives.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "reference-impl/explore/explorer.h"

namespace conform::reference {
namespace explore_asyncio_test {

using ::testing::ElementsAre;
using ::testing::UnorderedElementsAre;

Profile Asyncio(const std::string& version = "3.11.0") {
  const Result<Profiles> profiles = Profiles::Load(std::string(CONFORM_SOURCE_DIR) + "/spec/profiles");
  EXPECT_TRUE(profiles.ok());
  const Result<Profile> profile = profiles->Resolve("asyncio@" + version);
  EXPECT_TRUE(profile.ok()) << version;
  return *profile;
}

Case Parse(const std::string& steps, const std::string& more = "") {
  Result<Case> c = ParseCase("program: " + steps + "\nexpect: '...'\n" + more, "test.yaml", "test");
  EXPECT_TRUE(c.ok()) << c.error().ToString();
  return *c;
}

std::vector<std::string> Orders(const Case& c, Timing timing, const Profile& profile = Asyncio()) {
  EXPECT_EQ(NotModelled(c, "asyncio"), std::nullopt);
  const Exploration exploration = Explore(c, profile, timing);
  EXPECT_TRUE(exploration.complete) << exploration.limit_hit;
  std::vector<std::string> texts;
  for (const Order& order : exploration.orders.Enumerate(1000)) texts.push_back(OrderToString(order));
  return texts;
}

std::vector<std::string> OnTime(const std::string& steps) { return Orders(Parse(steps), Timing::kOnTime); }
std::vector<std::string> Late(const std::string& steps) { return Orders(Parse(steps), Timing::kLate); }

TEST(AsyncioHost, APassRunsWhatWasInTheQueue) {
  EXPECT_THAT(Late("[{soon A: [soon A2]}, soon B]"), ElementsAre("A B A2"));
}

TEST(AsyncioHost, DescriptorsJoinTheQueueBeforeTimers) {
  EXPECT_THAT(Late("[timeout T 1, read R, {soon S: [soon S2]}, busy 5]"), ElementsAre("S R T S2"));
}

TEST(AsyncioHost, EqualDeadlinesComeInAnyOrder) {
  const Case c = Parse("[timeout A 5 as at, timeout B 5 as at, busy 10]");
  EXPECT_THAT(Orders(c, Timing::kOnTime), UnorderedElementsAre("A B", "B A"));
  Profile profile = Asyncio();
  profile.rules["equal-deadlines"] = "start-order";
  EXPECT_THAT(Orders(c, Timing::kLate, profile), ElementsAre("A B"));
}

TEST(AsyncioHost, DescriptorsThatAreReadyTogetherComeInAnyOrder) {
  const Case c = Parse("[read A, read B, read C]");
  EXPECT_EQ(Orders(c, Timing::kOnTime).size(), 6u);
  Profile profile = Asyncio();
  profile.rules["ready-descriptors"] = "as-ready";
  EXPECT_THAT(Orders(c, Timing::kLate, profile), ElementsAre("A B C"));
}

// A clock of nanoseconds can be a fraction short of the deadline, in the same millisecond.
TEST(AsyncioHost, OnlyLateCanATimerMissALookInItsMillisecond) {
  const std::string steps = "[timeout A 5 as at, {soon S x3: [{only 1: [busy 5]}]}]";
  EXPECT_THAT(OnTime(steps), ElementsAre("S S A S"));
  EXPECT_THAT(Late(steps), ::testing::Contains("S{3} A"));
}

TEST(AsyncioHost, ATimerThatIsSurelyDueMissesNothing) {
  EXPECT_THAT(Late("[timeout A 1, busy 5, {soon S: [soon S2]}]"), ElementsAre("S A S2"));
}

TEST(AsyncioHost, AStopEndsThePassAndOnceStoodInTheQueue) {
  const Case c = Parse("[{soon A: [soon A1, stop, soon A2]}, soon B, run default R, run default R]");
  EXPECT_THAT(Orders(c, Timing::kLate), ElementsAre("A B R=1 A1 A2 R=0"));
  EXPECT_THAT(Orders(c, Timing::kLate, Asyncio("3.5.0")), ElementsAre("A B A1 R=1 A2 R=0"));
}

TEST(AsyncioHost, AResultTakesItsPlaceWheneverItsThreadIsDone) {
  EXPECT_THAT(OnTime("[work K, busy 5, {soon S: [soon S2]}]"), ElementsAre("S K S2"));
  EXPECT_THAT(Late("[work K, busy 5, {soon S: [soon S2]}]"), UnorderedElementsAre("S K S2", "S S2 K"));
}

TEST(AsyncioHost, WorkThatIsCancelledIsNotWaitedFor) {
  EXPECT_THAT(Late("[work K, clear K, {soon S: [soon S2]}]"), ElementsAre("K=ECANCELED S S2"));
}

// Another thread wakes the loop up through the descriptor that signals come through: a signal that is raised in that
// same pass is noticed a pass earlier.
TEST(AsyncioHost, AWakeUpCanBringASignalForward) {
  const std::string rest = "{soon Z: [raise S, {soon A: [{soon B: [soon C]}]}]}]";
  EXPECT_THAT(Late("[signal S, " + rest), ElementsAre("Z A B S C"));
  EXPECT_THAT(Late("[signal S, wake W, " + rest), ElementsAre("W Z A S B C"));
}

TEST(AsyncioHost, TasksTakeTurns) {
  EXPECT_THAT(Late("[{async F: [log A, pause B]}, {async G: [log C, pause D]}, then P of F]"),
              ElementsAre("A C B D P"));
}

TEST(AsyncioHost, AwaitingWhatIsDoneDoesNotInterrupt) {
  EXPECT_THAT(Late("[promise D, resolve D, {async F: [pause A of D, log B]}, soon S]"), ElementsAre("A B S"));
}

TEST(AsyncioHost, AnErrorReachesWhoeverWaits) {
  EXPECT_THAT(Late("[{async F: [throw E]}, await W of F, then P of F, promise D, await V of D, reject E of D, soon S]"),
              ElementsAre("S"));
}

TEST(AsyncioHost, CancellingATaskThatIsAboutToGoOnEndsItAllTheSame) {
  EXPECT_THAT(Late("[promise D, await W of D, {soon A: [resolve D, clear W]}, soon B]"), ElementsAre("A B"));
}

TEST(AsyncioHost, ATaskThatCancelsItselfEndsWhereItWaits) {
  EXPECT_THAT(Late("[{await W: [clear W, log A]}, then P of W, await V of W]"), ElementsAre("W A"));
  EXPECT_THAT(Late("[{async F: [log A, clear F, log B, pause C]}, {soon S: [soon T]}]"), ElementsAre("A B S T"));
  EXPECT_THAT(Late("[promise D, then P of D, {async F: [clear F, pause C of D]}, {soon S: [resolve D]}]"),
              ElementsAre("S"));
}

TEST(AsyncioHost, ErrorsGoToTheOneHandler) {
  EXPECT_THAT(Late("[on uncaught X, on uncaught Y, {soon A: [throw E]}, soon B]"), ElementsAre("A Y=E B"));
  EXPECT_THAT(Late("[soon A, throw E]"), ElementsAre("exit=1"));
}

TEST(AsyncioHost, WhatWaitsForEverDoesNotKeepTheProgram) {
  EXPECT_THAT(Late("[promise D, await W of D, wake V unsent, signal S, soon A]"), ElementsAre("A"));
}

TEST(AsyncioHost, ItRunsForRealAsWell) {
  const Case c = Parse("[timeout T 1, read R, work K, {soon S: [wake W]}, busy 20]", "pool: 1\n");
  const ModelRun run = RunForReal(c, Asyncio(), 20'000);
  EXPECT_EQ(run.limit_hit, "");
  Order order;
  for (const TraceEvent& event : run.trace.events) order.push_back(event.label);
  EXPECT_EQ(CanGive(c, Asyncio(), Timing::kLate, order), Membership::kIn) << OrderToString(order);
}

TEST(AsyncioHost, WhatItLeavesOutIsNamed) {
  const auto reason = [](const std::string& steps) { return NotModelled(Parse(steps), "asyncio").value_or(""); };
  EXPECT_EQ(reason("[tick T]"), "tick");
  EXPECT_EQ(reason("[run once R]"), "run once");
  EXPECT_EQ(reason("[timeout T 1.5]"), "parts of a millisecond");
  EXPECT_EQ(reason("[await W plain]"), "await plain");
  EXPECT_EQ(reason("[{soon A: [reject E]}]"), "reject without a promise");
  EXPECT_EQ(reason("[signal S, {soon A: [clear S]}]"), "clear of a signal");
  EXPECT_EQ(reason("[signal S, work K]"), "work beside a signal");
  EXPECT_EQ(reason("[signal S, signal T]"), "more than one signal");
}

}  // namespace explore_asyncio_test
}  // namespace conform::reference
