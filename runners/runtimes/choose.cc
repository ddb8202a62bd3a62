#include "runners/runtimes/choose.h"

#include <filesystem>
#include <vector>

#include "runners/base/text.h"
#include "runners/runtimes/build.h"
#include "runners/runtimes/cache.h"

namespace conform {
namespace {

namespace fs = std::filesystem;

// The folder of $out; "" where nothing is built, and then no place for a cache is needed.
Result<std::string> Built(const Adapter& adapter, const AdapterImplementation& implementation, const Tools& tools) {
  if (implementation.build.empty()) return std::string();
  const auto root = CacheFolder(tools.environment);
  if (!root) return root.error();
  return BuildAdapter(adapter, implementation, *root, tools);
}

Result<AdapterCommand> WithLibrary(const Adapter& adapter, const AdapterImplementation& implementation,
                                   const ImplementationWord& word, const Tools& tools) {
  std::error_code code;
  const fs::path library = fs::absolute(word.path, code);
  if (code || !fs::is_regular_file(library, code)) return Error{"there is no such file", word.path};
  const auto out = Built(adapter, implementation, tools);
  if (!out) return out.error();
  AdapterCommand command = MakeCommand(adapter, implementation, word.text, "", *out);
  command.by_path = true;
  command.variables[implementation.library] = library.lexically_normal().string();
  return command;
}

// `version`: "node-24", or "node" alone.
Result<AdapterCommand> Inside(const Adapter& adapter, const AdapterImplementation& implementation,
                              const ImplementationWord& word, const BinaryFinder& find_binary, const Tools& tools) {
  const size_t dash = word.version.find('-');
  const std::string runtime = word.version.substr(0, dash);
  const std::string version = dash == std::string::npos ? "" : word.version.substr(dash + 1);
  if (implementation.inside.count(runtime) == 0) {
    std::vector<std::string> known;
    for (const auto& inside : implementation.inside) known.push_back(word.name + "@" + inside.first + "-VERSION");
    return Error::WithHint(word.name + " has no versions to choose from", known.empty() ? "" : Join(known, ", "));
  }
  const auto found = find_binary(runtime, version);
  if (!found) return found.error();
  const auto out = Built(adapter, implementation, tools);
  if (!out) return out.error();
  // "node@24.21.0" becomes "libuv@node-24.21.0".
  std::string option = found->option;
  if (const size_t at = option.find('@'); at != std::string::npos) option[at] = '-';
  return MakeCommandInside(adapter, implementation, runtime, word.name + "@" + option, found->binary, *out);
}

}  // namespace

Result<ImplementationWord> ParseImplementationWord(const std::string& text) {
  const size_t mark = text.find_first_of("=@");
  ImplementationWord word{text, text.substr(0, mark), "", ""};
  if (mark == std::string::npos) return word;
  const bool is_path = text[mark] == '=';
  (is_path ? word.path : word.version) = text.substr(mark + 1);
  if (is_path && word.path.empty()) return Error::WithHint("'" + text + "' names no path", "write " + text + "./path");
  if (!is_path && word.version.empty())
    return Error::WithHint("'" + text + "' names no version", "write " + text + "24");
  return word;
}

Result<AdapterCommand> ChooseCommand(const Adapter& adapter, const AdapterImplementation& implementation,
                                     const ImplementationWord& word, const BinaryFinder& find_binary,
                                     const Tools& tools) {
  if (!word.path.empty() && implementation.runtime.empty()) {
    if (implementation.library.empty()) return Error::WithHint(word.name + " takes no path", "--impl=" + word.name);
    return WithLibrary(adapter, implementation, word, tools);
  }
  if (!word.version.empty() && implementation.runtime.empty()) {
    return Inside(adapter, implementation, word, find_binary, tools);
  }
  FoundRuntime found{"", word.text};
  if (!implementation.runtime.empty()) {
    auto runtime = word.path.empty() ? find_binary(implementation.runtime, word.version)
                                     : RuntimeByPath(implementation.runtime, word.path);
    if (!runtime) return runtime.error();
    found = *std::move(runtime);
  }
  const auto out = Built(adapter, implementation, tools);
  if (!out) return out.error();
  const std::string& option = word.path.empty() ? found.option : word.text;
  AdapterCommand command = MakeCommand(adapter, implementation, option, found.binary, *out);
  command.by_path = !word.path.empty();
  return command;
}

}  // namespace conform
