#include "watchdog.h"

#include <poll.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <string>
#include <thread>
#include <utility>

namespace libuv_adapter {
namespace {

constexpr std::chrono::milliseconds kBetweenLooks{10};

bool IsEpollWait(long number) {
#ifdef SYS_epoll_wait
  if (number == SYS_epoll_wait) return true;
#endif
  return number == SYS_epoll_pwait;
}

}  // namespace

void Watchdog::Run(const std::function<void()>& work) {
  is_done_ = false;
  std::thread thread([&] {
    work();
    const std::lock_guard<std::mutex> lock(mutex_);
    is_done_ = true;
    changed_.notify_all();
  });
  {
    std::unique_lock<std::mutex> lock(mutex_);
    while (!changed_.wait_for(lock, kBetweenLooks, [this] { return is_done_; })) {
      if (activity_ == nullptr || !WaitsForEver()) continue;
      wait_is_endless_();
      activity_ = nullptr;
    }
  }
  thread.join();
}

void Watchdog::Watch(int backend_descriptor, const Activity& activity, std::function<void()> wait_is_endless) {
  const std::lock_guard<std::mutex> lock(mutex_);
  activity_ = &activity;
  thread_id_ = syscall(SYS_gettid);
  backend_descriptor_ = backend_descriptor;
  wait_is_endless_ = std::move(wait_is_endless);
}

void Watchdog::Rest() {
  const std::lock_guard<std::mutex> lock(mutex_);
  activity_ = nullptr;
}

bool Watchdog::WaitsForEver() const {
  const int64_t callbacks = activity_->callbacks;
  if (activity_->under_way != 0 || !SleepsInEpoll()) return false;
  pollfd ready{backend_descriptor_, POLLIN, 0};
  return poll(&ready, 1, 0) == 0 && activity_->under_way == 0 && activity_->callbacks == callbacks;
}

// A thread that sleeps in a system call: "232 0x5 0x7ffe… 0x400 0xffffffff …"; one that does not: "running".
bool Watchdog::SleepsInEpoll() const {
  const std::string path = "/proc/self/task/" + std::to_string(thread_id_) + "/syscall";
  std::FILE* file = std::fopen(path.c_str(), "re");
  if (file == nullptr) return false;
  long number = -1;
  unsigned long descriptor = 0, events = 0, size = 0, timeout = 0;
  const int fields = std::fscanf(file, "%ld %lx %lx %lx %lx", &number, &descriptor, &events, &size, &timeout);
  std::fclose(file);
  return fields == 5 && IsEpollWait(number) && static_cast<int>(descriptor) == backend_descriptor_ &&
         static_cast<int>(timeout) == -1;
}

}  // namespace libuv_adapter
