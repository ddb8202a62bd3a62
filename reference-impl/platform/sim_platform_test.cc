#include "reference-impl/platform/sim_platform.h"

#include <gtest/gtest.h>

#include <deque>

namespace conform::reference {
namespace {

// Takes the answers that a test lays out; 0 after them.
class ScriptedChooser : public Chooser {
 public:
  explicit ScriptedChooser(std::deque<int> answers = {}) : answers_(std::move(answers)) {}
  int Choose(int count, const std::function<std::string()>&, const std::function<std::string(int)>&) override {
    ++asked;
    if (answers_.empty()) return 0;
    const int answer = answers_.front();
    answers_.pop_front();
    EXPECT_LT(answer, count);
    return answer;
  }
  int asked = 0;

 private:
  std::deque<int> answers_;
};

struct Fixture {
  explicit Fixture(Timing timing, std::deque<int> answers = {})
      : chooser(std::move(answers)), platform(timing, chooser, [] { return true; }) {}
  std::vector<Source> Wait(WaitBound::Kind kind) {
    std::vector<ReadySource> ready;
    WaitBound bound;
    bound.kind = kind;
    bound.base = now;
    bound.deadline = now + 10;
    waited = platform.Wait(bound, &ready);
    std::vector<Source> sources;
    for (const ReadySource& r : ready) sources.push_back(r.source);
    return sources;
  }
  ScriptedChooser chooser;
  SimPlatform platform;
  Time now = platform.clock().Read();
  bool waited = false;
};

TEST(SimPlatform, DataThatWaitsIsReadyInTheOrderOfWatching) {
  Fixture f(Timing::kLate);
  const Source a = f.platform.OpenReadable();
  const Source b = f.platform.OpenReadable();
  f.platform.Watch(b, kReadable);
  f.platform.Watch(a, kReadable);
  EXPECT_EQ(f.Wait(WaitBound::Kind::kForever), (std::vector<Source>{b, a}));
  f.platform.Read(b);
  EXPECT_EQ(f.Wait(WaitBound::Kind::kForever), (std::vector<Source>{a}));
  EXPECT_EQ(f.chooser.asked, 0);
}

TEST(SimPlatform, WhatIsStoppedAndStartedAgainLosesItsPlace) {
  Fixture f(Timing::kLate);
  const Source a = f.platform.OpenReadable();
  const Source b = f.platform.OpenReadable();
  f.platform.Watch(a, kReadable);
  f.platform.Watch(b, kReadable);
  f.platform.Watch(a, 0);
  f.platform.Watch(a, kReadable);
  EXPECT_EQ(f.Wait(WaitBound::Kind::kForever), (std::vector<Source>{b, a}));
}

TEST(SimPlatform, AConnectionIsReadByteByByteUntilItsEnd) {
  Fixture f(Timing::kLate);
  const Source listener = f.platform.Listen();
  const Source client = f.platform.Connect(listener);
  const Source server = f.platform.Accept(listener);
  EXPECT_EQ(f.platform.ReadByte(client), Input::kNothingYet);
  for (int i = 0; i < 2; ++i) EXPECT_TRUE(f.platform.Write(server));
  EXPECT_TRUE(f.platform.Write(client));
  f.platform.Close(server);  // with a byte unread
  f.platform.Watch(client, kReadable);
  std::vector<ReadySource> ready;
  f.platform.Wait(WaitBound{}, &ready);
  ASSERT_EQ(ready.size(), 1u);
  EXPECT_EQ(ready[0].readiness, kReadable | kHangup);
  for (const Input input : {Input::kByte, Input::kByte, Input::kReset, Input::kEnd, Input::kEnd}) {
    EXPECT_EQ(f.platform.ReadByte(client), input);
  }
}

TEST(SimPlatform, AConnectionHangsUpWhenBothSidesAreShut) {
  Fixture f(Timing::kLate);
  const Source listener = f.platform.Listen();
  const Source client = f.platform.Connect(listener);
  const Source server = f.platform.Accept(listener);
  f.platform.Watch(client, kReadable);
  std::vector<ReadySource> ready;
  f.platform.Shutdown(server);
  f.platform.Wait(WaitBound{}, &ready);
  ASSERT_EQ(ready.size(), 1u);
  EXPECT_EQ(ready[0].readiness, kReadable);
  f.platform.Shutdown(client);
  f.platform.Wait(WaitBound{}, &ready);
  ASSERT_EQ(ready.size(), 1u);
  EXPECT_EQ(ready[0].readiness, kReadable | kHangup);
}

TEST(SimPlatform, WhatIsNoLongerWatchedForIsNotReady) {
  Fixture f(Timing::kLate);
  const Source listener = f.platform.Listen();
  const Source client = f.platform.Connect(listener);
  f.platform.Watch(client, kWritable);
  EXPECT_EQ(f.Wait(WaitBound::Kind::kForever), (std::vector<Source>{client}));
  f.platform.Watch(client, kReadable);
  EXPECT_TRUE(f.Wait(WaitBound::Kind::kForever).empty());
  EXPECT_FALSE(f.waited);
}

TEST(SimPlatform, WaitingForNothingNeverEnds) {
  Fixture f(Timing::kLate);
  f.Wait(WaitBound::Kind::kForever);
  EXPECT_FALSE(f.waited);
}

TEST(SimPlatform, AfterBusyARequestHasEndedOnTime) {
  Fixture f(Timing::kOnTime);
  const Source wakeup = f.platform.OpenWakeup();
  f.platform.Watch(wakeup, kReadable);
  f.platform.Submit(1, 4, wakeup, "F", 0);
  f.platform.clock().Busy(5);
  EXPECT_EQ(f.Wait(WaitBound::Kind::kNoWait), (std::vector<Source>{wakeup}));
  EXPECT_EQ(f.chooser.asked, 0);
  EXPECT_EQ(f.platform.TakeEnded(), (std::vector<int64_t>{1}));
}

TEST(SimPlatform, LateARequestMayStillBeUnderWayAfterBusy) {
  Fixture f(Timing::kLate, {1});
  const Source wakeup = f.platform.OpenWakeup();
  f.platform.Watch(wakeup, kReadable);
  f.platform.Submit(1, 4, wakeup, "F", 0);
  f.platform.clock().Busy(5);
  EXPECT_TRUE(f.Wait(WaitBound::Kind::kNoWait).empty());
}

TEST(SimPlatform, APoolOfOneEndsRequestsInOrder) {
  Fixture f(Timing::kOnTime);
  const Source wakeup = f.platform.OpenWakeup();
  f.platform.Watch(wakeup, kReadable);
  for (int64_t id = 1; id <= 3; ++id) f.platform.Submit(id, 1, wakeup, "F", 0);
  f.platform.clock().Busy(5);
  f.Wait(WaitBound::Kind::kNoWait);
  EXPECT_EQ(f.chooser.asked, 0);
  EXPECT_EQ(f.platform.TakeEnded(), (std::vector<int64_t>{1, 2, 3}));
}

TEST(SimPlatform, OnlyTheOldestRequestsCanEndFirst) {
  // Of three requests on two threads, the first to end is one of two: a choice of two, and the last alternative is the
  // second.
  Fixture f(Timing::kOnTime, {1});
  const Source wakeup = f.platform.OpenWakeup();
  f.platform.Watch(wakeup, kReadable);
  for (int64_t id = 1; id <= 3; ++id) f.platform.Submit(id, 2, wakeup, "F", 0);
  f.platform.clock().Busy(5);
  f.Wait(WaitBound::Kind::kNoWait);
  EXPECT_EQ(f.platform.TakeEnded(), (std::vector<int64_t>{2, 1, 3}));
}

TEST(SimPlatform, ARequestWithItsOwnThreadWaitsForNoneOfThePool) {
  // The pool's one thread is kept by the first; the third may be the first to end, the second may not.
  Fixture f(Timing::kOnTime, {1});
  const Source wakeup = f.platform.OpenWakeup();
  f.platform.Watch(wakeup, kReadable);
  for (int64_t id = 1; id <= 2; ++id) f.platform.Submit(id, 1, wakeup, "F", 0);
  f.platform.Submit(3, kOwnThread, wakeup, "S", 0);
  f.platform.clock().Busy(5);
  f.Wait(WaitBound::Kind::kNoWait);
  EXPECT_EQ(f.platform.TakeEnded(), (std::vector<int64_t>{3, 1, 2}));
}

// Of what takes time, on time each ends when its time is over and no choice is left; the wait for a timer ends there.
TEST(SimPlatform, WorkThatTakesTimeEndsTheWaitForALaterTimer) {
  Fixture f(Timing::kOnTime);
  const Source wakeup = f.platform.OpenWakeup();
  f.platform.Watch(wakeup, kReadable);
  const Time start = f.platform.clock().Read();
  f.platform.Submit(1, 4, wakeup, "A", 60);
  f.platform.Submit(2, 4, wakeup, "B", 20);
  const auto wait_until = [&](int64_t ms) {
    std::vector<ReadySource> ready;
    f.platform.Wait({WaitBound::Kind::kUntil, f.platform.clock().Read(), start + ms}, &ready);
    return ready.size();
  };
  EXPECT_EQ(wait_until(10), 0u);
  EXPECT_EQ(wait_until(40), 1u);
  EXPECT_TRUE(f.platform.clock().NotAfter(start + 20, f.platform.clock().Read()));
  EXPECT_FALSE(f.platform.clock().NotAfter(start + 25, f.platform.clock().Read()));
  EXPECT_EQ(f.platform.TakeEnded(), (std::vector<int64_t>{2}));
  EXPECT_EQ(f.chooser.asked, 0);
}

TEST(SimPlatform, WorkEndsInTheOrderOfItsTimesOnTimeAndInAnyOrderLate) {
  for (const Timing timing : {Timing::kOnTime, Timing::kLate}) {
    Fixture f(timing, {0, 0});
    const Source wakeup = f.platform.OpenWakeup();
    f.platform.Watch(wakeup, kReadable);
    f.platform.Submit(1, 4, wakeup, "A", 30);
    f.platform.Submit(2, 4, wakeup, "B", 10);
    f.platform.clock().Busy(100);
    f.Wait(WaitBound::Kind::kNoWait);
    const std::vector<int64_t> first_alternatives = {1, 2};
    const std::vector<int64_t> by_time = {2, 1};
    EXPECT_EQ(f.platform.TakeEnded(), timing == Timing::kOnTime ? by_time : first_alternatives);
  }
}

TEST(SimPlatform, ARequestThatWaitsForAThreadEndsNoEarlierThanThoseThatKeepIt) {
  Fixture f(Timing::kOnTime);
  const Source wakeup = f.platform.OpenWakeup();
  f.platform.Watch(wakeup, kReadable);
  f.platform.Submit(1, 1, wakeup, "A", 30);
  f.platform.Submit(2, 1, wakeup, "F", 0);
  f.platform.Submit(3, 1, wakeup, "B", 30);
  f.platform.clock().Busy(10);
  EXPECT_TRUE(f.Wait(WaitBound::Kind::kNoWait).empty());
  f.platform.clock().Busy(30);
  EXPECT_EQ(f.Wait(WaitBound::Kind::kNoWait).size(), 1u);
  EXPECT_EQ(f.platform.TakeEnded(), (std::vector<int64_t>{1, 2}));
  f.platform.clock().Busy(30);
  f.Wait(WaitBound::Kind::kNoWait);
  EXPECT_EQ(f.platform.TakeEnded(), (std::vector<int64_t>{3}));
  EXPECT_EQ(f.chooser.asked, 0);
}

TEST(SimClock, OnTimeAReadingIsTheSumOfBusyOrOneMore) {
  Fixture f(Timing::kOnTime);
  SimClock& clock = f.platform.clock();
  const Time start = clock.Read();
  clock.Busy(5);
  const Time later = clock.Read();
  EXPECT_TRUE(clock.NotAfter(start + 5, later));
  EXPECT_FALSE(clock.NotAfter(start + 7, later));
  EXPECT_EQ(f.chooser.asked, 0);
  clock.NotAfter(start + 6, later);  // this alone is open
  EXPECT_EQ(f.chooser.asked, 1);
}

TEST(SimClock, TheMillisecondTurnsOverOnceAtMost) {
  Fixture f(Timing::kOnTime, {0});
  SimClock& clock = f.platform.clock();
  const Time a = clock.Read();
  const Time b = clock.Read();
  EXPECT_TRUE(clock.NotAfter(a + 1, b));  // chosen: it turned over between a and b
  const Time c = clock.Read();
  EXPECT_FALSE(clock.NotAfter(b + 1, c));
  EXPECT_EQ(f.chooser.asked, 1);
}

TEST(SimClock, LateAnythingButGoingBackIsOpen) {
  Fixture f(Timing::kLate);
  SimClock& clock = f.platform.clock();
  const Time a = clock.Read();
  clock.Busy(5);
  const Time b = clock.Read();
  EXPECT_TRUE(clock.NotAfter(a + 5, b));
  EXPECT_EQ(f.chooser.asked, 0);
  EXPECT_TRUE(clock.NotAfter(a + 1000, b));
  EXPECT_EQ(f.chooser.asked, 1);
  EXPECT_TRUE(clock.NotAfter(a + 999, b)) << "what was chosen is remembered";
  EXPECT_EQ(f.chooser.asked, 1);
}

}  // namespace
}  // namespace conform::reference
