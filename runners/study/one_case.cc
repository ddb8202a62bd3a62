#include "runners/study/one_case.h"

namespace conform {

Result<SelectedCase> SelectOneCase(const Home& home, const std::string& word) {
  const Catalogue catalogue = LoadCatalogue(home.Cases());
  Selection selection = SelectCases(home, catalogue, {word});
  if (!selection.errors.empty()) return selection.errors[0];
  if (selection.cases.size() != 1) {
    return Error{"'" + word + "' means " + std::to_string(selection.cases.size()) + " cases; name one, such as " +
                 selection.cases[0].c.id};
  }
  return std::move(selection.cases[0]);
}

}  // namespace conform
