#include "runners/study/ref_runners.h"

#include <algorithm>
#include <mutex>

#include "reference-impl/explore/explorer.h"
#include "reference-impl/explore/model_cache.h"
#include "runners/base/check.h"
#include "runners/harness/case_needs.h"

namespace conform {
namespace {

std::optional<Obstacle> WithoutModel(const Case& c, const Profile& profile) {
  const auto missing = reference::NotModelled(c, profile.family);
  if (!missing) return std::nullopt;
  return Obstacle{"the reference loop has no model of " + *missing};
}

class RefRunner final : public Runner {
 public:
  explicit RefRunner(uint64_t seed) : seed_(seed) {}

  std::string name() const override { return "ref"; }
  std::optional<Obstacle> CannotRun(const Case& c, const Profile& profile) const override {
    return WithoutModel(c, profile);
  }
  RunOutcome Run(const Case& c, const Profile& profile, const Attempt& attempt) const override {
    const reference::Model model = models_.Of(profile);
    reference::ModelRun run = reference::RunInVirtualTime(c, model, seed_ + static_cast<uint64_t>(attempt.number));
    if (run.limit_hit.empty()) return {std::move(run.trace)};
    return {std::move(run.trace), Trouble::kLimit, "the limit on " + run.limit_hit + " was hit"};
  }
  std::string OptionsToRepeat(int64_t number) const override {
    const uint64_t seed = seed_ + static_cast<uint64_t>(number);
    return seed == 0 ? "" : "--seed=" + std::to_string(seed);
  }
  bool MayBeLate() const override { return false; }

 private:
  const uint64_t seed_;
  mutable reference::ModelCache models_;
};

bool UsesSignals(const Program& program) {
  return std::any_of(program.begin(), program.end(), [](const Step& step) {
    return step.op == Op::kSignal || step.op == Op::kRaise || UsesSignals(step.body);
  });
}

class RefRealRunner final : public Runner {
 public:
  std::string name() const override { return "ref:real"; }
  std::optional<Obstacle> CannotRun(const Case& c, const Profile& profile) const override {
    return WithoutModel(c, profile);
  }
  RunOutcome Run(const Case& c, const Profile& profile, const Attempt&) const override {
    std::unique_lock<std::mutex> lock(signals_, std::defer_lock);
    if (UsesSignals(c.program)) lock.lock();
    const int64_t deadline_ms = DeadlineMs(c);
    reference::ModelRun run = reference::RunForReal(c, models_.Of(profile), deadline_ms);
    if (run.limit_hit.empty()) return {std::move(run.trace)};
    return {std::move(run.trace), Trouble::kTimeout, "no end within " + std::to_string(deadline_ms) + " ms"};
  }
  std::string OptionsToRepeat(int64_t) const override { return ""; }
  bool MayBeLate() const override { return true; }

 private:
  mutable reference::ModelCache models_;
  mutable std::mutex signals_;  // what a process does with a signal belongs to all its threads
};

}  // namespace

bool ModelOracle::HasModel(const Case& c, const Profile& profile) const {
  return !profile.rules.empty() && !WithoutModel(c, profile);
}

LateSet ModelOracle::WhetherLate(const Case& c, const Profile& profile, const Trace& trace) const {
  using reference::Membership;
  if (!HasModel(c, profile)) return LateSet::kNoModel;
  const Order order = trace.ToOrder();
  switch (reference::CanGive(c, profile, reference::Timing::kLate, order)) {
    case Membership::kOut:
      return LateSet::kOut;
    case Membership::kLimit:
      return LateSet::kLimit;
    case Membership::kIn:
      break;
  }
  if (reference::CanGive(c, profile, reference::Timing::kOnTime, order) == Membership::kIn) return LateSet::kOnTime;
  // The clock of a worker is not that of the adapter's main thread, which has seen the start; and a model mirrors
  // callbacks, and not how long they take.
  const bool has_times = trace.start_ns && c.entry != Entry::kWorker && c.models.empty();
  if (has_times && reference::CanGiveInItsTime(c, profile, trace) == Membership::kOut) return LateSet::kRefuted;
  return LateSet::kIn;
}

std::unique_ptr<Runner> MakeRefRunner(uint64_t seed) { return std::make_unique<RefRunner>(seed); }
std::unique_ptr<Runner> MakeRefRealRunner() { return std::make_unique<RefRealRunner>(); }

}  // namespace conform
