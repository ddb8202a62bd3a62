// One run of a case on a host: the pieces that every way of running shares.
#ifndef CONFORM_REFERENCE_IMPL_EXPLORE_MODEL_RUN_H_
#define CONFORM_REFERENCE_IMPL_EXPLORE_MODEL_RUN_H_

#include <functional>
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

// Ends a run before its time: nobody wants to know how it goes on.
struct RunAbandoned {};

// A limit was hit; its name.
struct LimitHit {
  std::string name;
};

// What a host stands on: a platform, or one that deviates from it where the model says so.
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

// A simulated run under a chooser, with a hook at every poll.
class SimulatedRun {
 public:
  // The model must outlive the run. `at_poll` is given the state at the start of every wait. It may throw RunAbandoned.
  // `bounds`: on the readings of the clock; null where there are none.
  SimulatedRun(const Case& c, const Model& model, Timing timing, Chooser& chooser, Recorder& recorder,
               std::function<void(const Fingerprint::Value&)> at_poll, const RecordedBounds* bounds = nullptr);

  // Runs to the end. RunAbandoned and LimitHit pass through.
  void Run();

 private:
  void BeforeWait();

  Recorder& recorder_;
  std::function<void(const Fingerprint::Value&)> at_poll_;
  SimPlatform platform_;
  BelowHost below_;
  std::unique_ptr<Interpreter> host_;
};

}  // namespace conform::reference

#endif  // CONFORM_REFERENCE_IMPL_EXPLORE_MODEL_RUN_H_
