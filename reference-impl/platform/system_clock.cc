#include "reference-impl/platform/system_clock.h"

#include <time.h>

#include "runners/base/check.h"

namespace conform::reference {
namespace {

constexpr int64_t kNsPerMs = 1'000'000;
constexpr int64_t kNsPerS = 1'000'000'000;

// A program that was busy for N ms must see every timer of at most N ms as due, also one that was armed a little
// after the spinning began to be counted.
constexpr int64_t kBusyMarginNs = 50'000;

int64_t MonotonicNs() {
  timespec now;
  CONFORM_CHECK(clock_gettime(CLOCK_MONOTONIC, &now) == 0);
  return now.tv_sec * kNsPerS + now.tv_nsec;
}

}  // namespace

int64_t ThreadCpuMs() {
  timespec used;
  CONFORM_CHECK(clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used) == 0);
  return used.tv_sec * 1'000 + used.tv_nsec / kNsPerMs;
}

int64_t SecondsSince1970() {
  timespec now;
  CONFORM_CHECK(clock_gettime(CLOCK_REALTIME, &now) == 0);
  return now.tv_sec;
}

SystemClock::SystemClock() : base_ms_(MonotonicNs() / kNsPerMs) {}

Time SystemClock::Read() { return {0, MonotonicNs() / kNsPerMs - base_ms_}; }

void SystemClock::Busy(int64_t ms) {
  const int64_t end_ns = MonotonicNs() + ms * kNsPerMs + kBusyMarginNs;
  while (MonotonicNs() <= end_ns) {
  }
}

int64_t SystemClock::ReadNs() const { return MonotonicNs() - base_ms_ * kNsPerMs; }

bool SystemClock::Decide(Time a, Time b) { return a.ms <= b.ms; }

Time SystemClock::ShiftBetween(Time a, Time from, Time to) { return a + (to.ms - from.ms); }

}  // namespace conform::reference
