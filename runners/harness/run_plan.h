// Running a plan: the one loop that every command with a plan goes through.
#ifndef CONFORM_RUNNERS_HARNESS_RUN_PLAN_H_
#define CONFORM_RUNNERS_HARNESS_RUN_PLAN_H_

#include <cstddef>
#include <functional>

#include "runners/harness/run_item.h"

namespace conform {

// How often a script is run on each of several implementations, unless the user says otherwise: with fewer runs, two
// that differ in nine of ten runs could not be distinguished from chance in nearly every comparison.
inline constexpr int64_t kScriptRuns = 30;

struct PlanRunOptions {
  RunOptions each;
  int jobs = 0;  // at once; 0: JobsFor the plan
  // The result of an item that need not be run, because an earlier run had it; or null. May be empty. Called from
  // several threads at once.
  std::function<const CaseResult*(const PlanItem&)> known = nullptr;
};

// How many processes of a real loop there may be for each core: a case waits for most of its time, for its timers or
// for its process to start. More would save no time on Node, where three keep the cores busy.
inline constexpr int kRunsPerCore = 3;

// How many items to run at once, unless the user says otherwise: as many as there are cores; kRunsPerCore times as many
// where each is a case on a real clock. Scripts are compared by how often each order occurs, and what runs in virtual
// time never waits.
int JobsFor(const Plan& plan);

// Runs the items of the plan, up to `jobs` at once (a script on all implementations counts as one), judges each, and
// hands the results to `keep` on the calling thread, in the order of the plan and as early as that order allows. Ends
// early, with what is under way, when `keep` returns false or when the user interrupts a run. Returns how many results
// were handed over: all of them where the plan was run to its end.
size_t RunPlan(const Plan& plan, const LateOracle& late, const PlanRunOptions& options,
               const std::function<bool(size_t index, CaseResult result)>& keep);

}  // namespace conform

#endif  // CONFORM_RUNNERS_HARNESS_RUN_PLAN_H_
