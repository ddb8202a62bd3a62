// For tests: cases from text, and running what was exported with the tools of the system.
#ifndef CONFORM_RUNNERS_EXPORT_PROGRAM_TESTING_H_
#define CONFORM_RUNNERS_EXPORT_PROGRAM_TESTING_H_

#include <string>

#include "runners/model/case.h"

namespace conform {

// A case with this program, given as the lines below `program:`. Fails the test if it cannot be read.
Case CaseWith(const std::string& program, const std::string& more_keys = "");

// Is there such a command?
bool HasCommand(const std::string& name);

// Writes `text` to `file` in a new folder, runs `command` there with a shell, and returns what it printed on both
// streams, without line ends at the end, and ` exit=N` behind it where it failed.
std::string WriteAndRun(const std::string& file, const std::string& text, const std::string& command);

}  // namespace conform

#endif  // CONFORM_RUNNERS_EXPORT_PROGRAM_TESTING_H_
