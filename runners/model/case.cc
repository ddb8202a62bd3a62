#include "runners/model/case.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "runners/base/text.h"

namespace conform {
namespace {

namespace fs = std::filesystem;

// Every *.yaml file below `folder`, sorted by its path there. Links are not followed, so no walk is endless.
std::vector<fs::path> CaseFiles(const fs::path& folder, std::vector<Error>& errors) {
  std::vector<fs::path> files;
  std::error_code code;
  fs::recursive_directory_iterator walk(folder, code);
  for (; !code && walk != fs::recursive_directory_iterator(); walk.increment(code)) {
    if (walk->path().extension() == ".yaml" && !walk->is_directory()) files.push_back(walk->path());
  }
  if (code) errors.push_back(Error::OfCall("cannot be listed", code.value(), folder.string()));
  return files;
}

// A verdict on a native case depends on its files, so their contents are part of the hash.
void HashNativeFiles(Case& c, std::vector<Error>& errors) {
  std::string bytes = c.content_hash;
  for (const auto& [adapter, name] : c.native) {
    const std::string path = (fs::path(c.file).parent_path() / name).string();
    Result<std::string> contents = ReadFile(path, kMaxCaseBytes);
    if (!contents.ok()) {
      errors.push_back(Error{fmt::format("native file '{}' {}", name, contents.error().message), c.file});
      return;
    }
    bytes += fmt::format("\n{} {}\n", adapter, contents->size()) + *contents;
  }
  c.content_hash = ContentHash(bytes);
}

// A file of one's own may be a bare question; a case of the catalogue explains itself.
void CheckExplained(const Case& c, std::vector<Error>& errors) {
  const auto need = [&](const char* key, bool given) {
    if (!given) errors.push_back(Error{fmt::format("a case of the catalogue needs '{}'", key), c.file});
  };
  need("title", !c.title.empty());
  need("clauses", !c.clauses.empty());
  need("why", !c.why.empty());
  need("expect", !c.expect.empty());
}

void LoadFile(const std::string& folder, const fs::path& path, Catalogue& catalogue) {
  const std::string id = path.lexically_relative(folder).replace_extension().generic_string();
  if (id.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-._/") != std::string::npos) {
    catalogue.errors.push_back(
        Error{"the name of a case consists of lower-case letters, digits, '-', '.' and '_'", path.string()});
    return;
  }
  Result<std::string> text = ReadFile(path.string(), kMaxCaseBytes);
  if (!text.ok()) {
    catalogue.errors.push_back(text.error());
    return;
  }
  Result<Case> parsed = ParseCase(*text, path.string(), id);
  if (!parsed.ok()) {
    catalogue.errors.push_back(parsed.error());
    return;
  }
  Case c = std::move(parsed).value();
  CheckExplained(c, catalogue.errors);
  if (!c.native.empty()) HashNativeFiles(c, catalogue.errors);
  catalogue.cases.push_back(std::move(c));
}

}  // namespace

bool Expectation::Covers(const std::string& profile_family, const Version& version) const {
  return family.empty() || (family == profile_family && range.Contains(version));
}

bool ModelProgram::Covers(const std::string& profile_family, const Version& version) const {
  return family.empty() || (family == profile_family && range.Contains(version));
}

const ModelProgram* Case::ModelFor(const std::string& family, const Version& version) const {
  const auto found = std::find_if(models.begin(), models.end(),
                                  [&](const ModelProgram& model) { return model.Covers(family, version); });
  return found == models.end() ? nullptr : &*found;
}

Entry Case::EntryOfModel() const {
  const bool module = !native.empty() && native.begin()->second.ends_with(".mjs");
  return module ? Entry::kEsm : entry;
}

bool Case::SpeaksOf(std::string_view family) const {
  return std::any_of(expect.begin(), expect.end(),
                     [&](const Expectation& one) { return one.family.empty() || one.family == family; });
}

const Expectation* Case::ExpectationFor(const std::string& family, const Version& version) const {
  const auto found = std::find_if(expect.begin(), expect.end(),
                                  [&](const Expectation& expectation) { return expectation.Covers(family, version); });
  return found == expect.end() ? nullptr : &*found;
}

Catalogue LoadOneOfCatalogue(const std::string& folder, const std::string& id) {
  Catalogue catalogue;
  LoadFile(folder, fs::path(folder) / (id + ".yaml"), catalogue);
  return catalogue;
}

Catalogue LoadCatalogue(const std::string& folder) {
  Catalogue catalogue;
  for (const fs::path& path : CaseFiles(folder, catalogue.errors)) LoadFile(folder, path, catalogue);
  std::sort(catalogue.cases.begin(), catalogue.cases.end(), [](const Case& a, const Case& b) { return a.id < b.id; });
  std::stable_sort(catalogue.errors.begin(), catalogue.errors.end(),
                   [](const Error& a, const Error& b) { return a.file < b.file; });
  return catalogue;
}

}  // namespace conform
