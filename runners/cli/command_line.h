// From what was typed to the command that is meant.
#ifndef CONFORM_RUNNERS_CLI_COMMAND_LINE_H_
#define CONFORM_RUNNERS_CLI_COMMAND_LINE_H_

#include <functional>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "runners/cli/command_spec.h"

namespace conform {

// The command that is meant, with its options set; or, where there is nothing to run, an exit code: the help or the
// version was printed, or an error that names the word and the nearest one that there is.
// `implementations` gives their names, for somebody who types one of them in place of a command.
using NamesOf = std::function<std::vector<std::string>()>;
std::variant<const CommandSpec*, int> ParseCommandLine(const std::vector<CommandSpec>& commands,
                                                       const std::vector<std::string>& typed,
                                                       const NamesOf& implementations);

// Sets `options` from words that were typed behind a command.
std::optional<Error> ParseOptions(const std::vector<OptionSpec>& options, const std::vector<std::string>& typed);

}  // namespace conform

#endif  // CONFORM_RUNNERS_CLI_COMMAND_LINE_H_
