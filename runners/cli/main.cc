// The command line of conform: chooses a command, and turns every kind of trouble into its exit code.
#include <fcntl.h>
#include <unistd.h>

#include <csignal>
#include <exception>
#include <string>
#include <variant>
#include <vector>

#include "runners/base/text.h"
#include "runners/cli/command_line.h"
#include "runners/cli/commands.h"
#include "runners/study/implementations.h"

namespace conform {
namespace {

std::vector<CommandSpec> AllCommands() {
#define CONFORM_MAKE_COMMAND(Name) Make##Name##Command(),
  return {CONFORM_COMMANDS(CONFORM_MAKE_COMMAND)};
#undef CONFORM_MAKE_COMMAND
}

std::string CommandLine(const std::vector<std::string>& arguments) {
  std::string line = "conform";
  for (const std::string& argument : arguments) line += " " + Quoted(argument);
  return line;
}

std::vector<std::string> ImplementationNames() {
  std::vector<std::string> names;
  const auto home = FindHome();
  if (!home) return names;
  std::vector<Error> ignored;
  for (const ImplementationInfo& one : Implementations(*home, &ignored)) names.push_back(one.name);
  return names;
}

int Main(const std::vector<std::string>& arguments) {
  const std::vector<CommandSpec> commands = AllCommands();
  const auto parsed = ParseCommandLine(commands, arguments, ImplementationNames);
  if (const int* exit_code = std::get_if<int>(&parsed)) return *exit_code;
  auto home = FindHome();
  if (!home) return Fail(home.error(), kHarnessTrouble);
  const CommandSpec& chosen = *std::get<const CommandSpec*>(parsed);
  return chosen.run({std::move(*home), CommandLine(arguments), arguments, Style::For(STDOUT_FILENO)});
}

// Where one of the first three descriptors is closed, the next file that is opened would take its number, and be
// written to as if it were stdout or stderr. What is there instead can be read, without contents, and not be
// written.
void OccupyStandardDescriptors() {
  for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (fcntl(descriptor, F_GETFD) < 0) Obtained(open("/dev/null", O_RDONLY), "a descriptor");
  }
}

}  // namespace
}  // namespace conform

int main(int argc, char** argv) {
  std::signal(SIGXFSZ, SIG_IGN);  // a limit on the size of files is an error of write
  try {
    conform::OccupyStandardDescriptors();
    return conform::Main({argv + 1, argv + argc});
  } catch (const std::exception& error) {
    conform::PrintError(conform::Error{error.what()});
    return conform::kHarnessTrouble;
  }
}
