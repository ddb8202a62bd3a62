// The command line as data: what can be typed, what it means, and what runs. command_line.cc turns it into a parser;
// the man page and the completions are made from the help that it prints.
#ifndef CONFORM_RUNNERS_CLI_COMMAND_SPEC_H_
#define CONFORM_RUNNERS_CLI_COMMAND_SPEC_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "runners/base/output.h"
#include "runners/study/home.h"

namespace conform {

struct Context {
  Home home;
  std::string command_line;            // as typed, for the results file
  std::vector<std::string> arguments;  // the same: the command, and what follows it
  Style out;                           // how stdout may look
};

// One option, or one argument that stands alone. Made by the functions below:
//
//   Value("--repeat", "N", &repeat, "run everything N times (default 1)").Between(1, 1'000'000)
struct OptionSpec {
  // Where what is typed goes. A list takes any number of words; a function is called with the word, or for a flag
  // with "".
  using Target = std::variant<bool*, int*, int64_t*, uint64_t*, std::optional<uint64_t>*, std::string*,
                              std::vector<std::string>*, std::function<void(const std::string&)>>;
  enum class Kind { kArgument, kValue, kFlag };

  Kind kind;
  std::string name;   // "--repeat", or "CASE" for an argument
  std::string value;  // what the help calls its value: "N"
  std::string help;   // with its line breaks
  Target target;
  bool required = false;
  std::vector<std::string> choices = {};                   // if any, the only values
  std::optional<std::pair<int64_t, int64_t>> bounds = {};  // an integer, both included
  std::string needs = "";                                  // another option that must be there too
  std::string excludes = "";                               // another option that must not
  std::string alias = "";                                  // what it was called before, which the help does not show

  OptionSpec Required() &&;
  OptionSpec OneOf(std::vector<std::string> values) &&;
  OptionSpec Between(int64_t least, int64_t most) &&;
  OptionSpec Needs(std::string option) &&;
  OptionSpec Excludes(std::string option) &&;
  OptionSpec Alias(std::string old_name) &&;
};

OptionSpec Argument(std::string name, OptionSpec::Target target, std::string help);
OptionSpec Value(std::string name, std::string value, OptionSpec::Target target, std::string help);
OptionSpec Flag(std::string name, OptionSpec::Target target, std::string help);

// --format=text|json, into `json`.
OptionSpec FormatOption(bool* json);
// -e PROGRAM: `take` is called with a word that means it.
OptionSpec ProgramOption(std::function<void(const std::string&)> take);
// --jobs=N. Sets `jobs` to its default.
OptionSpec JobsOption(int* jobs);

// The same for what runs a plan. The default is 0: as many as the plan can use.
OptionSpec RunJobsOption(int* jobs);
// --max-time=S and --max-memory=MB: limits on exploring one set of orders. What they are set to is the default.
OptionSpec MaxTimeOption(int64_t* seconds);
OptionSpec MaxMemoryOption(int64_t* megabytes);

struct CommandSpec {
  std::string name;
  std::string help;  // a line
  std::vector<OptionSpec> options;
  // Returns the exit code. Null where one of `commands` has to be named.
  std::function<int(const Context&)> run;
  std::vector<CommandSpec> commands = {};
  std::string footer = "";
  std::string alias = "";  // what it was called before, which the help does not show
};

// What runs a command, with the options that were parsed; they live as long as the command.
template <typename Options>
std::function<int(const Context&)> RunWith(std::shared_ptr<Options> options,
                                           int (*run)(const Options&, const Context&)) {
  return [options, run](const Context& context) { return run(*options, context); };
}

}  // namespace conform

#endif  // CONFORM_RUNNERS_CLI_COMMAND_SPEC_H_
