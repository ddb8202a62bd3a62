// Results files as one list, for those who ask what was observed and not by which run.
#ifndef CONFORM_RUNNERS_STUDY_ALL_RESULTS_H_
#define CONFORM_RUNNERS_STUDY_ALL_RESULTS_H_

#include <string>
#include <vector>

#include "runners/base/result.h"
#include "runners/model/verdict.h"
#include "runners/study/home.h"

namespace conform {

// In the order of the files. Results under old ids are read under the new ones; stderr then notes it.
Result<std::vector<CaseResult>> ReadAllResults(const std::vector<std::string>& files, const Home& home);

}  // namespace conform

#endif  // CONFORM_RUNNERS_STUDY_ALL_RESULTS_H_
