// What `conform adapter smoke` prints: pure functions of what was found.
#ifndef CONFORM_REPORTS_TERMINAL_ADAPTER_REPORT_H_
#define CONFORM_REPORTS_TERMINAL_ADAPTER_REPORT_H_

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "runners/base/output.h"
#include "runners/harness/smoke.h"

namespace conform::reports {

struct AdapterSmoke {
  std::string folder;                // as given
  std::string implementation;        // as in --impl; "" where adapter.yaml cannot be read
  std::vector<std::string> command;  // what was started; empty likewise
  SmokeReport report;
};

// At most 80 columns wide.
std::string SmokeText(const AdapterSmoke& smoke, const Style& style);

// spec/schemas/smoke.schema.json
nlohmann::ordered_json SmokeJson(const AdapterSmoke& smoke);

}  // namespace conform::reports

#endif  // CONFORM_REPORTS_TERMINAL_ADAPTER_REPORT_H_
