// The command line of conform: chooses a command, and turns every kind of trouble into its exit code.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <exception>
#include <string>
#include <vector>

#include "runners/base/text.h"
#include "runners/cli/commands.h"
#include "runners/harness/parallel.h"

namespace conform {

void AddFormatOption(CLI::App* sub, bool* json) {
  sub->add_option_function<std::string>(
         "--format", [json](const std::string& format) { *json = format == "json"; }, "text or json (default text)")
      ->check(CLI::IsMember({"text", "json"}).description(""))
      ->type_name("FORMAT");
}

CLI::Validator NumberBetween(int64_t least, int64_t most) {
  const auto check = [least, most](const std::string& text) -> std::string {
    int64_t number = 0;
    const auto [end, trouble] = std::from_chars(text.data(), text.data() + text.size(), number);
    const bool is_number = trouble == std::errc{} && end == text.data() + text.size();
    if (is_number && number >= least && number <= most) return "";
    return fmt::format("'{}' is no whole number from {} to {}", text, least, most);
  };
  return CLI::Validator(check, "");
}

void AddJobsOption(CLI::App* sub, int* jobs) {
  *jobs = DefaultJobs();
  sub->add_option("--jobs", *jobs, "how many things to do at once (default: one per core)")
      ->check(NumberBetween(1, 1024))
      ->type_name("N");
}

namespace {

// Where descriptions start in the help, so that they end before column 80.
constexpr size_t kHelpColumn = 20;

// What CLI11 finds missing or unknown, told with the nearest name. `words` are the command so far: "adapter", for one
// that has commands of its own.
std::optional<Error> UnknownWord(const CLI::App& app, const std::vector<std::string>& arguments,
                                 const std::string& words = "") {
  const std::string of = words.empty() ? "" : " of '" + words + "'";
  if (arguments.empty()) {
    if (app.get_require_subcommand_min() == 0) return std::nullopt;
    return Error{
        "a command" + of + " is missing; see 'conform " + (words.empty() ? "" : words + " ") + "--help'", "", {}, ""};
  }
  std::vector<std::string> commands;
  const CLI::App* command = nullptr;
  for (const CLI::App* sub : app.get_subcommands([](const CLI::App*) { return true; })) {
    commands.push_back(sub->get_name());
    if (sub->get_name() == arguments[0]) command = sub;
  }
  if (command == nullptr) {
    if (arguments[0].starts_with("--") && words.empty()) {
      std::vector<std::string> options;
      for (const CLI::Option* option : app.get_options()) options.push_back("--" + option->get_lnames().front());
      const std::string name = arguments[0].substr(0, arguments[0].find('='));
      if (std::find(options.begin(), options.end(), name) == options.end()) {
        return Error{"there is no option '" + name + "' before a command", "", {}, DidYouMean(name, options)};
      }
    }
    if (arguments[0].starts_with('-')) return std::nullopt;
    return Error{"there is no command '" + arguments[0] + "'" + of + "; there are " + Join(commands, ", "),
                 "",
                 {},
                 DidYouMean(arguments[0], commands)};
  }
  const std::string name_so_far = words.empty() ? arguments[0] : words + " " + arguments[0];
  const std::vector<std::string> rest(arguments.begin() + 1, arguments.end());
  if (!command->get_subcommands([](const CLI::App*) { return true; }).empty()) {
    return UnknownWord(*command, rest, name_so_far);
  }
  std::vector<std::string> options{"--help"};
  for (const CLI::Option* option : command->get_options()) {
    for (const std::string& name : option->get_lnames()) options.push_back("--" + name);
  }
  for (const std::string& argument : rest) {
    if (argument == "--") break;
    const std::string name = argument.substr(0, argument.find('='));
    if (!name.starts_with("--") || std::find(options.begin(), options.end(), name) != options.end()) continue;
    return Error{"'" + name_so_far + "' has no option '" + name + "'", "", {}, DidYouMean(name, options)};
  }
  return std::nullopt;
}

std::string CommandLine(const std::vector<std::string>& arguments) {
  std::string line = "conform";
  for (const std::string& argument : arguments) line += " " + Quoted(argument);
  return line;
}

int Main(int argc, char** argv) {
  CLI::App app{"conform: does an event loop order its callbacks as it should?", "conform"};
  app.set_version_flag("--version", std::string("conform ") + CONFORM_VERSION);
  app.get_formatter()->column_width(kHelpColumn);
  app.require_subcommand(1);
  app.footer(
      "Exit codes: 0 all as expected, 1 a judgement against an implementation or a\n"
      "case, 2 usage or bad input, 3 conform itself could not do its work.");
  Command chosen;
  AddRunCommand(app, &chosen);
  AddListCommand(app, &chosen);
  AddShowCommand(app, &chosen);
  AddExploreCommand(app, &chosen);
  AddLintCommand(app, &chosen);
  AddMutantsCommand(app, &chosen);
  AddHistoryCommand(app, &chosen);
  AddVerifyCommand(app, &chosen);
  AddRuntimesCommand(app, &chosen);
  AddAdapterCommand(app, &chosen);
  AddDiffCommand(app, &chosen);
  AddGateCommand(app, &chosen);
  AddReportCommand(app, &chosen);
  AddMergeCommand(app, &chosen);
  AddRulesCommand(app, &chosen);

  const std::vector<std::string> arguments(argv + 1, argv + argc);
  if (const auto unknown = UnknownWord(app, arguments)) {
    PrintError(*unknown);
    return kBadInput;
  }
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& wanted) {  // --help and --version
    return app.exit(wanted) == 0 && std::fflush(stdout) == 0 ? kAllAsExpected : kHarnessTrouble;
  } catch (const CLI::ParseError& error) {
    PrintError({error.what(), "", {}, ""});
    return kBadInput;
  }
  auto home = FindHome();
  if (!home) {
    PrintError(home.error());
    return kHarnessTrouble;
  }
  return chosen({std::move(*home), CommandLine(arguments), arguments, Style::For(STDOUT_FILENO)});
}

}  // namespace
}  // namespace conform

int main(int argc, char** argv) {
  try {
    return conform::Main(argc, argv);
  } catch (const std::exception& error) {
    conform::PrintError({error.what(), "", {}, ""});
    return conform::kHarnessTrouble;
  }
}
