// Where a clause holds.
#ifndef CONFORM_RUNNERS_MODEL_CLAUSE_SCOPE_H_
#define CONFORM_RUNNERS_MODEL_CLAUSE_SCOPE_H_

#include <string_view>

#include "runners/model/clause.h"

namespace conform {

// Whether the clause holds for that profile, such as node@10.24.1, as far as `since` and `until` of its family say. A
// profile without a version is not judged: true.
bool HoldsFor(const Clause& clause, std::string_view profile);

}  // namespace conform

#endif  // CONFORM_RUNNERS_MODEL_CLAUSE_SCOPE_H_
