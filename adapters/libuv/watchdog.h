// Runs a program on its own thread, and finds out that its loop waits forever.
//
// Each program gets a new thread because the kernel remembers io_uring by thread. libuv has one in each loop
// since 1.45, and when a loop is closed the kernel tidies up a little later, by interrupting the thread that used it:
// in the midst of the next program. A wait that is interrupted twice ends too early in libuv, and one iteration more
// would be seen that no program has requested. What belonged to a thread that is gone interrupts no other.
//
// A program may leave its loop waiting for something that never comes; conform calls that `exit=never`. To wait for the
// deadline would cost seconds and the session, so the thread that has nothing else to do looks at the one of the loop
// now and then. It says "forever" only where that is certain, which takes four observations:
//
//  1. The thread sleeps in epoll_wait on the loop's own descriptor with a timeout of -1: the kernel says so, in
//     /proc/self/task/ID/syscall, which gives system call and arguments of a thread that sleeps, and only of such a
//     one. So the loop has no timer, and all that it watches has been handed to the kernel.
//  2. Nothing is ready: poll(2) on the descriptor of the loop, which may be asked from any thread, says no. That a
//     thread sleeps in epoll_wait could also mean that it waits for memory while it fetches an event.
//  3. Nothing is under way that becomes ready by itself: no request to the pool, no connection attempt, no write, no
//     child. The run counts these, from before it starts one until its callback runs.
//  4. No callback began between these looks: a number that every callback changes is the same before and after.
//
// From (4) the others hold at one and the same moment, that of (1). What else could wake the loop is done by the
// program itself, on the thread that sleeps: signals are raised, wake-ups sent, and sockets of this machine written to
// and closed within the call. Nothing else knows the process.
//
// Where the kernel does not say (another system, no /proc), nothing is ever reported, and the deadline decides.
#ifndef CONFORM_ADAPTERS_LIBUV_WATCHDOG_H_
#define CONFORM_ADAPTERS_LIBUV_WATCHDOG_H_

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>

namespace libuv_adapter {

class Watchdog {
 public:
  // What the thread of the loop says about itself.
  struct Activity {
    std::atomic<int64_t> callbacks{0};  // that have begun
    std::atomic<int64_t> under_way{0};  // what becomes ready by itself
  };

  // Calls `work` on a new thread and returns when it has returned.
  void Run(const std::function<void()>& work);

  // To be called by the work, around uv_run. `wait_is_endless` is called at most once, on another thread, and never
  // after Rest has returned.
  void Watch(int backend_descriptor, const Activity& activity, std::function<void()> wait_is_endless);
  void Rest();

 private:
  bool WaitsForEver() const;
  bool SleepsInEpoll() const;

  std::mutex mutex_;
  std::condition_variable changed_;
  // Protected by mutex_.
  bool is_done_ = false;
  const Activity* activity_ = nullptr;  // nothing while no loop runs
  int64_t thread_id_ = 0;               // of the loop
  int backend_descriptor_ = -1;
  std::function<void()> wait_is_endless_;
};

}  // namespace libuv_adapter

#endif  // CONFORM_ADAPTERS_LIBUV_WATCHDOG_H_
