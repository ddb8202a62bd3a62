#include "reference-impl/platform/thread_pool.h"

#include <gtest/gtest.h>
#include <signal.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <memory>
#include <numeric>

namespace conform::reference {
namespace {

using namespace std::chrono_literals;

// Work that waits until the test lets it go, and a count of who was notified.
class Gate {
 public:
  ThreadPool::Hooks Hooks() {
    return {[this] { Pass(); }, [this](int whom) { Notified(whom); }};
  }

  // Lets `count` more requests through.
  void Open(int count) {
    std::lock_guard lock(mutex_);
    open_ += count;
    changed_.notify_all();
  }
  void AwaitWaiting(int count) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return waiting_ == count; });
  }
  void AwaitNotified(int count) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return static_cast<int>(notified_.size()) >= count; });
  }
  std::vector<int> notified() {
    std::lock_guard lock(mutex_);
    return notified_;
  }

 private:
  void Pass() {
    std::unique_lock lock(mutex_);
    ++waiting_;
    changed_.notify_all();
    changed_.wait(lock, [this] { return open_ > 0; });
    --open_;
    --waiting_;
  }
  void Notified(int whom) {
    std::lock_guard lock(mutex_);
    notified_.push_back(whom);
    changed_.notify_all();
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  int open_ = 0;
  int waiting_ = 0;
  std::vector<int> notified_;
};

TEST(ThreadPool, OneThreadEndsRequestsInOrder) {
  Gate gate;
  ThreadPool pool(1, gate.Hooks());
  for (int64_t id = 0; id < 100; ++id) pool.Submit(id, 7);
  gate.Open(100);
  gate.AwaitNotified(100);
  std::vector<int64_t> expected(100);
  std::iota(expected.begin(), expected.end(), 0);
  EXPECT_EQ(pool.TakeEnded(), expected);
  EXPECT_EQ(gate.notified(), std::vector<int>(100, 7));
}

TEST(ThreadPool, WorkThatTakesTimeKeepsItsThread) {
  Gate gate;
  ThreadPool pool(2, gate.Hooks());
  gate.Open(3);
  const auto start = std::chrono::steady_clock::now();
  pool.Submit(1, 1, 60);
  pool.Submit(2, 1, 20);
  pool.Submit(3, 1, 5);
  gate.AwaitNotified(3);
  EXPECT_GE(std::chrono::steady_clock::now() - start, std::chrono::milliseconds(60));
  EXPECT_EQ(pool.TakeEnded(), (std::vector<int64_t>{2, 3, 1}));
}

TEST(ThreadPool, WorksOnTheOldestRequestsUpToItsThreads) {
  Gate gate;
  ThreadPool pool(2, gate.Hooks());
  for (int64_t id = 0; id < 4; ++id) pool.Submit(id, 1);
  gate.AwaitWaiting(2);
  EXPECT_FALSE(pool.Cancel(0)) << "a thread has it";
  EXPECT_FALSE(pool.Cancel(1)) << "a thread has it";
  EXPECT_TRUE(pool.Cancel(2));
  EXPECT_TRUE(pool.Cancel(3));
  EXPECT_EQ(pool.TakeEnded(), (std::vector<int64_t>{2, 3}));
  gate.Open(2);
  gate.AwaitNotified(4);
  std::vector<int64_t> ended = pool.TakeEnded();
  std::sort(ended.begin(), ended.end());
  EXPECT_EQ(ended, (std::vector<int64_t>{0, 1}));
}

TEST(ThreadPool, ACancelledRequestEndsAtOnceAndOnce) {
  Gate gate;
  ThreadPool pool(1, gate.Hooks());
  for (int64_t id : {1, 2, 3}) pool.Submit(id, 1);
  gate.AwaitWaiting(1);
  EXPECT_TRUE(pool.Cancel(2));
  EXPECT_FALSE(pool.Cancel(2)) << "it is gone";
  EXPECT_FALSE(pool.Cancel(9)) << "it never was";
  EXPECT_EQ(pool.TakeEnded(), std::vector<int64_t>{2});
  EXPECT_EQ(gate.notified(), std::vector<int>{1});
  gate.Open(2);
  gate.AwaitNotified(3);
  EXPECT_EQ(pool.TakeEnded(), (std::vector<int64_t>{1, 3}));
}

