#include "runners/harness/run_plan.h"

#include <optional>
#include <utility>
#include <vector>

#include "runners/harness/parallel.h"

namespace conform {

size_t RunPlan(const Plan& plan, const LateOracle& late, const PlanRunOptions& options,
               const std::function<bool(size_t, CaseResult)>& keep) {
  std::vector<std::optional<CaseResult>> finished(plan.items.size());
  size_t kept = 0;
  const auto run = [&](size_t index) {
    const PlanItem& item = plan.items[index];
    const CaseResult* known = options.known ? options.known(item) : nullptr;
    finished[index] = known != nullptr ? *known : RunItem(plan, item, late, options.each);
  };
  const auto hand_over = [&](size_t index) {
    if (!finished[index]) return false;  // interrupted
    ++kept;
    return keep(index, *std::exchange(finished[index], std::nullopt));
  };
  ForEachInOrder(plan.items.size(), options.jobs, run, hand_over);
  return kept;
}

}  // namespace conform
