// What the gate judges: the results that are read for it, and the cases that a run has to hold.
#ifndef CONFORM_REPORTS_GATE_INPUT_H_
#define CONFORM_REPORTS_GATE_INPUT_H_

#include <functional>
#include <string>
#include <vector>

#include "reports/baseline.h"
#include "reports/result_set.h"
#include "runners/model/case.h"
#include "runners/model/renamed.h"

namespace conform::reports {

// The ids of the cases that a word means.
using IdsMeant = std::function<Result<std::vector<std::string>>(const std::string& word)>;

// The cases of the catalogue that `cases` of the baseline mean, or all of them where it says nothing. A word may be the
// id of a case that only the results have. Error: a word means nothing; it has the place in the baseline.
Result<std::vector<const Case*>> CasesToHold(const Baseline& baseline, const ResultSet& set,
                                             const std::vector<Case>& catalogue, const IdsMeant& meant);

enum class GateUse {
  kShow,    // what deviates is shown
  kTell,    // every result is told
  kUpdate,  // the baseline is made to match
};

// Keeps every result for those that need all of them, or that cannot read a file twice; and else those of cases that
// deviate or did so.
Result<ResultSet> ReadForGate(const std::vector<std::string>& files, const Baseline& baseline,
                              const RenamedIds& renamed, GateUse use);

}  // namespace conform::reports

#endif  // CONFORM_REPORTS_GATE_INPUT_H_
