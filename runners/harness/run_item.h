// Running one item of a plan: as often as requested, again where it was late, and judged.
#ifndef CONFORM_RUNNERS_HARNESS_RUN_ITEM_H_
#define CONFORM_RUNNERS_HARNESS_RUN_ITEM_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "runners/harness/late_oracle.h"
#include "runners/harness/plan.h"
#include "runners/model/verdict.h"

namespace conform {

struct RunOptions {
  int64_t repeat = 0;  // runs that are judged; 0: the user gave no number, and one is enough
  int tries = 5;       // how often one of them may be tried until it is on time
};

// A trace with more labels is not kept, and not judged.
inline constexpr size_t kMaxTraceEvents = 250'000;

// The result holds every try. One order outside decides, whatever the others gave; a run that does not end by
// itself is the last. Nothing where the user stopped it.
std::optional<CaseResult> RunItem(const Plan& plan, const PlanItem& item, const LateOracle& late,
                                  const RunOptions& options);

// The same for several items, in turns: the first run of each, then the second of each, and so on, so that what the
// machine does meanwhile befalls all of them. Nothing for any where the user stopped it.
std::vector<std::optional<CaseResult>> RunInTurns(const Plan& plan, const std::vector<const PlanItem*>& items,
                                                  const LateOracle& late, const RunOptions& options);

}  // namespace conform

#endif  // CONFORM_RUNNERS_HARNESS_RUN_ITEM_H_
