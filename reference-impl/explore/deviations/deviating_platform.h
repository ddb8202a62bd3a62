// A platform that deviates from another one in what PlatformRules say. The loop above it knows nothing of that.
#ifndef CONFORM_REFERENCE_IMPL_EXPLORE_DEVIATIONS_DEVIATING_PLATFORM_H_
#define CONFORM_REFERENCE_IMPL_EXPLORE_DEVIATIONS_DEVIATING_PLATFORM_H_

#include <algorithm>
#include <atomic>
#include <string>
#include <utility>
#include <vector>

#include "reference-impl/explore/deviations/platform_rules.h"
#include "reference-impl/platform/fingerprint.h"
#include "reference-impl/platform/forwarding_platform.h"

namespace conform::reference {

class DeviatingPlatform final : public ForwardingPlatform {
 public:
  DeviatingPlatform(Platform& inner, const PlatformRules& rules) : ForwardingPlatform(inner), rules_(rules) {}

  bool Wait(const WaitBound& bound, std::vector<ReadySource>* ready) override {
    const bool ended = inner_.Wait(bound, ready);
    switch (rules_.ready_sources) {
      case PlatformRules::ReadySources::kAll:
        break;
      case PlatformRules::ReadySources::kNewestFirst:
        std::reverse(ready->begin(), ready->end());
        break;
      case PlatformRules::ReadySources::kOnePerPoll:
        // The others are still ready at the next look.
        if (ready->size() > 1) ready->resize(1);
        break;
    }
    return ended;
  }

  void Wake(Source wakeup) override {
    if (woken_.exchange(true) && rules_.wakes == PlatformRules::Wakes::kFirstOnly) return;
    inner_.Wake(wakeup);
  }

  void Submit(int64_t id, int threads, Source wakeup, std::string name, int64_t ms) override {
    inner_.Submit(id, WidthFor(threads), wakeup, std::move(name), ms);
  }

  // What decides how it continues, the platform below apart.
  void AddTo(Fingerprint* fingerprint) const { fingerprint->Add(woken_ ? 1 : 0); }

 private:
  int WidthFor(int threads) const {
    if (threads == kOwnThread) return threads;
    switch (rules_.pool_width) {
      case PlatformRules::PoolWidth::kAsAsked:
        return threads;
      case PlatformRules::PoolWidth::kOneMore:
        return threads + 1;
      case PlatformRules::PoolWidth::kOneEach:
        return kOwnThread;
    }
    return threads;
  }

  const PlatformRules rules_;
  std::atomic<bool> woken_{false};  // Wake may be called from any thread
};

}  // namespace conform::reference

#endif  // CONFORM_REFERENCE_IMPL_EXPLORE_DEVIATIONS_DEVIATING_PLATFORM_H_
