// What loops and runtimes are called elsewhere.
#ifndef CONFORM_RUNNERS_MODEL_LOOP_NAMES_H_
#define CONFORM_RUNNERS_MODEL_LOOP_NAMES_H_

#include <string>
#include <string_view>
#include <vector>

namespace conform {

// A hint for a name that is not one of `names`: "did you mean 'chromium'?" for chrome, 'node@24' for node24, else the
// nearest of them; "" where none is near.
std::string DidYouMeanLoop(std::string_view name, const std::vector<std::string>& names);

}  // namespace conform

#endif  // CONFORM_RUNNERS_MODEL_LOOP_NAMES_H_
