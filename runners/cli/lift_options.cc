#include "runners/cli/lift_options.h"

#include <string>

namespace conform {

std::vector<OptionSpec> LiftOptionSpecs(LiftOptions* options) {
  const auto by_default = [](int64_t value) { return "(default " + std::to_string(value) + ")"; };
  return {
      Value("--impl", "NAME", &options->node,
            "the Node.js that runs a script, such as node@24\n"
            "(default: the one on PATH, or the newest that is\ninstalled)"),
      Value("--runs", "N", &options->runs,
            "how often to run a script; every second run is\ndisturbed " + by_default(options->runs))
          .Between(1, 1'000),
      Value("--timeout", "S", &options->timeout_s, "seconds for each run of a script " + by_default(options->timeout_s))
          .Between(1, 86'400)};
}

bool IsAnyGiven(const LiftOptions& options) {
  const LiftOptions plain;
  return options.node != plain.node || options.runs != plain.runs || options.timeout_s != plain.timeout_s;
}

}  // namespace conform
