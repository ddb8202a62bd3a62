#include "runners/harness/earlier_results.h"

#include <utility>

namespace conform {

Result<EarlierResults> EarlierResults::Of(RunResults so_far, const Plan& plan, const std::string& file) {
  const auto trouble = [&](const std::string& message) { return Error{message, file, {}, kHowToResume}; };
  if (so_far.run.planned != static_cast<int64_t>(plan.items.size())) {
    return trouble("planned " + std::to_string(so_far.run.planned) + " results, and now there would be " +
                   std::to_string(plan.items.size()));
  }
  EarlierResults earlier;
  for (CaseResult& result : so_far.results) {
    Key key{result.case_id, result.implementation, result.profile};
    earlier.results_.emplace(std::move(key), std::move(result));
  }
  size_t planned = 0;
  for (const PlanItem& item : plan.items) {
    const SelectedCase& selected = plan.cases[item.case_index];
    const CaseResult* result = earlier.Find(selected, item);
    if (result != nullptr && result->content_hash != selected.c.content_hash) {
      return trouble("the case " + selected.c.id + " has changed");
    }
    planned += result != nullptr;
  }
  if (planned != earlier.results_.size()) return trouble("it contains results that are not planned");
  return earlier;
}

const CaseResult* EarlierResults::Find(const SelectedCase& selected, const PlanItem& item) const {
  const auto found = results_.find({selected.c.id, item.runner->name(), item.profile->Name()});
  return found == results_.end() ? nullptr : &found->second;
}

}  // namespace conform
