#include "reference-impl/explore/explorer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>
#include <set>

namespace conform::reference {
namespace explorer_test {

using ::testing::Contains;
using ::testing::Not;
using ::testing::UnorderedElementsAre;

const Profiles& LoadedProfiles() {
  static const Profiles* const profiles = [] {
    Result<Profiles> loaded = Profiles::Load(std::string(CONFORM_SOURCE_DIR) + "/spec/profiles");
    EXPECT_TRUE(loaded.ok()) << loaded.error().ToString();
    return new Profiles(std::move(loaded).value());
  }();
  return *profiles;
}

Profile At(const std::string& name) {
  Result<Profile> profile = LoadedProfiles().Resolve(name);
  EXPECT_TRUE(profile.ok()) << name;
  return *profile;
}

Case Parse(const std::string& program, const std::string& more = "") {
  Result<Case> c = ParseCase("program:\n" + program + "expect: '...'\n" + more, "test.yaml", "test");
  EXPECT_TRUE(c.ok()) << c.error().ToString();
  return *c;
}

std::vector<std::string> Orders(const Case& c, const std::string& profile, Timing timing) {
  const Exploration exploration = Explore(c, At(profile), timing);
  EXPECT_TRUE(exploration.complete) << exploration.limit_hit;
  std::vector<std::string> texts;
  for (const Order& order : exploration.orders.Enumerate(1000)) texts.push_back(OrderToString(order));
  return texts;
}

TEST(Explore, TimeoutAndImmediateFromMainComeInEitherOrder) {
  const Case c = Parse("  - timeout A 0\n  - immediate B\n");
  EXPECT_THAT(Orders(c, "node@24", Timing::kOnTime), UnorderedElementsAre("A B", "B A"));
}

TEST(Explore, ASignalFromAnotherThreadIsForThoseThatListenWhenItComes) {
  Profile profile = At("node@26.3.0");
  profile.rules["signal-handlers"] = "by-another-thread";
  const auto late = [&](const std::string& program) {
    const Exploration exploration = Explore(Parse(program), profile, Timing::kLate);
    EXPECT_TRUE(exploration.complete) << exploration.limit_hit;
    std::vector<std::string> texts;
    for (const Order& order : exploration.orders.Enumerate(1000)) texts.push_back(OrderToString(order));
    return texts;
  };
  // Twice raised is once reported, at any time, or not before the process ends.
  EXPECT_THAT(late("  - signal S\n  - raise S\n  - raise S\n  - timeout K 40\n"),
              UnorderedElementsAre("S K", "K S", "K"));
  // Different signals come in any order.
  EXPECT_THAT(late("  - signal A as hup\n  - signal B as winch\n  - raise A\n  - raise B\n  - read K\n"),
              UnorderedElementsAre("A B K", "B A K", "A K", "B K", "K A", "K B", "K A B", "K B A", "K"));
  // Its listener has gone, or another has come.
  EXPECT_THAT(late("  - signal S\n  - raise S\n  - clear S\n  - signal V\n  - timeout K 40\n"),
              UnorderedElementsAre("V K", "K V", "K"));
  // One that another removes is not called.
  EXPECT_THAT(late("  - signal A: [clear B]\n  - signal B\n  - raise A\n  - timeout K 40\n"),
              UnorderedElementsAre("A K", "K A", "K"));
}

TEST(Explore, AWorkerWaitsUntilTheMainThreadHasPrintedItsWarning) {
  const auto late = [](const std::string& last, const std::string& profile) {
    const Case c = Parse("  - timeout A 30\n  - unref A\n" + last, "entry: worker\n");
    return Orders(c, profile, Timing::kLate);
  };
  EXPECT_THAT(late("", "node@12"), UnorderedElementsAre("(nothing)"));
  EXPECT_THAT(late("  - reject E1\n", "node@12"), UnorderedElementsAre("(nothing)", "A"));
  EXPECT_THAT(late("  - timeout B Infinity\n", "node@24"), UnorderedElementsAre("B", "A B", "B A"));
}

TEST(Explore, InsideAFileCallbackTheImmediateIsFirst) {
  const Case c = Parse("  - file F:\n      - timeout A 0\n      - immediate B\n");
  EXPECT_THAT(Orders(c, "node@24", Timing::kOnTime), UnorderedElementsAre("F B A"));
  EXPECT_THAT(Orders(c, "node@24", Timing::kLate), UnorderedElementsAre("F B A"));
}

TEST(Explore, NodeElevenDrainsBetweenTimers) {
  const Case c = Parse("  - timeout A 0:\n      - tick T\n      - then P\n  - timeout B 0\n  - busy 5\n");
  EXPECT_THAT(Orders(c, "node@10", Timing::kOnTime), UnorderedElementsAre("A B T P"));
  EXPECT_THAT(Orders(c, "node@11.0.0", Timing::kOnTime), UnorderedElementsAre("A T P B"));
}

TEST(Explore, TheInnermostTryCatchesAndWhatFollowsItGoesOn) {
  const Case c =
      Parse("  - try X: [timeout A 0: [try Y: [throw E], log B, throw F], try Z: [throw], log C]\n  - log D\n");
  EXPECT_THAT(Orders(c, "node@24", Timing::kOnTime), UnorderedElementsAre("Z C D A Y=E B exit=1"));
}

TEST(Explore, AnErrorIsCaughtAroundAnAwait) {
  const Case c =
      Parse("  - promise Q\n  - async: [try X: [pause A of Q, log B], log C]\n  - then P: [reject E of Q]\n");
  EXPECT_THAT(Orders(c, "node@24", Timing::kOnTime), UnorderedElementsAre("P X=E C"));
  const Case returned =
      Parse("  - promise Q\n  - async F: [try X: [return of Q]]\n  - catch A of F\n  - reject E of Q\n");
  EXPECT_THAT(Orders(returned, "node@24", Timing::kOnTime), UnorderedElementsAre("A"));
}

TEST(Explore, LateWorkMayEndAtAnyTimeButNotBeforeItsOwn) {
  const Case c = Parse("  - work W 20\n  - timeout A 5: [busy 5]\n");
  EXPECT_THAT(Orders(c, "libuv@1.51.0", Timing::kOnTime), UnorderedElementsAre("A W"));
  EXPECT_THAT(Orders(c, "libuv@1.51.0", Timing::kLate), UnorderedElementsAre("A W", "W A"));
  // The check phase follows a poll that did not wait: no delay brings the work there before it.
  const Case busy = Parse("  - work W 20\n  - read R: [immediate C]\n  - timeout A 60\n");
  EXPECT_THAT(Orders(busy, "libuv@1.51.0", Timing::kOnTime), UnorderedElementsAre("R C W A"));
}

// Goal: what a real machine gave under load is allowed. L1 ends after the poll has begun to watch L5, and before L3.
TEST(Explore, ARequestMayEndBetweenTwoDescriptorsThatAreNewlyWatched) {
  const Case c = Parse("  - tick L0: [file L1: [file L2], read L3: [file L4]]\n  - read L5\n");
  EXPECT_THAT(Orders(c, "node@10", Timing::kOnTime), Not(Contains("L0 L5 L1 L3 L2 L4")));
  EXPECT_THAT(Orders(c, "node@10", Timing::kLate), Contains("L0 L5 L1 L3 L2 L4"));
}

TEST(Explore, DifferentSignalsComeAsTheyWereRaised) {
  const Case c = Parse("  - signal W as winch\n  - signal H as hup\n  - raise W\n  - raise H\n  - timeout T 9\n");
  EXPECT_THAT(Orders(c, "node@24", Timing::kOnTime), UnorderedElementsAre("W H T"));
  // Handles of one signal have an order by their addresses; those of different ones have not.
  const Case two = Parse("  - signal A\n  - signal B as hup\n  - raise A\n  - timeout T 9: [clear A, clear B]\n");
  EXPECT_THAT(Orders(two, "libuv@1.51.0", Timing::kOnTime), UnorderedElementsAre("A T"));
}

// Goal: a loop that is woken for a request which it has already taken is not accused. Two ended at once, and the second
// sent its wake-up after that of the first had been read: the next poll ends with nothing, and H sees one turn more.
TEST(Explore, AWakeUpMayComeForARequestThatWasTaken) {
  const Case c = Parse("  - file A: [file C]\n  - file B\n  - prepare H x3\n");
  for (const char* order : {"H A B H H C", "H B A H H C"}) {
    EXPECT_THAT(Orders(c, "libuv@1.51.0", Timing::kOnTime), Not(Contains(order)));
    EXPECT_THAT(Orders(c, "libuv@1.51.0", Timing::kLate), Contains(order));
  }
  // After a single request there is none.
  const Case one = Parse("  - file A: [file C]\n  - prepare H x3\n");
  EXPECT_THAT(Orders(one, "libuv@1.51.0", Timing::kLate), UnorderedElementsAre("H A H C H"));
}

TEST(Explore, ATimerThatBusyDidNotCoverMayBeOvertakenOnlyLate) {
  const Case c = Parse("  - timeout A 5\n  - timeout B 1\n  - busy 10\n");
  EXPECT_THAT(Orders(c, "node@24", Timing::kOnTime), UnorderedElementsAre("B A"));
  EXPECT_THAT(Orders(c, "node@24", Timing::kLate), UnorderedElementsAre("B A", "A B"));
}

TEST(Explore, RequestsOnFourThreadsEndInAnyOrder) {
  const Case c = Parse("  - file A\n  - file B\n  - file C\n  - busy 5\n");
  EXPECT_EQ(Orders(c, "node@24", Timing::kOnTime).size(), 6u);
}

TEST(Explore, RequestsOnOneThreadEndInOrder) {
  const Case c = Parse("  - file A\n  - file B\n  - file C\n", "pool: 1\n");
  EXPECT_THAT(Orders(c, "node@24", Timing::kLate), UnorderedElementsAre("A B C"));
}

TEST(Explore, AModelStandsForANativeFile) {
  const auto c = ParseCase(
      "native: x.cjs\nmodel:\n  node >=11: [tick T, then P]\n  node <11: [then P, tick U]\nexpect: {node: '...'}\n",
      "f", "id");
  ASSERT_TRUE(c.ok()) << c.error().ToString();
  EXPECT_EQ(NotModelled(*c, "node"), std::nullopt);
  EXPECT_THAT(Orders(*c, "node@24", Timing::kLate), UnorderedElementsAre("T P"));
  EXPECT_THAT(Orders(*c, "node@10", Timing::kLate), UnorderedElementsAre("U P"));
  EXPECT_EQ(OrderToString(RunForReal(*c, At("node@10"), 1000).trace.ToOrder()), "U P");
  EXPECT_EQ(CanGive(*c, At("node@24"), Timing::kLate, {"P", "T"}), Membership::kOut);
  EXPECT_EQ(NotModelled(*c, "libuv"), "a case without a model for libuv");
  const auto without = ParseCase("native: x.cjs\nexpect: '...'\n", "f", "id");
  EXPECT_EQ(NotModelled(*without, "node"), "a native case");
}

TEST(Explore, AModuleIsModelledAsOne) {
  const auto c = ParseCase("native: x.mjs\nmodel: [tick T, then P]\nexpect: '...'\n", "f", "id");
  EXPECT_THAT(Orders(*c, "node@24", Timing::kLate), UnorderedElementsAre("P T"));
}

TEST(Explore, AChildEndsAtAnyTimeAndBehindWhatIsReady) {
  const Case c = Parse("  - child K\n  - read R\n  - immediate I\n");
  EXPECT_THAT(Orders(c, "node@24", Timing::kOnTime), UnorderedElementsAre("R K I", "R I K"));
  const Case late = Parse("  - child K\n  - timeout T 50\n");
  EXPECT_THAT(Orders(late, "node@24", Timing::kOnTime), UnorderedElementsAre("K T"));
  EXPECT_THAT(Orders(late, "node@24", Timing::kLate), UnorderedElementsAre("K T", "T K"));
  EXPECT_EQ(NotModelled(Parse("  - child K\n  - tick: [unref K]\n"), "node"), "unref of a child");
}

// Both are messages in one pipe.
TEST(Explore, AChildAndASignalAreReportedInTheOrderInWhichTheyCame) {
  EXPECT_THAT(Orders(Parse("  - signal S\n  - child K\n  - raise S\n"), "node@24", Timing::kOnTime),
              UnorderedElementsAre("S K", "K S"));
  EXPECT_THAT(Orders(Parse("  - signal S\n  - raise S\n  - child K\n  - busy 9\n"), "node@24", Timing::kLate),
              UnorderedElementsAre("S K"));
}

// The first signal of a child makes the loop look for all that have ended.
TEST(Explore, ChildrenThatHaveEndedAreReportedInTheOrderOfTheirStart) {
  const Case c = Parse("  - child K: [immediate I]\n  - child L: [immediate J]\n");
  EXPECT_THAT(Orders(c, "node@24", Timing::kLate), UnorderedElementsAre("K L I J", "K I L J", "L J K I"));
}

TEST(Explore, AChildNeedsNoThreadOfThePool) {
  const auto c = ParseCase("pool: 1\nprogram: [file F, child K]\nexpect: '...'\n", "f", "id");
  EXPECT_THAT(Orders(*c, "node@24", Timing::kOnTime), UnorderedElementsAre("F K", "K F"));
}

// The engine collects garbage in one, for example.
TEST(Explore, ATaskOfTheEngineMayEndTheWaitOfThePoll) {
  const Case c = Parse("  - file F\n  - immediate I\n  - unref I\n");
  EXPECT_THAT(Orders(c, "node@24", Timing::kOnTime), UnorderedElementsAre("F I"));
  EXPECT_THAT(Orders(c, "node@24", Timing::kLate), UnorderedElementsAre("F I", "I F"));
}

TEST(Explore, ARunArmsTheNextOnce) {
  const Case c = Parse("  - tick A x2:\n      - async B: [pause C, again]\n");
  EXPECT_THAT(Orders(c, "node@24", Timing::kOnTime), UnorderedElementsAre("A A C C"));
  // The second run ends with an error, and the chain with it.
  const Case fails = Parse(
      "  - on uncaught U\n  - tick A x3:\n      - async B: [pause C, only 1: [again, log L]]\n      - only 2: "
      "[throw]\n");
  EXPECT_THAT(Orders(fails, "node@24", Timing::kOnTime), UnorderedElementsAre("A A U C L C"));
}

TEST(Explore, AConnectionToNothingIsNotMade) {
  const Case c = Parse("  - connect K to L\n  - close C of K\n  - timeout T 0: [listen L, close of L]\n");
  EXPECT_THAT(Orders(c, "libuv@1.51", Timing::kOnTime), UnorderedElementsAre("T"));
  EXPECT_THAT(Orders(c, "node@24", Timing::kOnTime), UnorderedElementsAre("T"));
}

TEST(Explore, AConnectionThatIsIdleDoesNotKeepThePollFromWaiting) {
  const Case c =
      Parse("  - listen L\n  - accept S of L:\n      - timeout A 30: [close of S, close of L]\n  - connect K to L\n");
  EXPECT_THAT(Orders(c, "node@24", Timing::kOnTime), UnorderedElementsAre("S K A"));
}

TEST(Explore, ALoopThatWaitsForNothingNeverExits) {
  const Case c = Parse("  - check C\n");
  EXPECT_THAT(Orders(c, "libuv@1.52", Timing::kLate), UnorderedElementsAre("exit=never"));
}

TEST(Explore, AProgramWithoutEndIsReportedAsIncomplete) {
  const Case c = Parse("  - interval A 1\n");
  ExploreLimits limits;
  limits.max_callbacks = 1000;
  const Exploration exploration = Explore(c, At("node@24"), Timing::kOnTime, limits);
  // Equal states are one state: the loop goes round, and no order ever ends.
  EXPECT_TRUE(!exploration.complete || exploration.orders.Enumerate(1).empty());
}

TEST(Explore, EightCallbacksNeedFewStates) {
  const Case c = Parse(
      "  - immediate A\n  - immediate B\n  - file C\n  - file D\n  - timeout E 30\n  - timeout F 60\n"
      "  - read G\n  - tick H\n");
  const Exploration exploration = Explore(c, At("node@24"), Timing::kOnTime);
  EXPECT_TRUE(exploration.complete);
  EXPECT_LT(exploration.runs, 2000);
}

// The immediate and the timer keep requests from waiting for the next poll, so that many of them end in one.
TEST(Explore, RunsMeetBetweenRequestsThatEndInOnePoll) {
  const Case c = Parse(
      "  - file A\n  - file B\n  - file C\n  - file D\n  - file E\n  - file F\n  - file G\n  - file H\n"
      "  - immediate I\n  - timeout T 1\n");
  for (const Timing timing : {Timing::kOnTime, Timing::kLate}) {
    const Exploration exploration = Explore(c, At("node@24"), timing);
    EXPECT_TRUE(exploration.complete);
    EXPECT_LT(exploration.runs, 5'000);  // 51,897 where runs meet at polls alone
  }
}

TEST(Explore, ALimitThatIsHitIsNamed) {
  const Case c = Parse("  - file A\n  - file B\n  - file C\n  - file D\n");
  ExploreLimits limits;
  limits.max_runs = 3;
  const Exploration exploration = Explore(c, At("node@24"), Timing::kOnTime, limits);
  EXPECT_FALSE(exploration.complete);
  EXPECT_EQ(exploration.limit_hit, "runs");
}

TEST(Explore, TimeAndMemoryAreLimited) {
  const Case c = Parse("  - file A x3\n  - file B x3\n  - file C x3\n  - file D x3\n");
  ExploreLimits limits;
  limits.max_memory_bytes = 10'000;
  EXPECT_EQ(Explore(c, At("node@24"), Timing::kOnTime, limits).limit_hit, "memory");
  limits = {};
  limits.max_cpu_ms = 0;
  EXPECT_EQ(Explore(c, At("node@24"), Timing::kLate, limits).limit_hit, "CPU time");
}

TEST(NotModelled, ADelayThatALoopDoesNotHaveIsFoundWhereItStands) {
  for (const char* delay : {"Infinity", "NaN", "none", "1e19", "9223372036854775808"}) {
    const Case c = Parse("  - tick\n  - timeout A " + std::string(delay) + "\n");
    EXPECT_EQ(NotModelled(Parse("  - timeout A " + std::string(delay) + "\n"), "libuv"), "delay " + std::string(delay));
    ASSERT_TRUE(StrangeDelay(c, "asyncio").has_value()) << delay;
    EXPECT_EQ(StrangeDelay(c, "asyncio")->at.line, c.program[1].at.line);
    EXPECT_FALSE(StrangeDelay(c, "node").has_value()) << delay;
    EXPECT_FALSE(StrangeDelay(c, "html").has_value()) << delay;
  }
  EXPECT_TRUE(StrangeDelay(Parse("  - timeout A -5\n"), "libuv").has_value());
  EXPECT_FALSE(StrangeDelay(Parse("  - timeout A -5\n"), "asyncio").has_value());
}

TEST(Replay, ThePathOfAnExplanationGivesTheSameTrace) {
  const Case c = Parse("  - timeout A 0\n  - immediate B\n  - file C\n");
  const Exploration exploration = Explore(c, At("node@24"), Timing::kOnTime);
  const std::vector<Order> orders = exploration.orders.Enumerate(100);
  const std::vector<ModelRun> runs = Explain(c, At("node@24"), Timing::kOnTime, orders);
  ASSERT_EQ(runs.size(), orders.size());
  for (size_t i = 0; i < runs.size(); ++i) {
    EXPECT_EQ(runs[i].trace.ToOrder(), orders[i]);
    std::vector<int> path;
    for (const Choice& choice : runs[i].choices) path.push_back(choice.index);
    const Result<ModelRun> again = Replay(c, At("node@24"), Timing::kOnTime, path);
    ASSERT_TRUE(again.ok());
    EXPECT_EQ(again->trace.ToOrder(), orders[i]);
  }
}

TEST(Replay, APathThatDoesNotExistIsAnError) {
  const Case c = Parse("  - timeout A 0\n  - immediate B\n");
  EXPECT_FALSE(Replay(c, At("node@24"), Timing::kOnTime, {7}).ok());
  EXPECT_FALSE(Replay(c, At("node@24"), Timing::kOnTime, std::vector<int>(50, 0)).ok());
}

TEST(CanGive, RefusesAnOrderThatNoDelayExplains) {
  const Case c = Parse("  - tick T\n  - then P\n");
  EXPECT_EQ(CanGive(c, At("node@24"), Timing::kLate, {"T", "P"}), Membership::kIn);
  EXPECT_EQ(CanGive(c, At("node@24"), Timing::kLate, {"P", "T"}), Membership::kOut);
  EXPECT_EQ(CanGive(c, At("node@24"), Timing::kLate, {"T"}), Membership::kOut);
}

// `A B` needs a delay of 49 ms or more between the two calls.
class CanGiveInItsTimeTest : public ::testing::Test {
 protected:
  // The run began at 0; the labels came at these times.
  Membership Of(int64_t a_ms, int64_t b_ms) const {
    Trace trace;
    trace.start_ns = 0;
    trace.events = {{"A", a_ms * 1'000'000, {}, "", ""}, {"B", b_ms * 1'000'000, {}, "", ""}};
    EXPECT_EQ(CanGive(c_, At("node@24"), Timing::kLate, trace.ToOrder()), Membership::kIn);
    return CanGiveInItsTime(c_, At("node@24"), trace);
  }

  const Case c_ = Parse("  - timeout A 50\n  - timeout B 1\n");
};

TEST_F(CanGiveInItsTimeTest, TheDelayThatIsNeededMayHaveHappened) {
  EXPECT_EQ(Of(55, 56), Membership::kIn);
  EXPECT_EQ(Of(500, 500), Membership::kIn);
}

TEST_F(CanGiveInItsTimeTest, ATimerThatCameBeforeItsTimeWasNotDelayed) {
  EXPECT_EQ(Of(2, 52), Membership::kOut);
  EXPECT_EQ(Of(40, 41), Membership::kOut);
}

// A coarse clock and whole milliseconds: what is close is not refuted.
TEST_F(CanGiveInItsTimeTest, TheBoundsLeaveRoomForTheClock) {
  EXPECT_EQ(Of(47, 47), Membership::kIn);
  EXPECT_EQ(Of(46, 46), Membership::kOut);
}

TEST_F(CanGiveInItsTimeTest, ALabelWithoutATimeBoundsNothing) {
  Trace trace;
  trace.start_ns = 0;
  trace.events = {{"A", {}, {}, "", ""}, {"B", {}, {}, "", ""}};
  EXPECT_EQ(CanGiveInItsTime(c_, At("node@24"), trace), Membership::kIn);
  trace.events[1].t_ns = 3'000'000;
  EXPECT_EQ(CanGiveInItsTime(c_, At("node@24"), trace), Membership::kOut);
}

// A child is in no host: what is run is the model of the case, and not its program.
TEST_F(CanGiveInItsTimeTest, ACaseWithAModelIsRunByIt) {
  const Case c = Parse("  - child A\n  - timeout B 300\n", "model: [work A, timeout B 300]\n");
  Trace trace;
  trace.start_ns = 0;
  trace.events = {{"A", 5'000'000, {}, "", ""}, {"B", 301'000'000, {}, "", ""}};
  EXPECT_EQ(CanGiveInItsTime(c, At("libuv@1.44.2"), trace), Membership::kIn);
}

// Random programs of a few callbacks, nested up to two deep.
class RandomPrograms {
 public:
  explicit RandomPrograms(uint64_t seed) : random_(seed) {}

  Case Next() {
    next_label_ = 0;
    std::string text;
    Body(2, 2 + Draw(3), &text);
    if (Draw(2) == 0) text += "  - busy 5\n";
    return Parse(text);
  }

 private:
  int Draw(int count) { return static_cast<int>(random_() % static_cast<uint64_t>(count)); }

  void Body(int indent, int steps, std::string* text) {
    static const char* const kOps[] = {"tick", "then", "timeout", "timeout", "immediate", "file", "read", "microtask"};
    for (int i = 0; i < steps && next_label_ < 8; ++i) {
      const std::string op = kOps[Draw(8)];
      *text += std::string(static_cast<size_t>(indent), ' ') + "- " + op + " L" + std::to_string(next_label_++);
      if (op == "timeout") *text += Draw(2) == 0 ? " 0" : " 2";
      const bool nests = indent < 8 && Draw(3) == 0 && next_label_ < 8;
      *text += nests ? ":\n" : "\n";
      if (nests) Body(indent + 3, 1 + Draw(2), text);
    }
  }

  std::mt19937_64 random_;
  int next_label_ = 0;
};

// Goal: being on time is a special case of being late, and what really runs is never outside. Method: random programs;
// every on-time order must be a late one, and so must the order of a real run.
TEST(Explore, OnTimeOrdersAndRealRunsAreLateOrders) {
  RandomPrograms programs(7);
  for (int i = 0; i < 60; ++i) {
    const Case c = programs.Next();
    for (const char* version : {"node@10", "node@24"}) {
      if (LoadedProfiles().Find("node")->Unsupported(c, At(version).version)) continue;
      ExploreLimits limits;
      limits.max_runs = 20'000;
      const Exploration on_time = Explore(c, At(version), Timing::kOnTime, limits);
      for (const Order& order : on_time.orders.Enumerate(20)) {
        EXPECT_NE(CanGive(c, At(version), Timing::kLate, order, limits), Membership::kOut)
            << version << " program " << i << ": " << OrderToString(order);
      }
      const ModelRun real = RunForReal(c, At(version), 30'000);
      ASSERT_EQ(real.limit_hit, "");
      EXPECT_NE(CanGive(c, At(version), Timing::kLate, real.trace.ToOrder(), limits), Membership::kOut)
          << version << " program " << i << ": " << OrderToString(real.trace.ToOrder());
      EXPECT_NE(CanGiveInItsTime(c, At(version), real.trace, limits), Membership::kOut)
          << version << " program " << i << " in its time: " << OrderToString(real.trace.ToOrder());
    }
  }
}

TEST(CheckRules, TheProfilesHaveEveryRuleAtEveryBoundary) {
  const std::optional<Error> error = CheckRules(LoadedProfiles());
  EXPECT_FALSE(error.has_value()) << error->ToString();
}

TEST(Profiles, EveryListedReleaseCanBeRun) {
  const Case c = Parse("  - timeout A 0\n");
  for (const ProfileFamily& family : LoadedProfiles().families()) {
    if (NotModelled(c, family.name)) continue;
    for (const Version& release : family.releases) {
      const Profile profile = LoadedProfiles().At(family, release);
      EXPECT_EQ(RunInVirtualTime(c, profile, 0).trace.ToOrder(), (Order{"A"})) << profile.Name();
    }
  }
}

TEST(Explore, ARequestOfLibuvThatWasCancelledCanBeMadeAgain) {
  const Case c = Parse("  - work A x2\n  - clear A\n");
  EXPECT_THAT(Orders(c, "libuv@1.52", Timing::kLate), UnorderedElementsAre("A A", "A=ECANCELED A"));
}

}  // namespace explorer_test
}  // namespace conform::reference
