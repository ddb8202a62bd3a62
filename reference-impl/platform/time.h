// Time in the loop: a reading of the clock plus a number of milliseconds.
#ifndef CONFORM_REFERENCE_IMPL_PLATFORM_TIME_H_
#define CONFORM_REFERENCE_IMPL_PLATFORM_TIME_H_

#include <cstdint>

namespace conform::reference {

// For real, `reading` is always 0 and `ms` counts from the start of the clock. Explored, `reading` names a variable
// (what the clock showed at that reading) and only comparisons give it a value, step by step.
struct Time {
  int32_t reading = 0;
  int64_t ms = 0;

  Time operator+(int64_t more_ms) const { return {reading, ms + more_ms}; }
  bool operator==(const Time&) const = default;
};

// The clock of a loop. Passed in; one real and one simulated.
class Clock {
 public:
  virtual ~Clock() = default;

  // What the clock shows now, in whole milliseconds. Never less than at an earlier reading.
  virtual Time Read() = 0;

  // Takes at least `ms` of time, seen on this clock.
  virtual void Busy(int64_t ms) = 0;

  // Reads the clock again and again until it shows `until`.
  virtual void SpinUntil(Time until) {
    while (!NotAfter(until, Read())) {
    }
  }

  // Explored: `now` is the newest reading, and the next may show the same. For real, nothing of the kind is known.
  virtual bool MayStandAt(Time /*now*/) const { return false; }
  // Explored, and `now` is the newest reading: one more would reveal nothing that the next wait does not.
  virtual bool NeedsNoReading(Time /*now*/) const { return false; }
  // Explored: it is known that deadline <= now.
  virtual bool MustHavePassed(Time /*deadline*/, Time /*now*/) const { return true; }

  // a <= b. The real clock compares numbers; the simulated one may have to choose, and remembers what it chose.
  bool NotAfter(Time a, Time b) { return a.reading == b.reading ? a.ms <= b.ms : Decide(a, b); }
  bool Before(Time a, Time b) { return NotAfter(a + 1, b); }
  Time Later(Time a, Time b) { return NotAfter(a, b) ? b : a; }
  // a + (to - from).
  Time Shift(Time a, Time from, Time to) {
    return from.reading == to.reading ? a + (to.ms - from.ms) : ShiftBetween(a, from, to);
  }

 private:
  virtual bool Decide(Time a, Time b) = 0;
  virtual Time ShiftBetween(Time a, Time from, Time to) = 0;
};

}  // namespace conform::reference

#endif  // CONFORM_REFERENCE_IMPL_PLATFORM_TIME_H_