TEST(ThreadPool, AnEndedRequestIsTakenOnce) {
  Gate gate;
  ThreadPool pool(1, gate.Hooks());
  pool.Submit(5, 1);
  EXPECT_TRUE(pool.TakeEnded().empty());
  gate.Open(1);
  gate.AwaitNotified(1);
  EXPECT_EQ(pool.TakeEnded(), std::vector<int64_t>{5});
  EXPECT_TRUE(pool.TakeEnded().empty());
}

TEST(ThreadPool, WhoIsForgottenIsNotNotified) {
  Gate gate;
  ThreadPool pool(1, gate.Hooks());
  pool.Submit(1, 10);  // being worked on
  pool.Submit(2, 10);  // in the queue
  pool.Submit(3, 20);
  gate.AwaitWaiting(1);
  pool.Forget(10);
  gate.Open(3);
  gate.AwaitNotified(1);
  EXPECT_EQ(gate.notified(), std::vector<int>{20});
  EXPECT_EQ(pool.TakeEnded(), (std::vector<int64_t>{1, 2, 3})) << "they end all the same";
}

// Method: every request takes 5 ms, so the thousand would take five seconds, and the destructor comes long before.
TEST(ThreadPool, DestroyingItDropsTheQueueAndWaitsForTheRest) {
  std::atomic<int> started = 0;
  std::atomic<int> ended = 0;
  auto pool = std::make_unique<ThreadPool>(1, ThreadPool::Hooks{[&] {
                                                                  ++started;
                                                                  started.notify_all();
                                                                  std::this_thread::sleep_for(5ms);
                                                                },
                                                                [&](int) { ++ended; }});
  for (int64_t id = 0; id < 1000; ++id) pool->Submit(id, 1);
  started.wait(0);
  pool.reset();
  EXPECT_GE(started, 1);
  EXPECT_LT(started, 1000);
  EXPECT_EQ(ended, started);
}

TEST(ThreadPool, ItsThreadsTakeNoSignals) {
  std::atomic<int> blocked = -1;
  Gate gate;
  ThreadPool pool(1, {[&] {
                        sigset_t mask;
                        pthread_sigmask(SIG_SETMASK, nullptr, &mask);
                        blocked = sigismember(&mask, SIGUSR2);
                      },
                      gate.Hooks().notify});
  pool.Submit(1, 1);
  gate.AwaitNotified(1);
  EXPECT_EQ(blocked, 1);
  sigset_t mine;
  pthread_sigmask(SIG_SETMASK, nullptr, &mine);
  EXPECT_EQ(sigismember(&mine, SIGUSR2), 0) << "the mask of the thread that made the pool is as it was";
}

TEST(ThreadPool, EveryRequestEndsOnceUnderLoad) {
  std::atomic<int> notified = 0;
  ThreadPool pool(4, {[] {}, [&](int) { ++notified; }});
  std::vector<int64_t> ended;
  for (int64_t id = 0; id < 5000; ++id) {
    pool.Submit(id, 1);
    if (id % 7 == 0) pool.Cancel(id);
    if (id % 11 == 0) {
      for (int64_t done : pool.TakeEnded()) ended.push_back(done);
    }
  }
  while (ended.size() < 5000) {
    for (int64_t done : pool.TakeEnded()) ended.push_back(done);
    std::this_thread::yield();
  }
  std::sort(ended.begin(), ended.end());
  EXPECT_EQ(std::adjacent_find(ended.begin(), ended.end()), ended.end());
}

}  // namespace
}  // namespace conform::reference
