// A platform that hands everything on to another one: the base of those that change one thing.
#ifndef CONFORM_REFERENCE_IMPL_PLATFORM_FORWARDING_PLATFORM_H_
#define CONFORM_REFERENCE_IMPL_PLATFORM_FORWARDING_PLATFORM_H_

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "reference-impl/platform/platform.h"

namespace conform::reference {

class ForwardingPlatform : public Platform {
 public:
  // The other one must outlive this one.
  explicit ForwardingPlatform(Platform& inner) : inner_(inner) {}

  Clock& clock() override { return inner_.clock(); }
  bool Intrudes(bool usual) override { return inner_.Intrudes(usual); }
  bool IsLate(const char* what) override { return inner_.IsLate(what); }
  size_t First(size_t count, const std::function<std::string(size_t)>& name) override {
    return inner_.First(count, name);
  }
  void Rest(bool is_open) override { inner_.Rest(is_open); }
  void RestWithoutWait() override { inner_.RestWithoutWait(); }
  void Watch(Source source, uint8_t readiness) override { inner_.Watch(source, readiness); }
  bool Wait(const WaitBound& bound, std::vector<ReadySource>* ready) override { return inner_.Wait(bound, ready); }
  Source OpenReadable() override { return inner_.OpenReadable(); }
  int Read(Source source) override { return inner_.Read(source); }
  Input ReadByte(Source source) override { return inner_.ReadByte(source); }
  Source ConnectRefused() override { return inner_.ConnectRefused(); }
  Source OpenWakeup() override { return inner_.OpenWakeup(); }
  void Wake(Source wakeup) override { inner_.Wake(wakeup); }
  Source Listen() override { return inner_.Listen(); }
  Source Connect(Source listener) override { return inner_.Connect(listener); }
  Source Accept(Source listener) override { return inner_.Accept(listener); }
  bool Write(Source source) override { return inner_.Write(source); }
  Source OpenSignal() override { return inner_.OpenSignal(); }
  void Shutdown(Source source) override { inner_.Shutdown(source); }
  Source OpenDatagrams() override { return inner_.OpenDatagrams(); }
  void SendDatagram(Source source) override { inner_.SendDatagram(source); }
  bool ReceiveDatagram(Source source) override { return inner_.ReceiveDatagram(source); }
  void RaiseSignal() override { inner_.RaiseSignal(); }
  void Close(Source source) override { inner_.Close(source); }
  void Submit(int64_t id, int threads, Source wakeup, std::string name, int64_t ms) override {
    inner_.Submit(id, threads, wakeup, std::move(name), ms);
  }
  bool Cancel(int64_t id) override { return inner_.Cancel(id); }
  std::vector<int64_t> TakeEnded() override { return inner_.TakeEnded(); }
  std::optional<int64_t> TakeOneMore(bool can_wait) override { return inner_.TakeOneMore(can_wait); }
  bool GoesOn(uint64_t how) override { return inner_.GoesOn(how); }
  void Spawn(int64_t id, std::string name) override { inner_.Spawn(id, std::move(name)); }
  int SignalsOfChildren() override { return inner_.SignalsOfChildren(); }
  std::vector<int64_t> TakeEndedChildren() override { return inner_.TakeEndedChildren(); }

 protected:
  Platform& inner_;
};

}  // namespace conform::reference

#endif  // CONFORM_REFERENCE_IMPL_PLATFORM_FORWARDING_PLATFORM_H_
