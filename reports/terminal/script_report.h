// What `conform run` prints of scripts that several implementations ran.
#ifndef CONFORM_REPORTS_TERMINAL_SCRIPT_REPORT_H_
#define CONFORM_REPORTS_TERMINAL_SCRIPT_REPORT_H_

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "reports/script_comparison.h"
#include "runners/base/output.h"
#include "runners/study/script_causes.h"

namespace conform::reports {

struct ScriptReport {
  ScriptComparison comparison;
  std::string source;
  std::vector<ScriptCause> causes;  // what may explain a difference
};

// A line, or a few: what a difference is due to, or may be due to.
std::string ScriptCauseText(const ScriptCause& cause, const std::string& indent);
nlohmann::ordered_json ScriptCauseJson(const ScriptCause& cause);

std::string ScriptText(const ScriptReport& report, const Style& style);
nlohmann::ordered_json ScriptJson(const ScriptReport& report);

}  // namespace conform::reports

#endif  // CONFORM_REPORTS_TERMINAL_SCRIPT_REPORT_H_
