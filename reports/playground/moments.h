// A run, step by step: what was scheduled, what ran, what it printed. The queues of a moment follow from all before it.
#ifndef CONFORM_REPORTS_PLAYGROUND_MOMENTS_H_
#define CONFORM_REPORTS_PLAYGROUND_MOMENTS_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "reference-impl/explore/explorer.h"
#include "runners/model/case.h"

namespace conform::playground {

struct Moment {
  enum class Kind {
    kSchedules,  // a callback waits from now on
    kRuns,       // it begins
    kRearms,     // a chain schedules its next run
    kWaits,      // an async function pauses
    kResumes,    // and resumes
    kPrints,     // a label
    kEnds,       // the body of something that is awaited has ended
    kActs,       // clear, close, resolve, reject, …
  };
  Kind kind = Kind::kPrints;
  int step = -1;      // its id in the program; -1 for a label of a step that is not known
  std::string label;  // kPrints
  std::string phase;
  int64_t turn = 0;
  std::string clause;
};

// The program with a mark at everything that the moments of a run are made of. A mark is a `log`, which takes no time
// and asks nothing, so that the same choices lead to the same order.
Case WithMarks(const Case& c);

// The moments of a run of WithMarks(c). At most `limit` of them.
std::vector<Moment> MomentsOf(const Case& c, const Trace& marked, size_t limit);

// The order that the run printed, without the marks.
Order OrderWithoutMarks(const Trace& marked);

}  // namespace conform::playground

#endif  // CONFORM_REPORTS_PLAYGROUND_MOMENTS_H_
