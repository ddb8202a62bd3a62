// Finds the binary that an implementation runs on.
#ifndef CONFORM_RUNNERS_RUNTIMES_FIND_H_
#define CONFORM_RUNNERS_RUNTIMES_FIND_H_

#include <string>

#include "runners/base/result.h"
#include "runners/runtimes/cache.h"
#include "runners/runtimes/tools.h"

namespace conform {

struct FoundRuntime {
  std::string binary;  // absolute
  std::string option;  // what means it exactly: "node@20.20.2"; "node" for the one on PATH
};

// `version` is what follows the @, or "". Without one: the binary of this name on PATH, or else the newest that is
// installed. With one: the newest installed that fits. An Error whose hint is the command that would install it.
// Runtimes that cannot be installed are looked for on PATH alone.
Result<FoundRuntime> FindRuntime(const std::string& runtime, const std::string& version, const RuntimeCache& cache,
                                 const Tools& tools);

// What a binary says of its version, "20.20.2" or for workerd a date; "" where it does not run.
std::string VersionOf(const std::string& binary, const Tools& tools);

// `path` as in node=./out/Release/node.
Result<FoundRuntime> RuntimeByPath(const std::string& runtime, const std::string& path);

}  // namespace conform

#endif  // CONFORM_RUNNERS_RUNTIMES_FIND_H_
