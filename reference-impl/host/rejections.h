// Unhandled rejections: when they are reported, and to whom.
#ifndef CONFORM_REFERENCE_IMPL_HOST_REJECTIONS_H_
#define CONFORM_REFERENCE_IMPL_HOST_REJECTIONS_H_

#include <vector>

#include "reference-impl/host/node_parts.h"
#include "reference-impl/host/promises.h"
#include "reference-impl/platform/fifo.h"

namespace conform::reference {

class Rejections {
 public:
  explicit Rejections(NodeCore& core) : core_(core) {}

  // A promise was rejected that has no handler.
  void Add(const PromisePtr& promise);
  // It got one after all.
  void Handle(const PromisePtr& promise);
  // Reports what is to be reported. True when callbacks have run, and the queues must be looked at again; false also
  // where `outcome` is an error.
  bool Process(Outcome* outcome);
  // Whether something is to be reported, though not before the loop waits.
  bool WaitForTheLoop() const {
    return core_.rules().rejection_report == NodeRules::RejectionReport::kBeforeWait &&
           !(pending_.empty() && handled_late_.empty());
  }
  // A rejection got a handler after its report.
  bool handled_after_all() const { return !handled_late_.empty(); }

  // Nothing is to be reported.
  bool empty() const { return pending_.empty() && handled_late_.empty(); }

  void AddTo(Fingerprint* fingerprint) const;

 private:
  Outcome Report(const PromisePtr& promise);

  NodeCore& core_;
  Fifo<PromisePtr> pending_;
  Fifo<PromisePtr> handled_late_;
  std::vector<PromisePtr> warned_;
};

}  // namespace conform::reference

#endif  // CONFORM_REFERENCE_IMPL_HOST_REJECTIONS_H_
