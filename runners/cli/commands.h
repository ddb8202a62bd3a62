// The commands of conform. Each adds itself to the command line; the one that is chosen runs afterwards.
#ifndef CONFORM_RUNNERS_CLI_COMMANDS_H_
#define CONFORM_RUNNERS_CLI_COMMANDS_H_

#include <CLI/CLI.hpp>
#include <functional>
#include <memory>
#include <string>

#include "runners/cli/home.h"
#include "runners/cli/output.h"

namespace conform {

struct Context {
  Home home;
  std::string command_line;            // as typed, for the results file
  std::vector<std::string> arguments;  // the same: the command, and what stands behind it
  Style out;                           // how stdout may look
};

// Returns the exit code.
using Command = std::function<int(const Context&)>;

void AddRunCommand(CLI::App& app, Command* chosen);
void AddListCommand(CLI::App& app, Command* chosen);
void AddShowCommand(CLI::App& app, Command* chosen);
void AddExploreCommand(CLI::App& app, Command* chosen);
void AddLintCommand(CLI::App& app, Command* chosen);
void AddMutantsCommand(CLI::App& app, Command* chosen);
void AddHistoryCommand(CLI::App& app, Command* chosen);
void AddVerifyCommand(CLI::App& app, Command* chosen);
void AddRuntimesCommand(CLI::App& app, Command* chosen);
void AddAdapterCommand(CLI::App& app, Command* chosen);
void AddDiffCommand(CLI::App& app, Command* chosen);
void AddGateCommand(CLI::App& app, Command* chosen);
void AddReportCommand(CLI::App& app, Command* chosen);
void AddMergeCommand(CLI::App& app, Command* chosen);
void AddRulesCommand(CLI::App& app, Command* chosen);

// Makes `run` the chosen command once `sub` was parsed. `options` lives as long as the command.
template <typename Options>
void ChooseWhenParsed(CLI::App* sub, Command* chosen, std::shared_ptr<Options> options,
                      int (*run)(const Options&, const Context&)) {
  sub->callback(
      [chosen, options, run] { *chosen = [options, run](const Context& context) { return run(*options, context); }; });
}

// --format=text|json, into `json`.
void AddFormatOption(CLI::App* sub, bool* json);
// A check for options: a whole number of this range.
CLI::Validator NumberBetween(int64_t least, int64_t most);
// --jobs=N.
void AddJobsOption(CLI::App* sub, int* jobs);

}  // namespace conform

#endif  // CONFORM_RUNNERS_CLI_COMMANDS_H_
