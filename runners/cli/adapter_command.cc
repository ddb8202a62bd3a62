// conform adapter new, conform adapter smoke
#include <fmt/format.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "reports/terminal/adapter_report.h"
#include "reports/terminal/json_text.h"
#include "runners/base/text.h"
#include "runners/cli/commands.h"
#include "runners/harness/adapter.h"
#include "runners/harness/op_names.h"
#include "runners/harness/process_guard.h"
#include "runners/harness/smoke.h"
#include "runners/runtimes/choose.h"
#include "runners/study/adapter_template.h"

namespace conform {
namespace {

namespace fs = std::filesystem;

// A browser takes long to start on a busy machine.
constexpr int64_t kAnswerSeconds = 60;

struct NewArguments {
  std::string folder;
  std::string language;
};

int New(const NewArguments& arguments, const Context& context) {
  for (const AdapterTemplate& one : AdapterTemplates()) {
    if (one.language != arguments.language) continue;
    const auto name = MakeAdapter(one, context.home.Adapters(), arguments.folder);
    if (!name) return Fail(name.error());
    std::string text = fmt::format("{}: an adapter in {}\n", *name, one.title);
    for (const std::string& file : one.files) text += "  " + (fs::path(arguments.folder) / file).string() + "\n";
    text += "\nnext:\n  conform adapter smoke " + Quoted(arguments.folder) + "\n";
    return Answer(text);
  }
  return kBadInput;
}

struct SmokeArguments {
  std::string folder;
  std::string implementation;  // "", "node", "node@24" or "node=./node"
  int64_t answer_seconds = kAnswerSeconds;
  bool json = false;
};

// The implementation that is meant: the one that is named, or the only one there is.
Result<const AdapterImplementation*> Choose(const Adapter& adapter, const std::string& name) {
  std::vector<std::string> names;
  for (const AdapterImplementation& one : adapter.implementations) {
    if (one.name == name || (name.empty() && adapter.implementations.size() == 1)) return &one;
    names.push_back(one.name);
  }
  if (name.empty()) return Error::WithHint("it has several implementations; choose one", "--impl=" + names[0]);
  return Error{
      "the adapter has no implementation '" + name + "'; it has " + Join(names, ", "), "", {}, DidYouMean(name, names)};
}

// What has to be built is built, and what is not installed is an error.
Result<AdapterCommand> CommandOf(const Adapter& adapter, const AdapterImplementation& implementation,
                                 const ImplementationWord& word, const Interrupt& interrupt) {
  const Tools tools{OwnEnvironment(), &interrupt};
  const auto find = [&](const std::string& runtime, const std::string& version) -> Result<FoundRuntime> {
    const auto cache = CacheFolder(tools.environment);
    if (!cache) return cache.error();
    return FindRuntime(runtime, version, RuntimeCache(*cache), tools);
  };
  return ChooseCommand(adapter, implementation, word, find, tools);
}

SmokeCheck WrongFolder(const std::string& claim, const Error& error, const std::string& expected) {
  SmokeCheck check;
  check.outcome = SmokeCheck::Outcome::kWrong;
  check.claim = claim;
  check.got = error.ToString();
  check.expected = expected;
  check.section = "The folder of an adapter";
  return check;
}

int ReportSmoke(const SmokeArguments& arguments, const Context& context, const reports::AdapterSmoke& smoke) {
  const std::string text =
      arguments.json ? reports::JsonText(reports::SmokeJson(smoke)) : reports::SmokeText(smoke, context.out);
  return Answer(text, smoke.report.AllRight() ? kAllAsExpected : kJudgement);
}

int SmokeAdapter(const SmokeArguments& arguments, const Context& context) {
  const auto profiles = LoadProfiles(context.home);
  if (!profiles) return Fail(profiles.error(), kHarnessTrouble);
  std::error_code trouble;
  if (!fs::is_directory(arguments.folder, trouble))
    return Fail({"is not a folder", arguments.folder, {}, "conform adapter new DIR --lang=js creates one"});
  reports::AdapterSmoke smoke;
  smoke.folder = arguments.folder;
  std::vector<SmokeCheck>& checks = smoke.report.checks;
  const auto adapter = LoadAdapter(arguments.folder);
  if (!adapter) {
    checks.push_back(WrongFolder("adapter.yaml can be read", adapter.error(), "a name and a command"));
    return ReportSmoke(arguments, context, smoke);
  }
  ImplementationWord word;
  if (!arguments.implementation.empty()) {
    auto parsed = ParseImplementationWord(arguments.implementation);
    if (!parsed) return Fail(parsed.error());
    word = std::move(*parsed);
  }
  const auto implementation = Choose(*adapter, word.name);
  if (!implementation) return Fail(implementation.error());
  if (word.name.empty()) word.text = word.name = (*implementation)->name;
  smoke.implementation = word.name;
  smoke.command = (*implementation)->command;
  SmokeCheck readable;
  readable.claim = "adapter.yaml can be read";
  checks.push_back(readable);
  // The guard is a separate process and has to be there before the first thread is.
  const auto guard = ProcessGuard::Start();
  if (!guard) return Fail(guard.error(), kHarnessTrouble);
  const Interrupt interrupt;
  std::optional<Error> missing = MissingFile(*adapter, **implementation);
  const auto command = missing ? *missing : CommandOf(*adapter, **implementation, word, interrupt);
  if (!command) {
    checks.push_back(WrongFolder("the program starts", command.error(), "a program that can be started"));
    return ReportSmoke(arguments, context, smoke);
  }
  smoke.command = command->command;
  SmokeOptions options;
  options.answer_ms = arguments.answer_seconds * 1000;
  options.interrupt = &interrupt;
  options.run_word = guard.value()->run_word();
  smoke.report = Smoke(*command, *profiles, Vocabulary(*profiles, LoadCatalogue(context.home.Cases()).cases), options);
  if (smoke.report.interrupted) {
    // What was under way says nothing of the adapter.
    PrintError(Error{"interrupted"});
    return interrupt.exit_code();
  }
  checks.insert(checks.begin(), readable);
  return ReportSmoke(arguments, context, smoke);
}

}  // namespace

CommandSpec MakeAdapterCommand() {
  const auto made = std::make_shared<NewArguments>();
  std::vector<std::string> languages;
  for (const AdapterTemplate& one : AdapterTemplates()) languages.push_back(one.language);
  const CommandSpec make{"new",
                         "Create a folder with a working adapter to start from",
                         {Argument("DIR", &made->folder, "a folder that is empty or does not exist yet").Required(),
                          Value("--lang", "LANG", &made->language, "js, python or c").OneOf(languages).Required()},
                         RunWith(made, New)};
  const auto smoked = std::make_shared<SmokeArguments>();
  const CommandSpec smoke{
      "smoke",
      "Report, step by step, what is wrong with an adapter",
      {Argument("DIR", &smoked->folder, "the folder with its adapter.yaml").Required(),
       Value("--impl", "NAME", &smoked->implementation,
             "one of its implementations: node, node@24,\nnode=./out/node (required if it has several)"),
       Value("--timeout", "N", &smoked->answer_seconds,
             fmt::format("wait N seconds for an answer (default {})", kAnswerSeconds))
           .Between(1, 3'600),
       FormatOption(&smoked->json)},
      RunWith(smoked, SmokeAdapter)};
  return {"adapter",
          "Write an adapter for another loop, and try it out",
          {},
          nullptr,
          {make, smoke},
          "See spec/adapter-tutorial.md."};
}

}  // namespace conform
