// The plan of a run: every case on every implementation under every profile, decided before anything runs.
#ifndef CONFORM_RUNNERS_HARNESS_PLAN_H_
#define CONFORM_RUNNERS_HARNESS_PLAN_H_

#include <memory>
#include <string>
#include <vector>

#include "runners/base/result.h"
#include "runners/harness/expected_orders.h"
#include "runners/harness/runner.h"
#include "runners/harness/selection.h"
#include "runners/model/profile.h"
#include "runners/model/shard.h"

namespace conform {

// One verdict to come.
struct PlanItem {
  size_t case_index;  // into Plan::cases
  const Runner* runner;
  std::shared_ptr<const Profile> profile;                  // items of one profile share it; never null
  std::string unsupported;                                 // why it cannot run; "" when it can
  std::shared_ptr<const ExpectedOrders> expected;          // null where no range of `expect` covers the profile
  bool as_claimed = false;                                 // the profile is what the implementation claims
  std::string note = "";                                   // what a user should know about the profile
  bool is_missing = false;                                 // it cannot run, and what it claims to be can
  std::shared_ptr<const ProfileFamily> claimed = nullptr;  // where it is judged as what it claims to be

  // Does what it claims to be have this capability?
  bool Promises(const std::string& capability) const;
};

struct Plan {
  std::vector<SelectedCase> cases;
  std::vector<PlanItem> items;  // by case, then runner, then profile
  // Names of what the whole run consists of, whichever part of it this is: the cases with the rules that they are held
  // to, and the results to come.
  std::string catalogue;
  std::string digest;
};

// Without profiles in `as`, a real implementation is held to what it claims, and the reference loop is planned at all
// checkpoints of a case; where its runs take real time, at the newest of them in each range of `expect`. A case whose
// expectations are all about other families is left out, unless it was chosen by name, or what is claimed is a family
// that is held to its documentation. Of all that, the plan has what the shard holds. The runners must outlive the plan.
Plan MakePlan(std::vector<SelectedCase> cases, const Profiles& profiles, const std::vector<const Runner*>& runners,
              const std::vector<Profile>& as, const Shard& shard);

// The rules for a claim. A version that is newer than all that are known is held to the newest of them; an unknown
// family, or a version that is older, has no rules, and a name alone. `note` says so.
struct ClaimedProfile {
  Profile profile;
  std::string note;
};
ClaimedProfile ProfileOf(const Claims& claims, const Profiles& profiles);

}  // namespace conform

#endif  // CONFORM_RUNNERS_HARNESS_PLAN_H_
