// One run of a case on a host: the pieces that every way of running shares.
#ifndef CONFORM_REFERENCE_IMPL_EXPLORE_MODEL_RUN_H_
#define CONFORM_REFERENCE_IMPL_EXPLORE_MODEL_RUN_H_

#include <memory>
#include <optional>
#include <string>

#include "reference-impl/explore/deviations/deviating_platform.h"
#include "reference-impl/explore/model.h"
#include "reference-impl/explore/run.h"
#include "reference-impl/host/interpreter.h"
#include "reference-impl/platform/chooser.h"
#include "reference-impl/platform/sim_platform.h"

namespace conform::reference {

// The host that a family runs on. The model must outlive it.
std::unique_ptr<Interpreter> MakeHost(const Case& c, const Model& model, Platform& platform, Recorder& recorder);

// Ends a run before its time: how it continues does not matter.
struct RunAbandoned {};

// A limit was hit; its name.
struct LimitHit {
  const char* name;
};

// Whoever follows a simulated run.
class RunObserver {
 public:
  virtual ~RunObserver() = default;
  // How the run continues does not matter: it ends at the next wait.
  virtual bool IsOver() const = 0;
  // Whether AtState is to be called now: it takes time to describe a state.
  virtual bool WantsState() const = 0;
  // The state at the start of a wait, or between two requests that have ended. False: the run ends here.
  virtual bool AtState(const Fingerprint::Value& state) = 0;
  // The run can be left here and gone on with later, if its memory is then as it is now. False: it ends here until
  // then, which is possible only if `may_leave`. Nobody will want to unless there is a choice before the next rest, for
  // which it `is_open`.
  virtual bool AtRest(bool may_leave, bool is_open) = 0;
};

// What a host is built on: a platform, or one that deviates from it where the model says so.
class BelowHost {
 public:
  // The platform must outlive this.
  BelowHost(Platform& platform, const Model& model);

  Platform& platform() { return deviating_ ? *deviating_ : platform_; }
  void AddTo(Fingerprint* fingerprint) const {
    if (deviating_) deviating_->AddTo(fingerprint);
  }

 private:
  Platform& platform_;
  std::optional<DeviatingPlatform> deviating_;
};

// A simulated run under a chooser.
class SimulatedRun {
 public:
  // The model must outlive the run. `observer` may be null. `bounds`: on the readings of the clock; null where there
  // are none.
  SimulatedRun(const Case& c, const Model& model, Timing timing, Chooser& chooser, Recorder& recorder,
               RunObserver* observer = nullptr, const RecordedBounds* bounds = nullptr);

  // Also makes choices that cannot make a difference. REQUIRES: the run has not begun.
  void AskEverything() { platform_.AskEverything(); }

  // Runs to the end. RunAbandoned and LimitHit pass through.
  void Run();
  // Continues to the end from where AtRest was called.
  void Continue();

 private:
  bool BeforeWait();
  bool BeforeNext(uint64_t how);
  // Everything that decides what happens next, at this place. Readings of the clock that are not part of it are
  // forgotten.
  Fingerprint::Value State(uint64_t where);

  Recorder& recorder_;
  RunObserver* observer_;
  SimPlatform platform_;
  BelowHost below_;
  std::unique_ptr<Interpreter> host_;
};

}  // namespace conform::reference

#endif  // CONFORM_REFERENCE_IMPL_EXPLORE_MODEL_RUN_H_
