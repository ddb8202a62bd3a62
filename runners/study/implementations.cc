#include "runners/study/implementations.h"

#include <algorithm>
#include <map>
#include <set>

#include "runners/base/output.h"
#include "runners/base/text.h"
#include "runners/harness/adapter_runner.h"
#include "runners/harness/process.h"
#include "runners/model/loop_names.h"
#include "runners/runtimes/choose.h"
#include "runners/runtimes/find.h"
#include "runners/runtimes/install.h"
#include "runners/study/ref_runners.h"

namespace conform {
namespace {

class RunnerMaker {
 public:
  explicit RunnerMaker(const RunnerOptions& options) : options_(options) {}

  // Was there an implementation of that name, the last time that Make had an error?
  bool was_known() const { return was_known_; }

  Result<std::unique_ptr<Runner>> Make(const std::string& text) {
    was_known_ = false;
    if (text == "ref") return MakeRefRunner(options_.seed);
    if (text == "ref:real") return MakeRefRealRunner();
    const auto word = ParseImplementationWord(text);
    if (!word) return word.error();
    auto command = word->name == "adapter" ? OfFolder(*word) : OfTree(*word);
    if (!command) return command.error();
    command->variables.insert(options_.variables.begin(), options_.variables.end());
    AdapterRunnerOptions how;
    how.ready_ms = options_.ready_ms;
    how.interrupt = options_.interrupt;
    if (options_.perturb) how.perturb = Perturb{*options_.perturb};
    how.run_word = options_.run_word;
    return StartAdapterRunner(std::move(*command), std::move(how));
  }

 private:
  // `adapter=DIR`: an adapter of one's own.
  Result<AdapterCommand> OfFolder(const ImplementationWord& word) {
    const auto adapter = LoadAdapter(word.path);
    if (!adapter) return adapter.error();
    if (adapter->implementations.size() != 1) {
      return Error{"it has several implementations, and '" + word.text + "' does not say which", word.path};
    }
    const AdapterImplementation& implementation = adapter->implementations[0];
    auto command = Choose(*adapter, implementation, {word.text, implementation.name, "", ""});
    if (!command) return command;
    // It may say that it is node@24.21.0, but results of that name are those of the real one.
    command->names_of_others = {"ref", "ref:real"};
    LoadTree();
    for (const Adapter& one : loaded_->adapters) {
      for (const AdapterImplementation& other : one.implementations) command->names_of_others.insert(other.name);
    }
    return command;
  }

  void LoadTree() {
    if (loaded_) return;
    loaded_ = LoadAdapters(options_.home.Adapters());
    for (const Error& error : loaded_->errors) PrintError(error.After("warning: "));
  }

  Result<AdapterCommand> OfTree(const ImplementationWord& word) {
    LoadTree();
    std::vector<std::string> names{"ref", "ref:real"};
    if (std::find(names.begin(), names.end(), word.name) != names.end()) {
      return Error::WithHint("'" + word.text + "': " + word.name + " is built in and has only one version",
                             "hold it to a version with --as, such as --as=node@24");
    }
    for (const Adapter& adapter : loaded_->adapters) {
      for (const AdapterImplementation& implementation : adapter.implementations) {
        if (implementation.name == word.name) return Choose(adapter, implementation, word);
        names.push_back(implementation.name);
      }
    }
    // Where one is meant, the list of all would hide it.
    const std::string meant = DidYouMeanLoop(word.name, names);
    const std::string all = meant.empty() ? "; there are " + Join(names, ", ") : "";
    return Error::WithHint("there is no implementation '" + word.name + "'" + all, meant);
  }

  Result<AdapterCommand> Choose(const Adapter& adapter, const AdapterImplementation& implementation,
                                const ImplementationWord& word) {
    was_known_ = word.path.empty();
    if (const auto missing = MissingFile(adapter, implementation)) return *missing;
    const BinaryFinder find = [this](const std::string& runtime, const std::string& version) {
      return Find(runtime, version);
    };
    return ChooseCommand(adapter, implementation, word, find, Tools{OwnEnvironment(), options_.interrupt});
  }

  Result<FoundRuntime> Find(const std::string& runtime, const std::string& version) const {
    const Tools tools{OwnEnvironment(), options_.interrupt};
    const auto folder = CacheFolder(tools.environment);
    if (!folder) return folder.error();
    const RuntimeCache cache(*folder);
    auto found = FindRuntime(runtime, version, cache, tools);
    if (found.ok() || !options_.install) return found;
    const auto spec = ParseRuntimeSpec(version.empty() ? runtime : runtime + "@" + version);
    if (!spec) return spec.error();
    const Installer installer(cache, tools, OwnPlatform(), [](const std::string& line) { PrintLine(line); });
    const InstallOutcome outcome = installer.Install(*spec);
    if (!outcome.ok()) return outcome.error;
    return FindRuntime(runtime, outcome.runtime.version, cache, tools);
  }

