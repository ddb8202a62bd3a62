#include "reference-impl/platform/epoll_platform.h"

#include <gtest/gtest.h>
#include <pthread.h>
#include <signal.h>
#include <sys/time.h>

#include <algorithm>
#include <set>
#include <thread>

#include "reference-impl/platform/system_clock.h"

namespace conform::reference {
namespace {

constexpr int64_t kLongMs = 20'000;  // never waited for, unless the test fails

class EpollPlatformTest : public testing::Test {
 protected:
  std::vector<Source> Ready(WaitBound::Kind kind = WaitBound::Kind::kNoWait, int64_t ms = 0) {
    const Time now = clock_.Read();
    platform_.Wait({kind, now, now + ms}, &ready_);
    std::vector<Source> sources;
    for (const ReadySource& one : ready_) sources.push_back(one.source);
    return sources;
  }
  std::vector<Source> ReadyWithin(int64_t ms) { return Ready(WaitBound::Kind::kUntil, ms); }

  using Sources = std::vector<Source>;
  SystemClock clock_;
  EpollPlatform platform_{clock_};
  std::vector<ReadySource> ready_;
};

TEST_F(EpollPlatformTest, NothingWatchedIsNothingReady) {
  EXPECT_EQ(Ready(), Sources{});
  const Source unwatched = platform_.OpenReadable();
  EXPECT_EQ(Ready(), Sources{});
  EXPECT_EQ(platform_.Read(unwatched), 1);
}

TEST_F(EpollPlatformTest, WaitingForeverForNothingIsRefused) {
  EXPECT_FALSE(platform_.Wait({WaitBound::Kind::kForever, {}, {}}, &ready_));
}

TEST_F(EpollPlatformTest, OneByteWaitsOnAReadable) {
  const Source source = platform_.OpenReadable();
  platform_.Watch(source, kReadable);
  EXPECT_EQ(Ready(), Sources{source});
  EXPECT_EQ(ready_[0].readiness, kReadable);
  EXPECT_EQ(Ready(), Sources{source}) << "until it is read";
  EXPECT_EQ(platform_.Read(source), 1);
  EXPECT_EQ(platform_.Read(source), -1);
  EXPECT_EQ(Ready(), Sources{});
}

TEST_F(EpollPlatformTest, ReadySourcesComeInTheOrderOfTheirWatches) {
  Sources sources;
  for (int i = 0; i < 50; ++i) sources.push_back(platform_.OpenReadable());
  std::reverse(sources.begin(), sources.end());
  for (Source source : sources) platform_.Watch(source, kReadable);
  EXPECT_EQ(Ready(), sources);
}

TEST_F(EpollPlatformTest, AWatchTakenBackBeforeWaitLosesItsPlace) {
  const Source a = platform_.OpenReadable();
  const Source b = platform_.OpenReadable();
  platform_.Watch(a, kReadable);
  platform_.Watch(b, kReadable);
  platform_.Watch(a, 0);
  platform_.Watch(a, kReadable);
  EXPECT_EQ(Ready(), (Sources{b, a}));
}

TEST_F(EpollPlatformTest, ASourceThatBecomesReadyLaterComesLater) {
  const Source a = platform_.OpenWakeup();
  const Source b = platform_.OpenWakeup();
  platform_.Watch(a, kReadable);
  platform_.Watch(b, kReadable);
  EXPECT_EQ(Ready(), Sources{});
  platform_.Wake(b);
  platform_.Wake(a);
  EXPECT_EQ(Ready(), (Sources{b, a}));
}

TEST_F(EpollPlatformTest, AnEndedWatchReportsNothingUntilItIsWatchedAnew) {
  const Source source = platform_.OpenReadable();
  platform_.Watch(source, kReadable);
  EXPECT_EQ(Ready(), Sources{source});
  platform_.Watch(source, 0);
  EXPECT_EQ(Ready(), Sources{});
  EXPECT_EQ(ReadyWithin(5), Sources{}) << "and the wait lasts to its end";
  platform_.Watch(source, kReadable);
  EXPECT_EQ(Ready(), Sources{source});
}

// Goal: the kernel may still know a source that is not watched; its stirring must not end a wait. Method: the paused
// source gets its byte while another is watched.
TEST_F(EpollPlatformTest, APausedSourceDoesNotEndAWait) {
  const Source paused = platform_.OpenWakeup();
  const Source other = platform_.OpenWakeup();
  platform_.Watch(paused, kReadable);
  platform_.Watch(other, kReadable);
  EXPECT_EQ(Ready(), Sources{});
  platform_.Watch(paused, 0);
  platform_.Wake(paused);
  const Time start = clock_.Read();
  EXPECT_EQ(ReadyWithin(10), Sources{});
  EXPECT_TRUE(clock_.NotAfter(start + 10, clock_.Read()));
  platform_.Watch(paused, kReadable);
  EXPECT_EQ(Ready(), Sources{paused});
}

TEST_F(EpollPlatformTest, WatchingAnewChangesTheSet) {
  const Source listener = platform_.Listen();
  const Source client = platform_.Connect(listener);
  const Source server = platform_.Accept(listener);
  platform_.Write(server);
  platform_.Watch(client, kReadable);
  ASSERT_EQ(Ready(), Sources{client});
  EXPECT_EQ(ready_[0].readiness, kReadable);
  platform_.Watch(client, kReadable | kWritable);
  ASSERT_EQ(Ready(), Sources{client});
  EXPECT_EQ(ready_[0].readiness, kReadable | kWritable);
  platform_.Watch(client, kWritable);
  ASSERT_EQ(Ready(), Sources{client});
  EXPECT_EQ(ready_[0].readiness, kWritable);
}

TEST_F(EpollPlatformTest, HundredsOfReadySourcesKeepTheirOrder) {
  const Source listener = platform_.Listen();
  Sources sources;
  for (int i = 0; i < 300; ++i) {
    sources.push_back(platform_.Connect(listener));
    platform_.Watch(sources.back(), kWritable);
  }
  EXPECT_EQ(Ready(), sources);
}

// --- waiting ---

TEST_F(EpollPlatformTest, AWaitEndsNoEarlierThanItsDeadline) {
  for (int64_t ms : {1, 2, 3, 5, 1, 2, 3, 5, 1, 2, 3, 5}) {
    const Time start = clock_.Read();
    EXPECT_EQ(ReadyWithin(ms), Sources{});
    EXPECT_TRUE(clock_.NotAfter(start + ms, clock_.Read()));
  }
}

TEST_F(EpollPlatformTest, ADeadlineThatHasPassedIsALook) {
  const Source source = platform_.OpenReadable();
  platform_.Watch(source, kReadable);
  EXPECT_EQ(ReadyWithin(-5), Sources{source});
  platform_.Read(source);
  EXPECT_EQ(ReadyWithin(-5), Sources{});
}

TEST_F(EpollPlatformTest, WakingFromAnotherThreadEndsAWait) {
  const Source wakeup = platform_.OpenWakeup();
  platform_.Watch(wakeup, kReadable);
  std::thread waker([&] { platform_.Wake(wakeup); });
  EXPECT_EQ(Ready(WaitBound::Kind::kForever), Sources{wakeup});
  waker.join();
}

TEST_F(EpollPlatformTest, WakeUpsCoalesceUntilRead) {
  const Source wakeup = platform_.OpenWakeup();
  platform_.Watch(wakeup, kReadable);
  EXPECT_EQ(platform_.Read(wakeup), -1);
  platform_.Wake(wakeup);
  platform_.Wake(wakeup);
  EXPECT_EQ(Ready(), Sources{wakeup});
  EXPECT_GT(platform_.Read(wakeup), 0);
  EXPECT_EQ(Ready(), Sources{});
}

// Goal: a signal that interrupts the system call neither ends nor prolongs a wait. Method: an interval timer every 3
// ms.
TEST_F(EpollPlatformTest, AnInterruptedWaitGoesOn) {
  struct sigaction act {};
  struct sigaction before {};
  act.sa_handler = [](int) {};
  ASSERT_EQ(sigaction(SIGALRM, &act, &before), 0);
  const itimerval every = {{0, 3000}, {0, 3000}};
  const itimerval never = {};
  ASSERT_EQ(setitimer(ITIMER_REAL, &every, nullptr), 0);
  const Time start = clock_.Read();
  EXPECT_EQ(ReadyWithin(40), Sources{});
  EXPECT_TRUE(clock_.NotAfter(start + 40, clock_.Read()));
  setitimer(ITIMER_REAL, &never, nullptr);
  sigaction(SIGALRM, &before, nullptr);
}

// --- sockets ---

TEST_F(EpollPlatformTest, ARefusedConnectionBecomesWritable) {
  const Source first = platform_.ConnectRefused();
  const Source second = platform_.ConnectRefused();
  platform_.Watch(first, kWritable);
  platform_.Watch(second, kWritable);
  std::set<Source> seen;
  while (seen.size() < 2) {
    const Sources ready = ReadyWithin(kLongMs);
    ASSERT_FALSE(ready.empty());
    seen.insert(ready.begin(), ready.end());
    EXPECT_EQ(ready_[0].readiness, kWritable | kHangup);
  }
}

TEST_F(EpollPlatformTest, AConnectionIsMadeAtOnce) {
  const Source listener = platform_.Listen();
  platform_.Watch(listener, kReadable);
  EXPECT_EQ(Ready(), Sources{});
  EXPECT_EQ(platform_.Accept(listener), kNoSource);
  const Source client = platform_.Connect(listener);
  platform_.Watch(client, kWritable);
  EXPECT_EQ(Ready(), (Sources{listener, client}));
  const Source server = platform_.Accept(listener);
  EXPECT_NE(server, kNoSource);
  EXPECT_EQ(platform_.Accept(listener), kNoSource);
}

TEST_F(EpollPlatformTest, WhatIsWrittenIsReadByThePeerAndThenItsEnd) {
  const Source listener = platform_.Listen();
  const Source client = platform_.Connect(listener);
  const Source server = platform_.Accept(listener);
  EXPECT_EQ(platform_.Read(server), -1);
  platform_.Write(client);
  platform_.Write(client);
  platform_.Watch(server, kReadable);
  EXPECT_EQ(Ready(), Sources{server});
  EXPECT_EQ(platform_.Read(server), 2);
  platform_.Close(client);
  EXPECT_EQ(Ready(), Sources{server});
  EXPECT_EQ(platform_.Read(server), 0);
  platform_.Write(server);  // no peer is there, and nothing happens
}

TEST_F(EpollPlatformTest, ThousandsOfUnreadBytesAreTakenAllTheSame) {
  const Source listener = platform_.Listen();
  const Source client = platform_.Connect(listener);
  const Source server = platform_.Accept(listener);
  for (int i = 0; i < 5000; ++i) platform_.Write(client);
  EXPECT_GT(platform_.Read(server), 0);
}

TEST_F(EpollPlatformTest, TwoPlatformsListenApart) {
  EpollPlatform other(clock_);
  const Source mine = platform_.Listen();
  const Source theirs = other.Listen();
  platform_.Connect(mine);
  EXPECT_EQ(other.Accept(theirs), kNoSource);
  EXPECT_NE(platform_.Accept(mine), kNoSource);
}

// --- closing ---

TEST_F(EpollPlatformTest, AClosedSourceIsReportedNoMore) {
  const Source a = platform_.OpenReadable();
  const Source b = platform_.OpenReadable();
  platform_.Watch(a, kReadable);
  platform_.Watch(b, kReadable);
  EXPECT_EQ(Ready(), (Sources{a, b}));
  platform_.Close(a);
  EXPECT_EQ(Ready(), Sources{b});
}

TEST_F(EpollPlatformTest, AWatchOfASourceThatWasClosedBeforeWaitIsForgotten) {
  const Source source = platform_.OpenReadable();
  platform_.Watch(source, kReadable);
  platform_.Close(source);
  EXPECT_EQ(Ready(), Sources{});
}

TEST_F(EpollPlatformTest, AReportedNumberIsNotUsedAgainBeforeTheNextWait) {
  const Source a = platform_.OpenReadable();
  const Source b = platform_.OpenReadable();
  platform_.Watch(a, kReadable);
  platform_.Watch(b, kReadable);
  ASSERT_EQ(Ready(), (Sources{a, b}));
  platform_.Close(b);
  for (int i = 0; i < 20; ++i) EXPECT_NE(platform_.OpenReadable(), b);
}

TEST_F(EpollPlatformTest, OpeningAndClosingWithoutEndLeaksNothing) {
  const Source first = platform_.OpenReadable();
  platform_.Close(first);
  Source highest = first;
  for (int i = 0; i < 5000; ++i) {
    const Source source = platform_.OpenReadable();
    highest = std::max(highest, source);
    platform_.Watch(source, kReadable);
    if (i % 2 == 0) Ready();
    platform_.Close(source);
  }
  EXPECT_LE(highest, first + 4);
}

// --- signals ---

TEST_F(EpollPlatformTest, ARaisedSignalIsReadableUntilRead) {
  const Source signal = platform_.OpenSignal();
  platform_.Watch(signal, kReadable);
  EXPECT_EQ(Ready(), Sources{});
  platform_.RaiseSignal();
  EXPECT_EQ(Ready(), Sources{signal});
  EXPECT_EQ(platform_.Read(signal), 1);
  EXPECT_EQ(platform_.Read(signal), -1);
  EXPECT_EQ(Ready(), Sources{});
}

TEST_F(EpollPlatformTest, ReadingASignalCountsHowOftenItWasRaised) {
  const Source signal = platform_.OpenSignal();
  for (int i = 0; i < 3; ++i) platform_.RaiseSignal();
  EXPECT_EQ(platform_.Read(signal), 3);
  platform_.RaiseSignal();
  EXPECT_EQ(platform_.Read(signal), 1);
}

TEST_F(EpollPlatformTest, ASignalSourceThatIsClosedLeavesNoSignalBehind) {
  for (int i = 0; i < 3; ++i) {
    const Source signal = platform_.OpenSignal();
    platform_.RaiseSignal();
    platform_.Close(signal);
    sigset_t mask;
    pthread_sigmask(SIG_SETMASK, nullptr, &mask);
    EXPECT_EQ(sigismember(&mask, SIGUSR2), 0);
  }
  platform_.RaiseSignal();  // with no listener
}

TEST_F(EpollPlatformTest, ASignalReachesTheLoopAlthoughThePoolRuns) {
  const Source wakeup = platform_.OpenWakeup();
  platform_.Submit(1, 4, wakeup, "F", 0);  // started before the signal is blocked in this thread
  const Source signal = platform_.OpenSignal();
  platform_.Watch(signal, kReadable);
  platform_.RaiseSignal();
  EXPECT_EQ(Ready(WaitBound::Kind::kForever), Sources{signal});
}

TEST_F(EpollPlatformTest, PlatformsInSeveralThreadsHearTheirOwnSignalsAlone) {
  const Source signal = platform_.OpenSignal();
  platform_.Watch(signal, kReadable);
  std::vector<std::thread> others;
  for (int raises = 1; raises <= 4; ++raises) {
    others.emplace_back([raises] {
      SystemClock clock;
      EpollPlatform platform(clock);
      const Source own = platform.OpenSignal();
      for (int i = 0; i < raises; ++i) platform.RaiseSignal();
      EXPECT_EQ(platform.Read(own), raises);
    });
  }
  for (std::thread& other : others) other.join();
  EXPECT_EQ(Ready(), Sources{});
  EXPECT_EQ(platform_.Read(signal), -1);
}

// --- the pool ---

TEST_F(EpollPlatformTest, AShutdownEndsOneSideOfAConnection) {
  const Source listener = platform_.Listen();
  const Source client = platform_.Connect(listener);
  const Source server = platform_.Accept(listener);
  platform_.Shutdown(client);
  EXPECT_EQ(platform_.Read(server), 0);
  EXPECT_FALSE(platform_.Write(client));
  EXPECT_TRUE(platform_.Write(server));
  EXPECT_EQ(platform_.Read(client), 1);
  for (const Source source : {client, server, listener}) platform_.Close(source);
}

TEST_F(EpollPlatformTest, AConnectionIsReadByteByByteUntilItsEnd) {
  const Source listener = platform_.Listen();
  const Source client = platform_.Connect(listener);
  const Source server = platform_.Accept(listener);
  EXPECT_EQ(platform_.ReadByte(client), Input::kNothingYet);
  for (int i = 0; i < 2; ++i) EXPECT_TRUE(platform_.Write(server));
  EXPECT_TRUE(platform_.Write(client));
  platform_.Close(server);  // with a byte unread
  platform_.Watch(client, kReadable);
  std::vector<ReadySource> ready;
  platform_.Wait(WaitBound{}, &ready);
  ASSERT_EQ(ready.size(), 1u);
  EXPECT_EQ(ready[0].readiness, kReadable | kHangup);
  for (const Input input : {Input::kByte, Input::kByte, Input::kReset, Input::kEnd, Input::kEnd}) {
    EXPECT_EQ(platform_.ReadByte(client), input);
  }
  for (const Source source : {client, listener}) platform_.Close(source);
}

TEST_F(EpollPlatformTest, DatagramsComeToTheSocketThatSentThem) {
  const Source source = platform_.OpenDatagrams();
  platform_.Watch(source, kReadable);
  EXPECT_FALSE(platform_.ReceiveDatagram(source));
  for (int i = 0; i < 2; ++i) platform_.SendDatagram(source);
  EXPECT_EQ(Ready(), Sources{source});
  EXPECT_TRUE(platform_.ReceiveDatagram(source));
  EXPECT_TRUE(platform_.ReceiveDatagram(source));
  EXPECT_FALSE(platform_.ReceiveDatagram(source));
  platform_.Close(source);
}

TEST_F(EpollPlatformTest, ARequestThatEndedMakesTheWakeUpReadable) {
  const Source wakeup = platform_.OpenWakeup();
  platform_.Watch(wakeup, kReadable);
  EXPECT_TRUE(platform_.TakeEnded().empty());
  platform_.Submit(42, 4, wakeup, "F", 0);
  EXPECT_EQ(Ready(WaitBound::Kind::kForever), Sources{wakeup});
  EXPECT_GT(platform_.Read(wakeup), 0);
  EXPECT_EQ(platform_.TakeEnded(), std::vector<int64_t>{42});
}

TEST_F(EpollPlatformTest, ARequestWithItsOwnThreadEndsToo) {
  const Source wakeup = platform_.OpenWakeup();
  platform_.Watch(wakeup, kReadable);
  platform_.Submit(7, kOwnThread, wakeup, "S", 0);
  EXPECT_EQ(Ready(WaitBound::Kind::kForever), Sources{wakeup});
  EXPECT_EQ(platform_.TakeEnded(), std::vector<int64_t>{7});
  platform_.Close(wakeup);
}

TEST_F(EpollPlatformTest, EveryRequestEndsOnceCancelledOrNot) {
  const Source wakeup = platform_.OpenWakeup();
  platform_.Watch(wakeup, kReadable);
  EXPECT_FALSE(platform_.Cancel(0));
  for (int64_t id = 0; id < 200; ++id) platform_.Submit(id, 2, wakeup, "F", 0);
  for (int64_t id = 199; id >= 150; --id) platform_.Cancel(id);
  std::set<int64_t> ended;
  while (ended.size() < 200) {
    ASSERT_EQ(ReadyWithin(kLongMs), Sources{wakeup});
    platform_.Read(wakeup);
    for (int64_t id : platform_.TakeEnded()) EXPECT_TRUE(ended.insert(id).second);
  }
}

TEST_F(EpollPlatformTest, AWakeUpCanBeClosedWhileRequestsAreUnderWay) {
  for (int round = 0; round < 50; ++round) {
    const Source wakeup = platform_.OpenWakeup();
    for (int64_t id = 0; id < 20; ++id) platform_.Submit(id, 4, wakeup, "F", 0);
    platform_.Close(wakeup);
    const Source next = platform_.OpenWakeup();  // most often of the same number
    platform_.Watch(next, kReadable);
    EXPECT_EQ(Ready(), Sources{});
    platform_.Close(next);
  }
}

}  // namespace
}  // namespace conform::reference
