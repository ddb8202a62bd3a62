// Commands that take exactly one case.
#ifndef CONFORM_RUNNERS_CLI_ONE_CASE_H_
#define CONFORM_RUNNERS_CLI_ONE_CASE_H_

#include <string>

#include "runners/base/result.h"
#include "runners/cli/home.h"
#include "runners/harness/selection.h"

namespace conform {

// Error: the word means no case, or several, or the file cannot be read.
Result<SelectedCase> SelectOneCase(const Home& home, const std::string& word);

}  // namespace conform

#endif  // CONFORM_RUNNERS_CLI_ONE_CASE_H_
