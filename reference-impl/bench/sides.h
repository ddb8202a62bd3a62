// The two loops that are measured side by side, behind one set of names: what is timed is the same code on both, and
// every function here is inlined into a direct call of the loop that it stands for.
#ifndef CONFORM_REFERENCE_IMPL_BENCH_SIDES_H_
#define CONFORM_REFERENCE_IMPL_BENCH_SIDES_H_

#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>
#include <uv.h>

#include <array>
#include <cstdint>

#include "reference-impl/loop/loop.h"
#include "reference-impl/platform/epoll_platform.h"
#include "reference-impl/platform/system_clock.h"
#include "runners/base/check.h"

namespace conform::reference::bench {

// What a callback does is fixed when the program is compiled, so that both sides reach it by one indirect call.
using Action = void (*)(void* data);

// The reference loop as it runs for real, with the rules of the newest libuv.
class ReferenceSide {
 public:
  static constexpr const char* kName = "ref";
  using Timer = TimerHandle;
  using Idle = PhaseHandle;
  using Check = PhaseHandle;
  using Wakeup = WakeupHandle;
  using Io = IoHandle;

  ReferenceSide() = default;
  ReferenceSide(const ReferenceSide&) = delete;
  ReferenceSide& operator=(const ReferenceSide&) = delete;

  void Run() { loop_.Run(RunMode::kDefault); }
  void RunNoWait() { loop_.Run(RunMode::kNoWait); }
  void Stop() { loop_.Stop(); }

  void InitTimer(Timer* timer, void* data) { timer->data = data; }
  template <Action kAction>
  void StartTimer(Timer* timer, uint64_t after_ms) {
    timer->callback = [](Timer* it) { kAction(it->data); };
    loop_.StartTimer(timer, static_cast<int64_t>(after_ms), 0);
  }
  void StopTimer(Timer* timer) { loop_.StopTimer(timer); }

  template <Action kAction>
  void StartIdle(Idle* handle, void* data) {
    handle->data = data;
    handle->callback = [](PhaseHandle* it) { kAction(it->data); };
    loop_.StartIdle(handle);
  }
  template <Action kAction>
  void StartCheck(Check* handle, void* data) {
    handle->data = data;
    handle->callback = [](PhaseHandle* it) { kAction(it->data); };
    loop_.StartCheck(handle);
  }

  template <Action kAction>
  void StartWakeup(Wakeup* handle, void* data) {
    handle->data = data;
    handle->callback = [](Wakeup* it) { kAction(it->data); };
    loop_.StartWakeup(handle);
  }
  void Send(Wakeup* handle) { loop_.Send(handle); }

  // A counter of the kernel, readable while it is not zero.
  template <Action kAction>
  void StartEventFd(Io* io, void* data) {
    StartIo<kAction>(io, platform_.OpenWakeup(), data);
  }
  void RaiseEventFd(Io* io) { platform_.Wake(io->source); }
  void ClearEventFd(Io* io) { CONFORM_CHECK(platform_.Read(io->source) > 0); }

  // The two ends of a path socket.
  template <Action kAction>
  void StartSockets(Io* left, void* left_data, Io* right, void* right_data) {
    const Source listener = platform_.Listen();
    StartIo<kAction>(left, platform_.Connect(listener), left_data);
    StartIo<kAction>(right, platform_.Accept(listener), right_data);
    platform_.Close(listener);
  }
  void WriteByte(Io* io) { platform_.Write(io->source); }
  void ReadByte(Io* io) { CONFORM_CHECK(platform_.Read(io->source) == 1); }

 private:
  template <Action kAction>
  void StartIo(Io* io, Source source, void* data) {
    io->data = data;
    io->callback = [](IoHandle* it, uint8_t) { kAction(it->data); };
    loop_.StartIo(io, source, kReadable);
  }

  SystemClock clock_;
  EpollPlatform platform_{clock_};
  Loop loop_{platform_, LoopRules{}};
};

// The system's libuv. Handles outlive the side, which closes them.
class LibuvSide {
 public:
  static constexpr const char* kName = "libuv";
  using Timer = uv_timer_t;
  using Idle = uv_idle_t;
  using Check = uv_check_t;
  using Wakeup = uv_async_t;
  struct Io : uv_poll_t {
    int source = -1;
    ~Io() {
      if (source >= 0) close(source);
    }
  };

