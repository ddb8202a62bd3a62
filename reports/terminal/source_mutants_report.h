// What `conform mutants --of=…` prints: pure functions of what the hunt found.
#ifndef CONFORM_REPORTS_TERMINAL_SOURCE_MUTANTS_REPORT_H_
#define CONFORM_REPORTS_TERMINAL_SOURCE_MUTANTS_REPORT_H_

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "runners/base/output.h"
#include "runners/study/source_hunt.h"

namespace conform::reports {

// Without what became of them.
std::string SourceMutantListText(const std::vector<const SourceMutant*>& mutants);

std::string SourceMutantsText(const SourceReport& report, const Style& style);
// spec/schemas/source-mutants.schema.json
nlohmann::ordered_json SourceMutantsJson(const SourceReport& report);

}  // namespace conform::reports

#endif  // CONFORM_REPORTS_TERMINAL_SOURCE_MUTANTS_REPORT_H_
