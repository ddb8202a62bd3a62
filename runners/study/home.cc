#include "runners/study/home.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "reference-impl/explore/explorer.h"
#include "runners/base/output.h"
#include "runners/base/text.h"
#include "runners/study/search.h"

namespace conform {
namespace {

namespace fs = std::filesystem;

bool HasData(const fs::path& root) {
  std::error_code trouble;
  return fs::is_directory(root / "cases", trouble) && fs::is_directory(root / "spec" / "profiles", trouble);
}

// As a user in the current folder would write it.
std::string Shortest(const fs::path& root) {
  std::error_code trouble;
  const fs::path relative = fs::relative(root, fs::current_path(trouble), trouble);
  if (trouble || relative.empty() || *relative.begin() == "..") return root.string();
  return relative.string();
}

// A word that means no case may be a clause, or what an API calls a step.
std::string HintForWord(const Home& home, const std::string& word) {
  if (IsApiName(word)) return "conform search " + Quoted(word) + " finds what is about it";
  if (word.find('.') == std::string::npos || word.find('/') != std::string::npos) return "";
  std::vector<std::string> clauses;
  for (const Clause& clause : LoadClauses(home.Spec()).clauses) clauses.push_back(clause.id);
  if (std::find(clauses.begin(), clauses.end(), word) != clauses.end()) {
    return "it is a clause; conform show " + word + " lists its cases";
  }
  const std::optional<std::string> nearest = NearestName(word, clauses);
  return nearest ? "did you mean the clause '" + *nearest + "'?" : "";
}

}  // namespace

Result<Home> FindHome() {
  if (const char* given = std::getenv("CONFORM_HOME"); given != nullptr && *given != '\0') {
    if (HasData(given)) return Home{Shortest(given)};
    return Error{"CONFORM_HOME has no folders 'cases' and 'spec/profiles'", given};
  }
  std::error_code trouble;
  const fs::path executable = fs::read_symlink("/proc/self/exe", trouble);
  const fs::path installed = executable.parent_path().parent_path() / "share" / "conform";
  if (!trouble && HasData(installed)) return Home{Shortest(installed)};
  if (HasData(CONFORM_SOURCE_DIR)) return Home{Shortest(CONFORM_SOURCE_DIR)};
  return Error{
      "the folders 'cases' and 'spec/profiles' cannot be found; set CONFORM_HOME to the folder that contains them",
      installed.string()};
}

Selection SelectCases(const Home& home, const Catalogue& catalogue, const std::vector<std::string>& words) {
  const auto renamed = LoadRenamed(home.Renamed());
  if (!renamed) return {{}, {renamed.error()}, {}};
  const auto hint = [&home](const std::string& word) { return HintForWord(home, word); };
  Selection selection = SelectCases(catalogue, home.Cases(), words, *renamed, hint);
  PrintNotes(selection.notes);
  return selection;
}

Selection SelectCases(const Home& home, const std::vector<std::string>& words) {
  return SelectCases(home, LoadCatalogue(home.Cases()), words);
}

Result<Profiles> LoadProfiles(const Home& home) {
  Result<Profiles> profiles = Profiles::Load(home.ProfilesFolder());
  if (!profiles) return profiles;
  if (const std::optional<Error> error = reference::CheckRules(*profiles)) return *error;
  const auto renamed = LoadRenamed(home.Renamed());
  if (!renamed) return renamed.error();
  std::map<std::string, std::string> rules;
  for (const auto& [old, id] : renamed->rules) rules[old] = id.now;
  profiles->set_renamed_rules(std::move(rules));
  return profiles;
}

}  // namespace conform