  LibuvSide() { CONFORM_CHECK(uv_loop_init(&loop_) == 0); }
  ~LibuvSide() {
    const auto close_handle = [](uv_handle_t* handle, void*) {
      if (uv_is_closing(handle) == 0) uv_close(handle, nullptr);
    };
    uv_walk(&loop_, close_handle, nullptr);
    uv_run(&loop_, UV_RUN_DEFAULT);
    CONFORM_CHECK(uv_loop_close(&loop_) == 0);
  }
  LibuvSide(const LibuvSide&) = delete;
  LibuvSide& operator=(const LibuvSide&) = delete;

  void Run() { uv_run(&loop_, UV_RUN_DEFAULT); }
  void RunNoWait() { uv_run(&loop_, UV_RUN_NOWAIT); }
  void Stop() { uv_stop(&loop_); }

  void InitTimer(Timer* timer, void* data) {
    uv_timer_init(&loop_, timer);
    timer->data = data;
  }
  template <Action kAction>
  void StartTimer(Timer* timer, uint64_t after_ms) {
    uv_timer_start(
        timer, [](Timer* it) { kAction(it->data); }, after_ms, 0);
  }
  void StopTimer(Timer* timer) { uv_timer_stop(timer); }

  template <Action kAction>
  void StartIdle(Idle* handle, void* data) {
    uv_idle_init(&loop_, handle);
    handle->data = data;
    uv_idle_start(handle, [](Idle* it) { kAction(it->data); });
  }
  template <Action kAction>
  void StartCheck(Check* handle, void* data) {
    uv_check_init(&loop_, handle);
    handle->data = data;
    uv_check_start(handle, [](Check* it) { kAction(it->data); });
  }

  template <Action kAction>
  void StartWakeup(Wakeup* handle, void* data) {
    CONFORM_CHECK(uv_async_init(&loop_, handle, [](Wakeup* it) { kAction(it->data); }) == 0);
    handle->data = data;
  }
  void Send(Wakeup* handle) { uv_async_send(handle); }

  template <Action kAction>
  void StartEventFd(Io* io, void* data) {
    StartIo<kAction>(io, eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC), data);
  }
  void RaiseEventFd(Io* io) {
    const uint64_t one = 1;
    CONFORM_CHECK(write(io->source, &one, sizeof one) == sizeof one);
  }
  void ClearEventFd(Io* io) {
    uint64_t count = 0;
    CONFORM_CHECK(read(io->source, &count, sizeof count) == sizeof count);
  }

  template <Action kAction>
  void StartSockets(Io* left, void* left_data, Io* right, void* right_data) {
    constexpr int kKind = SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC;
    // Connected by a name, as on the other side: the kernel treats a pair that never had one a little differently.
    sockaddr_un address{};
    socklen_t size = sizeof address.sun_family;
    address.sun_family = AF_UNIX;
    const int listener = socket(AF_UNIX, kKind, 0);
    CONFORM_CHECK(bind(listener, reinterpret_cast<sockaddr*>(&address), size) == 0 && listen(listener, 1) == 0);
    size = sizeof address;
    CONFORM_CHECK(getsockname(listener, reinterpret_cast<sockaddr*>(&address), &size) == 0);
    const int client = socket(AF_UNIX, kKind, 0);
    CONFORM_CHECK(connect(client, reinterpret_cast<sockaddr*>(&address), size) == 0);
    StartIo<kAction>(left, client, left_data);
    StartIo<kAction>(right, accept4(listener, nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC), right_data);
    close(listener);
  }
  void WriteByte(Io* io) { CONFORM_CHECK(send(io->source, "x", 1, MSG_NOSIGNAL | MSG_DONTWAIT) == 1); }
  void ReadByte(Io* io) { CONFORM_CHECK(read(io->source, buffer_.data(), buffer_.size()) == 1); }

 private:
  template <Action kAction>
  void StartIo(Io* io, int source, void* data) {
    CONFORM_CHECK(source >= 0 && uv_poll_init(&loop_, io, source) == 0);
    io->source = source;
    io->data = data;
    uv_poll_start(io, UV_READABLE, [](uv_poll_t* it, int, int) { kAction(it->data); });
  }

  uv_loop_t loop_;
  std::array<char, 65'536> buffer_;  // as many bytes as libuv's own streams request
};

}  // namespace conform::reference::bench

#endif  // CONFORM_REFERENCE_IMPL_BENCH_SIDES_H_
