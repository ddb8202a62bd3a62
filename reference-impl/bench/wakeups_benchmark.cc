// Waking a loop up, and what becomes ready in one. One operation is one wake-up or one message, from sending to its
// callback.
#include <memory>

#include "reference-impl/bench/rows.h"

namespace conform::reference::bench {
namespace {

// A wake-up whose callback sends the next.
template <typename Side>
struct Echo {
  typename Side::Wakeup wakeup;
  Side side;
  int64_t left = 0;

  Echo() { side.template StartWakeup<OnWakeup>(&wakeup, this); }
  static void OnWakeup(void* data) {
    auto* self = static_cast<Echo*>(data);
    if (--self->left > 0) {
      self->side.Send(&self->wakeup);
    } else {
      self->side.Stop();
    }
  }
};

template <typename Side>
void SameThread(benchmark::State& state, int64_t wakeups) {
  const auto echo = std::make_unique<Echo<Side>>();
  while (state.KeepRunningBatch(wakeups)) {
    echo->left = wakeups;
    echo->side.Send(&echo->wakeup);
    echo->side.Run();
  }
}

// A counter that its own callback raises again.
template <typename Side>
struct EventFdPing {
  typename Side::Io io;
  Side side;
  int64_t left = 0;

  EventFdPing() { side.template StartEventFd<OnReady>(&io, this); }
  static void OnReady(void* data) {
    auto* self = static_cast<EventFdPing*>(data);
    self->side.ClearEventFd(&self->io);
    if (--self->left > 0) {
      self->side.RaiseEventFd(&self->io);
    } else {
      self->side.Stop();
    }
  }
};

template <typename Side>
void PingEventFd(benchmark::State& state, int64_t pings) {
  const auto ping = std::make_unique<EventFdPing<Side>>();
  while (state.KeepRunningBatch(pings)) {
    ping->left = pings;
    ping->side.RaiseEventFd(&ping->io);
    ping->side.Run();
  }
}

// One byte that goes to and fro between the ends of a path socket, both in one loop.
template <typename Side>
struct SocketPing {
  struct End {
    SocketPing* game;
    typename Side::Io io;
  };
  End left{this, {}};
  End right{this, {}};
  Side side;
  int64_t remaining = 0;

  SocketPing() { side.template StartSockets<OnReady>(&left.io, &left, &right.io, &right); }
  static void OnReady(void* data) {
    auto* end = static_cast<End*>(data);
    SocketPing* game = end->game;
    game->side.ReadByte(&end->io);
    if (--game->remaining > 0) {
      game->side.WriteByte(&end->io);
    } else {
      game->side.Stop();
    }
  }
};

template <typename Side>
void PingSocket(benchmark::State& state, int64_t pings) {
  const auto ping = std::make_unique<SocketPing<Side>>();
  while (state.KeepRunningBatch(pings)) {
    ping->remaining = pings;
    ping->side.WriteByte(&ping->left.io);
    ping->side.Run();
  }
}

}  // namespace

void RegisterWakeups(const Sizes& sizes) {
  const int64_t n = sizes.iterations;
  RegisterRowWithLibev("wakeup/same-thread", n,
                       [n]<typename Side>(benchmark::State& state) { SameThread<Side>(state, n); });
  RegisterRow("ping/eventfd", n, [n]<typename Side>(benchmark::State& state) { PingEventFd<Side>(state, n); });
  RegisterRow("ping/socket", n, [n]<typename Side>(benchmark::State& state) { PingSocket<Side>(state, n); });
}

}  // namespace conform::reference::bench
