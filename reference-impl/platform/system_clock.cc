#include "reference-impl/platform/system_clock.h"

#include <time.h>

#include "runners/base/check.h"

namespace conform::reference {
namespace {

constexpr int64_t kMsPerS = 1'000;
constexpr int64_t kNsPerMs = 1'000'000;
constexpr int64_t kNsPerS = 1'000'000'000;

// A program that was busy for N ms must see every timer of at most N ms as due, also one that was armed a little
// after the spinning began to be counted.
constexpr int64_t kBusyMarginNs = 50'000;

timespec Read(clockid_t clock) {
  timespec now;
  CONFORM_CHECK(clock_gettime(clock, &now) == 0);
  return now;
}

int64_t ReadMs(clockid_t clock) {
  const timespec now = Read(clock);
  return now.tv_sec * kMsPerS + now.tv_nsec / kNsPerMs;
}

int64_t MonotonicNs() {
  const timespec now = Read(CLOCK_MONOTONIC);
  return now.tv_sec * kNsPerS + now.tv_nsec;
}

}  // namespace

int64_t ThreadCpuMs() { return ReadMs(CLOCK_THREAD_CPUTIME_ID); }

int64_t SecondsSince1970() { return Read(CLOCK_REALTIME).tv_sec; }

SystemClock::SystemClock() : base_ms_(ReadMs(CLOCK_MONOTONIC)) {}

Time SystemClock::Read() { return {0, ReadMs(CLOCK_MONOTONIC) - base_ms_}; }

void SystemClock::Busy(int64_t ms) {
  const int64_t end_ns = MonotonicNs() + ms * kNsPerMs + kBusyMarginNs;
  while (MonotonicNs() <= end_ns) {
  }
}

int64_t SystemClock::ReadNs() const { return MonotonicNs() - base_ms_ * kNsPerMs; }

bool SystemClock::Decide(Time a, Time b) { return a.ms <= b.ms; }

Time SystemClock::ShiftBetween(Time a, Time from, Time to) { return a + (to.ms - from.ms); }

}  // namespace conform::reference
