// What `conform whatif` prints.
#ifndef CONFORM_REPORTS_TERMINAL_WHATIF_REPORT_H_
#define CONFORM_REPORTS_TERMINAL_WHATIF_REPORT_H_

#include <cstddef>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "runners/base/output.h"
#include "runners/study/what_if.h"

namespace conform::reports {

// A value of a rule as two lines that start with `indent`: what the rule decides, then what the new value means.
std::string RuleChangeText(const RuleChange& change, const std::string& indent);
nlohmann::ordered_json RuleChangeJson(const RuleChange& change);

// At most `limit` cases, clauses and results; of the others the number.
std::string WhatIfText(const WhatIfReport& report, size_t limit, const Style& style);
// All of them. spec/schemas/whatif.schema.json
nlohmann::ordered_json WhatIfJson(const WhatIfReport& report);

}  // namespace conform::reports

#endif  // CONFORM_REPORTS_TERMINAL_WHATIF_REPORT_H_
