// What `conform history` prints: pure functions of histories.
#ifndef CONFORM_REPORTS_TERMINAL_HISTORY_REPORT_H_
#define CONFORM_REPORTS_TERMINAL_HISTORY_REPORT_H_

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "runners/base/output.h"
#include "runners/study/history.h"

namespace conform::reports {

std::string HistoryText(const std::vector<CaseHistory>& histories, const Style& style);
// spec/schemas/history.schema.json
nlohmann::ordered_json HistoryJson(const std::vector<CaseHistory>& histories);
// A page: every change of order that runs show, version by version.
std::string HistoryMarkdown(const std::vector<CaseHistory>& histories, const std::vector<std::string>& releases);

}  // namespace conform::reports

#endif  // CONFORM_REPORTS_TERMINAL_HISTORY_REPORT_H_
