// Where in a recorded run the readings of one simulated run are made.
#ifndef CONFORM_REFERENCE_IMPL_EXPLORE_RECORDED_RUN_H_
#define CONFORM_REFERENCE_IMPL_EXPLORE_RECORDED_RUN_H_

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "reference-impl/explore/model_run.h"
#include "reference-impl/platform/sim_clock.h"
#include "runners/model/trace.h"

namespace conform::reference {

// A loop may read a coarse clock, which lags behind by up to a millisecond; and a reading is a whole number of
// milliseconds, counted from another moment than the times of the labels.
inline constexpr int64_t kLagMs = 2;
inline constexpr int64_t kNsPerMs = 1'000'000;

class BoundsOfRun : public RecordedBounds {
 public:
  // REQUIRES: recorded.start_ns.
  explicit BoundsOfRun(const Trace& recorded) : start_ns_(*recorded.start_ns) {
    int64_t latest_ns = start_ns_;
    before_ns_.push_back(latest_ns);
    for (const TraceEvent& event : recorded.events) {
      if (event.t_ns) latest_ns = std::max(latest_ns, *event.t_ns);
      before_ns_.push_back(latest_ns);
    }
    std::optional<int64_t> next_ns;
    after_ns_.resize(recorded.events.size());
    for (size_t i = recorded.events.size(); i-- > 0;) {
      if (recorded.events[i].t_ns) next_ns = recorded.events[i].t_ns;
      after_ns_[i] = next_ns;
    }
  }

  void Step() { has_begun_ = true; }
  void Emit() { ++emitted_; }

  // The moment that they count from is the start of the program on the loop's clock, less kLagMs and one.
  Bounds Now() const override {
    Bounds bounds;
    // What the loop read before the program began may be much older.
    if (has_begun_) bounds.least = Since(before_ns_[std::min(emitted_, before_ns_.size() - 1)]) + 1;
    if (emitted_ < after_ns_.size() && after_ns_[emitted_]) bounds.most = Since(*after_ns_[emitted_]) + kLagMs + 2;
    return bounds;
  }
  [[noreturn]] void Contradicted() const override { throw RunAbandoned(); }

 private:
  int64_t Since(int64_t ns) const { return (ns - start_ns_) / kNsPerMs; }

  const int64_t start_ns_;
  std::vector<int64_t> before_ns_;                // by the number of labels emitted: the last known time
  std::vector<std::optional<int64_t>> after_ns_;  // likewise: the next known time
  bool has_begun_ = false;
  size_t emitted_ = 0;
};

}  // namespace conform::reference

#endif  // CONFORM_REFERENCE_IMPL_EXPLORE_RECORDED_RUN_H_
