// What `conform diff` prints.
#ifndef CONFORM_REPORTS_TERMINAL_DIFF_REPORT_H_
#define CONFORM_REPORTS_TERMINAL_DIFF_REPORT_H_

#include <string>

#include "reports/diff.h"
#include "runners/base/output.h"

namespace conform::reports {

std::string DiffText(const Diff& diff, const Style& style);

}  // namespace conform::reports

#endif  // CONFORM_REPORTS_TERMINAL_DIFF_REPORT_H_
