// Which npm packages hold a runtime, and where the binary is in them.
#ifndef CONFORM_RUNNERS_RUNTIMES_PACKAGE_H_
#define CONFORM_RUNNERS_RUNTIMES_PACKAGE_H_

#include <string>
#include <vector>

#include "runners/base/result.h"

namespace conform {

struct Platform {
  std::string os;    // "linux", "darwin"; "" for any other
  std::string arch;  // "x64", "arm64"; "" for any other
};
Platform OwnPlatform();

struct RuntimePackages {
  std::vector<std::string> packages;  // a release is taken from the first that has it
  std::string binary;                 // in the package, without its top folder: "bin/node"
};

// "bun", "deno", "node", "workerd": what can be installed.
const std::vector<std::string>& KnownRuntimes();
bool IsKnownRuntime(const std::string& name);

// An Error with the nearest name where `runtime` is not known, or where it has no package for the platform.
Result<RuntimePackages> PackagesOf(const std::string& runtime, const Platform& platform);

}  // namespace conform

#endif  // CONFORM_RUNNERS_RUNTIMES_PACKAGE_H_
