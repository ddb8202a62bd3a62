// What a case needs of the process that runs it: time, descriptors, files.
#ifndef CONFORM_RUNNERS_HARNESS_CASE_NEEDS_H_
#define CONFORM_RUNNERS_HARNESS_CASE_NEEDS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "runners/model/case.h"

namespace conform {

inline constexpr int64_t kLeastDeadlineMs = 10'000;

// How long a run of `c` may take before it counts as one without an end: far more than all that it asks for.
int64_t DeadlineMs(const Case& c, int64_t least_ms = kLeastDeadlineMs);

// More cannot be given to one process.
inline constexpr int64_t kMaxDescriptors = 256;

// How many descriptors the steps `read` can take, at most; above kMaxDescriptors it may be less than that.
int64_t DescriptorsNeeded(const Program& program);

// Does the main body itself pause, as a module with `await` at its top does?
bool PausesAtTop(const Program& program);

// The absolute path of the file of a native case for the first of `names` that the case knows, or for any; "" where it
// has none for them.
std::string NativeFile(const Case& c, const std::vector<std::string>& names);

}  // namespace conform

#endif  // CONFORM_RUNNERS_HARNESS_CASE_NEEDS_H_
