// Finding cases and clauses by the names of APIs and by words.
#ifndef CONFORM_RUNNERS_STUDY_SEARCH_H_
#define CONFORM_RUNNERS_STUDY_SEARCH_H_

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "runners/base/result.h"
#include "runners/model/case.h"
#include "runners/model/clause.h"

namespace conform {

// The names that the steps of a case have in APIs, and those of APIs that its native files call.
std::vector<std::string> ApiNamesOf(const Case& c);

// How much there is to read of a case, to sort by: whether it is a file in another language, then its steps.
std::pair<bool, int64_t> SizeOfCase(const Case& c);

// Whether a step is called so by an API, as it is looked for: `setImmediate()`, `nextTick`.
bool IsApiName(const std::string& word);

struct SearchResults {
  // Those that match every word; the best first: what a word names and a title or id is about, then what a word names,
  // then titles, then the rest. Of equals, small programs come first, then the order of the catalogue and of the spec.
  std::vector<const Case*> cases;
  std::vector<const Clause*> clauses;
};

// A word matches a case by an API name or the name of a step in its program, by a name in the file of a native case, or
// by the beginning of a word in its id, title, reason or clauses; a clause by its id or text, where the spec's own word
// for what an API does counts as well. Capitals do not count, and an API may be named without what precedes its
// last dot: nextTick. Error: a word that matches nothing, with the nearest name; or nothing matches all of them. The
// results refer to `cases` and `clauses`.
Result<SearchResults> Search(const std::vector<std::string>& words, const std::vector<Case>& cases,
                             const ClauseList& clauses);

}  // namespace conform

#endif  // CONFORM_RUNNERS_STUDY_SEARCH_H_
