// setImmediate: the check phase of the Node host.
#ifndef CONFORM_REFERENCE_IMPL_HOST_IMMEDIATES_H_
#define CONFORM_REFERENCE_IMPL_HOST_IMMEDIATES_H_

#include <memory>

#include "reference-impl/host/node_parts.h"
#include "reference-impl/host/task.h"
#include "reference-impl/platform/fifo.h"

namespace conform::reference {

struct Immediate : Thing {
  TaskPtr task;       // null: does nothing but be there
  ThingPtr resolves;  // a promise, instead of a task
  bool referenced = true;
  bool destroyed = false;  // has run, or was cleared
  bool drains = false;     // releases before 10: an error handler requests a drain in this place

  void AddTo(Fingerprint* fingerprint) const override;
};
using ImmediatePtr = std::shared_ptr<Immediate>;

class Immediates {
 public:
  explicit Immediates(NodeCore& core);

  void Add(const ImmediatePtr& immediate);
  void Clear(const ImmediatePtr& immediate);
  // Counts one immediate less that was never there: clearImmediate of something else. spec: timers.clear
  void CountOneLess(bool referenced);
  void Ref(const ImmediatePtr& immediate);
  void Unref(const ImmediatePtr& immediate);
  // There are some, and none of them keeps the poll from waiting.
  bool AreUnreferenced() const { return count_ != 0 && !idle_.active; }
  bool empty() const { return count_ == 0 && queue_.empty() && batch_.empty(); }
  // What waits does not run, unless another is added.
  void Stop();
  void AddTo(Fingerprint* fingerprint) const;

 private:
  struct Owner : PhaseHandle {
    Immediates* self = nullptr;
  };

  void Check();
  ImmediatePtr TakeNext();
  Outcome ProcessImmediates();
  bool GoesOnAtOnce() const;
  Outcome ProcessOne();
  void LeaveRestToTick();
  Outcome RunOne(const ImmediatePtr& immediate);
  void CountRefUp();
  void CountRefDown();
  void Destroy(const ImmediatePtr& immediate);
  void StopIdleIfNone();

  NodeCore& core_;
  Owner check_;
  Owner idle_;  // keeps the poll phase from waiting
  Fifo<ImmediatePtr> queue_;
  Fifo<ImmediatePtr> batch_;  // what is left of the batch under way
  bool interrupted_ = false;  // the batch was begun and its end has not been reached
  // Both may fall below 0; what decides is whether they are 0, and when they become so.
  int count_ = 0;
  int ref_count_ = 0;
};

}  // namespace conform::reference

#endif  // CONFORM_REFERENCE_IMPL_HOST_IMMEDIATES_H_
