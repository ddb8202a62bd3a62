#include "runners/harness/parallel.h"

#include <sched.h>

#include <algorithm>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

#include "runners/base/check.h"

namespace conform {
namespace {

// Shared by the threads.
struct Progress {
  std::mutex mutex;
  std::condition_variable changed;

  // Protected by mutex.
  size_t next = 0;
  size_t ahead = kMostAhead;  // constant once there are threads
  size_t heard = 0;           // how many done has heard of
  std::vector<bool> ended;
  bool stopped = false;
  std::exception_ptr thrown;  // the first

  bool MayBegin() const { return stopped || next == ended.size() || next < heard + ahead; }
};

void Work(Progress& progress, const std::function<void(size_t)>& work) {
  std::unique_lock lock(progress.mutex);
  for (;;) {
    progress.changed.wait(lock, [&] { return progress.MayBegin(); });
    if (progress.stopped || progress.next == progress.ended.size()) return;
    const size_t index = progress.next++;
    lock.unlock();
    std::exception_ptr thrown;
    try {
      work(index);
    } catch (...) {
      thrown = std::current_exception();
    }
    lock.lock();
    if (thrown && !progress.thrown) progress.thrown = thrown;
    if (thrown) progress.stopped = true;
    progress.ended[index] = true;
    progress.changed.notify_all();
  }
}

}  // namespace

void ForEachInOrder(size_t count, int jobs, const std::function<void(size_t)>& work,
                    const std::function<bool(size_t)>& done) {
  CONFORM_CHECK(jobs >= 1);
  if (jobs == 1) {
    for (size_t index = 0; index < count; ++index) {
      work(index);
      if (!done(index)) return;
    }
    return;
  }
  Progress progress;
  progress.ended.resize(count);
  progress.ahead = std::max(kMostAhead, 2 * static_cast<size_t>(jobs));
  std::vector<std::thread> threads;
  try {
    for (size_t i = 0; i < std::min<size_t>(jobs, count); ++i) threads.emplace_back([&] { Work(progress, work); });
  } catch (const std::system_error&) {
    // Those that there are do all of it; without any, nothing can be done.
    if (threads.empty()) throw;
  }
  bool go_on = true;
  for (size_t index = 0; index < count && go_on; ++index) {
    {
      std::unique_lock lock(progress.mutex);
      progress.changed.wait(lock, [&] { return progress.ended[index] || progress.thrown; });
      if (progress.thrown) break;
    }
    go_on = done(index);
    const std::lock_guard lock(progress.mutex);
    ++progress.heard;
    progress.changed.notify_all();
  }
  {
    const std::lock_guard lock(progress.mutex);
    progress.stopped = true;
    progress.changed.notify_all();
  }
  for (std::thread& thread : threads) thread.join();
  if (progress.thrown) std::rethrow_exception(progress.thrown);
}

int DefaultJobs() {
  cpu_set_t set;
  CPU_ZERO(&set);
  if (sched_getaffinity(0, sizeof set, &set) == 0) return std::max(1, CPU_COUNT(&set));
  return std::max(1u, std::thread::hardware_concurrency());
}

}  // namespace conform
