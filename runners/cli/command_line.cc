// The only file that includes CLI11, which takes longer to compile than all that it is used for.
#include "runners/cli/command_line.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <sstream>

#include "runners/base/text.h"
#include "runners/model/loop_names.h"

namespace conform {
namespace {

// Where descriptions start in the help, so that they end before column 80.
constexpr size_t kHelpColumn = 20;

CLI::Validator IntegerBetween(int64_t least, int64_t most) {
  const auto check = [least, most](const std::string& text) -> std::string {
    int64_t number = 0;
    const auto [end, trouble] = std::from_chars(text.data(), text.data() + text.size(), number);
    const bool is_number = trouble == std::errc{} && end == text.data() + text.size();
    if (is_number && number >= least && number <= most) return "";
    return fmt::format("'{}' is not an integer between {} and {}", text, least, most);
  };
  return CLI::Validator(check, "");
}

struct AddToApp {
  CLI::App* app;
  const OptionSpec& spec;

  CLI::Option* operator()(bool* target) const { return app->add_flag(spec.name, *target, spec.help); }
  CLI::Option* operator()(const std::function<void(const std::string&)>& target) const {
    if (spec.kind != OptionSpec::Kind::kFlag) return app->add_option_function(spec.name, target, spec.help);
    return app->add_flag_callback(
        spec.name, [target] { target(""); }, spec.help);
  }
  template <typename T>
  CLI::Option* operator()(T* target) const {
    return app->add_option(spec.name, *target, spec.help);
  }
};

void AddOptions(CLI::App* app, const std::vector<OptionSpec>& options) {
  for (const OptionSpec& spec : options) {
    CLI::Option* option = std::visit(AddToApp{app, spec}, spec.target);
    if (spec.kind != OptionSpec::Kind::kFlag) option->type_name(spec.value);
    if (spec.required) option->required();
    if (spec.bounds) option->check(IntegerBetween(spec.bounds->first, spec.bounds->second));
    if (!spec.choices.empty()) option->check(CLI::IsMember(spec.choices).description(""));
    if (!spec.needs.empty()) option->needs(app->get_option(spec.needs));
    if (!spec.excludes.empty()) option->excludes(app->get_option(spec.excludes));
  }
}

void AddCommands(CLI::App* app, const std::vector<CommandSpec>& commands) {
  for (const CommandSpec& spec : commands) {
    CLI::App* sub = app->add_subcommand(spec.name, spec.help);
    AddOptions(sub, spec.options);
    AddCommands(sub, spec.commands);
    if (!spec.commands.empty()) sub->require_subcommand(spec.run == nullptr ? 1 : 0, 1);
    if (!spec.footer.empty()) sub->footer(spec.footer);
  }
}

const CommandSpec* Find(const std::vector<CommandSpec>& commands, const std::string& name) {
  const auto found = std::find_if(commands.begin(), commands.end(), [&](const auto& one) { return one.name == name; });
  return found == commands.end() ? nullptr : &*found;
}

bool Contains(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

// The part of an option's word before its value.
std::string NameOf(const std::string& word) { return word.substr(0, word.find('=')); }

// `arguments` with the names that the command and its options have now.
std::vector<std::string> WithoutAliases(const std::vector<CommandSpec>& commands, std::vector<std::string> arguments) {
  if (arguments.empty()) return arguments;
  const auto command = std::find_if(commands.begin(), commands.end(), [&](const CommandSpec& one) {
    return one.name == arguments[0] || (!one.alias.empty() && one.alias == arguments[0]);
  });
  if (command == commands.end()) return arguments;
  arguments[0] = command->name;
  for (const OptionSpec& option : command->options) {
    for (size_t i = 1; i < arguments.size() && !option.alias.empty() && arguments[i] != "--"; ++i) {
      if (NameOf(arguments[i]) == option.alias) arguments[i].replace(0, option.alias.size(), option.name);
    }
  }
  return arguments;
}

// `help` and `version` are the options of these names, and so is nothing at all: a user who types `conform` wants
// help.
std::vector<std::string> WithoutHelpWords(std::vector<std::string> arguments) {
  if (arguments.empty()) return {"--help"};
  if (arguments[0] == "version" && arguments.size() == 1) return {"--version"};
  if (arguments[0] != "help") return arguments;
  arguments.erase(arguments.begin());
  if (arguments.empty() || arguments.back() != "--help") arguments.emplace_back("--help");
  return arguments;
}

// What CLI11 finds missing or unknown, with the nearest name. `before` are the command's words so far: "adapter", for
// one that has commands.
std::optional<Error> UnknownWord(const std::vector<CommandSpec>& commands, bool may_end,
                                 const std::vector<std::string>& arguments, const std::string& before = "") {
  const std::string of = before.empty() ? "" : " of '" + before + "'";
  if (arguments.empty()) {
    if (may_end) return std::nullopt;
    const std::string help = before.empty() ? "conform --help" : "conform " + before + " --help";
    return Error{"a command" + of + " is missing; see '" + help + "'"};
  }
  const std::string& word = arguments[0];
  const CommandSpec* command = Find(commands, word);
  if (command == nullptr) {
    const std::vector<std::string> options{"--help", "--version"};
    if (word.starts_with("--") && before.empty() && !Contains(options, NameOf(word))) {
      return Error{
          "there is no option '" + NameOf(word) + "' before a command", "", {}, DidYouMean(NameOf(word), options)};
    }
    if (word.starts_with('-')) return std::nullopt;
    std::vector<std::string> names;
    for (const CommandSpec& one : commands) names.push_back(one.name);
    if (before.empty()) names.insert(names.end(), {"help", "version"});
    const std::string message = "there is no command '" + word + "'" + of + "; there are " + Join(names, ", ");
    return Error::WithHint(message, DidYouMean(word, names));
  }
  const std::string words = before.empty() ? word : before + " " + word;
  const std::vector<std::string> rest(arguments.begin() + 1, arguments.end());
  if (!command->commands.empty()) return UnknownWord(command->commands, command->run != nullptr, rest, words);
  std::vector<std::string> options{"--help"};
  for (const OptionSpec& option : command->options) {
    if (option.kind != OptionSpec::Kind::kArgument) options.push_back(option.name);
  }
  for (const std::string& argument : rest) {
    if (argument == "--") break;
    const std::string name = NameOf(argument);
    if (!name.starts_with("--") || Contains(options, name)) continue;
    return Error::WithHint("'" + words + "' has no option '" + name + "'", DidYouMean(name, options));
  }
  return std::nullopt;
}

// The innermost command that was named.
const CommandSpec* Chosen(const CLI::App& app, const std::vector<CommandSpec>& commands) {
  const CLI::App* named = app.get_subcommands().front();
  const CommandSpec* command = Find(commands, named->get_name());
  return named->get_subcommands().empty() ? command : Chosen(*named, command->commands);
}

}  // namespace

std::variant<const CommandSpec*, int> ParseCommandLine(const std::vector<CommandSpec>& commands,
                                                       const std::vector<std::string>& typed,
                                                       const NamesOf& implementations) {
  const std::vector<std::string> arguments = WithoutAliases(commands, WithoutHelpWords(typed));
  if (auto unknown = UnknownWord(commands, false, arguments)) {
    if (Find(commands, arguments[0]) == nullptr) {
      if (const auto loop = LoopCalled(arguments[0], implementations())) {
        unknown->hint = "did you mean 'conform run --impl=" + *loop + "'?";
      }
    }
    PrintError(*unknown);
    return kBadInput;
  }
  CLI::App app{"conform: does an event loop order its callbacks as it should?", "conform"};
  app.set_version_flag("--version", std::string("conform ") + CONFORM_VERSION);
  app.get_formatter()->column_width(kHelpColumn);
  app.require_subcommand(1);
  app.footer(
      "Exit codes: 0 as expected, 1 a judgement against an implementation or a case,\n"
      "2 usage error or bad input, 3 conform itself failed or a limit was hit.");
  AddCommands(&app, commands);
  app.add_subcommand("help", "Describe a command: conform help run");
  app.add_subcommand("version", "Print the version");
  try {
    std::vector<std::string> reversed(arguments.rbegin(), arguments.rend());  // as CLI11 wants them
    app.parse(std::move(reversed));
  } catch (const CLI::Success& wanted) {  // --help and --version
    std::ostringstream text;
    return app.exit(wanted, text, text) == 0 ? Answer(text.str()) : kHarnessTrouble;
  } catch (const CLI::ParseError& error) {
    PrintError(Error{error.what()});
    return kBadInput;
  }
  return Chosen(app, commands);
}

std::optional<Error> ParseOptions(const std::vector<OptionSpec>& options, const std::vector<std::string>& typed) {
  CLI::App app;
  AddOptions(&app, options);
  try {
    std::vector<std::string> reversed(typed.rbegin(), typed.rend());
    app.parse(std::move(reversed));
  } catch (const CLI::ParseError& error) {
    return Error{error.what()};
  }
  return std::nullopt;
}

}  // namespace conform
