// What `conform fuzz` prints: pure functions of what it found.
#ifndef CONFORM_REPORTS_TERMINAL_FUZZ_REPORT_H_
#define CONFORM_REPORTS_TERMINAL_FUZZ_REPORT_H_

#include <nlohmann/json.hpp>
#include <string>

#include "runners/base/output.h"
#include "runners/study/fuzz.h"

namespace conform {

std::string FuzzText(const FuzzReport& report, const Style& style);
// spec/schemas/fuzz.schema.json
nlohmann::ordered_json FuzzJson(const FuzzReport& report);

}  // namespace conform

#endif  // CONFORM_REPORTS_TERMINAL_FUZZ_REPORT_H_
