// What an iteration costs, and what a callback in it costs.
#include <fmt/format.h>

#include <memory>

#include "reference-impl/bench/rows.h"

namespace conform::reference::bench {
namespace {

// Stops the loop once so many callbacks have run.
template <typename Side>
struct Countdown {
  Side* side;
  int64_t left;

  static void Step(void* data) {
    auto* self = static_cast<Countdown*>(data);
    if (--self->left <= 0) self->side->Stop();
  }
};

void Nothing(void* data) { benchmark::DoNotOptimize(data); }

// One operation is an iteration with one idle and one check callback, and a poll that finds nothing.
template <typename Side>
void IdleAndCheck(benchmark::State& state, int64_t iterations) {
  typename Side::Idle idle;
  typename Side::Check check;
  Side side;
  Countdown<Side> countdown{&side, 0};
  side.template StartIdle<Countdown<Side>::Step>(&idle, &countdown);
  side.template StartCheck<Nothing>(&check, nullptr);
  while (state.KeepRunningBatch(iterations)) {
    countdown.left = iterations;
    side.Run();
  }
}

// One operation is one callback of many in one phase. An idle handle keeps the poll from waiting.
template <typename Side>
void CheckCallbacks(benchmark::State& state, int64_t handles, int64_t callbacks) {
  typename Side::Idle idle;
  const std::unique_ptr<typename Side::Check[]> checks(new typename Side::Check[static_cast<size_t>(handles)]);
  Side side;
  Countdown<Side> countdown{&side, 0};
  side.template StartIdle<Nothing>(&idle, nullptr);
  for (int64_t i = 0; i < handles; ++i) side.template StartCheck<Countdown<Side>::Step>(&checks[i], &countdown);
  while (state.KeepRunningBatch(callbacks)) {
    countdown.left = callbacks;
    side.Run();
  }
}

template <typename Side>
void IdleCallbacks(benchmark::State& state, int64_t handles, int64_t callbacks) {
  const std::unique_ptr<typename Side::Idle[]> idles(new typename Side::Idle[static_cast<size_t>(handles)]);
  Side side;
  Countdown<Side> countdown{&side, 0};
  for (int64_t i = 0; i < handles; ++i) side.template StartIdle<Countdown<Side>::Step>(&idles[i], &countdown);
  while (state.KeepRunningBatch(callbacks)) {
    countdown.left = callbacks;
    side.Run();
  }
}

}  // namespace

void RegisterIterations(const Sizes& sizes) {
  RegisterRowWithLibev(
      "iteration/idle-and-check", sizes.iterations,
      [n = sizes.iterations]<typename Side>(benchmark::State& state) { IdleAndCheck<Side>(state, n); });
  const std::string many = fmt::format("/{}-per-iteration", sizes.handles);
  const int64_t callbacks = sizes.iterations * 40 / sizes.handles * sizes.handles;
  const int64_t handles = sizes.handles;
  RegisterRowWithLibev("check-callback" + many, callbacks,
                       [handles, callbacks]<typename Side>(benchmark::State& state) {
                         CheckCallbacks<Side>(state, handles, callbacks);
                       });
  RegisterRowWithLibev("idle-callback" + many, callbacks, [handles, callbacks]<typename Side>(benchmark::State& state) {
    IdleCallbacks<Side>(state, handles, callbacks);
  });
}

}  // namespace conform::reference::bench
