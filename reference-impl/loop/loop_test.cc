// The loop in virtual time: the run modes, the phases, and what keeps a loop alive.
#include "reference-impl/loop/loop.h"

#include <gtest/gtest.h>

#include <utility>

#include "reference-impl/loop/loop_testing.h"

namespace conform::reference {
namespace {

// --- run modes ---

TEST(LoopRun, WithNothingLeftIsOverAtOnce) {
  SimLoop t;
  EXPECT_FALSE(t.loop.Alive());
  EXPECT_FALSE(t.loop.Run(RunMode::kDefault));
  EXPECT_EQ(t.loop.iteration(), 0);
}

TEST(LoopRun, DefaultRunsUntilNothingIsLeft) {
  SimLoop t;
  t.loop.StartTimer(t.Timer("late"), 50, 0);
  t.loop.StartTimer(t.Timer("soon", [&] { t.loop.StartTimer(t.Timer("new"), 10, 0); }), 5, 0);
  EXPECT_FALSE(t.loop.Run(RunMode::kDefault));
  EXPECT_EQ(t.Take(), "soon new late");
}

TEST(LoopRun, NoWaitLooksAndComesBack) {
  SimLoop t;
  t.loop.StartTimer(t.Timer("T"), 10, 0);
  EXPECT_TRUE(t.loop.Run(RunMode::kNoWait));
  EXPECT_EQ(t.Take(), "");
  t.Busy(10);
  EXPECT_FALSE(t.loop.Run(RunMode::kNoWait));
  EXPECT_EQ(t.Take(), "T");
}

TEST(LoopRun, OnceWaitsForOneTimer) {
  SimLoop t;
  t.loop.StartTimer(t.Timer("A"), 10, 0);
  t.loop.StartTimer(t.Timer("B"), 20, 0);
  EXPECT_TRUE(t.loop.Run(RunMode::kOnce));
  EXPECT_EQ(t.Take(), "A");
  EXPECT_FALSE(t.loop.Run(RunMode::kOnce));
  EXPECT_EQ(t.Take(), "B");
}

TEST(LoopRun, OnceDoesNotSleepWhileAnIdleHandleStands) {
  SimLoop t;
  t.loop.StartTimer(t.Timer("T"), 10, 0);
  t.loop.StartIdle(t.Phase("I"));
  EXPECT_TRUE(t.loop.Run(RunMode::kOnce));
  EXPECT_EQ(t.Take(), "I");
}

TEST(LoopRun, StopEndsTheRunAfterTheIteration) {
  SimLoop t;
  t.loop.StartIdle(t.Phase("I", [&] { t.loop.Stop(); }));
  t.loop.StartCheck(t.Phase("C"));
  EXPECT_TRUE(t.loop.Run(RunMode::kDefault));
  EXPECT_EQ(t.Take(), "I C");
}

TEST(LoopRun, StopBeforeARunIsUsedUpByIt) {
  SimLoop t;
  t.loop.StartIdle(t.Phase("I"));
  t.loop.Stop();
  EXPECT_TRUE(t.loop.Run(RunMode::kNoWait));
  EXPECT_EQ(t.Take(), "");
  EXPECT_TRUE(t.loop.Run(RunMode::kNoWait));
  EXPECT_EQ(t.Take(), "I");
}

TEST(LoopRun, AWaitWithoutEndIsKnownInAClosedWorld) {
  SimLoop t;
  t.loop.set_closed_world(true);
  t.loop.StartWakeup(t.Wakeup("W"));
  t.loop.StartCheck(t.Phase("C"));
  t.loop.Run(RunMode::kDefault);
  EXPECT_TRUE(t.loop.stuck());
  EXPECT_EQ(t.Take(), "");
}

// --- phases ---

TEST(LoopPhases, RunInTheOrderOfTheSpec) {
  SimLoop t;
  TestTimer* due = t.Timer("timer");
  t.loop.StartTimer(due, 1, 0);
  t.loop.StartTimer(t.Timer("timer-after-poll"), 3, 0);
  t.loop.StartIdle(t.Phase("idle", [&] { t.Busy(5); }));
  t.loop.StartPrepare(t.Phase("prepare"));
  t.loop.StartIo(t.Io("poll"), t.platform.OpenReadable(), kReadable);
  t.loop.Feed(t.Io("pending"));
  t.loop.StartCheck(t.Phase("check", [&] { t.loop.Stop(); }));
  t.loop.CloseTimer(t.Timer("unused"), [](Handle* handle) { static_cast<SimLoop*>(handle->data)->Log("close"); });
  t.timers.back().data = &t;
  t.Busy(1);
  t.loop.Run(RunMode::kDefault);
  EXPECT_EQ(t.Take(), "timer pending idle prepare poll check close timer-after-poll");
}

TEST(LoopPhases, TimersRunBeforeThePollWhereTheRulesSaySo) {
  LoopRules rules;
  rules.iteration = {Phase::kTimers, Phase::kPending, Phase::kIdle,    Phase::kPrepare,
                     Phase::kPoll,   Phase::kCheck,   Phase::kClosing, Phase::kTimersIfOnce};
  rules.timers_at_start = LoopRules::TimersAtStart::kNo;
  SimLoop t(rules);
  t.loop.StartTimer(t.Timer("T"), 3, 0);
  t.loop.StartIdle(t.Phase("I", [&] { t.Busy(5); }));
  EXPECT_TRUE(t.loop.Run(RunMode::kNoWait));
  EXPECT_EQ(t.Take(), "I");
  t.loop.Run(RunMode::kNoWait);
  EXPECT_EQ(t.Take(), "T I");
}

// Goal: a loop that has a phase for its pool serves wake-ups and requests there and nowhere else.
TEST(LoopPhases, ThePoolIsServedInItsOwnPhaseWhereTheRulesHaveOne) {
  LoopRules rules;
  rules.iteration = {Phase::kPool, Phase::kCheck, Phase::kPoll, Phase::kTimers, Phase::kClosing};
  rules.timers_at_start = LoopRules::TimersAtStart::kNo;
  SimLoop t(rules);
  t.loop.StartCheck(t.Phase("check", [&] { t.loop.StopInPhase(&t.phases[0]); }));
  t.loop.StartWakeup(t.Wakeup("wakeup", [&] { t.loop.CloseWakeup(&t.wakeups[0], nullptr); }));
  t.loop.StartIo(t.Io("poll", [&] { t.loop.Send(&t.wakeups[0]), t.loop.CloseIo(&t.ios[0], nullptr); }),
                 t.platform.OpenReadable(), kReadable);
  t.loop.StartTimer(t.Timer("timer"), 1, 0);
  t.Busy(1);
  t.loop.Run(RunMode::kDefault);
  EXPECT_EQ(t.Take(), "check poll timer wakeup");
}

enum class Ring { kIdle, kPrepare, kCheck };

class LoopRings : public testing::TestWithParam<Ring> {
 protected:
  void Start(PhaseHandle* handle) {
    switch (GetParam()) {
      case Ring::kIdle:
        t_.loop.StartIdle(handle);
        break;
      case Ring::kPrepare:
        t_.loop.StartPrepare(handle);
        break;
      case Ring::kCheck:
        t_.loop.StartCheck(handle);
        break;
    }
  }
  std::string RunOnePass() {
    t_.loop.Run(RunMode::kNoWait);
    return t_.Take();
  }
  SimLoop t_;
};

TEST_P(LoopRings, TheNewestRunsFirst) {
  for (const char* name : {"A", "B", "C"}) Start(t_.Phase(name));
  EXPECT_EQ(RunOnePass(), "C B A");
  EXPECT_EQ(RunOnePass(), "C B A");
}

TEST_P(LoopRings, StartingOneThatRunsChangesNothing) {
  TestPhase* a = t_.Phase("A");
  Start(a);
  Start(t_.Phase("B"));
  Start(a);
  EXPECT_EQ(RunOnePass(), "B A");
}

TEST_P(LoopRings, OneThatIsStartedInItsPhaseWaits) {
  TestPhase* late = t_.Phase("late");
  Start(t_.Phase("A", [&] { Start(late); }));
  Start(t_.Phase("B"));
  EXPECT_EQ(RunOnePass(), "B A");
  EXPECT_EQ(RunOnePass(), "late B A");
}

TEST_P(LoopRings, OneThatIsStoppedBeforeItsTurnDoesNotRun) {
  TestPhase* b = t_.Phase("B");
  Start(t_.Phase("A"));
  Start(b);
  Start(t_.Phase("C", [&] { t_.loop.StopInPhase(b); }));
  EXPECT_EQ(RunOnePass(), "C A");
  EXPECT_EQ(RunOnePass(), "C A");
}

TEST_P(LoopRings, AllThatAreLeftMayBeStoppedAtOnce) {
  TestPhase* a = t_.Phase("A");
  TestPhase* b = t_.Phase("B");
  Start(a);
  Start(b);
  Start(t_.Phase("C", [&] { t_.loop.StopInPhase(b), t_.loop.StopInPhase(a); }));
  EXPECT_EQ(RunOnePass(), "C");
}

TEST_P(LoopRings, OneThatStopsItselfHandsTheTurnOn) {
  TestPhase* once = t_.Phase("once", [&] { t_.loop.StopInPhase(once); });
  Start(t_.Phase("A"));
  Start(once);
  Start(t_.Phase("C"));
  EXPECT_EQ(RunOnePass(), "C once A");
  EXPECT_EQ(RunOnePass(), "C A");
}

TEST_P(LoopRings, OneThatIsStoppedAndStartedAnewWaitsAndGoesFirst) {
  TestPhase* b = t_.Phase("B");
  bool once = true;
  Start(t_.Phase("A"));
  Start(b);
  Start(t_.Phase("C", [&] {
    if (std::exchange(once, false)) t_.loop.StopInPhase(b), Start(b);
  }));
  EXPECT_EQ(RunOnePass(), "C A");
  EXPECT_EQ(RunOnePass(), "B C A");
}

TEST_P(LoopRings, OneThatIsClosedBeforeItsTurnDoesNotRun) {
  TestPhase* a = t_.Phase("A");
  Start(a);
  Start(t_.Phase("B", [&] {
    if (!a->closing) t_.loop.CloseInPhase(a, nullptr);
  }));
  EXPECT_EQ(RunOnePass(), "B");
  Start(a);
  EXPECT_EQ(RunOnePass(), "B") << "what is closed cannot be started";
}

INSTANTIATE_TEST_SUITE_P(All, LoopRings, testing::Values(Ring::kIdle, Ring::kPrepare, Ring::kCheck));

// --- pending ---

class LoopPending : public testing::Test {
 protected:
  // How often a callback that feeds itself runs in one iteration, of a hundred times in all.
  static int RunsInOneIteration(LoopRules::PendingRun rule, int rounds_after_poll) {
    LoopRules rules;
    rules.pending_run = rule;
    rules.pending_rounds = rounds_after_poll;
    SimLoop t(rules);
    int runs = 0;
    TestIo* io = t.Io("P");
    io->run = [&] {
      if (++runs < 100) t.loop.Feed(io);
    };
    t.loop.StartIdle(t.Phase("I"));
    t.loop.Feed(io);
    t.loop.Run(RunMode::kNoWait);
    return runs;
  }
};

TEST_F(LoopPending, UntilEmptyHoldsTheLoop) {
  EXPECT_EQ(RunsInOneIteration(LoopRules::PendingRun::kUntilEmpty, 0), 100);
}
TEST_F(LoopPending, ASnapshotIsOneRound) { EXPECT_EQ(RunsInOneIteration(LoopRules::PendingRun::kSnapshot, 0), 1); }
TEST_F(LoopPending, AfterThePollThereAreEightRoundsMore) {
  EXPECT_EQ(RunsInOneIteration(LoopRules::PendingRun::kSnapshot, 8), 9);
}

TEST_F(LoopPending, FeedingTwiceIsOnce) {
  SimLoop t;
  TestIo* io = t.Io("P");
  t.loop.StartIdle(t.Phase("I"));
  t.loop.Feed(io);
  t.loop.Feed(io);
  t.loop.Run(RunMode::kNoWait);
  EXPECT_EQ(t.Take(), "P I");
}

// --- what keeps a loop alive ---

TEST(LoopAlive, WhatIsNotReferencedKeepsNothing) {
  SimLoop t;
  TestTimer* timer = t.Timer("T");
  t.loop.StartTimer(timer, 10, 0);
  EXPECT_TRUE(t.loop.Alive());
  t.loop.Unref(timer);
  t.loop.Unref(timer);
  EXPECT_FALSE(t.loop.Alive());
  EXPECT_FALSE(t.loop.Run(RunMode::kDefault));
  EXPECT_EQ(t.Take(), "");
  t.loop.Ref(timer);
  t.loop.Ref(timer);
  EXPECT_TRUE(t.loop.Alive());
  EXPECT_FALSE(t.loop.Run(RunMode::kDefault));
  EXPECT_EQ(t.Take(), "T");
}

TEST(LoopAlive, WhatIsNotReferencedRunsAllTheSame) {
  SimLoop t;
  TestTimer* timer = t.Timer("T");
  t.loop.Unref(timer);
  t.loop.StartTimer(timer, 10, 0);
  t.loop.StartTimer(t.Timer("last"), 20, 0);
  t.loop.Run(RunMode::kDefault);
  EXPECT_EQ(t.Take(), "T last");
}

TEST(LoopAlive, AHandleThatCloses) {
  SimLoop t;
  TestPhase* handle = t.Phase("H");
  handle->data = &t;
  t.loop.CloseInPhase(handle, [](Handle* it) { static_cast<SimLoop*>(it->data)->Log("closed"); });
  EXPECT_TRUE(t.loop.Alive());
  EXPECT_FALSE(t.loop.Run(RunMode::kDefault));
  EXPECT_EQ(t.Take(), "closed");
}

TEST(LoopAlive, ARequest) {
  SimLoop t;
  t.loop.BeginRequest();
  EXPECT_TRUE(t.loop.Alive());
  t.loop.EndRequest();
  EXPECT_FALSE(t.loop.Alive());
  t.loop.Submit(t.MakeRequest("R"), 4);
  EXPECT_TRUE(t.loop.Alive());
}

TEST(LoopAlive, ARequestThatIsNotReferencedDoesNotCount) {
  SimLoop t;
  TestRequest* request = t.MakeRequest("R");
  request->referenced = false;
  t.loop.Submit(request, kOwnThread);
  EXPECT_FALSE(t.loop.Alive());
  t.loop.Submit(t.MakeRequest("S"), 4);
  EXPECT_TRUE(t.loop.Alive());
  EXPECT_FALSE(t.loop.Run(RunMode::kDefault));
  EXPECT_EQ(t.Take(), "R S");
}

}  // namespace
}  // namespace conform::reference
