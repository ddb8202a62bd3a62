// What `conform explore` prints: pure functions of what exploring found.
#ifndef CONFORM_REPORTS_TERMINAL_EXPLORE_REPORT_H_
#define CONFORM_REPORTS_TERMINAL_EXPLORE_REPORT_H_

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "runners/base/output.h"
#include "runners/model/clause.h"
#include "runners/study/exploring.h"

namespace conform::reports {

// `clauses` gives the sentence of each clause that put a label where it is; it is printed once.
std::string ExploreText(const ExploreReport& report, const ClauseList& clauses, const Style& style);
// spec/schemas/explore.schema.json
nlohmann::ordered_json ExploreJson(const ExploreReport& report, const ClauseList& clauses);

}  // namespace conform::reports

#endif  // CONFORM_REPORTS_TERMINAL_EXPLORE_REPORT_H_
