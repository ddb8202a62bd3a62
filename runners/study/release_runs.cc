#include "runners/study/release_runs.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <tuple>
#include <utility>

#include "runners/base/output.h"
#include "runners/harness/process.h"
#include "runners/harness/run_item.h"
#include "runners/runtimes/install.h"
#include "runners/study/ref_runners.h"

namespace conform {
namespace {

constexpr char kNoEnd[] = "…";          // behind the labels of a run that did not end
constexpr int64_t kEnoughTroubled = 8;  // runs with trouble, each of which may take its whole time

Result<std::vector<std::string>> Installable(const std::string& runtime, const Interrupt* interrupt) {
  const Tools tools{OwnEnvironment(), interrupt};
  const auto folder = CacheFolder(tools.environment);
  if (!folder) return folder.error();
  const RuntimeCache cache(*folder);
  const Installer installer(cache, tools, OwnPlatform(), [](const std::string& line) { PrintLine(line); });
  const auto available = installer.Available(runtime);
  if (!available) {
    const Error& error = available.error();
    return Error{error.message, error.file, error.at, "--installed takes only what is installed"};
  }
  std::vector<std::string> versions;
  for (const AvailableRelease& release : *available) versions.push_back(release.version);
  return versions;
}

// The place of the release that `wanted` means.
Result<size_t> PlaceOf(const std::string& option, const std::string& wanted, const LineOfReleases& line,
                       const std::vector<std::string>& versions) {
  const auto version = NewestThatFits(wanted, versions);
  const auto place = version ? std::find(versions.begin(), versions.end(), *version) : versions.end();
  if (place != versions.end()) return static_cast<size_t>(place - versions.begin());
  const std::string what = line.installed ? " is installed" : " exists";
  return Error::WithHint(option + "=" + wanted + ": no release of " + line.runtime + " that fits" + what,
                         "conform runtimes list --available=" + line.runtime + " lists them");
}

}  // namespace

std::vector<std::string> InstalledReleases(const std::string& runtime) {
  std::vector<std::string> versions;
  const auto folder = CacheFolder(OwnEnvironment());
  if (!folder) return versions;
  for (const InstalledRuntime& one : RuntimeCache(*folder).List()) {
    if (one.name == runtime && IsRelease(one.version)) versions.push_back(one.version);
  }
  std::sort(versions.begin(), versions.end(), IsOlder);
  return versions;
}

Result<std::vector<std::string>> ReleasesOf(const LineOfReleases& line, const Interrupt* interrupt) {
  const auto spec = ParseRuntimeSpec(line.runtime);
  if (!spec) return spec.error();
  if (!spec->version.empty()) {
    return Error::WithHint("'" + line.runtime + "' is one release",
                           "--impl=" + spec->runtime + " with --from and --to");
  }
  std::vector<std::string> versions = InstalledReleases(line.runtime);
  if (!line.installed) {
    auto all = Installable(line.runtime, interrupt);
    if (!all) return all.error();
    versions = std::move(*all);
    std::erase_if(versions, [](const std::string& version) { return !IsRelease(version); });
  }
  if (versions.size() < 2) return Error{"fewer than two releases of " + line.runtime + " are installed"};
  size_t first = 0, last = versions.size() - 1;
  for (const auto& [option, wanted, place] :
       {std::tuple{"--from", line.from, &first}, std::tuple{"--to", line.to, &last}}) {
    if (wanted.empty()) continue;
    const auto found = PlaceOf(option, wanted, line, versions);
    if (!found) return found.error();
    *place = *found;
  }
  if (first >= last) {
    return Error{"--from=" + versions[first] + " is not older than --to=" + versions[last]};
  }
  return std::vector<std::string>(versions.begin() + static_cast<std::ptrdiff_t>(first),
                                  versions.begin() + static_cast<std::ptrdiff_t>(last) + 1);
}

Result<ReleaseSample> RunOnRelease(const SelectedCase& selected, const Profiles& profiles, const std::string& runtime,
                                   const std::string& version, int64_t runs, const RunnerOptions& options) {
  const auto runners = MakeRunners(runtime + "@" + version, options);
  if (!runners) return runners.error();
  const Runner& runner = *runners->front();
  ReleaseSample sample{version, {}, {}, "", ""};
  Profile held;
  if (const Claims* claims = runner.claims()) {
    held = ProfileOf(*claims, profiles).profile;
    sample.claims = claims->family + "@" + claims->version;
    // A model of the runtime itself, not of what it resembles.
    const ProfileFamily* family = profiles.Find(held.family);
    const bool is_itself = family != nullptr && family->name == runtime && !held.rules.empty();
    if (is_itself && !family->Unsupported(selected.c, held.version)) sample.profile = held;
  }
  if (const auto obstacle = runner.CannotRun(selected.c, held)) return Error{obstacle->why};
  Plan plan;
  plan.cases.push_back(selected);
  plan.items.push_back({0, &runner, std::make_shared<Profile>(held), "", nullptr});
  // A run that had trouble is the last of its item.
  for (int64_t troubled = 0; sample.runs() < runs && troubled < kEnoughTroubled;) {
    const auto result = RunItem(plan, plan.items[0], ModelOracle(), {runs - sample.runs(), 1});
    if (!result) return Error{"interrupted"};
    const bool has_run = result->verdict != Verdict::kUnsupported && result->verdict != Verdict::kProtocolError;
    if (!has_run) return Error{result->reason};
    for (const Try& one : result->tries) {
      Order order = one.trace.ToOrder();
      if (!one.trouble.empty()) {
        order.emplace_back(kNoEnd);
        sample.trouble = one.trouble;
        ++troubled;
      }
      ++sample.orders[order];
    }
  }
  return sample;
}

}  // namespace conform
