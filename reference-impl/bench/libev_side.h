// libev, behind the names of sides.h: its timers, idle and check watchers and wake-ups.
#ifndef CONFORM_REFERENCE_IMPL_BENCH_LIBEV_SIDE_H_
#define CONFORM_REFERENCE_IMPL_BENCH_LIBEV_SIDE_H_

#ifdef CONFORM_HAS_LIBEV
#include <ev.h>

#include "reference-impl/bench/sides.h"
#include "runners/base/check.h"

namespace conform::reference::bench {

// The system's libev. Watchers outlive the side, which forgets them.
class LibevSide {
 public:
  static constexpr const char* kName = "libev";
  using Timer = ev_timer;
  using Idle = ev_idle;
  using Check = ev_check;
  using Wakeup = ev_async;

  LibevSide() : loop_(ev_loop_new(EVBACKEND_EPOLL | static_cast<unsigned>(EVFLAG_NOENV))) {
    CONFORM_CHECK(loop_ != nullptr);
  }
  ~LibevSide() { ev_loop_destroy(loop_); }
  LibevSide(const LibevSide&) = delete;
  LibevSide& operator=(const LibevSide&) = delete;

  void Run() { ev_run(loop_, 0); }
  void RunNoWait() { ev_run(loop_, EVRUN_NOWAIT); }
  void Stop() { ev_break(loop_, EVBREAK_ALL); }

  void InitTimer(Timer* timer, void* data) {
    ev_init(timer, nullptr);
    timer->data = data;
  }
  template <Action kAction>
  void StartTimer(Timer* timer, uint64_t after_ms) {
    ev_set_cb(timer, (Call<kAction, Timer>));
    ev_timer_set(timer, static_cast<double>(after_ms) / 1000, 0.);
    ev_timer_start(loop_, timer);
  }
  void StopTimer(Timer* timer) { ev_timer_stop(loop_, timer); }

  template <Action kAction>
  void StartIdle(Idle* watcher, void* data) {
    ev_idle_init(watcher, (Call<kAction, Idle>));
    watcher->data = data;
    ev_idle_start(loop_, watcher);
  }
  template <Action kAction>
  void StartCheck(Check* watcher, void* data) {
    ev_check_init(watcher, (Call<kAction, Check>));
    watcher->data = data;
    ev_check_start(loop_, watcher);
  }
  template <Action kAction>
  void StartWakeup(Wakeup* watcher, void* data) {
    ev_async_init(watcher, (Call<kAction, Wakeup>));
    watcher->data = data;
    ev_async_start(loop_, watcher);
  }
  void Send(Wakeup* watcher) { ev_async_send(loop_, watcher); }

 private:
  template <Action kAction, typename Watcher>
  static void Call(struct ev_loop*, Watcher* watcher, int) {
    kAction(watcher->data);
  }

  struct ev_loop* const loop_;
};

}  // namespace conform::reference::bench

#endif  // CONFORM_HAS_LIBEV

#endif  // CONFORM_REFERENCE_IMPL_BENCH_LIBEV_SIDE_H_
