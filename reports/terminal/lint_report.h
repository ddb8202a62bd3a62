// What `conform lint` prints: pure functions of what the linter found.
#ifndef CONFORM_REPORTS_TERMINAL_LINT_REPORT_H_
#define CONFORM_REPORTS_TERMINAL_LINT_REPORT_H_

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "runners/base/output.h"
#include "runners/study/linter.h"

namespace conform::reports {

std::string LintText(const LintReport& report, bool sizes, const Style& style);
// spec/schemas/lint.schema.json
nlohmann::ordered_json LintJson(const LintReport& report);

}  // namespace conform::reports

#endif  // CONFORM_REPORTS_TERMINAL_LINT_REPORT_H_
