// What loops and runtimes are called elsewhere.
#ifndef CONFORM_RUNNERS_MODEL_LOOP_NAMES_H_
#define CONFORM_RUNNERS_MODEL_LOOP_NAMES_H_

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace conform {

// The one of `names` that people also call so, with its version: chromium for chrome, node@24 for node24 and node@24.
std::optional<std::string> LoopCalled(std::string_view name, const std::vector<std::string>& names);

// A hint for a name that is not one of `names`: "did you mean 'chromium'?" for chrome, 'node@24' for node24, else the
// nearest of them; "" where none is near.
std::string DidYouMeanLoop(std::string_view name, const std::vector<std::string>& names);

}  // namespace conform

#endif  // CONFORM_RUNNERS_MODEL_LOOP_NAMES_H_
