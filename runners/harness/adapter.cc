// The format of adapter.yaml; spec/adapter-protocol.md ("The folder of an adapter") describes it for a writer.
#include "runners/harness/adapter.h"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <optional>

#include "runners/base/check.h"
#include "runners/base/text.h"
#include "runners/model/case_json.h"
#include "runners/model/yaml_tree.h"

namespace conform {
namespace {

namespace fs = std::filesystem;

using MaybeError = std::optional<Error>;

constexpr size_t kMaxAdapterFileBytes = 1 << 20;
constexpr char kFileName[] = "adapter.yaml";
constexpr char kRuntimeWord[] = "$runtime";
constexpr char kOutWord[] = "$out";
constexpr char kOutPrefix[] = "$out/";
constexpr char kEsmAwait[] = "esm await";

// What belongs to one implementation; it is beside `name` where there is only one.
const std::vector<std::string> kImplementationKeys{"runtime", "command", "entries", "install", "large", "build",
                                                   "sources", "library", "inside",  "prints",  "alone"};

// What adapters, implementations and runtimes are called: no character of it means anything in --impl, and it is one
// plain part of a path.
bool IsName(std::string_view name) {
  const auto good = [](unsigned char c) { return std::islower(c) != 0 || std::isdigit(c) != 0; };
  return !name.empty() && name.size() <= 64 && good(name[0]) && std::all_of(name.begin(), name.end(), [&](char c) {
    return good(c) || c == '.' || c == '-' || c == '_' || c == '+';
  });
}

bool IsVariable(std::string_view name) {
  return !name.empty() && std::isdigit(static_cast<unsigned char>(name[0])) == 0 &&
         std::all_of(name.begin(), name.end(), [](unsigned char c) { return std::isalnum(c) != 0 || c == '_'; });
}

std::vector<std::string> FilledCommand(std::vector<std::string> command, const std::string& binary,
                                       const std::string& out) {
  for (std::string& word : command) {
    if (word == kRuntimeWord)
      word = binary;
    else if (word == kOutWord || word.starts_with(kOutPrefix))
      word.replace(0, std::string_view(kOutWord).size(), out);
  }
  return command;
}

class AdapterParser {
 public:
  AdapterParser(const YamlNode& root, std::string file, fs::path folder)
      : root_(root), file_(std::move(file)), folder_(std::move(folder)) {}

  Result<Adapter> Parse() {
    adapter_.folder = folder_.string();
    for (const auto read :
         {&AdapterParser::ReadHead, &AdapterParser::ReadImplementations, &AdapterParser::ReadEnvironment}) {
      if (MaybeError error = (this->*read)()) return *error;
    }
    return std::move(adapter_);
  }

 private:
  // What the words of a command may stand for.
  struct CommandRules {
    std::string runtime;  // "" where there is no $runtime
    bool builds;          // there is $out
  };

  Error Fail(const Location& at, std::string message, std::string hint = "") const {
    return Error{std::move(message), file_, at, std::move(hint)};
  }
  Error WrongKind(const YamlNode& node, const std::string& what, const std::string& expected) const {
    return Fail(node.at, what + " is " + expected + ", not " + std::string(node.KindName()));
  }

  // Leaves `text` as it is where the key is not there.
  MaybeError ReadText(const YamlNode& map, const std::string& key, std::string& text) const {
    const YamlNode* node = map.Find(key);
    if (node == nullptr) return std::nullopt;
    if (node->kind != YamlNode::Kind::kText) return WrongKind(*node, "'" + key + "'", "a text");
    text = Trim(node->text);
    if (text.empty()) return Fail(node->at, "'" + key + "' is empty");
    return std::nullopt;
  }

  MaybeError ReadFlag(const YamlNode& map, const std::string& key, bool& flag) const {
    std::string text = flag ? "true" : "false";
    if (MaybeError error = ReadText(map, key, text)) return error;
    if (text != "true" && text != "false") return Fail(map.Find(key)->at, "'" + key + "' is true or false");
    flag = text == "true";
    return std::nullopt;
  }

  MaybeError CheckName(const Location& at, const std::string& name) const {
    if (IsName(name)) return std::nullopt;
    return Fail(at, "'" + name + "' is not a name: expected lower-case letters, digits and, after the first, . - _ +");
  }

  MaybeError ReadHead() {
    std::vector<std::string> keys{"name", "title", "implementations", "environment"};
    keys.insert(keys.end(), kImplementationKeys.begin(), kImplementationKeys.end());
    if (MaybeError error = CheckKeys(root_, "an adapter", keys, file_)) return error;
    const YamlNode* name = root_.Find("name");
    if (name == nullptr) return Fail(root_.at, "an adapter has a 'name'");
    if (MaybeError error = ReadText(root_, "name", adapter_.name)) return error;
    if (MaybeError error = CheckName(name->at, adapter_.name)) return error;
    adapter_.title = adapter_.name;
    return ReadText(root_, "title", adapter_.title);
  }

