// A platform that waits no longer than a deadline, whatever the loop asks for.
#ifndef CONFORM_REFERENCE_IMPL_EXPLORE_DEADLINE_PLATFORM_H_
#define CONFORM_REFERENCE_IMPL_EXPLORE_DEADLINE_PLATFORM_H_

#include <cstdint>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "reference-impl/explore/model_run.h"
#include "reference-impl/platform/platform.h"

namespace conform::reference {

// Hands everything on to another platform. A wait for a time after the deadline ends there with LimitHit. A wait
// without end that nothing ended until then is one that nothing will end.
class DeadlinePlatform final : public Platform {
 public:
  DeadlinePlatform(Platform& inner, Time deadline) : inner_(inner), deadline_(deadline) {}

  Clock& clock() override { return inner_.clock(); }
  bool Intrudes(bool usual) override { return inner_.Intrudes(usual); }
  bool IsLate(const char* what) override { return inner_.IsLate(what); }
  size_t First(size_t count, const std::function<std::string(size_t)>& name) override {
    return inner_.First(count, name);
  }

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
    if (bound.kind == WaitBound::Kind::kNoWait || (for_ever && watched_.empty())) return inner_.Wait(bound, ready);
    if (!for_ever && clock().NotAfter(bound.deadline, deadline_)) return inner_.Wait(bound, ready);
    inner_.Wait({WaitBound::Kind::kUntil, clock().Read(), deadline_}, ready);
    if (!ready->empty()) return true;
    if (for_ever) return false;
    throw LimitHit{"deadline"};
  }

  Source OpenReadable() override { return inner_.OpenReadable(); }
  int Read(Source source) override { return inner_.Read(source); }
  Source ConnectRefused() override { return inner_.ConnectRefused(); }
  Source OpenWakeup() override { return inner_.OpenWakeup(); }
  void Wake(Source wakeup) override { inner_.Wake(wakeup); }
  Source Listen() override { return inner_.Listen(); }
  Source Connect(Source listener) override { return inner_.Connect(listener); }
  Source Accept(Source listener) override { return inner_.Accept(listener); }
  void Write(Source source) override { inner_.Write(source); }
  Source OpenSignal() override { return inner_.OpenSignal(); }
  void RaiseSignal() override { inner_.RaiseSignal(); }
  void Close(Source source) override {
    watched_.erase(source);
    inner_.Close(source);
  }
  void Submit(int64_t id, int threads, Source wakeup, std::string name) override {
    inner_.Submit(id, threads, wakeup, std::move(name));
  }
  bool Cancel(int64_t id) override { return inner_.Cancel(id); }
  std::vector<int64_t> TakeEnded() override { return inner_.TakeEnded(); }

 private:
  Platform& inner_;
  const Time deadline_;
  std::set<Source> watched_;
};

}  // namespace conform::reference

#endif  // CONFORM_REFERENCE_IMPL_EXPLORE_DEADLINE_PLATFORM_H_
