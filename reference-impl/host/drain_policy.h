// Draining: what runs between two callbacks, and in which order. Ticks, microtasks, and unhandled rejections.
#ifndef CONFORM_REFERENCE_IMPL_HOST_DRAIN_POLICY_H_
#define CONFORM_REFERENCE_IMPL_HOST_DRAIN_POLICY_H_

#include <memory>
#include <string>

#include "reference-impl/host/node_parts.h"
#include "reference-impl/host/promises.h"
#include "reference-impl/host/recorder.h"
#include "reference-impl/host/rejections.h"
#include "reference-impl/platform/fifo.h"

namespace conform::reference {

// The tick queue, and the rule `drain`: one class for each of its values.
class DrainPolicy {
 public:
  // All must outlive the policy.
  DrainPolicy(NodeCore& core, Promises& promises, Rejections& rejections, Recorder& recorder);
  virtual ~DrainPolicy() = default;

  void QueueTick(const TaskPtr& task, const std::string& outcome) { Queue({task, outcome, nullptr}); }
  void QueueInternalTick(std::shared_ptr<InternalTick> tick) { Queue({nullptr, "", std::move(tick)}); }

  // Drains, unless there is nothing to drain. An error ends it, and leaves the rest where it is.
  // spec: drain.after-each-callback
  Outcome RunNextTicks();
  // The same, also where nothing is queued.
  virtual Outcome RunTickCallback() = 0;
  // What a main script that has no scope ends with: the same, also where nothing is queued.
  // spec: drain.after-main-script
  virtual Outcome RunAfterMain() { return RunTickCallback(); }
  virtual bool NothingToDrain() const { return ticks_.empty(); }
  // spec: microtasks.until-empty, errors.throw-in-microtask. A job that throws is reported, and the next one runs.
  void RunMicrotasks();
  bool is_draining_microtasks() const { return draining_microtasks_; }
  // Every tick, and nothing else. Errors are lost.
  void RunTicksAlone();

  // A rejection is to be reported, or that it was handled after all.
  virtual void RejectionIsPending() { has_rejection_ = true; }
  // What is to be reported stays where it is, until something else causes a drain.
  void ForgetRejections() { has_rejection_ = false; }
  // Runs ticks that are left over in the next idle phase, as release 0.10 does.
  void StartSpinner() { core_.loop().StartIdle(&spinner_); }

  void AddTo(Fingerprint* fingerprint) const;

 protected:
  struct Tick {
    TaskPtr task;
    std::string outcome;
    std::shared_ptr<InternalTick> internal;
  };

  virtual void Queue(Tick tick);
  // After each microtask that a drain runs.
  virtual void AfterMicrotask() {}
  Outcome RunTicksByDepth();
  // The next one. spec: ticks.first-in-first-out, errors.throw-in-tick
  Outcome RunTick();

  NodeCore& core_;
  Promises& promises_;
  Rejections& rejections_;
  Recorder& recorder_;
  Fifo<Tick> ticks_;
  bool has_tick_scheduled_ = false;
  bool has_rejection_ = false;

 private:
  struct Spinner : PhaseHandle {
    DrainPolicy* self = nullptr;
  };

  void OnSpinner();
  // With no tick queued, the microtasks need no turn of the tick queue.
  virtual bool RunsMicrotasksFirst() const { return !has_tick_scheduled_ || ticks_.empty(); }

  Spinner spinner_;
  bool draining_microtasks_ = false;
};

std::unique_ptr<DrainPolicy> MakeDrainPolicy(NodeCore& core, Promises& promises, Rejections& rejections,
                                             Recorder& recorder);

}  // namespace conform::reference

#endif  // CONFORM_REFERENCE_IMPL_HOST_DRAIN_POLICY_H_
