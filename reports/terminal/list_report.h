// What `conform list` and `conform show` print: pure functions of what was loaded.
#ifndef CONFORM_REPORTS_TERMINAL_LIST_REPORT_H_
#define CONFORM_REPORTS_TERMINAL_LIST_REPORT_H_

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "runners/base/output.h"
#include "runners/model/case.h"
#include "runners/model/case_text.h"
#include "runners/model/clause.h"
#include "runners/model/profile.h"
#include "runners/study/implementations.h"

namespace conform::reports {

// Lines are cut at `width`; 0 leaves them whole, for a pipe.
std::string CasesText(const std::vector<Case>& cases, size_t width);
std::string ClausesText(const ClauseList& clauses, const std::vector<Case>& cases);
std::string ProfilesText(const std::vector<ProfileFamily>& families, const Style& style);
std::string ImplementationsText(const std::vector<ImplementationInfo>& all);

// spec/schemas/list.schema.json
nlohmann::ordered_json CasesJson(const std::vector<Case>& cases);
nlohmann::ordered_json ClausesJson(const ClauseList& clauses, const std::vector<Case>& cases);
nlohmann::ordered_json ProfilesJson(const std::vector<ProfileFamily>& families);
nlohmann::ordered_json ImplementationsJson(const std::vector<ImplementationInfo>& all);

// How many of the MUST clauses some case names.
struct Coverage {
  int64_t with_case = 0;
  int64_t all = 0;
  double Percentage() const { return all == 0 ? 100.0 : 100.0 * static_cast<double>(with_case) / all; }
};
Coverage MustCoverage(const ClauseList& clauses, const std::vector<Case>& cases);

}  // namespace conform::reports

#endif  // CONFORM_REPORTS_TERMINAL_LIST_REPORT_H_
