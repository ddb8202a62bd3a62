// What `conform mutants` prints: pure functions of what the hunt found.
#ifndef CONFORM_REPORTS_TERMINAL_MUTANTS_REPORT_H_
#define CONFORM_REPORTS_TERMINAL_MUTANTS_REPORT_H_

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "runners/base/output.h"
#include "runners/study/mutant_results.h"
#include "runners/study/needed_cases.h"

namespace conform::reports {

// Without what became of them.
std::string MutantListText(const std::vector<reference::Mutant>& mutants);

std::string MutantsText(const MutantsReport& report, const Style& style);
// spec/schemas/mutants.schema.json
nlohmann::ordered_json MutantsJson(const MutantsReport& report);

// With `each`, it has what every case is for, and not only the sum.
std::string NeededText(const NeededReport& report, bool each, const Style& style);
// spec/schemas/needed.schema.json
nlohmann::ordered_json NeededJson(const NeededReport& report);

}  // namespace conform::reports

#endif  // CONFORM_REPORTS_TERMINAL_MUTANTS_REPORT_H_
