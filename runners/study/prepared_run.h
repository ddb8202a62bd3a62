// From what a run is to consist of to its plan.
#ifndef CONFORM_RUNNERS_STUDY_PREPARED_RUN_H_
#define CONFORM_RUNNERS_STUDY_PREPARED_RUN_H_

#include <memory>
#include <string>
#include <vector>

#include "runners/harness/run_item.h"
#include "runners/harness/selection.h"
#include "runners/study/home.h"
#include "runners/study/implementations.h"
#include "runners/study/ref_runners.h"

namespace conform {

// What is to run, in the words of the command line.
struct WhatToRun {
  std::vector<std::string> words;       // cases
  std::string clause;                   // of those, the ones that are about this clause, or about a clause below it
  std::string failed;                   // of those, the ones with a judgement against them in this results file
  std::string implementations = "ref";  // "ref,node@24,bun"
  std::string as;                       // "node@22,libuv"; "" for what each claims to be
  std::string shard = "1/1";
  bool console = false;   // scripts: the lines that console.log prints are labels
  int64_t timeout_s = 0;  // for each run; 0 for what suits the case
  RunOptions options = {};
};

// The cases of the request, as they are to run: what changes how a case runs changes its content_hash. Notes go to
// stderr.
Selection SelectWhatToRun(const WhatToRun& request, const Home& home, const Catalogue& catalogue);

// Everything that a run needs, or the errors that keep it from starting.
struct Prepared {
  std::vector<std::unique_ptr<Runner>> runners;
  ModelOracle late;
  Plan plan;
  Shard shard;
  std::vector<Error> errors;
  std::vector<Error> left_out;  // implementations that were requested and cannot be run here
};

// The runners are made as `options` say, and the catalogue is that of options.home. Notes and warnings go to stderr.
Prepared Prepare(const WhatToRun& request, const RunnerOptions& options);

}  // namespace conform

#endif  // CONFORM_RUNNERS_STUDY_PREPARED_RUN_H_
