// A stand-alone program, run as a reader of a bug report would run it: by the runtime itself, without an adapter.
#ifndef CONFORM_RUNNERS_STUDY_RUN_ALONE_H_
#define CONFORM_RUNNERS_STUDY_RUN_ALONE_H_

#include <string>
#include <vector>

#include "runners/harness/interrupt.h"
#include "runners/harness/runner.h"

namespace conform {

// Runs `script` by `command`, which the name of its file follows. The labels that it prints, and `exit=N` where it ends
// with another code than 0, are the trace; where it cannot be run or does not end, there is trouble.
RunOutcome RunAlone(std::vector<std::string> command, const std::string& script, const std::string& file_name,
                    const Interrupt* interrupt);

}  // namespace conform

#endif  // CONFORM_RUNNERS_STUDY_RUN_ALONE_H_
