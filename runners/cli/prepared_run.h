// From the arguments of a run to its plan.
#ifndef CONFORM_RUNNERS_CLI_PREPARED_RUN_H_
#define CONFORM_RUNNERS_CLI_PREPARED_RUN_H_

#include <memory>
#include <vector>

#include "runners/cli/command_spec.h"
#include "runners/cli/run_arguments.h"
#include "runners/harness/plan.h"
#include "runners/study/implementations.h"
#include "runners/study/ref_runners.h"

namespace conform {

// Everything that a run needs, or the errors that keep it from starting.
struct Prepared {
  std::vector<std::unique_ptr<Runner>> runners;
  ModelOracle late;
  Plan plan;
  Shard shard;
  std::vector<Error> errors;
  std::vector<Error> left_out;  // implementations that were asked for and cannot be run here
};

Prepared Prepare(const RunArguments& arguments, const Context& context, const RunnerOptions& options);

}  // namespace conform

#endif  // CONFORM_RUNNERS_CLI_PREPARED_RUN_H_