  MaybeError ReadImplementations() {
    const YamlNode* list = root_.Find("implementations");
    if (list == nullptr) return ReadImplementation(adapter_.name, root_.Find("name")->at, root_);
    for (const YamlNode& key : root_.keys) {
      const bool is_of_one =
          std::find(kImplementationKeys.begin(), kImplementationKeys.end(), key.text) != kImplementationKeys.end();
      if (is_of_one) return Fail(key.at, "'" + key.text + "' beside 'implementations'", "it belongs to one of them");
    }
    if (list->kind != YamlNode::Kind::kMap || list->keys.empty()) {
      return WrongKind(*list, "'implementations'", "a map from names to commands");
    }
    for (size_t i = 0; i < list->keys.size(); ++i) {
      const YamlNode& key = list->keys[i];
      const std::string what = "the implementation '" + key.text + "'";
      if (MaybeError error = CheckKeys(list->values[i], what, kImplementationKeys, file_)) return error;
      if (MaybeError error = ReadImplementation(key.text, key.at, list->values[i])) return error;
    }
    return std::nullopt;
  }

  MaybeError ReadImplementation(const std::string& name, const Location& at, const YamlNode& node) {
    if (MaybeError error = CheckName(at, name)) return error;
    if (name == "adapter" || name == "ref") {
      return Fail(at, "an implementation cannot be called '" + name + "'", "in --impl the word means something else");
    }
    AdapterImplementation implementation;
    implementation.name = name;
    if (MaybeError error = ReadText(node, "runtime", implementation.runtime)) return error;
    if (!implementation.runtime.empty()) {
      if (MaybeError error = CheckName(node.Find("runtime")->at, implementation.runtime)) return error;
    }
    if (MaybeError error = ReadText(node, "install", implementation.install)) return error;
    if (MaybeError error = ReadFlag(node, "prints", implementation.prints)) return error;
    // For ./test, which reads it by itself: whether its packages are only installed on request.
    bool large = false;
    if (MaybeError error = ReadFlag(node, "large", large)) return error;
    if (large && implementation.install.empty()) return Fail(node.Find("large")->at, "'large' without 'install'");
    if (MaybeError error = ReadBuild(node, implementation)) return error;
    const YamlNode* command = node.Find("command");
    if (command == nullptr) return Fail(at, "'" + name + "' has no 'command'");
    const CommandRules rules{implementation.runtime, !implementation.build.empty()};
    if (MaybeError error = ReadCommand(*command, "'command'", rules, implementation.command)) return error;
    if (const YamlNode* entries = node.Find("entries")) {
      if (MaybeError error = ReadEntries(*entries, rules, implementation)) return error;
    }
    if (const YamlNode* alone = node.Find("alone")) {
      if (MaybeError error = ReadCommand(*alone, "'alone'", rules, implementation.alone)) return error;
    }
    if (const YamlNode* inside = node.Find("inside")) {
      if (MaybeError error = ReadInside(*inside, implementation)) return error;
    }
    adapter_.implementations.push_back(std::move(implementation));
    return std::nullopt;
  }

  MaybeError ReadBuild(const YamlNode& node, AdapterImplementation& implementation) const {
    if (MaybeError error = ReadText(node, "library", implementation.library)) return error;
    if (!implementation.library.empty() && !IsVariable(implementation.library)) {
      return Fail(node.Find("library")->at, "'" + implementation.library + "' is not the name of a variable");
    }
    const YamlNode* build = node.Find("build");
    const YamlNode* sources = node.Find("sources");
    if (build == nullptr) {
      if (sources == nullptr) return std::nullopt;
      return Fail(sources->at, "'sources' without 'build'", "build: [make, -s]");
    }
    if (build->kind != YamlNode::Kind::kList || build->items.empty()) {
      return WrongKind(*build, "'build'", "a list of words");
    }
    // It runs in the folder, and finds its files by itself.
    for (const YamlNode& word : build->items) {
      if (word.kind != YamlNode::Kind::kText) return WrongKind(word, "a word of 'build'", "a text");
      implementation.build.push_back(word.text);
    }
    return sources == nullptr ? std::nullopt : ReadSources(*sources, implementation);
  }

  MaybeError ReadSources(const YamlNode& node, AdapterImplementation& implementation) const {
    if (node.kind != YamlNode::Kind::kList) return WrongKind(node, "'sources'", "a list of folders");
    for (const YamlNode& item : node.items) {
      if (item.kind != YamlNode::Kind::kText) return WrongKind(item, "a folder of 'sources'", "a text");
      const fs::path folder = (folder_ / item.text).lexically_normal();
      std::error_code trouble;
      if (!fs::is_directory(folder, trouble)) return Fail(item.at, "'" + item.text + "' is not a folder");
      implementation.sources.push_back(folder.string());
    }
    return std::nullopt;
  }

