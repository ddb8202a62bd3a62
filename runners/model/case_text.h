// Parts of a case as the case language writes them.
#ifndef CONFORM_RUNNERS_MODEL_CASE_TEXT_H_
#define CONFORM_RUNNERS_MODEL_CASE_TEXT_H_

#include <string>

#include "runners/model/case.h"

namespace conform {

// The program, one step a line; a body is indented.
std::string ProgramText(const Program& program, const std::string& indent);

// The model of a native case, with the profiles of each program where there are several; "" without one.
std::string ModelText(const Case& c, const std::string& indent);

// The profiles that a line of `expect` speaks of: `node >=11`, or `every profile`.
std::string RangeText(const Expectation& expectation);

}  // namespace conform

#endif  // CONFORM_RUNNERS_MODEL_CASE_TEXT_H_
