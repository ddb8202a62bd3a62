// The reference loop as an implementation, and as what says which orders lateness explains.
#ifndef CONFORM_RUNNERS_STUDY_REF_RUNNERS_H_
#define CONFORM_RUNNERS_STUDY_REF_RUNNERS_H_

#include <cstdint>
#include <memory>

#include "runners/harness/late_oracle.h"
#include "runners/harness/runner.h"

namespace conform {

// In virtual time. Run 0 draws its choices from `seed`, run n from `seed` + n.
std::unique_ptr<Runner> MakeRefRunner(uint64_t seed);
// On this machine's clock, epoll and threads.
std::unique_ptr<Runner> MakeRefRealRunner();

// Explores the late set of the reference loop.
class ModelOracle final : public LateOracle {
 public:
  bool HasModel(const Case& c, const Profile& profile) const override;
  LateSet WhetherLate(const Case& c, const Profile& profile, const Trace& trace) const override;
};

}  // namespace conform

#endif  // CONFORM_RUNNERS_STUDY_REF_RUNNERS_H_
