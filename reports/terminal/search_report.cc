#include "reports/terminal/search_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

namespace conform::reports {

std::string SearchText(const SearchResults& results, size_t limit, const Style& style) {
  std::string out;
  const size_t cases = std::min(limit, results.cases.size()), clauses = std::min(limit, results.clauses.size());
  for (size_t i = 0; i < cases; ++i) {
    const Case& c = *results.cases[i];
    out += style.Strong(c.id) + "\n" + Wrap(c.title, "    ", "    ");
  }
  if (results.cases.size() > cases) out += fmt::format("and {} more cases\n", results.cases.size() - cases);
  if (cases > 0 && clauses > 0) out += "\n";
  for (size_t i = 0; i < clauses; ++i) {
    const Clause& clause = *results.clauses[i];
    out += style.Strong(clause.id) + "  " + std::string(ClauseLevelName(clause.level)) + "\n";
    out += Wrap(FirstSentence(clause.text), "    ", "    ");
  }
  if (results.clauses.size() > clauses) out += fmt::format("and {} more clauses\n", results.clauses.size() - clauses);
  return out + fmt::format("\n{}, {}\n", Counted(static_cast<int64_t>(results.cases.size()), "case"),
                           Counted(static_cast<int64_t>(results.clauses.size()), "clause"));
}

nlohmann::ordered_json SearchJson(const SearchResults& results) {
  nlohmann::ordered_json cases = nlohmann::ordered_json::array(), clauses = nlohmann::ordered_json::array();
  for (const Case* c : results.cases) cases.push_back({{"id", c->id}, {"title", c->title}, {"clauses", c->clauses}});
  for (const Clause* clause : results.clauses) {
    clauses.push_back({{"id", clause->id}, {"level", ClauseLevelName(clause->level)}, {"text", clause->text}});
  }
  return {{"cases", std::move(cases)}, {"clauses", std::move(clauses)}};
}

}  // namespace conform::reports
