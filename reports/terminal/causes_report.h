// What `conform causes` prints.
#ifndef CONFORM_REPORTS_TERMINAL_CAUSES_REPORT_H_
#define CONFORM_REPORTS_TERMINAL_CAUSES_REPORT_H_

#include <cstddef>
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "runners/base/output.h"
#include "runners/study/cause_truth.h"
#include "runners/study/causes.h"

namespace conform::reports {

// The change of a cause, with how many it explains, in words; and what it is indistinguishable from, at most `limit`.
std::string CauseHeading(const Cause& cause, const std::string& how_many, size_t limit, const Style& style);
// At most `limit` cases of each list; of the others the number.
std::string CausesText(const CausesReport& report, size_t limit, const Style& style);
// For an issue tracker: all of them. `address`: where a program can be tried, "" for nowhere.
std::string CausesMarkdown(const CausesReport& report,
                           const std::function<std::string(const Case& program)>& address = nullptr);
// How right it is, where that is known; at most `limit` rules of each list.
std::string CauseTruthText(const CauseTruth& truth, size_t limit);
nlohmann::ordered_json CauseTruthJson(const CauseTruth& truth);
std::string CausePredictionText(const CausePrediction& prediction);
nlohmann::ordered_json CausePredictionJson(const CausePrediction& prediction);
// spec/schemas/causes.schema.json
nlohmann::ordered_json CausesJson(const CausesReport& report);

}  // namespace conform::reports

#endif  // CONFORM_REPORTS_TERMINAL_CAUSES_REPORT_H_
