// What `conform search` prints.
#ifndef CONFORM_REPORTS_TERMINAL_SEARCH_REPORT_H_
#define CONFORM_REPORTS_TERMINAL_SEARCH_REPORT_H_

#include <cstddef>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "runners/base/output.h"
#include "runners/study/search.h"

namespace conform::reports {

// At most `limit` cases and as many clauses; of the others the number.
std::string SearchText(const SearchResults& results, size_t limit, const Style& style);
// All of them. spec/schemas/search.schema.json
nlohmann::ordered_json SearchJson(const SearchResults& results);

}  // namespace conform::reports

#endif  // CONFORM_REPORTS_TERMINAL_SEARCH_REPORT_H_
