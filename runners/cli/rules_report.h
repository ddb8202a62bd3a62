// What `conform rules` prints.
#ifndef CONFORM_RUNNERS_CLI_RULES_REPORT_H_
#define CONFORM_RUNNERS_CLI_RULES_REPORT_H_

#include <string>

#include "reports/rules_table.h"
#include "runners/cli/output.h"

namespace conform {

// A block for each rule. With `details`, also the programs that asked and the orders that came.
std::string RulesText(const reports::RulesTable& table, bool details, const Style& style);

}  // namespace conform

#endif  // CONFORM_RUNNERS_CLI_RULES_REPORT_H_
