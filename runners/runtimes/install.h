// Installs runtimes into the cache: real binaries, from the registry of the npm client, checked.
#ifndef CONFORM_RUNNERS_RUNTIMES_INSTALL_H_
#define CONFORM_RUNNERS_RUNTIMES_INSTALL_H_

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "runners/base/result.h"
#include "runners/runtimes/cache.h"
#include "runners/runtimes/integrity.h"
#include "runners/runtimes/npm.h"
#include "runners/runtimes/package.h"
#include "runners/runtimes/release.h"
#include "runners/runtimes/tools.h"

namespace conform {

// One that the registry has.
struct AvailableRelease {
  std::string version;
  std::string package;
};

struct InstallOutcome {
  enum class Kind { kInstalled, kWasThere, kNoSuchRelease, kFailed };
  Kind kind = Kind::kFailed;
  InstalledRuntime runtime;  // of the first two
  Error error;               // of the last two

  bool ok() const { return kind == Kind::kInstalled || kind == Kind::kWasThere; }
};

class Installer {
 public:
  // Called with lines for display: "node 24.21.0: downloading".
  using Tell = std::function<void(const std::string& line)>;

  Installer(const RuntimeCache& cache, Tools tools, Platform platform, Tell tell)
      : cache_(cache), tools_(std::move(tools)), platform_(std::move(platform)), tell_(std::move(tell)) {}

  // Every release of a runtime that can be installed on this platform, oldest first; with a suffix, too.
  Result<std::vector<AvailableRelease>> Available(const std::string& runtime) const;

  // Resolves `spec` to an exact version and sees to it that this is installed. Of several processes that install the
  // same at once, one does, and the others wait for it. One that is killed at any moment leaves nothing that counts as
  // installed; what it does leave, the next one removes.
  InstallOutcome Install(const RuntimeSpec& spec) const;

  // False when it was not there. `version` is exact.
  Result<bool> Remove(const std::string& runtime, const std::string& version) const;

 private:
  Result<CacheLock> Lock(const std::string& runtime, const std::string& version) const;
  Result<InstalledRuntime> InstallRelease(const std::string& runtime, const AvailableRelease& release) const;
  Result<InstalledRuntime> InstallInto(const std::string& temporary, const std::string& runtime,
                                       const AvailableRelease& release) const;
  std::optional<Error> TryBinary(const std::string& file, const std::string& runtime, const std::string& version) const;
  Result<std::string> FolderForNpm() const;

  const RuntimeCache& cache_;
  const Tools tools_;
  const Platform platform_;
  const Tell tell_;
};

}  // namespace conform

#endif  // CONFORM_RUNNERS_RUNTIMES_INSTALL_H_
