// How a process is started; the rest of its life is process.h.
#ifndef CONFORM_RUNNERS_HARNESS_SPAWN_H_
#define CONFORM_RUNNERS_HARNESS_SPAWN_H_

#include <sys/types.h>

#include <vector>

#include "runners/harness/process.h"

namespace conform {

// Starts request.command in a new session; `descriptors` become its 0, 1, 2, … and it gets no others that are
// closed on exec. Every signal has its default again, and none is blocked. Returns 0, or what errno would be with a
// minus sign. It costs the same however much memory this process has: nothing of it is copied.
int SpawnProgram(const ProcessRequest& request, const std::vector<int>& descriptors, pid_t* pid);

}  // namespace conform

#endif  // CONFORM_RUNNERS_HARNESS_SPAWN_H_
