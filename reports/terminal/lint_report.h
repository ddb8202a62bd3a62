// What `conform lint` prints: pure functions of what the linter found.
#ifndef CONFORM_REPORTS_TERMINAL_LINT_REPORT_H_
#define CONFORM_REPORTS_TERMINAL_LINT_REPORT_H_

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "runners/base/output.h"
#include "runners/study/linter.h"

namespace conform {

struct LintReport {
  std::vector<CaseLint> cases;
  std::vector<Error> unreadable;               // files of cases and of the spec
  std::vector<std::string> must_without_case;  // clause ids; empty when only some cases were linted
  int64_t must_clauses = 0;                    // 0 when only some cases were linted

  int64_t Count(Agreement agreement) const;  // cases of which some profile is so, and none worse
  bool Clean() const;
  int ExitCode() const;
};

std::string LintText(const LintReport& report, bool sizes, const Style& style);
// spec/schemas/lint.schema.json
nlohmann::ordered_json LintJson(const LintReport& report);

}  // namespace conform

#endif  // CONFORM_REPORTS_TERMINAL_LINT_REPORT_H_
