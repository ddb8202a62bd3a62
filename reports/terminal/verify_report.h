// What `conform verify` prints: pure functions of the results.
#ifndef CONFORM_REPORTS_TERMINAL_VERIFY_REPORT_H_
#define CONFORM_REPORTS_TERMINAL_VERIFY_REPORT_H_

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "runners/base/output.h"
#include "runners/study/verify.h"

namespace conform::reports {

std::string VerifyText(const VerifyReport& report, const Style& style);
// spec/schemas/verify.schema.json
nlohmann::ordered_json VerifyJson(const VerifyReport& report);

}  // namespace conform::reports

#endif  // CONFORM_REPORTS_TERMINAL_VERIFY_REPORT_H_
