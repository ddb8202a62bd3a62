// A platform that waits no longer than a deadline, whatever the loop requests.
#ifndef CONFORM_REFERENCE_IMPL_EXPLORE_DEADLINE_PLATFORM_H_
#define CONFORM_REFERENCE_IMPL_EXPLORE_DEADLINE_PLATFORM_H_

#include <cstdint>
#include <set>
#include <vector>

#include "reference-impl/explore/model_run.h"
#include "reference-impl/platform/forwarding_platform.h"

namespace conform::reference {

// A wait for a time after the deadline ends there with LimitHit, and so does a look after it: the loop spins. A wait
// without end that nothing ended until then is one that nothing will end.
class DeadlinePlatform final : public ForwardingPlatform {
 public:
  DeadlinePlatform(Platform& inner, Time deadline) : ForwardingPlatform(inner), deadline_(deadline) {}

  void Watch(Source source, uint8_t readiness) override {
    inner_.Watch(source, readiness);
    if (readiness != 0) {
      watched_.insert(source);
    } else {
      watched_.erase(source);
    }
  }

  bool Wait(const WaitBound& bound, std::vector<ReadySource>* ready) override {
    const bool for_ever = bound.kind == WaitBound::Kind::kForever;
    if (bound.kind == WaitBound::Kind::kNoWait && !clock().NotAfter(clock().Read(), deadline_)) {
      throw LimitHit{"deadline"};
    }
    if (bound.kind == WaitBound::Kind::kNoWait || (for_ever && watched_.empty())) return inner_.Wait(bound, ready);
    if (!for_ever && clock().NotAfter(bound.deadline, deadline_)) return inner_.Wait(bound, ready);
    inner_.Wait({WaitBound::Kind::kUntil, clock().Read(), deadline_}, ready);
    if (!ready->empty()) return true;
    if (for_ever) return false;
    throw LimitHit{"deadline"};
  }

  void Close(Source source) override {
    watched_.erase(source);
    inner_.Close(source);
  }

 private:
  const Time deadline_;
  std::set<Source> watched_;
};

}  // namespace conform::reference

#endif  // CONFORM_REFERENCE_IMPL_EXPLORE_DEADLINE_PLATFORM_H_
