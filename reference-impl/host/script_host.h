// What every host of JavaScript has: promises, async functions and the queue of microtasks.
#ifndef CONFORM_REFERENCE_IMPL_HOST_SCRIPT_HOST_H_
#define CONFORM_REFERENCE_IMPL_HOST_SCRIPT_HOST_H_

#include <memory>
#include <string>

#include "reference-impl/host/host_ops.h"
#include "reference-impl/host/interpreter.h"
#include "reference-impl/host/promises.h"

namespace conform::reference {

class ScriptHost : public Interpreter, protected PromiseHost {
 protected:
  ScriptHost(const Case& c, Clock& clock, Recorder& recorder, const PromiseRules& rules)
      : Interpreter(c, clock, recorder), promises_(rules, *this) {}

  // The steps of the language itself: `microtask`, `then`, `await`, `promise`, …
  static const HostOps<ScriptHost>& ScriptOps();

  // PromiseHost.
  Outcome RunReaction(const TaskPtr& task, const char* clause) override;
  void Resume(const std::shared_ptr<Coroutine>& coroutine, bool rejected, const std::string& error) override;

  Promises promises_;

 private:
  void ArmMicrotask(const TaskPtr& task);
  void ArmReaction(const TaskPtr& task);
  void ArmCombination(const TaskPtr& task);
  void ArmAwait(const TaskPtr& task);
  void BeginAsync(const Step& step, const TaskPtr& around);
  void MakeThenable(const Step& step);
  void MakePromise(const Step& step);
  void DoResolve(const Step& step);
  void DoReject(const Step& step);
  void RunCoroutine(const std::shared_ptr<Coroutine>& coroutine);
};

}  // namespace conform::reference

#endif  // CONFORM_REFERENCE_IMPL_HOST_SCRIPT_HOST_H_
