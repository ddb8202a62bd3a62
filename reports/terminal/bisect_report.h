// What `conform bisect` prints.
#ifndef CONFORM_REPORTS_TERMINAL_BISECT_REPORT_H_
#define CONFORM_REPORTS_TERMINAL_BISECT_REPORT_H_

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "runners/base/output.h"
#include "runners/study/bisect.h"

namespace conform::reports {

std::string BisectText(const BisectReport& report, const Style& style);
// spec/schemas/bisect.schema.json
nlohmann::ordered_json BisectJson(const BisectReport& report);

}  // namespace conform::reports

#endif  // CONFORM_REPORTS_TERMINAL_BISECT_REPORT_H_
