// What `conform fuzz` prints: pure functions of what it found.
#ifndef CONFORM_REPORTS_TERMINAL_FUZZ_REPORT_H_
#define CONFORM_REPORTS_TERMINAL_FUZZ_REPORT_H_

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "runners/base/output.h"
#include "runners/study/fuzz.h"
#include "runners/study/fuzz_against.h"

namespace conform::reports {

std::string FuzzText(const FuzzReport& report, const Style& style);
// spec/schemas/fuzz.schema.json
nlohmann::ordered_json FuzzJson(const FuzzReport& report);

std::string AgainstText(const AgainstReport& report, const Style& style);
// spec/schemas/fuzz-against.schema.json
nlohmann::ordered_json AgainstJson(const AgainstReport& report);

}  // namespace conform::reports

#endif  // CONFORM_REPORTS_TERMINAL_FUZZ_REPORT_H_
