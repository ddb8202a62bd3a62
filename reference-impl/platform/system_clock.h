// The clock of a loop that runs for real.
#ifndef CONFORM_REFERENCE_IMPL_PLATFORM_SYSTEM_CLOCK_H_
#define CONFORM_REFERENCE_IMPL_PLATFORM_SYSTEM_CLOCK_H_

#include <cstdint>

#include "reference-impl/platform/time.h"

namespace conform::reference {

// The machine's monotonic clock. Any thread may read it.
class SystemClock final : public Clock {
 public:
  SystemClock();

  // Milliseconds since construction. They turn over at the same instants as those of every other loop that floors the
  // monotonic clock, so only whole milliseconds are taken off.
  Time Read() override;

  // Spins; sleeping would hand the processor to somebody else for longer than was asked.
  void Busy(int64_t ms) override;

  // Nanoseconds since the instant at which Read() showed 0 for the first time: the same clock, unrounded, for traces.
  int64_t ReadNs() const;

 private:
  // The real clock has one reading, 0, so two times always compare as numbers.
  bool Decide(Time a, Time b) override;
  Time ShiftBetween(Time a, Time from, Time to) override;

  const int64_t base_ms_;  // the monotonic clock at construction, floored
};

// How much of a processor this thread has used, in milliseconds.
int64_t ThreadCpuMs();

// The date, as seconds since 1970 began: for the head of a results file. No order depends on it.
int64_t SecondsSince1970();

}  // namespace conform::reference

#endif  // CONFORM_REFERENCE_IMPL_PLATFORM_SYSTEM_CLOCK_H_