  const RunnerOptions& options_;
  std::optional<LoadedAdapters> loaded_;
  bool was_known_ = false;
};

// One command line that installs what all of these errors name as missing; "" where there are not several to gather.
std::string InstallAll(const std::vector<Error>& left_out) {
  std::vector<std::string> commands;
  size_t gathered = 0;
  for (const std::string_view installs : {"apt install ", "conform runtimes install "}) {
    std::vector<std::string> names;
    for (const Error& error : left_out) {
      const size_t at = error.hint.find(installs);
      if (at == std::string::npos) continue;
      ++gathered;
      for (const std::string& name : Split(error.hint.substr(at + installs.size()), ' ')) {
        if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
      }
    }
    if (!names.empty()) commands.push_back(std::string(installs) + Join(names, " "));
  }
  return gathered > 1 ? Join(commands, " && ") : "";
}

// Several errors as one, so that none is lost.
Error AllOf(const std::vector<Error>& errors) {
  if (errors.size() == 1) return errors[0];
  std::vector<std::string> lines;
  for (const Error& error : errors) lines.push_back("\n  " + error.ToString());
  return Error::WithHint("none of the implementations can be run here:" + Join(lines, "") + "\n", InstallAll(errors));
}

}  // namespace

Result<OpenedImplementation> OpenImplementation(std::string_view word, const Home& home, bool install) {
  auto scope = RunScope::Open();
  if (!scope) return scope.error();
  const RunnerOptions options{home, 0, {}, install, &(*scope)->interrupt(), (*scope)->run_word()};
  auto runner = MakeRunner(word, options);
  if (!runner) return runner.error();
  return OpenedImplementation{std::move(*scope), options, std::move(*runner)};
}

void PrintLeftOut(const std::vector<Error>& left_out) {
  for (const Error& error : left_out) PrintError({"skipped: " + error.message, error.file, {}, error.hint});
  if (const std::string all = InstallAll(left_out); !all.empty()) {
    PrintError(Error{"to install all that is missing: " + all});
  }
}

std::vector<ImplementationInfo> Implementations(const Home& home, std::vector<Error>* errors) {
  std::vector<ImplementationInfo> all{
      {"ref", "the reference loop in virtual time"},
      {"ref:real", "the reference loop on this machine's clock, epoll and threads"},
  };
  const LoadedAdapters loaded = LoadAdapters(home.Adapters());
  *errors = loaded.errors;
  for (const Adapter& adapter : loaded.adapters) {
    for (const AdapterImplementation& implementation : adapter.implementations) {
      all.push_back({implementation.name, adapter.title});
    }
  }
  return all;
}

Result<std::vector<std::unique_ptr<Runner>>> MakeRunners(std::string_view list, const RunnerOptions& options,
                                                         std::vector<Error>* left_out) {
  RunnerMaker maker(options);
  std::vector<std::unique_ptr<Runner>> runners;
  std::set<std::string> words;
  std::map<std::string, std::string> names;  // and the word of each
  std::vector<Error> missing;
  for (const std::string& part : Split(list, ',')) {
    const std::string word(Trim(part));
    if (word.empty()) {
      return Error::WithHint("--impl='" + std::string(list) + "' contains an empty name", "as in --impl=node,bun");
    }
    if (!words.insert(word).second) continue;
    auto runner = maker.Make(word);
    if (!runner && left_out != nullptr && maker.was_known()) {
      missing.push_back(runner.error());
      continue;
    }
    if (!runner) return runner.error();
    // `node` and `node@24` may be one and the same; two results of one name could not be told apart.
    const std::string name = (*runner)->name();
    const auto [first, is_new] = names.emplace(name, word);
    if (is_new) {
      runners.push_back(std::move(*runner));
    } else if (word.starts_with("adapter=") || first->second.starts_with("adapter=")) {
      return Error::WithHint("'" + first->second + "' and '" + word + "' both introduce themselves as " + name,
                             "let one of them have another name or version");
    } else {
      PrintError(Error{word + " is also " + name + ", and is skipped"});
    }
  }
  if (runners.empty()) return AllOf(missing);
  if (left_out != nullptr) *left_out = std::move(missing);
  return runners;
}

Result<std::unique_ptr<Runner>> MakeRunner(std::string_view word, const RunnerOptions& options) {
  if (word.find(',') != std::string_view::npos) {
    return Error::WithHint("--impl='" + std::string(word) + "' names several implementations, and one is needed",
                           "try them one by one");
  }
  auto runners = MakeRunners(word, options);
  if (!runners) return runners.error();
  return std::move(runners->front());
}

}  // namespace conform
