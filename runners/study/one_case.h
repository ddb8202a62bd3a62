// Commands that take exactly one case.
#ifndef CONFORM_RUNNERS_STUDY_ONE_CASE_H_
#define CONFORM_RUNNERS_STUDY_ONE_CASE_H_

#include <string>

#include "runners/base/result.h"
#include "runners/harness/selection.h"
#include "runners/study/home.h"

namespace conform {

// Error: the word means no case, or several, or the file cannot be read.
Result<SelectedCase> SelectOneCase(const Home& home, const std::string& word);

}  // namespace conform

#endif  // CONFORM_RUNNERS_STUDY_ONE_CASE_H_
