// The seam through which the harness asks the model: can a delay explain this order?
#ifndef CONFORM_RUNNERS_HARNESS_LATE_ORACLE_H_
#define CONFORM_RUNNERS_HARNESS_LATE_ORACLE_H_

#include "runners/judge/judge.h"
#include "runners/model/case.h"
#include "runners/model/profile.h"
#include "runners/model/trace.h"

namespace conform {

// May be asked from several threads at once.
class LateOracle {
 public:
  virtual ~LateOracle() = default;

  // Is there a model of the case under the rules of `profile`?
  virtual bool HasModel(const Case& c, const Profile& profile) const = 0;

  // Is the order of `trace`, which is not expected, among those that some delay gives under the rules of `profile`, and
  // one that the times of the trace allow?
  virtual LateSet WhetherLate(const Case& c, const Profile& profile, const Trace& trace) const = 0;
};

}  // namespace conform

#endif  // CONFORM_RUNNERS_HARNESS_LATE_ORACLE_H_
