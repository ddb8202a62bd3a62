// Running a plan: the one loop that every command with a plan goes through.
#ifndef CONFORM_RUNNERS_HARNESS_RUN_PLAN_H_
#define CONFORM_RUNNERS_HARNESS_RUN_PLAN_H_

#include <cstddef>
#include <functional>

#include "runners/harness/run_item.h"

namespace conform {

// How often a script is run on each of several implementations, unless the user says otherwise: with fewer runs, two
// that differ in nine of ten runs could not be told from chance in nearly every comparison.
inline constexpr int64_t kScriptRuns = 30;

struct PlanRunOptions {
  RunOptions each;
  int jobs = 1;
  // The result of an item that need not be run, because an earlier run had it; or null. May be empty. Called from
  // several threads at once.
  std::function<const CaseResult*(const PlanItem&)> known = nullptr;
};

// Runs the items of the plan, up to `jobs` at once (a script on all implementations counts as one), judges each, and
// hands the results to `keep` on the calling thread, in the order of the plan and as early as that order allows. Ends
// early, with what is under way, when `keep` returns false or when the user interrupts a run. Returns how many results
// were handed over: all of them where the plan was run to its end.
size_t RunPlan(const Plan& plan, const LateOracle& late, const PlanRunOptions& options,
               const std::function<bool(size_t index, CaseResult result)>& keep);

}  // namespace conform

#endif  // CONFORM_RUNNERS_HARNESS_RUN_PLAN_H_