  MaybeError ReadInside(const YamlNode& node, AdapterImplementation& implementation) const {
    if (node.kind != YamlNode::Kind::kMap) return WrongKind(node, "'inside'", "a map from runtimes to commands");
    for (size_t i = 0; i < node.keys.size(); ++i) {
      const std::string& runtime = node.keys[i].text;
      if (MaybeError error = CheckName(node.keys[i].at, runtime)) return error;
      const CommandRules rules{runtime, !implementation.build.empty()};
      if (MaybeError error =
              ReadCommand(node.values[i], "the command of '" + runtime + "'", rules, implementation.inside[runtime])) {
        return error;
      }
    }
    return std::nullopt;
  }

  MaybeError ReadEntries(const YamlNode& node, const CommandRules& rules, AdapterImplementation& implementation) const {
    if (node.kind != YamlNode::Kind::kMap) return WrongKind(node, "'entries'", "a map from entries to commands");
    for (size_t i = 0; i < node.keys.size(); ++i) {
      const YamlNode& key = node.keys[i];
      if (key.text == EntryName(Entry::kScript)) return Fail(key.at, "the entry 'script' is what 'command' runs");
      std::vector<std::string>* command = nullptr;
      for (const Entry known : {Entry::kEsm, Entry::kWorker}) {
        if (key.text == EntryName(known)) command = &implementation.entries[known];
      }
      if (key.text == kEsmAwait) command = &implementation.esm_await;
      if (command == nullptr) {
        return Fail(key.at, "'" + key.text + "' is not an entry: expected esm, esm await or worker",
                    DidYouMean(key.text, {"esm", kEsmAwait, "worker"}));
      }
      if (MaybeError error = ReadCommand(node.values[i], "the command of '" + key.text + "'", rules, *command)) {
        return error;
      }
    }
    return std::nullopt;
  }

  MaybeError ReadCommand(const YamlNode& node, const std::string& what, const CommandRules& rules,
                         std::vector<std::string>& command) const {
    if (node.kind != YamlNode::Kind::kList) return WrongKind(node, what, "a list of words");
    if (node.items.empty()) return Fail(node.at, what + " is empty");
    bool uses_runtime = false;
    for (const YamlNode& word : node.items) {
      if (word.kind != YamlNode::Kind::kText) return WrongKind(word, "a word of " + what, "a text");
      if (word.text == kRuntimeWord) {
        if (rules.runtime.empty()) return Fail(word.at, "'$runtime' without 'runtime'", "runtime: node");
        uses_runtime = true;
      } else if (word.text == kOutWord || word.text.starts_with(kOutPrefix)) {
        if (!rules.builds) return Fail(word.at, "'$out' without 'build'", "build: [make, -s]");
      } else if (word.text.starts_with('$')) {
        return Fail(word.at, "'" + word.text + "' is unknown; there are $runtime and $out",
                    DidYouMean(word.text, {kRuntimeWord, kOutWord}));
      }
      command.push_back(word.text.starts_with('$') ? word.text : PathOf(word.text));
    }
    if (command[0].empty()) return Fail(node.items[0].at, "the program of " + what + " is empty");
    if (!rules.runtime.empty() && !uses_runtime) {
      return Fail(node.at, what + " does not use its runtime", "[$runtime, …]");
    }
    return std::nullopt;
  }

  // A word that names a file of the folder becomes its path; the others stay as they are.
  std::string PathOf(const std::string& word) const {
    const fs::path path(word);
    std::error_code trouble;
    if (word.empty() || path.is_absolute() || !fs::is_regular_file(folder_ / path, trouble)) return word;
    return (folder_ / path).lexically_normal().string();
  }

  MaybeError ReadEnvironment() {
    const YamlNode* list = root_.Find("environment");
    if (list == nullptr) return std::nullopt;
    if (list->kind != YamlNode::Kind::kList) return WrongKind(*list, "'environment'", "a list of names of variables");
    for (const YamlNode& item : list->items) {
      if (item.kind != YamlNode::Kind::kText) return WrongKind(item, "a variable", "a text");
      const size_t equals = item.text.find('=');
      const std::string name = item.text.substr(0, equals);
      if (!IsVariable(name)) return Fail(item.at, "'" + name + "' is not the name of a variable");
      if (equals == std::string::npos)
        adapter_.environment.push_back(name);
      else
        adapter_.variables[name] = item.text.substr(equals + 1);
    }
    return std::nullopt;
  }

