// Doing many independent things on several threads, and hearing of them in order.
#ifndef CONFORM_RUNNERS_HARNESS_PARALLEL_H_
#define CONFORM_RUNNERS_HARNESS_PARALLEL_H_

#include <cstddef>
#include <functional>

namespace conform {

// Calls work(0) … work(count - 1), up to `jobs` at once on separate threads, and on the calling thread done(0),
// done(1), … in this order, each after its work has ended. When done returns false, no further work is begun, and what
// is under way is waited for. Work begins at most kMostAhead places, or twice as many as there are jobs, before what
// done has heard of, so that results of fast work do not pile up before a slow `done`. With one job there is no thread
// at all: work and done alternate on the calling thread. What work throws (there may be too little memory) comes out of
// here, once all threads have ended.
// REQUIRES: jobs >= 1.
inline constexpr size_t kMostAhead = 32;
void ForEachInOrder(size_t count, int jobs, const std::function<void(size_t)>& work,
                    const std::function<bool(size_t)>& done);

// As many as the machine has cores for this process; at least 1.
int DefaultJobs();

}  // namespace conform

#endif  // CONFORM_RUNNERS_HARNESS_PARALLEL_H_
