// How a script is run that is lifted: what `lift` and `explore` take.
#ifndef CONFORM_RUNNERS_CLI_LIFT_OPTIONS_H_
#define CONFORM_RUNNERS_CLI_LIFT_OPTIONS_H_

#include <vector>

#include "runners/cli/command_spec.h"
#include "runners/lift/lift.h"

namespace conform {

// --impl, --runs and --timeout.
std::vector<OptionSpec> LiftOptionSpecs(LiftOptions* options);

// Whether one of them was given.
bool IsAnyGiven(const LiftOptions& options);

}  // namespace conform

#endif  // CONFORM_RUNNERS_CLI_LIFT_OPTIONS_H_
