// What `conform runtimes` prints.
#ifndef CONFORM_REPORTS_TERMINAL_RUNTIMES_REPORT_H_
#define CONFORM_REPORTS_TERMINAL_RUNTIMES_REPORT_H_

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "runners/runtimes/install.h"

namespace conform::reports {

// A runtime that can be used now.
struct UsableRuntime {
  std::string name;
  std::string version;  // "" where it does not say
  int64_t bytes = 0;    // of the binary
  std::string binary;
  std::string package;  // of npm; "" for one that was found on PATH
  std::string integrity;
};

std::string RuntimesText(const std::vector<UsableRuntime>& runtimes, const std::string& cache);
nlohmann::ordered_json RuntimesJson(const std::vector<UsableRuntime>& runtimes, const std::string& cache);

// Releases in the registry. `installed`: "node@24.21.0", …
std::string AvailableText(const std::string& runtime, const std::vector<AvailableRelease>& releases,
                          const std::vector<std::string>& installed);
nlohmann::ordered_json AvailableJson(const std::string& runtime, const std::vector<AvailableRelease>& releases,
                                     const std::vector<std::string>& installed);

struct InstallReport {
  std::string spec;  // as it was requested
  InstallOutcome outcome;
};
std::string InstallText(const std::vector<InstallReport>& reports);
nlohmann::ordered_json InstallJson(const std::vector<InstallReport>& reports);

std::string RemovedText(const std::vector<InstalledRuntime>& removed);
nlohmann::ordered_json RemovedJson(const std::vector<InstalledRuntime>& removed);

}  // namespace conform::reports

#endif  // CONFORM_REPORTS_TERMINAL_RUNTIMES_REPORT_H_
