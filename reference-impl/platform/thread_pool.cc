#include "reference-impl/platform/thread_pool.h"

#include <signal.h>

#include <algorithm>
#include <chrono>
#include <exception>
#include <system_error>
#include <utility>

#include "runners/base/check.h"

namespace conform::reference {

ThreadPool::ThreadPool(int threads, Hooks hooks) : hooks_(std::move(hooks)) {
  CONFORM_CHECK(threads >= 1);
  taken_.assign(static_cast<size_t>(threads), {0, kNobody, 0});

  // A new thread inherits the mask, so there is no moment at which it could be handed a signal.
  sigset_t all;
  sigset_t before;
  sigfillset(&all);
  CONFORM_CHECK(pthread_sigmask(SIG_SETMASK, &all, &before) == 0);
  threads_.reserve(taken_.size());
  std::exception_ptr refused;
  try {
    for (size_t i = 0; i < taken_.size(); ++i) threads_.emplace_back([this, i] { Work(i); });
  } catch (const std::system_error&) {
    refused = std::current_exception();
  }
  CONFORM_CHECK(pthread_sigmask(SIG_SETMASK, &before, nullptr) == 0);
  if (refused == nullptr) return;
  Stop();
  std::rethrow_exception(refused);
}

ThreadPool::~ThreadPool() { Stop(); }

void ThreadPool::Stop() {
  {
    std::lock_guard lock(mutex_);
    stopping_ = true;
    queue_.clear();
  }
  changed_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

void ThreadPool::Submit(int64_t id, int whom, int64_t ms) {
  {
    std::lock_guard lock(mutex_);
    queue_.push_back({id, whom, ms});
  }
  changed_.notify_one();
}

bool ThreadPool::Cancel(int64_t id) {
  std::lock_guard lock(mutex_);
  auto it = std::find_if(queue_.begin(), queue_.end(), [id](const Request& request) { return request.id == id; });
  if (it == queue_.end()) return false;
  const int whom = it->whom;
  queue_.erase(it);
  ended_.push_back(id);
  if (whom != kNobody) hooks_.notify(whom);
  return true;
}

std::vector<int64_t> ThreadPool::TakeEnded() {
  std::lock_guard lock(mutex_);
  return std::exchange(ended_, {});
}

void ThreadPool::Forget(int whom) {
  std::lock_guard lock(mutex_);
  for (Request& request : queue_) {
    if (request.whom == whom) request.whom = kNobody;
  }
  for (Request& request : taken_) {
    if (request.whom == whom) request.whom = kNobody;
  }
}

void ThreadPool::Work(size_t thread_index) {
  std::unique_lock lock(mutex_);
  for (;;) {
    changed_.wait(lock, [this] { return stopping_ || !queue_.empty(); });
    if (stopping_) return;
    taken_[thread_index] = queue_.front();
    const int64_t ms = queue_.front().ms;
    queue_.pop_front();

    lock.unlock();
    hooks_.work();
    if (ms > 0) std::this_thread::sleep_for(std::chrono::milliseconds(ms));
    lock.lock();

    ended_.push_back(taken_[thread_index].id);
    // Under the mutex, so that Forget can promise that no notification comes once it has returned.
    const int whom = std::exchange(taken_[thread_index].whom, kNobody);
    if (whom != kNobody) hooks_.notify(whom);
  }
}

}  // namespace conform::reference