  const YamlNode& root_;
  const std::string file_;
  const fs::path folder_;
  Adapter adapter_;
};

}  // namespace

Result<Adapter> LoadAdapter(const std::string& folder) {
  std::error_code trouble;
  fs::path absolute = fs::absolute(folder, trouble).lexically_normal();
  if (!absolute.has_filename()) absolute = absolute.parent_path();  // written with a slash at its end
  const std::string file = (fs::path(folder) / kFileName).string();
  if (trouble || !fs::is_directory(absolute, trouble)) return Error{"is not a folder", folder};
  if (!fs::exists(absolute / kFileName, trouble)) {
    return Error{"does not exist, so this folder is not an adapter", file};
  }
  auto text = ReadFile(file, kMaxAdapterFileBytes);
  if (!text) return text.error();
  return ParseAdapter(*text, file, absolute.string());
}

Result<Adapter> ParseAdapter(const std::string& text, const std::string& file, const std::string& folder) {
  const auto root = ReadYaml(text, file);
  if (!root) return root.error();
  return AdapterParser(*root, file, folder).Parse();
}

LoadedAdapters LoadAdapters(const std::string& folder) {
  LoadedAdapters loaded;
  std::vector<std::string> folders;
  std::error_code trouble;
  for (fs::directory_iterator at(folder, trouble), end; !trouble && at != end; at.increment(trouble)) {
    std::error_code unreadable;
    if (fs::exists(at->path() / kFileName, unreadable)) folders.push_back(at->path().string());
  }
  if (trouble && trouble != std::errc::no_such_file_or_directory) {
    loaded.errors.push_back(Error::OfCall("cannot be read", trouble.value(), folder));
  }
  std::sort(folders.begin(), folders.end());
  std::vector<Adapter>& adapters = loaded.adapters;
  std::map<std::string, std::string> owners;  // by the name of the implementation
  for (const std::string& one : folders) {
    auto adapter = LoadAdapter(one);
    if (!adapter) {
      loaded.errors.push_back(adapter.error());
      continue;
    }
    const auto is_taken = [&](const AdapterImplementation& implementation) {
      const auto [owner, is_new] = owners.emplace(implementation.name, one);
      if (!is_new) {
        const std::string what = "the implementation '" + implementation.name + "' is also one of " + owner->second;
        loaded.errors.push_back({what, (fs::path(one) / kFileName).string(), {}, ""});
      }
      return !is_new;
    };
    std::erase_if(adapter->implementations, is_taken);
    adapters.push_back(std::move(*adapter));
  }
  std::stable_sort(adapters.begin(), adapters.end(), [](const auto& a, const auto& b) { return a.name < b.name; });
  return loaded;
}

std::optional<Error> MissingFile(const Adapter& adapter, const AdapterImplementation& implementation) {
  static const std::vector<std::string> kScripts{".js", ".cjs", ".mjs", ".ts", ".py", ".sh", ".rb", ".lua", ".pl"};
  for (const std::string& word : implementation.command) {
    if (word.empty() || word[0] == '$' || word[0] == '-' || fs::path(word).is_absolute()) continue;
    const bool is_script =
        std::any_of(kScripts.begin(), kScripts.end(), [&](const auto& e) { return word.ends_with(e); });
    if (!is_script && word.find('/') == std::string::npos) continue;
    // What is there has become a path from the root.
    const std::string what =
        "the command of '" + implementation.name + "' names '" + word + "', which is not in this folder";
    const std::string& install = implementation.install;
    return Error{what, adapter.folder, {}, install.empty() ? "" : "it needs: apt install " + install};
  }
  return std::nullopt;
}

AdapterCommand MakeCommand(const Adapter& adapter, const AdapterImplementation& implementation,
                           const std::string& option, const std::string& binary, const std::string& out) {
  AdapterCommand made{option,
                      option.starts_with(implementation.name + "="),
                      FilledCommand(implementation.command, binary, out),
                      {},
                      adapter.environment,
                      adapter.variables};
  for (const auto& [entry, command] : implementation.entries) made.entries[entry] = FilledCommand(command, binary, out);
  made.esm_await = FilledCommand(implementation.esm_await, binary, out);
  made.alone = FilledCommand(implementation.alone, binary, out);
  made.install = implementation.install;
  made.prints = implementation.prints;
  return made;
}

AdapterCommand MakeCommandInside(const Adapter& adapter, const AdapterImplementation& implementation,
                                 const std::string& runtime, const std::string& option, const std::string& binary,
                                 const std::string& out) {
  const auto inside = implementation.inside.find(runtime);
  CONFORM_CHECK(inside != implementation.inside.end());
  const std::vector<std::string> command = FilledCommand(inside->second, binary, out);
  AdapterCommand made{option, /*by_path=*/true, command, {}, adapter.environment, adapter.variables};
  made.install = implementation.install;
  return made;
}

}  // namespace conform
