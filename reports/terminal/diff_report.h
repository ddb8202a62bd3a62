// What `conform diff` prints.
#ifndef CONFORM_REPORTS_TERMINAL_DIFF_REPORT_H_
#define CONFORM_REPORTS_TERMINAL_DIFF_REPORT_H_

#include <string>

#include "reports/diff.h"
#include "runners/base/output.h"

namespace conform {

std::string DiffText(const reports::Diff& diff, const Style& style);

}  // namespace conform

#endif  // CONFORM_REPORTS_TERMINAL_DIFF_REPORT_H_
