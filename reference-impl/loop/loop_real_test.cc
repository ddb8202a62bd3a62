// The loop for real: the system's clock, epoll and threads. Nothing here depends on how long anything takes.
#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "reference-impl/loop/loop.h"
#include "reference-impl/loop/loop_testing.h"
#include "reference-impl/platform/epoll_platform.h"
#include "reference-impl/platform/system_clock.h"

namespace conform::reference {
namespace {

struct HasClock {
  SystemClock system_clock;
};
struct RealLoop : HasClock, LoopWithLog<EpollPlatform> {
  RealLoop() : LoopWithLog(LoopRules{}, system_clock) {}
};

TEST(RealLoop, TimersRunByDeadlineAndThenByStart) {
  RealLoop t;
  t.loop.StartTimer(t.Timer("C"), 20, 0);
  t.loop.StartTimer(t.Timer("A"), 1, 0);
  t.loop.StartTimer(t.Timer("B"), 1, 0);
  EXPECT_FALSE(t.loop.Run(RunMode::kDefault));
  EXPECT_EQ(t.Take(), "A B C");
}

TEST(RealLoop, NoTimerRunsBeforeItsTime) {
  RealLoop t;
  for (const int64_t ms : {1, 2, 3, 5, 8}) {
    t.loop.UpdateTime();
    const Time deadline = t.loop.now() + ms;
    t.loop.StartTimer(t.Timer("T", [&] { EXPECT_TRUE(t.system_clock.NotAfter(deadline, t.loop.now())); }), ms, 0);
    t.loop.Run(RunMode::kDefault);
  }
  EXPECT_EQ(t.Take(), "T T T T T");
}

TEST(RealLoop, ASendFromAnotherThreadEndsItsSleep) {
  RealLoop t;
  TestWakeup* wakeup = t.Wakeup("W", [&] { t.loop.Stop(); });
  t.loop.StartWakeup(wakeup);
  std::thread sender([&] { t.loop.Send(wakeup); });
  EXPECT_TRUE(t.loop.Run(RunMode::kDefault));
  sender.join();
  EXPECT_EQ(t.Take(), "W");
}

// Goal: a loop that never sleeps, and that therefore need not ask the kernel, learns of wake-ups all the same.
TEST(RealLoop, ASendFromAnotherThreadReachesABusyLoop) {
  RealLoop t;
  TestWakeup* wakeup = t.Wakeup("W", [&] { t.loop.Stop(); });
  t.loop.StartWakeup(wakeup);
  std::atomic<int> iterations{0};
  TestPhase* idle = t.Phase("");
  idle->run = [&] { ++iterations; };
  t.loop.StartIdle(idle);
  for (int round = 0; round < 20; ++round) {
    const int begin = iterations;
    std::thread sender([&] {
      while (iterations < begin + 10) std::this_thread::yield();
      t.loop.Send(wakeup);
    });
    EXPECT_TRUE(t.loop.Run(RunMode::kDefault));
    sender.join();
    EXPECT_EQ(t.Take(), "W");
  }
}

// Goal: what was done before a Send is seen by a callback that runs after it, however sends and callbacks race. Method:
// two threads count up and send after each step; the loop stops when it has seen the last of both.
TEST(RealLoop, EverySendIsFollowedByACallback) {
  for (const bool busy : {false, true}) {
    RealLoop t;
    constexpr int kSteps = 5000;
    std::atomic<int> left{0};
    std::atomic<int> right{0};
    TestWakeup* wakeup = t.Wakeup("");
    wakeup->run = [&] {
      if (left == kSteps && right == kSteps) t.loop.Stop();
    };
    t.loop.StartWakeup(wakeup);
    TestPhase* idle = t.Phase("");
    idle->run = [] {};
    if (busy) t.loop.StartIdle(idle);
    const auto count_up = [&](std::atomic<int>* count) {
      for (int i = 0; i < kSteps; ++i) {
        ++*count;
        t.loop.Send(wakeup);
      }
    };
    std::thread one([&] { count_up(&left); });
    std::thread other([&] { count_up(&right); });
    EXPECT_TRUE(t.loop.Run(RunMode::kDefault));
    one.join();
    other.join();
  }
}

TEST(RealLoop, EveryRequestOfThePoolEnds) {
  for (const bool busy : {false, true}) {
    RealLoop t;
    int ended = 0;
    TestPhase* idle = t.Phase("");
    idle->run = [] {};
    if (busy) t.loop.StartIdle(idle);
    for (int i = 0; i < 200; ++i) {
      TestRequest* request = t.MakeRequest("");
      request->run = [&] {
        if (++ended == 200) t.loop.StopInPhase(idle);
      };
      t.loop.Submit(request, 4);
    }
    EXPECT_FALSE(t.loop.Run(RunMode::kDefault));
    EXPECT_EQ(ended, 200);
  }
}

TEST(RealLoop, ARequestThatIsCancelledEndsOnce) {
  RealLoop t;
  int ended = 0;
  for (int i = 0; i < 50; ++i) {
    TestRequest* request = t.MakeRequest("");
    request->run = [&] { ++ended; };
    t.loop.Submit(request, 1);
  }
  int cancelled = 0;
  for (TestRequest& request : t.requests) cancelled += t.loop.Cancel(&request) ? 1 : 0;
  EXPECT_FALSE(t.loop.Run(RunMode::kDefault));
  EXPECT_EQ(ended, 50);
  for (const TestRequest& request : t.requests) cancelled -= request.cancelled ? 1 : 0;
  EXPECT_EQ(cancelled, 0);
}

TEST(RealLoop, DataThatWaitsIsRead) {
  RealLoop t;
  TestIo* io = t.Io("");
  io->run = [&] {
    t.Log(std::to_string(t.platform.Read(io->source)));
    t.loop.CloseIo(io, nullptr);
  };
  t.loop.StartIo(io, t.platform.OpenReadable(), kReadable);
  EXPECT_FALSE(t.loop.Run(RunMode::kDefault));
  EXPECT_EQ(t.Take(), "1");
}

}  // namespace
}  // namespace conform::reference
