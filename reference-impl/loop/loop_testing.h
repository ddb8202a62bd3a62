// What the tests of the loop share: handles that do what a test says, and a loop in virtual time.
#ifndef CONFORM_REFERENCE_IMPL_LOOP_LOOP_TESTING_H_
#define CONFORM_REFERENCE_IMPL_LOOP_LOOP_TESTING_H_

#include <deque>
#include <functional>
#include <string>
#include <utility>

#include "reference-impl/loop/loop.h"
#include "reference-impl/platform/chooser.h"
#include "reference-impl/platform/sim_platform.h"

namespace conform::reference {

// Takes the first alternative everywhere: what may have happened by now has.
class FirstChooser : public Chooser {
 public:
  int Choose(int, const std::function<std::string()>&, const std::function<std::string(int)>&) override { return 0; }
};

struct TestTimer : TimerHandle {
  std::function<void()> run;
};
struct TestPhase : PhaseHandle {
  std::function<void()> run;
};
struct TestWakeup : WakeupHandle {
  std::function<void()> run;
};
struct TestIo : IoHandle {
  std::function<void()> run;
};
struct TestSignal : SignalHandle {
  std::function<void()> run;
};
struct TestRequest : Request {
  std::function<void()> run;
};

// A loop with a log. Every callback adds the name of its handle, then does what the test gave it.
template <typename PlatformType>
struct LoopWithLog {
  template <typename... Arguments>
  explicit LoopWithLog(const LoopRules& rules, Arguments&&... arguments)
      : platform(std::forward<Arguments>(arguments)...), loop(platform, rules) {}

  TestTimer* Timer(const std::string& name, std::function<void()> run = nullptr) {
    TestTimer* timer = &timers.emplace_back();
    Name(timer, name, std::move(run));
    timer->callback = [](TimerHandle* it) { static_cast<TestTimer*>(it)->run(); };
    return timer;
  }
  TestPhase* Phase(const std::string& name, std::function<void()> run = nullptr) {
    TestPhase* handle = &phases.emplace_back();
    Name(handle, name, std::move(run));
    handle->callback = [](PhaseHandle* it) { static_cast<TestPhase*>(it)->run(); };
    return handle;
  }
  TestSignal* Signal(const std::string& name, std::function<void()> run = nullptr) {
    TestSignal* handle = &signals.emplace_back();
    Name(handle, name, std::move(run));
    handle->callback = [](SignalHandle* it) { static_cast<TestSignal*>(it)->run(); };
    return handle;
  }
  TestWakeup* Wakeup(const std::string& name, std::function<void()> run = nullptr) {
    TestWakeup* handle = &wakeups.emplace_back();
    Name(handle, name, std::move(run));
    handle->callback = [](WakeupHandle* it) { static_cast<TestWakeup*>(it)->run(); };
    return handle;
  }
  TestIo* Io(const std::string& name, std::function<void()> run = nullptr) {
    TestIo* handle = &ios.emplace_back();
    Name(handle, name, std::move(run));
    handle->callback = [](IoHandle* it, uint8_t) { static_cast<TestIo*>(it)->run(); };
    return handle;
  }
  TestRequest* MakeRequest(const std::string& name, std::function<void()> run = nullptr) {
    TestRequest* request = &requests.emplace_back();
    request->name = name;
    Name(request, name, std::move(run));
    request->callback = [](Request* it) { static_cast<TestRequest*>(it)->run(); };
    return request;
  }
  void Log(const std::string& what) { log += (log.empty() ? "" : " ") + what; }
  // What was logged since the last call.
  std::string Take() { return std::exchange(log, {}); }

  PlatformType platform;
  // The handles outlive the loop; a deque leaves them where they are.
  std::deque<TestTimer> timers;
  std::deque<TestPhase> phases;
  std::deque<TestSignal> signals;
  std::deque<TestWakeup> wakeups;
  std::deque<TestIo> ios;
  std::deque<TestRequest> requests;
  std::string log;
  Loop loop;

 private:
  template <typename Named>
  void Name(Named* it, const std::string& name, std::function<void()> run) {
    it->run = [this, name, run = std::move(run)] {
      Log(name);
      if (run) run();
    };
  }
};

// In virtual time: nothing takes any but Busy and sleeping.
struct SimLoop : FirstChooser, LoopWithLog<SimPlatform> {
  explicit SimLoop(const LoopRules& rules = {})
      : LoopWithLog(rules, Timing::kOnTime, static_cast<FirstChooser&>(*this), [] { return true; }) {}
  void Busy(int64_t ms) { platform.clock().Busy(ms); }
};

}  // namespace conform::reference

#endif  // CONFORM_REFERENCE_IMPL_LOOP_LOOP_TESTING_H_
