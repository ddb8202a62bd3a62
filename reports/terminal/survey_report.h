// What `conform survey` prints.
#ifndef CONFORM_REPORTS_TERMINAL_SURVEY_REPORT_H_
#define CONFORM_REPORTS_TERMINAL_SURVEY_REPORT_H_

#include <string>

#include "reports/survey_table.h"
#include "runners/base/output.h"

namespace conform::reports {

// A block for each question. With `details`, also the programs that asked and the orders that came.
std::string SurveyText(const SurveyTable& table, bool details, const Style& style);

}  // namespace conform::reports

#endif  // CONFORM_REPORTS_TERMINAL_SURVEY_REPORT_H_
