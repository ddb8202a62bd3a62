// Releases of a runtime by version: which one is meant, and which is newest.
#ifndef CONFORM_RUNNERS_RUNTIMES_RELEASE_H_
#define CONFORM_RUNNERS_RUNTIMES_RELEASE_H_

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "runners/base/result.h"

namespace conform {

// "node", "node@20", "node@24.21.0", "bun@1.4.2-canary.20260928.1".
struct RuntimeSpec {
  std::string runtime;
  std::string version;  // as the registry writes them, or the first parts of it; "" for the newest

  std::string ToString() const { return version.empty() ? runtime : runtime + "@" + version; }
};
// Refuses what is not a runtime that can be installed, and what cannot be a version. What it lets through is safe as a
// part of a path and as an argument of a program.
Result<RuntimeSpec> ParseRuntimeSpec(std::string_view text);

// "24.21.0", or that with a suffix: "1.4.2-canary.20260928.1". Nothing of it can lead out of a folder.
bool IsExactVersion(std::string_view version);
// Without a suffix.
bool IsRelease(std::string_view version);

// "20" is fitted by every release 20.x.y, "" by every release; a version with a suffix by itself alone.
bool Fits(std::string_view wanted, std::string_view version);

// Older first, by number; a version with a suffix comes before the one without. REQUIRES: both are exact.
bool IsOlder(std::string_view a, std::string_view b);

// Of those that are exact versions.
std::optional<std::string> NewestThatFits(std::string_view wanted, const std::vector<std::string>& versions);

// The newest release of each major version, oldest first; before 1.0 minor versions count as major ones.
std::vector<std::string> NewestOfEachMajor(const std::vector<std::string>& versions);

}  // namespace conform

#endif  // CONFORM_RUNNERS_RUNTIMES_RELEASE_H_
