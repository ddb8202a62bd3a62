// The implementations that can be named: the reference loop, and all that adapters drive.
#ifndef CONFORM_RUNNERS_CLI_IMPLEMENTATIONS_H_
#define CONFORM_RUNNERS_CLI_IMPLEMENTATIONS_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "runners/base/result.h"
#include "runners/cli/home.h"
#include "runners/harness/interrupt.h"
#include "runners/harness/runner.h"
#include "runners/model/results.h"

namespace conform {

struct ImplementationInfo {
  std::string name;
  std::string summary;
};
// What `--impl` takes, without those that a person adds by path.
Result<std::vector<ImplementationInfo>> Implementations(const Home& home);

struct RunnerOptions {
  Home home;
  uint64_t seed = 0;                // what run 0 in virtual time draws its choices from
  std::optional<uint64_t> perturb;  // the seed of what disturbs real runs
  bool install = false;             // runtimes that are missing
  const Interrupt* interrupt = nullptr;
  std::string run_word;
};

// `list`: "ref,node@24,bun". Errors carry the nearest name, or the command that installs what is missing.
Result<std::vector<std::unique_ptr<Runner>>> MakeRunners(std::string_view list, const RunnerOptions& options);

// How it introduced itself; nothing for the reference loop.
std::optional<RunImplementation> Introduction(const Runner& runner);

}  // namespace conform

#endif  // CONFORM_RUNNERS_CLI_IMPLEMENTATIONS_H_
