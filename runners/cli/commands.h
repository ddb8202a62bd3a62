// The commands of conform, each with its options. A new one is a line here, and a file.
#ifndef CONFORM_RUNNERS_CLI_COMMANDS_H_
#define CONFORM_RUNNERS_CLI_COMMANDS_H_

#include "runners/cli/command_spec.h"

namespace conform {

// In the order of the help. MakeRunCommand() is in run_command.cc, and so on.
// clang-format off
#define CONFORM_COMMANDS(X) \
  X(Run) \
  X(List) \
  X(Show) \
  X(Search) \
  X(Explore) \
  X(Lift) \
  X(Lint) \
  X(Mutants) \
  X(Fuzz) \
  X(History) \
  X(Bisect) \
  X(Causes) \
  X(Infer) \
  X(Whatif) \
  X(Verify) \
  X(Runtimes) \
  X(Adapter) \
  X(Diff) \
  X(Gate) \
  X(Report) \
  X(Site) \
  X(Merge) \
  X(Survey) \
  X(Bench)
// clang-format on

#define CONFORM_DECLARE_COMMAND(Name) CommandSpec Make##Name##Command();
CONFORM_COMMANDS(CONFORM_DECLARE_COMMAND)
#undef CONFORM_DECLARE_COMMAND

}  // namespace conform

#endif  // CONFORM_RUNNERS_CLI_COMMANDS_H_
