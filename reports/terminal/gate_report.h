// What `conform gate` prints.
#ifndef CONFORM_REPORTS_TERMINAL_GATE_REPORT_H_
#define CONFORM_REPORTS_TERMINAL_GATE_REPORT_H_

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "reports/baseline_update.h"
#include "reports/gate.h"
#include "runners/base/output.h"

namespace conform::reports {

// `baseline`: the file, as given.
std::string GateText(const GateReport& report, const std::string& baseline, const GateOptions& options,
                     const Style& style);

// The ids of the cases that close the gate, one a line.
std::string ClosingCases(const GateReport& report, const GateOptions& options);

std::string UpdateText(const BaselineUpdate& update, const std::string& baseline, const Style& style);
nlohmann::ordered_json UpdateJson(const BaselineUpdate& update, const std::string& baseline);

}  // namespace conform::reports

#endif  // CONFORM_REPORTS_TERMINAL_GATE_REPORT_H_
