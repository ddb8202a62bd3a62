// One run of the model, the choices on its way, and the bounds on all runs.
#ifndef CONFORM_REFERENCE_IMPL_EXPLORE_RUN_H_
#define CONFORM_REFERENCE_IMPL_EXPLORE_RUN_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "runners/model/trace.h"

namespace conform::reference {

// Every bound on exploring. One that is hit is reported by its name.
struct ExploreLimits {
  int64_t max_runs = 1'000'000;              // ways from a choice to the end or to a known state
  int64_t max_callbacks = 1'000'000;         // callbacks, steps of their bodies and polls in one run
  int64_t max_total_callbacks = 20'000'000;  // callbacks in all runs together
  int64_t max_orders = 10'000;               // orders that are listed one by one
  int64_t max_cpu_ms = 120'000;              // of the threads that explore, together
  int64_t max_memory_bytes = 1LL << 30;      // states, orders and paths still to take, as estimated
  size_t threads = 1;                        // that one exploration may use; at least 1
  int64_t runs_alone = 500;                  // before the other threads begin: most explorations have ended by then
};

// Where a run begins that takes an untried alternative: at the last rest before it, or, slowly, at the start; there
// also with the choices that cannot make a difference. All find the same orders. Sanitized builds know only the start.
enum class RunsFrom { kLastRest, kStart, kStartWithEveryChoice };

// One decision on the way: which of `of` alternatives was taken.
struct Choice {
  std::string what;   // "is timeout A due?", "which request ended first?"
  std::string taken;  // "yes", "F2"
  int index = 0;
  int of = 1;
};

// One run of the model.
struct ModelRun {
  Trace trace;                  // events with phase, iteration and clause
  std::vector<Choice> choices;  // replaying their indices gives the same trace, byte for byte
  std::string limit_hit;        // "" when the run ended by itself
  int64_t steps = 0;            // what max_callbacks counts; in virtual time only
};

}  // namespace conform::reference

#endif  // CONFORM_REFERENCE_IMPL_EXPLORE_RUN_H_
