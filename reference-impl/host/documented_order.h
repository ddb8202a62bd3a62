// Which of two callbacks that are ready is ahead of the other, by what the documentation of a loop promises.
#ifndef CONFORM_REFERENCE_IMPL_HOST_DOCUMENTED_ORDER_H_
#define CONFORM_REFERENCE_IMPL_HOST_DOCUMENTED_ORDER_H_

#include <cstdint>
#include <vector>

#include "reference-impl/host/documented_rules.h"
#include "reference-impl/host/task.h"
#include "reference-impl/platform/platform.h"

namespace conform::reference {

// A callback that was scheduled and has not run.
struct DocumentedRequest : Thing {
  const Step* step = nullptr;
  TaskPtr task;
  uint64_t number = 0;  // in the order of scheduling
  Time deadline;        // of a timer
  Source source = kNoSource;
  bool was_found = false;      // of a descriptor: that it is ready
  bool was_cancelled = false;  // of a timer: it comes at once, and says so
  int64_t asked_at = 0;        // callbacks that had run by then
  std::vector<Time> looks;     // what the loop may take for the time when it comes
  int64_t ready_since = 0;     // the turn in which it was first seen to be ready; 0: it is not
  bool is_free = false;        // in some turn nothing was ahead of it, so that the loop may have chosen it

  bool Is(Op op) const { return step->op == op; }
  bool IsTimer() const { return Is(Op::kTimeout) && !was_cancelled; }
  // The loop has to look for it. What it does not look for is ready as soon as it is scheduled.
  bool IsLookedFor() const { return IsTimer() || Is(Op::kRead); }
  void AddTo(Fingerprint* fingerprint) const override;
};

class DocumentedOrder {
 public:
  // REQUIRES: both outlive this.
  DocumentedOrder(const DocumentedRules& rules, Clock& clock) : rules_(rules), clock_(clock) {}

  // Does `other`, which is ready, have to run before `request`, which is ready too?
  bool MustPrecede(const DocumentedRequest& other, const DocumentedRequest& request);

 private:
  // Is one callback that is ready ahead of another one that is?
  enum class Ahead {
    kNo,
    kUnlessFound,  // not of one that was ready in an earlier turn than itself
    kUnlessFree,   // not of one that the loop may have chosen already
    kAlways,
  };

  Ahead IsAhead(const DocumentedRequest& first, const DocumentedRequest& second);
  Ahead ByPriority(const DocumentedRequest& first, const DocumentedRequest& second) const;
  Ahead InQueue(const DocumentedRequest& first, const DocumentedRequest& second) const;
  int UrgencyOf(const DocumentedRequest& request) const;
  bool IsIdle(const DocumentedRequest& request) const;

  const DocumentedRules& rules_;
  Clock& clock_;
};

}  // namespace conform::reference

#endif  // CONFORM_REFERENCE_IMPL_HOST_DOCUMENTED_ORDER_H_
