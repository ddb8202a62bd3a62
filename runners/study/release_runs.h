// The releases of a runtime in a row, and runs of one program on them.
#ifndef CONFORM_RUNNERS_STUDY_RELEASE_RUNS_H_
#define CONFORM_RUNNERS_STUDY_RELEASE_RUNS_H_

#include <string>
#include <vector>

#include "runners/harness/selection.h"
#include "runners/study/bisect.h"
#include "runners/study/implementations.h"

namespace conform {

struct LineOfReleases {
  std::string runtime;     // "node"
  std::string from;        // "10", "10.24.1"; "" for the oldest
  std::string to;          // "" for the newest
  bool installed = false;  // only releases that are installed
};

// From `from` to `to`, both included, oldest first; a part of a version is the newest release that fits. Error: not a
// runtime that can be installed, a version that does not exist, fewer than two releases, or the registry has no answer.
Result<std::vector<std::string>> ReleasesOf(const LineOfReleases& line, const Interrupt* interrupt);

// Installed at this moment.
std::vector<std::string> InstalledReleases(const std::string& runtime);

// `options.install` says whether a release that is missing is installed. Error: it cannot be, or it cannot run the
// case.
Result<ReleaseSample> RunOnRelease(const SelectedCase& selected, const Profiles& profiles, const std::string& runtime,
                                   const std::string& version, int64_t runs, const RunnerOptions& options);

}  // namespace conform

#endif  // CONFORM_RUNNERS_STUDY_RELEASE_RUNS_H_
