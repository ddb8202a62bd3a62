#include "runners/cli/implementations.h"

#include <algorithm>
#include <cmath>
#include <mutex>
#include <set>

#include "reference-impl/explore/explorer.h"
#include "runners/base/text.h"

namespace conform {
namespace {

constexpr std::string_view kRef = "ref";
constexpr std::string_view kRefReal = "ref:real";

constexpr int64_t kLeastDeadlineMs = 10'000;
constexpr int64_t kMostDeadlineMs = 120'000;
constexpr int64_t kDeadlineFactor = 4;

std::optional<std::string> WithoutModel(const Case& c, const Profile& profile) {
  const auto missing = NotModelled(c, profile.family);
  if (!missing) return std::nullopt;
  return "the reference loop has no model of " + *missing;
}

class RefRunner final : public Runner {
 public:
  explicit RefRunner(uint64_t seed) : seed_(seed) {}

  std::string name() const override { return std::string(kRef); }
  std::optional<std::string> CannotRun(const Case& c, const Profile& profile) const override {
    return WithoutModel(c, profile);
  }
  RunOutcome Run(const Case& c, const Profile& profile, int64_t number) const override {
    ModelRun run = RunInVirtualTime(c, profile, seed_ + static_cast<uint64_t>(number));
    if (run.limit_hit.empty()) return {std::move(run.trace)};
    return {std::move(run.trace), Trouble::kLimit, "the limit on " + run.limit_hit + " was hit"};
  }
  // In virtual time nothing is late: an order that is not expected has no excuse.
  LateSet WhetherLate(const Case&, const Profile&, const Order&) const override { return LateSet::kOut; }
  std::string OptionsToRepeat(int64_t number) const override {
    const uint64_t seed = seed_ + static_cast<uint64_t>(number);
    return seed == 0 ? "" : "--seed=" + std::to_string(seed);
  }
  bool MayBeLate() const override { return false; }

 private:
  const uint64_t seed_;
};

bool UsesSignals(const Program& program) {
  return std::any_of(program.begin(), program.end(), [](const Step& step) {
    return step.op == Op::kSignal || step.op == Op::kRaise || UsesSignals(step.body);
  });
}

class RefRealRunner final : public Runner {
 public:
  std::string name() const override { return std::string(kRefReal); }
  std::optional<std::string> CannotRun(const Case& c, const Profile& profile) const override {
    return WithoutModel(c, profile);
  }
  RunOutcome Run(const Case& c, const Profile& profile, int64_t) const override {
    std::unique_lock<std::mutex> lock(signals_, std::defer_lock);
    if (UsesSignals(c.program)) lock.lock();
    const int64_t deadline_ms = DeadlineMs(c);
    ModelRun run = RunForReal(c, profile, deadline_ms);
    if (run.limit_hit.empty()) return {std::move(run.trace)};
    return {std::move(run.trace), Trouble::kTimeout, "no end within " + std::to_string(deadline_ms) + " ms"};
  }
  LateSet WhetherLate(const Case& c, const Profile& profile, const Order& order) const override {
    switch (CanGive(c, profile, Timing::kLate, order)) {
      case Membership::kIn:
        return LateSet::kIn;
      case Membership::kOut:
        return LateSet::kOut;
      case Membership::kLimit:
        return LateSet::kLimit;
    }
    CONFORM_CHECK(false);
  }
  std::string OptionsToRepeat(int64_t) const override { return ""; }
  bool MayBeLate() const override { return true; }

 private:
  mutable std::mutex signals_;  // what a process does with a signal belongs to all its threads
};

// What the steps ask for, with chains multiplied out, up to kMostDeadlineMs.
int64_t AskedMs(const Program& program) {
  int64_t sum = 0;
  for (const Step& step : program) {
    double own = 0;
    if (step.op == Op::kTimeout || step.op == Op::kInterval || step.op == Op::kStart) own = DelayOf(step);
    if (step.op == Op::kBusy) own = std::strtod(step.argument.c_str(), nullptr);
    // A delay that is no number, or out of range, means 1 ms; one that is longer than any deadline is not waited for.
    const int64_t own_ms =
        std::isnan(own) || own < 0 ? 1 : std::min<int64_t>(kMostDeadlineMs, std::llround(std::min(own, 1e9)));
    const int64_t one_run = std::min(kMostDeadlineMs, own_ms + AskedMs(step.body));
    sum = std::min(kMostDeadlineMs, sum + std::min(kMostDeadlineMs, one_run * step.times));
  }
  return sum;
}

}  // namespace

const std::vector<ImplementationInfo>& Implementations() {
  static const std::vector<ImplementationInfo> all{
      {kRef, "the reference loop in virtual time"},
      {kRefReal, "the reference loop on this machine's clock, epoll and threads"},
  };
  return all;
}

Result<std::vector<std::unique_ptr<Runner>>> MakeRunners(std::string_view list, uint64_t seed) {
  std::vector<std::string> names;
  for (const ImplementationInfo& info : Implementations()) names.emplace_back(info.name);
  std::vector<std::unique_ptr<Runner>> runners;
  std::set<std::string> taken;
  for (const std::string& name : Split(list, ',')) {
    if (!taken.insert(name).second) continue;
    if (name == kRef) {
      runners.push_back(std::make_unique<RefRunner>(seed));
    } else if (name == kRefReal) {
      runners.push_back(std::make_unique<RefRealRunner>());
    } else {
      return Error{
          "there is no implementation '" + name + "'; there are " + Join(names, ", "), "", {}, DidYouMean(name, names)};
    }
  }
  return runners;
}

int64_t DeadlineMs(const Case& c) {
  return std::min(kMostDeadlineMs, kLeastDeadlineMs + kDeadlineFactor * AskedMs(c.program));
}

}  // namespace conform
