// The arguments of `conform run`, from the command line or from a results file that is to be resumed.
#ifndef CONFORM_RUNNERS_CLI_RUN_ARGUMENTS_H_
#define CONFORM_RUNNERS_CLI_RUN_ARGUMENTS_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "runners/base/result.h"
#include "runners/cli/command_spec.h"
#include "runners/study/prepared_run.h"

namespace conform {

struct RunArguments : WhatToRun {
  std::string output;
  std::string resume;
  uint64_t seed = 0;
  std::optional<uint64_t> perturb;
  int jobs = 0;
  bool install = false;
  bool strict = false;
  bool ends_at_first = false;  // judgement against an implementation
  bool json = false;
};

std::vector<OptionSpec> RunOptionSpecs(RunArguments* arguments);

// The arguments of the run that wrote a results file: those behind `conform run`, as they were typed.
Result<RunArguments> ParseRunArguments(const std::vector<std::string>& typed);

}  // namespace conform

#endif  // CONFORM_RUNNERS_CLI_RUN_ARGUMENTS_H_
