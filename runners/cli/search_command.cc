// conform search
#include <nlohmann/json.hpp>

#include "reports/terminal/json_text.h"
#include "reports/terminal/search_report.h"
#include "runners/cli/commands.h"

namespace conform {
namespace {

struct SearchArguments {
  std::vector<std::string> words;
  size_t limit = 20;
  bool json = false;
};

int SearchSpec(const SearchArguments& arguments, const Context& context) {
  const Catalogue catalogue = LoadCatalogue(context.home.Cases());
  const ClauseList clauses = LoadClauses(context.home.Spec());
  PrintErrors(catalogue.errors);
  PrintErrors(clauses.errors);
  const auto results = Search(arguments.words, catalogue.cases, clauses);
  if (!results) return Fail(results.error());
  const bool whole = catalogue.errors.empty() && clauses.errors.empty();
  return Answer(arguments.json ? reports::JsonText(reports::SearchJson(*results))
                               : reports::SearchText(*results, arguments.limit, context.out),
                whole ? kAllAsExpected : kBadInput);
}

}  // namespace

CommandSpec MakeSearchCommand() {
  const auto arguments = std::make_shared<SearchArguments>();
  return {
      "search",
      "Find cases and clauses by API names and by words",
      {Argument("WORD", &arguments->words,
                "names such as setImmediate, uv_idle_start or call_soon,\n"
                "or words of titles, reasons and clauses; all must match")
           .Required(),
       Value("--limit", "N", &arguments->limit, "how many cases and clauses to list (default 20)").Between(1, 10'000),
       FormatOption(&arguments->json)},
      RunWith(arguments, SearchSpec)};
}

}  // namespace conform
