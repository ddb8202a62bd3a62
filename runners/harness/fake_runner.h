// For tests: a runner that gives the orders it was given, one after the other.
#ifndef CONFORM_RUNNERS_HARNESS_FAKE_RUNNER_H_
#define CONFORM_RUNNERS_HARNESS_FAKE_RUNNER_H_

#include <string>
#include <vector>

#include "runners/harness/late_oracle.h"
#include "runners/harness/runner.h"

namespace conform {

class FakeRunner : public Runner {
 public:
  std::string name() const override { return "fake"; }
  std::optional<Obstacle> CannotRun(const Case&, const Profile&) const override { return cannot_run; }
  RunOutcome Run(const Case&, const Profile&, const Attempt& attempt) const override {
    numbers.push_back(attempt.number);
    disturbed.push_back(attempt.disturbed);
    RunOutcome outcome = outcomes[next];
    if (next + 1 < outcomes.size()) ++next;
    return outcome;
  }
  std::string OptionsToRepeat(int64_t number) const override { return "--seed=" + std::to_string(number); }
  bool MayBeLate() const override { return may_be_late; }

  static RunOutcome Gives(const Order& order) {
    RunOutcome outcome;
    for (const std::string& label : order) outcome.trace.events.push_back({label, {}, {}, "", ""});
    return outcome;
  }

  std::optional<Obstacle> cannot_run;
  std::vector<RunOutcome> outcomes;  // the last one is repeated
  bool may_be_late = false;
  mutable size_t next = 0;
  mutable std::vector<int64_t> numbers;
  mutable std::vector<bool> disturbed;
};

// An oracle that says the same of every order.
struct FakeOracle : LateOracle {
  bool HasModel(const Case&, const Profile&) const override { return late != LateSet::kNoModel; }
  LateSet WhetherLate(const Case&, const Profile&, const Trace&) const override { return late; }

  LateSet late = LateSet::kOut;
};

}  // namespace conform

#endif  // CONFORM_RUNNERS_HARNESS_FAKE_RUNNER_H_
