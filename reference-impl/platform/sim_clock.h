// The simulated clock: what it shows is not a number but a variable, which comparisons narrow.
#ifndef CONFORM_REFERENCE_IMPL_PLATFORM_SIM_CLOCK_H_
#define CONFORM_REFERENCE_IMPL_PLATFORM_SIM_CLOCK_H_

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "reference-impl/platform/chooser.h"
#include "reference-impl/platform/fingerprint.h"
#include "reference-impl/platform/time.h"
#include "reference-impl/platform/time_constraints.h"

namespace conform::reference {

// On-time: every reading is D or D+1, where D is what `busy` and sleeping add up to; once +1, always +1.
// Late: a reading is only known to be no less than the one before it plus the `busy` in between.
enum class Timing { kOnTime, kLate };

// What a real run recorded of its clock: bounds on each reading, in milliseconds since any one moment.
class RecordedBounds {
 public:
  virtual ~RecordedBounds() = default;

  struct Bounds {
    std::optional<int64_t> least;
    std::optional<int64_t> most;
  };
  // Of a reading that is made now.
  virtual Bounds Now() const = 0;
  // No reading can be within the bounds. Does not return.
  [[noreturn]] virtual void Contradicted() const = 0;
};

class SimClock : public Clock {
 public:
  SimClock(Timing timing, Chooser& chooser);

  // From here on, late readings lie within these bounds. They must outlive the clock.
  void Hold(const RecordedBounds& bounds);

  Time Read() override;
  void Busy(int64_t ms) override;

  // From here on, MayStandAt is always false.
  void NeverStands() { may_stand_ = false; }

  // The loop has slept until its deadline, which it computed from its cached time `base`.
  void SleepUntil(Time base, Time deadline);
  void SpinUntil(Time until) override;

  bool MayStandAt(Time now) const override;
  // Late, that a deadline has passed is all that is known after a sleep until then.
  bool NeedsNoReading(Time now) const override { return timing_ == Timing::kLate && MayStandAt(now); }
  bool MustHavePassed(Time deadline, Time now) const override;

  // It is known that `time` has passed.
  void Pass(Time time);

  // On time: the milliseconds from the start to a time, and to this moment, without what the clock turned over.
  int64_t Due(Time time) const;
  int64_t due_now() const { return due_now_; }

  // How often time was surely spent: by `busy`, or by sleeping. On time, what was under way before has ended by now.
  int64_t spent_count() const { return spent_count_; }
  Timing timing() const { return timing_; }
  int live_readings() const { return constraints_.size(); }

  // Adds what the clock knows of the readings that `fingerprint` mentions, and forgets all others. Call it last.
  void AddTo(Fingerprint* fingerprint);

 private:
  bool Decide(Time a, Time b) override;
  Time ShiftBetween(Time a, Time from, Time to) override;
  void HoldWithinBounds(int32_t now);

  const Timing timing_;
  Chooser& chooser_;
  TimeConstraints constraints_;
  int32_t origin_;                                // on-time: the variable that D counts from
  int32_t last_;                                  // the newest reading
  std::vector<std::pair<int32_t, int64_t>> due_;  // on-time: D of each reading, oldest first
  int64_t due_now_ = 0;                           // on-time: D at this moment
  int64_t busy_since_last_ = 0;                   // late: the least time between the newest reading and the next
  bool slept_ = false;                            // the next reading is at least slept_until_
  Time slept_until_;
  int64_t spent_count_ = 0;
  bool may_stand_ = true;
  const RecordedBounds* bounds_ = nullptr;
  int32_t recorded_from_ = 0;    // with bounds: the moment that they count from
  std::vector<int> live_slots_;  // of AddTo, which is called too often to make a new one
};

}  // namespace conform::reference

#endif  // CONFORM_REFERENCE_IMPL_PLATFORM_SIM_CLOCK_H_
