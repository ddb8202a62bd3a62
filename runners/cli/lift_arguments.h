// What the commands share that take a script of JavaScript and lift it.
#ifndef CONFORM_RUNNERS_CLI_LIFT_ARGUMENTS_H_
#define CONFORM_RUNNERS_CLI_LIFT_ARGUMENTS_H_

#include <string>
#include <vector>

#include "runners/cli/command_spec.h"
#include "runners/lift/lift.h"

namespace conform {

// Whether a word of the command line is a script: x.js, x.cjs, x.mjs, and those of TypeScript, which are refused.
bool IsScriptWord(const std::string& word);

// Says on stderr that the script is run, and lifts it. `exit_code`: of the error, where there is one.
Result<Lifted> LiftScript(const std::string& script, LiftOptions options, const Context& context, int* exit_code);

}  // namespace conform

#endif  // CONFORM_RUNNERS_CLI_LIFT_ARGUMENTS_H_
