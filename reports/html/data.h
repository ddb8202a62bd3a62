// The data of the pages, as JSON that their script (page/*.js) draws. Both are in one binary: the format is not a
// contract with anybody else.
#ifndef CONFORM_REPORTS_HTML_DATA_H_
#define CONFORM_REPORTS_HTML_DATA_H_

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "reports/html/input.h"

namespace conform::reports {

// For the matrix, the spec, the history and the survey:
//   verdicts         the names, which everything else names by their index
//   implementations  name, kind, version, claims, details, profiles, totals
//   clauses          id, chapter, level, applies, text
//   cases            id, hash, title, page, clauses (indices), behaviours (texts), expects (a pattern and the behaviour
//                    of those that pass it), find (more words to find it by), and cells: for each implementation null,
//                    or [verdict, behaviour…]; the verdict is the worst of those under several profiles
nlohmann::ordered_json IndexData(const HtmlInput& input, const std::vector<std::string>& pages);

// For the page of one case: the case, its results, and the traces that they refer to.
nlohmann::ordered_json CaseData(const HtmlInput& input, size_t case_index, const std::vector<std::string>& pages);

// A file name for each case: `drain.between-timers.html`. Ids may come from anywhere: only letters, digits, '.', '_'
// and '-' are kept, and no two names are the same where capitals do not count.
std::vector<std::string> PageNames(const ResultSet& set);

// Which of two verdicts a cell shows: the lower one.
int CellRank(Verdict verdict);

}  // namespace conform::reports

#endif  // CONFORM_REPORTS_HTML_DATA_H_
