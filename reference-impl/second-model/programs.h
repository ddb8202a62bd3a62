// Programs in the notation that the second model prints: a letter for each callback, in the order in which they are
// written, with a dot before one that the callback before it schedules. `t.mi` is `timeout A 1: [microtask B]` and
// `immediate C`.
#ifndef CONFORM_REFERENCE_IMPL_SECOND_MODEL_PROGRAMS_H_
#define CONFORM_REFERENCE_IMPL_SECOND_MODEL_PROGRAMS_H_

#include <string>

#include "runners/base/result.h"
#include "runners/model/case.h"

namespace conform::reference {

// Its callbacks are labelled A, B and so on.
// Error: a letter that stands for no kind, or a dot where nothing can be nested.
Result<Case> ParseNotation(const std::string& notation);

}  // namespace conform::reference

#endif  // CONFORM_REFERENCE_IMPL_SECOND_MODEL_PROGRAMS_H_
