#include "runners/harness/run_plan.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "runners/harness/parallel.h"

namespace conform {

namespace {

// The items from `begin` to `end`, which run in turns.
struct Unit {
  size_t begin, end;
};

// A script is run by all implementations in turns; anything else by itself.
std::vector<Unit> UnitsOf(const Plan& plan) {
  std::vector<Unit> units;
  for (size_t i = 0; i < plan.items.size(); ++i) {
    const bool is_script = plan.cases[plan.items[i].case_index].c.expect.empty();
    const bool same = !units.empty() && plan.items[units.back().begin].case_index == plan.items[i].case_index;
    if (is_script && same) {
      units.back().end = i + 1;
    } else {
      units.push_back({i, i + 1});
    }
  }
  return units;
}

}  // namespace

int JobsFor(const Plan& plan) {
  const bool all_wait = std::all_of(plan.items.begin(), plan.items.end(), [&](const PlanItem& item) {
    return item.runner->MayBeLate() && !plan.cases[item.case_index].c.expect.empty();
  });
  return all_wait ? kRunsPerCore * DefaultJobs() : DefaultJobs();
}

size_t RunPlan(const Plan& plan, const LateOracle& late, const PlanRunOptions& options,
               const std::function<bool(size_t, CaseResult)>& keep) {
  std::vector<std::optional<CaseResult>> finished(plan.items.size());
  size_t kept = 0;
  const std::vector<Unit> units = UnitsOf(plan);
  const auto run = [&](size_t unit) {
    std::vector<size_t> open;
    std::vector<const PlanItem*> items;
    for (size_t index = units[unit].begin; index < units[unit].end; ++index) {
      const PlanItem& item = plan.items[index];
      if (const CaseResult* known = options.known ? options.known(item) : nullptr) {
        finished[index] = *known;
      } else {
        open.push_back(index);
        items.push_back(&item);
      }
    }
    RunOptions each = options.each;
    if (each.repeat == 0 && units[unit].end - units[unit].begin > 1) each.repeat = kScriptRuns;
    auto results = RunInTurns(plan, items, late, each);
    for (size_t i = 0; i < open.size(); ++i) finished[open[i]] = std::move(results[i]);
  };
  const auto hand_over = [&](size_t unit) {
    for (size_t index = units[unit].begin; index < units[unit].end; ++index) {
      if (!finished[index]) return false;  // interrupted
      ++kept;
      if (!keep(index, *std::exchange(finished[index], std::nullopt))) return false;
    }
    return true;
  };
  ForEachInOrder(units.size(), options.jobs > 0 ? options.jobs : JobsFor(plan), run, hand_over);
  return kept;
}

}  // namespace conform
