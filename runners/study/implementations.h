// The implementations that can be named: the reference loop, and all that adapters drive.
#ifndef CONFORM_RUNNERS_STUDY_IMPLEMENTATIONS_H_
#define CONFORM_RUNNERS_STUDY_IMPLEMENTATIONS_H_

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "runners/base/result.h"
#include "runners/harness/interrupt.h"
#include "runners/harness/run_scope.h"
#include "runners/harness/runner.h"
#include "runners/study/home.h"

namespace conform {

struct ImplementationInfo {
  std::string name;
  std::string summary;
};
// What `--impl` takes, without those that a user adds by path.
// `errors`: of adapters that cannot be read.
std::vector<ImplementationInfo> Implementations(const Home& home, std::vector<Error>* errors);

struct RunnerOptions {
  Home home;
  uint64_t seed = 0;                // what run 0 in virtual time draws its choices from
  std::optional<uint64_t> perturb;  // the seed of what disturbs real runs
  bool install = false;             // runtimes that are missing
  const Interrupt* interrupt = nullptr;
  std::string run_word;
  int64_t ready_ms = 60'000;  // how long it may take to start; a browser takes long on a busy machine
  std::map<std::string, std::string> variables = {};  // more of them for the processes of all implementations
};

// `list`: "ref,node@24,bun". Errors carry the nearest name, or the command that installs what is missing. With
// `left_out`, one of several that is not installed, or does not start, is left out, and listed there; the others are
// made. What an adapter.yaml of the tree has wrong is reported on stderr.
Result<std::vector<std::unique_ptr<Runner>>> MakeRunners(std::string_view list, const RunnerOptions& options,
                                                         std::vector<Error>* left_out = nullptr);

// The same for a question that can be put to one implementation at a time: several are an error.
Result<std::unique_ptr<Runner>> MakeRunner(std::string_view word, const RunnerOptions& options);

// One implementation that a command puts questions to, and what the command holds while it runs it.
struct OpenedImplementation {
  std::unique_ptr<RunScope> scope;
  RunnerOptions options;  // those that made the runner, for further ones
  std::unique_ptr<Runner> runner;

  const Interrupt& interrupt() const { return scope->interrupt(); }
};
// REQUIRES: as of RunScope::Open.
Result<OpenedImplementation> OpenImplementation(std::string_view word, const Home& home, bool install);

// To stderr: each that was left out, and why, and one command line that installs what all of them lack.
void PrintLeftOut(const std::vector<Error>& left_out);

}  // namespace conform

#endif  // CONFORM_RUNNERS_STUDY_IMPLEMENTATIONS_H_
