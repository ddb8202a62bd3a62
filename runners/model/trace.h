// A trace: what one run emitted.
#ifndef CONFORM_RUNNERS_MODEL_TRACE_H_
#define CONFORM_RUNNERS_MODEL_TRACE_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "runners/model/pattern.h"

namespace conform {

struct TraceEvent {
  std::string label;
  std::optional<int64_t> t_ns;       // since the start of the run
  std::optional<int64_t> iteration;  // of the loop; 0 before it
  std::string phase;                 // "main", "timers", "poll", "ticks", …; "" where not known
  std::string clause;                // the clause that put it here, where known
};

struct Trace {
  std::vector<TraceEvent> events;
  // When the program began, on the clock of the events. Known only where that clock is the one that the loop reads, so
  // that the two can be compared.
  std::optional<int64_t> start_ns = std::nullopt;
  Order ToOrder() const;
};

}  // namespace conform

#endif  // CONFORM_RUNNERS_MODEL_TRACE_H_
