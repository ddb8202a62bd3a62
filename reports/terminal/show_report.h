// What `conform show` prints.
#ifndef CONFORM_REPORTS_TERMINAL_SHOW_REPORT_H_
#define CONFORM_REPORTS_TERMINAL_SHOW_REPORT_H_

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "runners/base/output.h"
#include "runners/model/case.h"
#include "runners/model/clause.h"

namespace conform::reports {

std::string ShowText(const Case& c, const ClauseList& clauses, const Style& style);
// spec/schemas/show.schema.json
nlohmann::ordered_json ShowJson(const Case& c, const ClauseList& clauses);

// A clause, and the cases that ask about it.
std::string ShowClauseText(const Clause& clause, const std::vector<const Case*>& cases, const Style& style);
nlohmann::ordered_json ShowClauseJson(const Clause& clause, const std::vector<const Case*>& cases);

}  // namespace conform::reports

#endif  // CONFORM_REPORTS_TERMINAL_SHOW_REPORT_H_
