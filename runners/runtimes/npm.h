// The npm client, asked by package name. What it prints comes from a network and is checked before it is used.
#ifndef CONFORM_RUNNERS_RUNTIMES_NPM_H_
#define CONFORM_RUNNERS_RUNTIMES_NPM_H_

#include <string>
#include <vector>

#include "runners/base/result.h"
#include "runners/runtimes/integrity.h"
#include "runners/runtimes/tools.h"

namespace conform {

class Npm {
 public:
  // `folder` is where npm runs: settings of the project that the user happens to be in do not count.
  Npm(const Tools& tools, std::string folder) : tools_(tools), folder_(std::move(folder)) {}

  // Every version of a package that is an exact version, in no order.
  Result<std::vector<std::string>> Versions(const std::string& package) const;
  // The strongest checksum of the archive of a version.
  Result<Checksum> ChecksumOf(const std::string& package, const std::string& version) const;
  // Downloads the archive into `destination`, an empty folder, and says which file it is.
  Result<std::string> Pack(const std::string& package, const std::string& version,
                           const std::string& destination) const;

 private:
  Result<std::string> Ask(std::vector<std::string> arguments, int64_t timeout_ms) const;

  const Tools& tools_;
  const std::string folder_;
};

// What `npm view PACKAGE versions --json` prints: a list, or a text where there is but one.
Result<std::vector<std::string>> ParseVersions(const std::string& output);
// What `npm view PACKAGE@VERSION dist --json` prints.
Result<Checksum> ParseDist(const std::string& output);
// Why npm failed, in short: from the object that newer ones print, or else from stderr.
Error NpmTrouble(const std::string& output, const std::string& errors);

}  // namespace conform

#endif  // CONFORM_RUNNERS_RUNTIMES_NPM_H_
