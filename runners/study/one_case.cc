#include "runners/study/one_case.h"

#include <filesystem>

#include "runners/model/inline_program.h"

namespace conform {
namespace {

// As much of the catalogue as decides what the word means: reading all of it takes longer than most that is done with
// one case.
Catalogue CatalogueFor(const Home& home, const std::string& word) {
  namespace fs = std::filesystem;
  if (IsInlineProgram(word)) return {};
  const fs::path below = fs::path(home.Cases()) / word;
  const bool leads_out = word.starts_with('/') || word.find("..") != std::string::npos;
  std::error_code ignored;
  const bool is_id = fs::is_regular_file(below.string() + ".yaml", ignored) && !fs::is_directory(below, ignored);
  return is_id && !leads_out ? LoadOneOfCatalogue(home.Cases(), word) : LoadCatalogue(home.Cases());
}

}  // namespace

Result<SelectedCase> SelectOneCase(const Home& home, const std::string& word) {
  const Catalogue catalogue = CatalogueFor(home, word);
  Selection selection = SelectCases(home, catalogue, {word});
  if (!selection.errors.empty()) return selection.errors[0];
  if (selection.cases.size() != 1) {
    return Error{"'" + word + "' means " + std::to_string(selection.cases.size()) + " cases; name one, such as " +
                 selection.cases[0].c.id};
  }
  return std::move(selection.cases[0]);
}

}  // namespace conform
