// The tiny programs by which an adapter is tried out. They ask for labels, never for an order.
#ifndef CONFORM_RUNNERS_HARNESS_SMOKE_PROGRAMS_H_
#define CONFORM_RUNNERS_HARNESS_SMOKE_PROGRAMS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "runners/model/case.h"

namespace conform {

struct SmokeProgram {
  std::string claim;                // "xN makes N runs: soon A x3"
  Case c;                           // the program and its entry
  std::vector<std::string> labels;  // what it emits, each as often as it must, in no order
  int descriptors = 0;              // how many of its runs read
};

// Those that need nothing but what `ops` names. Without an op that has a callback only few are left.
std::vector<SmokeProgram> SmokePrograms(const std::vector<std::string>& ops);

// Programs that need one capability more than `ops` names, each after a step that emits a label.
struct UnsupportedProgram {
  std::string missing;  // "tick", "timeout as nonsense"
  Case c;
};
std::vector<UnsupportedProgram> UnsupportedPrograms(const std::vector<std::string>& ops);

// A step that schedules one callback with what `ops` names: "soon A", "timeout A 1"; "" where there is none.
std::string CallbackStep(const std::vector<std::string>& ops, const std::string& label);

// REQUIRES: `steps` is a program of the case language.
Case SmokeCase(const std::string& steps, Entry entry = Entry::kScript);

}  // namespace conform

#endif  // CONFORM_RUNNERS_HARNESS_SMOKE_PROGRAMS_H_
