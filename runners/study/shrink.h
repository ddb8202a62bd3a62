// Making a program smaller that shows something: delta debugging on the tree of its steps.
#ifndef CONFORM_RUNNERS_STUDY_SHRINK_H_
#define CONFORM_RUNNERS_STUDY_SHRINK_H_

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "runners/model/case.h"

namespace conform {

// Programs that are one change smaller, those with the largest change first: a step and its body are removed, with all
// that refers to what they make; a body takes the place of its step; a chain, a delay, a kind or an entry becomes a
// simpler one. Every one is valid, and none waits or runs without end where `c` does not.
std::vector<Case> SmallerPrograms(const Case& c, const std::string& family);

// Which of the programs still shows it: the first, or nothing. It may take long; nothing also when it was interrupted.
using FirstThatShows = std::function<std::optional<size_t>(const std::vector<Case>&)>;

// Takes the first smaller program that still shows it, until none does. Its names are A, B, C … in the end, unless
// those do not show it.
Case Shrink(Case c, const std::string& family, const FirstThatShows& first_that_shows);

// Whether every callback that comes again by itself, or because of others, is bounded; and, where servers keep a
// process alive, whether they are closed in the end. What the generator makes has this.
bool EndsByItself(const Program& program, const std::string& family);

}  // namespace conform

#endif  // CONFORM_RUNNERS_STUDY_SHRINK_H_
