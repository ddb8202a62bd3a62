// What a case needs of the process that runs it: time, descriptors, files.
#ifndef CONFORM_RUNNERS_HARNESS_CASE_NEEDS_H_
#define CONFORM_RUNNERS_HARNESS_CASE_NEEDS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "runners/model/case.h"

namespace conform {

inline constexpr int64_t kLeastDeadlineMs = 10'000;

// How long a run of `c` may take before it counts as one without an end: far more than all that it needs.
int64_t DeadlineMs(const Case& c, int64_t least_ms = kLeastDeadlineMs);

// How much processor time a run may use before it counts as a spin: four times what starting the implementation, all
// that the program requests, and its callbacks take, and no less than kLeastCpuMs. `start_cpu_ms`: what the
// conversation without a run has used here, with this implementation on this machine.
int64_t CpuBudgetMs(const Case& c, int64_t start_cpu_ms);
inline constexpr int64_t kLeastCpuMs = 400;

// The time that the program's own timers and `busy` take, one after the other; never more than two minutes.
int64_t AskedMs(const Program& program);

// The time that they take at least, with what waits at the same time counted once: a run that takes longer was slow.
int64_t LeastMs(const Program& program);

// More cannot be given to one process.
inline constexpr int64_t kMaxDescriptors = 256;

// How many descriptors the steps `read` can take, at most; above kMaxDescriptors it may be less than that.
int64_t DescriptorsNeeded(const Program& program);

// Does a step send anything through the machine's own network? Pipes need none.
bool NeedsLoopback(const Program& program);
// Does a file of JavaScript load a module of Node.js that does? One that cannot be read loads none.
bool FileNeedsLoopback(const std::string& file);
// Whether this machine has one: in a namespace without it, a connection that is refused elsewhere cannot be tried.
bool HasLoopback();

// Does the main body itself pause, as a module with `await` at its top does?
bool PausesAtTop(const Program& program);

// The absolute path of the file of a native case for the first of `names` that the case knows, or for any; "" where it
// has none for them.
std::string NativeFile(const Case& c, const std::vector<std::string>& names);

}  // namespace conform

#endif  // CONFORM_RUNNERS_HARNESS_CASE_NEEDS_H_
