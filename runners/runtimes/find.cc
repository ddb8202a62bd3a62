#include "runners/runtimes/find.h"

#include <filesystem>
#include <optional>

#include "runners/base/text.h"
#include "runners/runtimes/package.h"

namespace conform {
namespace {

namespace fs = std::filesystem;

constexpr int64_t kVersionTimeoutMs = 20'000;

}  // namespace

Result<FoundRuntime> FindRuntime(const std::string& runtime, const std::string& version, const RuntimeCache& cache,
                                 const Tools& tools) {
  if (!IsKnownRuntime(runtime)) {
    if (!version.empty()) {
      return Error{
          "of '" + runtime + "' no versions can be installed", "", {}, "use the one on PATH, or " + runtime + "=PATH"};
    }
    if (auto binary = tools.OnPath(runtime)) return FoundRuntime{*binary, runtime};
    return Error{"'" + runtime + "' is not on the PATH"};
  }
  const auto spec = ParseRuntimeSpec(version.empty() ? runtime : runtime + "@" + version);
  if (!spec) return spec.error();
  if (spec->version.empty()) {
    if (auto binary = tools.OnPath(runtime)) return FoundRuntime{*binary, runtime};
  }
  if (auto found = cache.Find(runtime, spec->version)) {
    return FoundRuntime{found->binary, runtime + "@" + found->version};
  }
  return Error::WithHint(spec->version.empty() ? runtime + " is neither on the PATH nor installed"
                                               : spec->ToString() + " is not installed",
                         (spec->version.empty() ? "" : "if there is such a release: ") +
                             std::string("conform runtimes install ") + spec->ToString());
}

std::string VersionOf(const std::string& binary, const Tools& tools) {
  const auto output = tools.Output({binary, "--version"}, "", kVersionTimeoutMs);
  if (!output) return "";
  const std::string line = ForMessage(Split(*output, '\n')[0]);
  const std::vector<std::string> words = Split(line, ' ');
  for (const std::string& word : words) {
    const std::string version = word.starts_with('v') ? word.substr(1) : word;
    if (IsExactVersion(version)) return version;
  }
  return words.back();
}

Result<FoundRuntime> RuntimeByPath(const std::string& runtime, const std::string& path) {
  std::error_code code;
  const fs::path absolute = fs::absolute(path, code);
  if (path.empty())
    return Error::WithHint("'" + runtime + "=' names no file", "as in " + runtime + "=./out/" + runtime);
  if (code || !fs::exists(absolute, code)) return Error{"there is no such file", path};
  if (!IsProgram(absolute.string())) return Error{"is not an executable program", path};
  return FoundRuntime{absolute.lexically_normal().string(), runtime + "=" + path};
}

}  // namespace conform
