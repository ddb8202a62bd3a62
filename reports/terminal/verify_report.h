// What `conform verify` prints: pure functions of the results.
#ifndef CONFORM_REPORTS_TERMINAL_VERIFY_REPORT_H_
#define CONFORM_REPORTS_TERMINAL_VERIFY_REPORT_H_

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "runners/base/output.h"
#include "runners/model/verdict.h"

namespace conform {

// How much a case can be relied on, from best to worst.
enum class Stability {
  kStable,  // one order in all runs, and it is expected
  kVaries,  // several orders, all of them expected
  kLate,    // some runs gave an order that only a delay explains
  kWrong,   // an order that no delay explains, or a run that did not end as it should
  kNotRun,  // unsupported, or nothing is expected of this version
};
std::string_view StabilityName(Stability stability);  // "stable", "varies", "late", "wrong", "not run"

// One case on one implementation, with and without load.
struct Verified {
  CaseResult calm;
  CaseResult disturbed;

  Stability stability() const;
};

struct VerifyReport {
  std::vector<Verified> all;

  int64_t Count(Stability stability) const;
  // 1 where something is wrong; with `strict`, also where something is late.
  int ExitCode(bool strict) const;
};

std::string VerifyText(const VerifyReport& report, const Style& style);
// spec/schemas/verify.schema.json
nlohmann::ordered_json VerifyJson(const VerifyReport& report);

}  // namespace conform

#endif  // CONFORM_REPORTS_TERMINAL_VERIFY_REPORT_H_
