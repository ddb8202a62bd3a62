// Is a file what the registry says it is?
#ifndef CONFORM_RUNNERS_RUNTIMES_INTEGRITY_H_
#define CONFORM_RUNNERS_RUNTIMES_INTEGRITY_H_

#include <optional>
#include <string>

#include "runners/base/result.h"
#include "runners/runtimes/tools.h"

namespace conform {

struct Checksum {
  enum class Kind { kSha1, kSha512 };
  Kind kind = Kind::kSha512;
  std::string hex;   // in lower case
  std::string text;  // as subresource integrity writes it: "sha512-…"
};

// From the two fields that the registry has: `integrity` ("sha512-BASE64", perhaps several, by spaces) and, for old
// packages alone, `shasum` (SHA-1 in hex). An Error where neither is one that can be checked.
Result<Checksum> StrongestChecksum(const std::string& integrity, const std::string& shasum);

// An Error where the file is another one, or cannot be read.
std::optional<Error> CheckFile(const std::string& file, const Checksum& expected, const Tools& tools);

}  // namespace conform

#endif  // CONFORM_RUNNERS_RUNTIMES_INTEGRITY_H_
