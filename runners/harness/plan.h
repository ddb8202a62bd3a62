// The plan of a run: every case on every implementation under every profile, decided before anything runs.
#ifndef CONFORM_RUNNERS_HARNESS_PLAN_H_
#define CONFORM_RUNNERS_HARNESS_PLAN_H_

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "runners/base/result.h"
#include "runners/harness/expected_orders.h"
#include "runners/harness/runner.h"
#include "runners/harness/selection.h"
#include "runners/model/profile.h"

namespace conform {

// "2/8": the second of eight parts. "1/1" is the whole.
struct Shard {
  int part = 1;
  int of = 1;
  static Result<Shard> Parse(std::string_view text);
  std::string ToString() const;  // "" for the whole
};
inline constexpr int kMaxShards = 100'000;

// One verdict to come.
struct PlanItem {
  size_t case_index;  // into Plan::cases
  const Runner* runner;
  Profile profile;
  std::string unsupported;                         // why it cannot run; "" when it can
  std::shared_ptr<const ExpectedOrders> expected;  // null where no range of `expect` covers the profile
};

struct Plan {
  std::vector<SelectedCase> cases;
  std::vector<PlanItem> items;  // by case, then runner, then profile
};

// Without profiles in `as`, a case is planned at all its checkpoints; on a runner whose runs take real time, at the
// newest of them in each range of `expect`. A shard holds every n-th item, so that the parts are of one size and
// together are the whole. The runners must outlive the plan.
Plan MakePlan(std::vector<SelectedCase> cases, const Profiles& profiles, const std::vector<const Runner*>& runners,
              const std::vector<Profile>& as, const Shard& shard);

}  // namespace conform

#endif  // CONFORM_RUNNERS_HARNESS_PLAN_H_
