// Resuming a run: the results that it has already.
#ifndef CONFORM_RUNNERS_HARNESS_EARLIER_RESULTS_H_
#define CONFORM_RUNNERS_HARNESS_EARLIER_RESULTS_H_

#include <map>
#include <string>
#include <tuple>

#include "runners/harness/plan.h"
#include "runners/model/results.h"

namespace conform {

inline constexpr char kHowToResume[] = "a run can be resumed only as long as nothing it depends on has changed";

// Results of a run that was cut short, each of which belongs to an item of the plan.
class EarlierResults {
 public:
  // An error, which names the file, if the plan is not the one that the results were made for.
  static Result<EarlierResults> Of(RunResults so_far, const Plan& plan, const std::string& file);

  // The result of the item, or null.
  const CaseResult* Find(const SelectedCase& selected, const PlanItem& item) const;

 private:
  using Key = std::tuple<std::string, std::string, std::string>;  // case, implementation, profile
  std::map<Key, CaseResult> results_;
};

}  // namespace conform

#endif  // CONFORM_RUNNERS_HARNESS_EARLIER_RESULTS_H_
