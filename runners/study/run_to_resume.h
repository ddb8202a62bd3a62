// Resuming a run: its results file is read and checked before anything that it names is started.
#ifndef CONFORM_RUNNERS_STUDY_RUN_TO_RESUME_H_
#define CONFORM_RUNNERS_STUDY_RUN_TO_RESUME_H_

#include <optional>
#include <string>

#include "runners/base/locked_file.h"
#include "runners/model/results.h"
#include "runners/study/home.h"
#include "runners/study/prepared_run.h"

namespace conform {

// A file that was read while it is locked.
struct RunToResume {
  std::string path;
  RunResults so_far;
  std::optional<LockedFile> file;  // where the run is not complete
};

// Refused: another version of conform than `version` wrote it. Results under old ids are there under the new ones,
// which stderr then notes.
Result<RunToResume> ReadRunToResume(const std::string& path, const std::string& version, const Home& home);

// What can be known before anything that the file names is started: its results are of the cases that `request`, which
// is what the file says that was run, means now. Nothing on success.
std::optional<Error> CheckRunToResume(const RunToResume& resumed, const WhatToRun& request, const Home& home);

}  // namespace conform

#endif  // CONFORM_RUNNERS_STUDY_RUN_TO_RESUME_H_
