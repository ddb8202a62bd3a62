#include "reports/terminal/runtimes_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "runners/base/output.h"

namespace conform::reports {
namespace {

using Json = nlohmann::ordered_json;

std::string Megabytes(int64_t bytes) { return fmt::format("{:.1f} MB", static_cast<double>(bytes) / 1e6); }

bool Has(const std::vector<std::string>& all, const std::string& one) {
  return std::find(all.begin(), all.end(), one) != all.end();
}

std::string_view KindName(InstallOutcome::Kind kind) {
  switch (kind) {
    case InstallOutcome::Kind::kInstalled:
      return "installed";
    case InstallOutcome::Kind::kWasThere:
      return "was-there";
    case InstallOutcome::Kind::kNoSuchRelease:
      return "no-such-release";
    case InstallOutcome::Kind::kFailed:
      return "failed";
  }
  return "";
}

}  // namespace

std::string RuntimesText(const std::vector<UsableRuntime>& runtimes, const std::string& cache) {
  size_t width = 7;
  for (const UsableRuntime& one : runtimes) width = std::max(width, Columns(one.version));
  std::string out;
  if (!runtimes.empty()) out = "name     " + Padded("version", width) + "        size  from\n";
  for (const UsableRuntime& one : runtimes) {
    const std::string from = one.package.empty() ? "PATH: " + one.binary : one.package;
    out += fmt::format("{:<7}  {}  {:>10}  {}\n", one.name, Padded(one.version.empty() ? "?" : one.version, width),
                       Megabytes(one.bytes), from);
  }
  const bool none_installed =
      std::all_of(runtimes.begin(), runtimes.end(), [](const UsableRuntime& one) { return one.package.empty(); });
  if (!none_installed) return out + "\ninstalled in " + cache + "\n";
  return out + (out.empty() ? "" : "\n") + "none is installed; see 'conform runtimes install --help'\n";
}

Json RuntimesJson(const std::vector<UsableRuntime>& runtimes, const std::string& cache) {
  Json all = Json::array();
  for (const UsableRuntime& one : runtimes) {
    Json item{{"name", one.name},
              {"version", one.version},
              {"bytes", one.bytes},
              {"binary", one.binary},
              {"from", one.package.empty() ? "path" : "cache"}};
    if (!one.package.empty()) {
      item["package"] = one.package;
      item["integrity"] = one.integrity;
    }
    all.push_back(std::move(item));
  }
  return Json{{"cache", cache}, {"runtimes", std::move(all)}};
}

std::string AvailableText(const std::string& runtime, const std::vector<AvailableRelease>& releases,
                          const std::vector<std::string>& installed) {
  std::string out;
  for (const AvailableRelease& release : releases) {
    const std::string spec = runtime + "@" + release.version;
    out += Has(installed, spec) ? spec + "  installed\n" : spec + "\n";
  }
  return out;
}

Json AvailableJson(const std::string& runtime, const std::vector<AvailableRelease>& releases,
                   const std::vector<std::string>& installed) {
  Json all = Json::array();
  for (const AvailableRelease& release : releases) {
    all.push_back({{"name", runtime},
                   {"version", release.version},
                   {"package", release.package},
                   {"installed", Has(installed, runtime + "@" + release.version)}});
  }
  return Json{{"available", std::move(all)}};
}

std::string InstallText(const std::vector<InstallReport>& reports) {
  std::string out;
  for (const InstallReport& report : reports) {
    if (!report.outcome.ok()) continue;
    const InstalledRuntime& runtime = report.outcome.runtime;
    out +=
        fmt::format("{}@{} {}: {}\n", runtime.name, runtime.version,
                    report.outcome.kind == InstallOutcome::Kind::kInstalled ? "is installed" : "was already installed",
                    runtime.binary);
  }
  return out;
}

Json InstallJson(const std::vector<InstallReport>& reports) {
  Json all = Json::array();
  for (const InstallReport& report : reports) {
    Json item{{"spec", report.spec}, {"outcome", KindName(report.outcome.kind)}};
    if (report.outcome.ok()) {
      const InstalledRuntime& runtime = report.outcome.runtime;
      item["name"] = runtime.name;
      item["version"] = runtime.version;
      item["binary"] = runtime.binary;
      item["integrity"] = runtime.integrity;
    } else {
      item["error"] = report.outcome.error.ToString();
    }
    all.push_back(std::move(item));
  }
  return Json{{"installs", std::move(all)}};
}

std::string RemovedText(const std::vector<InstalledRuntime>& removed) {
  std::string out;
  for (const InstalledRuntime& one : removed) out += one.name + "@" + one.version + " is removed\n";
  return out;
}

Json RemovedJson(const std::vector<InstalledRuntime>& removed) {
  Json all = Json::array();
  for (const InstalledRuntime& one : removed) all.push_back({{"name", one.name}, {"version", one.version}});
  return Json{{"removed", std::move(all)}};
}

}  // namespace conform::reports
