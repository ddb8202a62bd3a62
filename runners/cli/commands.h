// The commands of conform, each with its options. A new one is a line here, a line in main.cc, and a file.
#ifndef CONFORM_RUNNERS_CLI_COMMANDS_H_
#define CONFORM_RUNNERS_CLI_COMMANDS_H_

#include "runners/cli/command_spec.h"

namespace conform {

CommandSpec MakeAdapterCommand();
CommandSpec MakeDiffCommand();
CommandSpec MakeExploreCommand();
CommandSpec MakeGateCommand();
CommandSpec MakeHistoryCommand();
CommandSpec MakeLintCommand();
CommandSpec MakeListCommand();
CommandSpec MakeMergeCommand();
CommandSpec MakeMutantsCommand();
CommandSpec MakeReportCommand();
CommandSpec MakeSurveyCommand();
CommandSpec MakeRunCommand();
CommandSpec MakeRuntimesCommand();
CommandSpec MakeShowCommand();
CommandSpec MakeVerifyCommand();

}  // namespace conform

#endif  // CONFORM_RUNNERS_CLI_COMMANDS_H_
