// The loop in virtual time: timers, closing, wake-ups, sources and the pool.
#include <gtest/gtest.h>

#include "reference-impl/loop/loop.h"
#include "reference-impl/loop/loop_testing.h"

namespace conform::reference {
namespace {

// --- timers ---

TEST(LoopTimers, EqualDeadlinesRunInStartOrder) {
  SimLoop t;
  for (const char* name : {"A", "B", "C"}) t.loop.StartTimer(t.Timer(name), 5, 0);
  t.loop.Run(RunMode::kDefault);
  EXPECT_EQ(t.Take(), "A B C");
}

TEST(LoopTimers, ADeadlineCountsFromTheTimeThatTheLoopRemembers) {
  SimLoop t;
  t.Busy(10);
  t.loop.StartTimer(t.Timer("from the old time"), 5, 0);
  t.loop.UpdateTime();
  t.loop.StartTimer(t.Timer("from the new time"), 5, 0);
  t.loop.Run(RunMode::kNoWait);
  EXPECT_EQ(t.Take(), "from the old time");
}

TEST(LoopTimers, StartingAnewMovesTheDeadline) {
  SimLoop t;
  TestTimer* a = t.Timer("A");
  t.loop.StartTimer(a, 5, 0);
  t.loop.StartTimer(t.Timer("B"), 10, 0);
  t.loop.StartTimer(a, 20, 0);
  t.loop.Run(RunMode::kDefault);
  EXPECT_EQ(t.Take(), "B A");
}

TEST(LoopTimers, ARepeatRunsUntilItIsStopped) {
  SimLoop t;
  TestTimer* timer = t.Timer("");
  int runs = 0;
  timer->run = [&] {
    t.Log("V");
    if (++runs == 3) t.loop.StopTimer(timer);
  };
  t.loop.StartTimer(timer, 5, 5);
  t.loop.StartTimer(t.Timer("T"), 12, 0);
  t.loop.Run(RunMode::kDefault);
  EXPECT_EQ(t.Take(), "V V T V");
}

class LoopTimerPass : public testing::Test {
 protected:
  // A timer that starts itself anew with 0 ms until it has run three times, beside a check handle.
  static std::string RestartInPass(LoopRules::TimerPass pass) {
    LoopRules rules;
    rules.timer_pass = pass;
    SimLoop t(rules);
    TestTimer* timer = t.Timer("");
    TestPhase* check = t.Phase("C");
    TestPhase* idle = t.Phase("I");
    int runs = 0;
    timer->run = [&] {
      t.Log("T");
      if (++runs < 3) {
        t.loop.StartTimer(timer, 0, 0);
      } else {
        t.loop.StopInPhase(idle);
        t.loop.StopInPhase(check);
      }
    };
    t.loop.StartTimer(timer, 0, 0);
    t.loop.StartIdle(idle);
    t.loop.StartCheck(check);
    t.loop.Run(RunMode::kDefault);
    return t.Take();
  }
};

TEST_F(LoopTimerPass, FromTheHeapARestartedTimerRunsInTheSamePass) {
  EXPECT_EQ(RestartInPass(LoopRules::TimerPass::kHeap), "T T T");
}
TEST_F(LoopTimerPass, OfASnapshotARestartedTimerWaitsForTheNextIteration) {
  EXPECT_EQ(RestartInPass(LoopRules::TimerPass::kSnapshot), "T I C T I C T");
}

class LoopTimersOfOnePass : public testing::TestWithParam<LoopRules::TimerPass> {
 protected:
  static LoopRules Rules() {
    LoopRules rules;
    rules.timer_pass = GetParam();
    return rules;
  }
};

TEST_P(LoopTimersOfOnePass, OneThatIsStoppedBeforeItsTurnDoesNotRun) {
  SimLoop t(Rules());
  TestTimer* b = t.Timer("B");
  t.loop.StartTimer(t.Timer("A", [&] { t.loop.StopTimer(b); }), 1, 0);
  t.loop.StartTimer(b, 1, 0);
  t.loop.StartTimer(t.Timer("C"), 1, 0);
  t.Busy(5);
  EXPECT_FALSE(t.loop.Run(RunMode::kDefault));
  EXPECT_EQ(t.Take(), "A C");
  EXPECT_FALSE(t.loop.TimerStands(b));
}

TEST_P(LoopTimersOfOnePass, OneThatIsPutOffBeforeItsTurnRunsLater) {
  SimLoop t(Rules());
  TestTimer* b = t.Timer("B");
  t.loop.StartTimer(t.Timer("A", [&] { t.loop.StartTimer(b, 50, 0); }), 1, 0);
  t.loop.StartTimer(b, 1, 0);
  t.loop.StartTimer(t.Timer("C"), 10, 0);
  t.Busy(5);
  t.loop.Run(RunMode::kDefault);
  EXPECT_EQ(t.Take(), "A C B");
}

TEST_P(LoopTimersOfOnePass, OneThatIsClosedBeforeItsTurnDoesNotRun) {
  SimLoop t(Rules());
  TestTimer* b = t.Timer("B");
  t.loop.StartTimer(t.Timer("A", [&] { t.loop.CloseTimer(b, nullptr); }), 1, 0);
  t.loop.StartTimer(b, 1, 7);
  t.Busy(5);
  EXPECT_FALSE(t.loop.Run(RunMode::kDefault));
  EXPECT_EQ(t.Take(), "A");
  t.loop.StartTimer(b, 1, 0);
  EXPECT_FALSE(t.loop.Alive()) << "what is closed cannot be started";
}

INSTANTIATE_TEST_SUITE_P(Both, LoopTimersOfOnePass,
                         testing::Values(LoopRules::TimerPass::kHeap, LoopRules::TimerPass::kSnapshot));

// --- closing ---

class LoopClosing : public testing::Test {
 protected:
  // Closes a handle that logs its name, then closes `next` if there is one.
  struct Closed : PhaseHandle {
    LoopClosing* test = nullptr;
    std::string name;
    Closed* next = nullptr;
  };
  void Close(Closed* handle, const std::string& name) {
    handle->test = this;
    handle->name = name;
    t_.loop.CloseInPhase(handle, [](Handle* it) {
      auto* self = static_cast<Closed*>(it);
      self->test->t_.Log(self->name);
      if (self->next != nullptr) self->test->Close(self->next, self->name + ".next");
    });
  }
  Closed a_, b_, c_;
  SimLoop t_;
};

TEST_F(LoopClosing, TheNewestIsToldFirst) {
  Close(&a_, "A");
  Close(&b_, "B");
  Close(&c_, "C");
  t_.loop.Run(RunMode::kDefault);
  EXPECT_EQ(t_.Take(), "C B A");
}

TEST_F(LoopClosing, WhatIsClosedByAClosingWaitsForTheNextIteration) {
  t_.loop.StartCheck(t_.Phase("check"));
  b_.next = &c_;
  Close(&a_, "A");
  Close(&b_, "B");
  t_.loop.Run(RunMode::kNoWait);
  EXPECT_EQ(t_.Take(), "check B A");
  t_.loop.Run(RunMode::kNoWait);
  EXPECT_EQ(t_.Take(), "check B.next");
}

// --- wake-ups ---

TEST(LoopWakeups, SeveralSendsAreOne) {
  SimLoop t;
  TestWakeup* wakeup = t.Wakeup("W");
  t.loop.StartWakeup(wakeup);
  for (int i = 0; i < 3; ++i) t.loop.Send(wakeup);
  t.loop.Run(RunMode::kNoWait);
  EXPECT_EQ(t.Take(), "W");
  t.loop.Run(RunMode::kNoWait);
  EXPECT_EQ(t.Take(), "");
}

TEST(LoopWakeups, RunInTheOrderInWhichTheyWereStarted) {
  SimLoop t;
  for (const char* name : {"A", "B", "C"}) t.loop.StartWakeup(t.Wakeup(name));
  for (const size_t i : {2, 0, 1}) t.loop.Send(&t.wakeups[i]);
  t.loop.Run(RunMode::kNoWait);
  EXPECT_EQ(t.Take(), "A B C");
}

TEST(LoopWakeups, OneThatIsSentByAnEarlierOneRunsInTheSamePassAndByALaterOneInTheNext) {
  SimLoop t;
  TestWakeup* first = t.Wakeup("first");
  TestWakeup* last = t.Wakeup("last");
  t.loop.StartWakeup(first);
  t.loop.StartWakeup(t.Wakeup("middle", [&] { t.loop.Send(first), t.loop.Send(last); }));
  t.loop.StartWakeup(last);
  t.loop.Send(&t.wakeups[2]);
  t.loop.Run(RunMode::kNoWait);
  EXPECT_EQ(t.Take(), "middle last");
  t.loop.Run(RunMode::kNoWait);
  EXPECT_EQ(t.Take(), "first");
}

TEST(LoopWakeups, OneThatIsClosedIsNotHeard) {
  SimLoop t;
  TestWakeup* wakeup = t.Wakeup("W");
  t.loop.StartWakeup(wakeup);
  t.loop.Send(wakeup);
  t.loop.CloseWakeup(wakeup, nullptr);
  EXPECT_FALSE(t.loop.Run(RunMode::kDefault));
  EXPECT_EQ(t.Take(), "");
}

// --- sources ---

TEST(LoopIo, WhatIsReadyTogetherRunsInStartOrder) {
  SimLoop t;
  const Source a = t.platform.OpenReadable();
  const Source b = t.platform.OpenReadable();
  t.loop.StartIo(t.Io("B"), b, kReadable);
  t.loop.StartIo(t.Io("A"), a, kReadable);
  t.loop.Run(RunMode::kNoWait);
  EXPECT_EQ(t.Take(), "B A");
}

TEST(LoopIo, ASourceRunsForAsLongAsItIsReady) {
  SimLoop t;
  TestIo* io = t.Io("");
  int runs = 0;
  io->run = [&] {
    t.Log("R");
    if (++runs == 2) t.loop.CloseIo(io, nullptr);
  };
  t.loop.StartIo(io, t.platform.OpenReadable(), kReadable);
  EXPECT_FALSE(t.loop.Run(RunMode::kDefault));
  EXPECT_EQ(t.Take(), "R R");
}

TEST(LoopIo, OneThatIsClosedOrStoppedBeforeItsTurnDoesNotRun) {
  SimLoop t;
  TestIo* closed = t.Io("closed");
  TestIo* stopped = t.Io("stopped");
  t.loop.StartIo(t.Io("A", [&] { t.loop.CloseIo(closed, nullptr), t.loop.StopIo(stopped); }), t.platform.OpenReadable(),
                 kReadable);
  t.loop.StartIo(closed, t.platform.OpenReadable(), kReadable);
  t.loop.StartIo(stopped, t.platform.OpenReadable(), kReadable);
  t.loop.Run(RunMode::kNoWait);
  EXPECT_EQ(t.Take(), "A");
}

TEST(LoopIo, SignalsComeLastWhereTheRulesSaySo) {
  for (const auto order : {LoopRules::SignalOrder::kAsReady, LoopRules::SignalOrder::kLast}) {
    LoopRules rules;
    rules.signal_order = order;
    SimLoop t(rules);
    TestSignal* signal = t.Signal("signal");
    t.loop.StartSignal(signal);
    t.loop.StartIo(t.Io("A"), t.platform.OpenReadable(), kReadable);
    t.loop.RaiseSignal();
    t.loop.Run(RunMode::kNoWait);
    EXPECT_EQ(t.Take(), order == LoopRules::SignalOrder::kLast ? "A signal" : "signal A");
  }
}

// --- signals ---

TEST(LoopSignals, EachTimeThatOneIsRaisedEachHandleIsCalled) {
  SimLoop t;
  TestSignal* a = t.Signal("A");
  TestSignal* b = t.Signal("B");
  b->address = -1;
  t.loop.StartSignal(a);
  t.loop.StartSignal(b);
  for (int i = 0; i < 2; ++i) t.loop.RaiseSignal();
  t.loop.Run(RunMode::kNoWait);
  EXPECT_EQ(t.Take(), "B A B A");
  t.loop.Run(RunMode::kNoWait);
  EXPECT_EQ(t.Take(), "");
}

TEST(LoopSignals, OneThatIsRaisedInACallbackWaitsForTheNextPoll) {
  SimLoop t;
  int left = 1;
  TestSignal* signal = t.Signal("S", [&] {
    if (left-- > 0) t.loop.RaiseSignal();
  });
  t.loop.StartSignal(signal);
  t.loop.StartCheck(t.Phase("check"));
  t.loop.RaiseSignal();
  t.loop.Run(RunMode::kNoWait);
  t.loop.Run(RunMode::kNoWait);
  EXPECT_EQ(t.Take(), "S check S check");
}

TEST(LoopSignals, AHandleThatIsStoppedHearsNothing) {
  SimLoop t;
  TestSignal* signal = t.Signal("S");
  t.loop.StartSignal(signal);
  t.loop.RaiseSignal();
  t.loop.StopSignal(signal);
  EXPECT_FALSE(t.loop.Run(RunMode::kDefault));
  EXPECT_EQ(t.Take(), "");
}

TEST(LoopSignals, AHandleIsClosedWhenTheSignalsUnderWayHaveReachedIt) {
  using Rule = LoopRules::SignalClose;
  for (const auto rule : {Rule::kWhenDelivered, Rule::kActiveUntilDelivered, Rule::kWaitsInQueue}) {
    LoopRules rules;
    rules.signal_close = rule;
    SimLoop t(rules);
    TestSignal* signal = t.Signal("S");
    t.loop.StartSignal(signal);
    t.loop.RaiseSignal();
    t.loop.CloseSignal(signal, [](Handle* it) { static_cast<TestSignal*>(it)->run(); });
    // Where it is not active and does not wait in the queue, nothing keeps the loop alive.
    EXPECT_EQ(t.loop.Alive(), rule != Rule::kWhenDelivered);
    t.loop.StartCheck(t.Phase("check"));
    t.loop.Run(RunMode::kNoWait);
    EXPECT_EQ(t.Take(), "check S");
  }
}

TEST(LoopSignals, AHandleThatIsStoppedMayBeActiveUntilTheSignalsUnderWayHaveReachedIt) {
  for (const auto rule : {LoopRules::SignalClose::kActiveUntilDelivered, LoopRules::SignalClose::kWaitsInQueue}) {
    LoopRules rules;
    rules.signal_close = rule;
    SimLoop t(rules);
    TestSignal* signal = t.Signal("S");
    t.loop.StartSignal(signal);
    t.loop.RaiseSignal();
    t.loop.StopSignal(signal);
    EXPECT_EQ(t.loop.Alive(), rule == LoopRules::SignalClose::kActiveUntilDelivered);
    t.loop.Run(RunMode::kNoWait);
    EXPECT_FALSE(t.loop.Alive());
    EXPECT_EQ(t.Take(), "");
  }
}

// --- the pool ---

TEST(LoopPool, ARequestThatHasEndedRunsItsCallbackInThePoll) {
  SimLoop t;
  t.loop.Submit(t.MakeRequest("R", [&] { EXPECT_STREQ(t.loop.phase(), "poll"); }), 4);
  EXPECT_FALSE(t.loop.Run(RunMode::kDefault));
  EXPECT_EQ(t.Take(), "R");
}

TEST(LoopPool, CompletionsRunBeforeWakeUps) {
  SimLoop t;
  TestWakeup* wakeup = t.Wakeup("W");
  t.loop.StartWakeup(wakeup);
  t.loop.Send(wakeup);
  t.loop.Submit(t.MakeRequest("R"), 4);
  t.loop.Run(RunMode::kNoWait);
  EXPECT_EQ(t.Take(), "R W");
}

TEST(LoopPool, ARequestThatWaitsForAThreadCanBeCancelled) {
  // The simulated pool lets everything end that may have ended when it is asked; here it is not asked before the loop
  // is.
  class NotYet : public Chooser {
   public:
    int Choose(int count, const std::function<std::string()>&, const std::function<std::string(int)>&) override {
      return count - 1;
    }
  };
  NotYet chooser;
  LoopWithLog<SimPlatform> t(LoopRules{}, Timing::kLate, chooser, [] { return true; });
  t.loop.Submit(t.MakeRequest("first"), 1);
  TestRequest* queued = t.MakeRequest("queued");
  t.loop.Submit(queued, 1);
  EXPECT_TRUE(t.loop.Cancel(queued));
  EXPECT_FALSE(t.loop.Cancel(t.MakeRequest("never submitted")));
  EXPECT_FALSE(t.loop.Run(RunMode::kDefault));
  EXPECT_EQ(t.Take(), "queued first");
  EXPECT_TRUE(queued->cancelled);
  EXPECT_FALSE(t.loop.Cancel(queued));
}

}  // namespace
}  // namespace conform::reference
