// conform runtimes [list], conform runtimes install, conform runtimes remove
#include <cstdio>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "reports/terminal/json_text.h"
#include "reports/terminal/runtimes_report.h"
#include "runners/base/text.h"
#include "runners/cli/commands.h"
#include "runners/harness/run_scope.h"
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

// The cache of runtimes, and what changes it. It lives while the command runs; Ctrl-C, and the end of this process, end
// what it has started.
class OpenedCache {
 public:
  static Result<std::unique_ptr<OpenedCache>> Open() {
    Tools tools{OwnEnvironment(), nullptr};
    auto folder = CacheFolder(tools.environment);
    if (!folder) return folder.error();
    auto scope = RunScope::Open();
    if (!scope) return scope.error();
    tools.environment[kRunVariable] = (*scope)->run_word();
    tools.interrupt = &(*scope)->interrupt();
    return std::unique_ptr<OpenedCache>(new OpenedCache(*folder, std::move(tools), std::move(*scope)));
  }

  std::vector<InstalledRuntime> List() const { return cache_.List(); }
  const std::string& root() const { return cache_.root(); }
  const Installer& installer() const { return installer_; }
  const Tools& tools() const { return tools_; }
  const Interrupt& interrupt() const { return scope_->interrupt(); }

 private:
  OpenedCache(const std::string& folder, Tools tools, std::unique_ptr<RunScope> scope)
      : scope_(std::move(scope)),
        cache_(folder),
        tools_(std::move(tools)),
        installer_(cache_, tools_, OwnPlatform(), PrintLine) {}

  const std::unique_ptr<RunScope> scope_;
  const RuntimeCache cache_;
  const Tools tools_;
  const Installer installer_;
};

std::vector<reports::UsableRuntime> Usable(const OpenedCache& cache) {
  std::vector<reports::UsableRuntime> all;
  const std::vector<InstalledRuntime> installed = cache.List();
  for (const std::string& name : KnownRuntimes()) {
    if (const auto binary = cache.tools().OnPath(name)) {
      std::error_code code;
      const auto bytes = std::filesystem::file_size(*binary, code);
      all.push_back({name, VersionOf(*binary, cache.tools()), code ? 0 : static_cast<int64_t>(bytes), *binary, "", ""});
    }
    for (const InstalledRuntime& one : installed) {
      if (one.name != name) continue;
      all.push_back({name, one.version, one.bytes, one.binary, one.package, one.integrity});
    }
  }
  return all;
}

int ListAvailable(const RuntimesArguments& arguments, const OpenedCache& cache) {
  const auto spec = ParseRuntimeSpec(arguments.available);
  if (!spec) return Fail(spec.error());
  const auto available = cache.installer().Available(spec->runtime);
  if (cache.interrupt().raised()) return cache.interrupt().exit_code();
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
  for (const InstalledRuntime& one : cache.List()) installed.push_back(one.name + "@" + one.version);
  return Answer(arguments.json ? reports::JsonText(reports::AvailableJson(spec->runtime, chosen, installed))
                               : reports::AvailableText(spec->runtime, chosen, installed));
}

// Opens the cache for `run`, a function of the arguments.
template <typename Arguments, int (*run)(const Arguments&, const OpenedCache&)>
int InCache(const Arguments& arguments, const Context&) {
  const auto cache = OpenedCache::Open();
  if (!cache) return Fail(cache.error(), kHarnessTrouble);
  return run(arguments, **cache);
}

int List(const RuntimesArguments& arguments, const OpenedCache& cache) {
  if (!arguments.available.empty()) return ListAvailable(arguments, cache);
  if (arguments.all) return Fail(Error::WithHint("--all belongs to --available", "--available=node --all"));
  const std::vector<reports::UsableRuntime> usable = Usable(cache);
  return Answer(arguments.json ? reports::JsonText(reports::RuntimesJson(usable, cache.root()))
                               : reports::RuntimesText(usable, cache.root()));
}

InstallOutcome InstallOne(const std::string& text, const OpenedCache& cache) {
  const auto spec = ParseRuntimeSpec(text);
  if (!spec) return {InstallOutcome::Kind::kNoSuchRelease, {}, spec.error()};
  return cache.installer().Install(*spec);
}

// All are tried; what went wrong is reported at the end, where it is seen.
int Install(const SpecsArguments& arguments, const OpenedCache& cache) {
  std::vector<reports::InstallReport> outcomes;
  std::vector<Error> errors;
  int exit_code = kAllAsExpected;
  for (const std::string& spec : arguments.specs) {
    InstallOutcome outcome = InstallOne(spec, cache);
    if (cache.interrupt().raised()) return cache.interrupt().exit_code();
    if (!outcome.ok()) {
      errors.push_back(outcome.error);
      const bool bad_input = outcome.kind == InstallOutcome::Kind::kNoSuchRelease;
      exit_code = std::max(exit_code, bad_input ? kBadInput : kHarnessTrouble);
    }
    outcomes.push_back({spec, std::move(outcome)});
    if (!arguments.json && !Print(reports::InstallText({outcomes.back()}))) return kHarnessTrouble;
  }
  PrintErrors(errors);
  return arguments.json ? Answer(reports::JsonText(reports::InstallJson(outcomes)), exit_code) : exit_code;
}

int Remove(const SpecsArguments& arguments, const OpenedCache& cache) {
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
    for (const InstalledRuntime& one : cache.List()) {
      if (one.name != spec->runtime || !Fits(spec->version, one.version)) continue;
      found = true;
      const auto gone = cache.installer().Remove(one.name, one.version);
      if (cache.interrupt().raised()) return cache.interrupt().exit_code();
      if (!gone) fail(gone.error(), kHarnessTrouble);
      if (gone && *gone) removed.push_back(one);
    }
    if (!found) fail(Error{spec->ToString() + " is not installed"}, kBadInput);
  }
  PrintErrors(errors);
  return Answer(arguments.json ? reports::JsonText(reports::RemovedJson(removed)) : reports::RemovedText(removed),
                exit_code);
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
  const auto list = RunWith(arguments, InCache<RuntimesArguments, List>);
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
                    "such as node, node@20, node@24.21.0, bun, deno, workerd", InCache<SpecsArguments, Install>,
                    "node@20 means its newest release. Releases are fetched through the npm client,\n"
                    "by package name; the checksum is verified. The cache is CONFORM_CACHE, or\n"
                    "conform in XDG_CACHE_HOME or ~/.cache."),
       SpecsCommand("remove", "Remove releases from the cache", "as for install; every matching release is removed",
                    InCache<SpecsArguments, Remove>)}};
}

}  // namespace conform
