// The Node host: main script, tick queue, microtasks, callback scopes, uncaught errors, rejections, exit.
#ifndef CONFORM_REFERENCE_IMPL_HOST_NODE_HOST_H_
#define CONFORM_REFERENCE_IMPL_HOST_NODE_HOST_H_

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "reference-impl/host/drain_policy.h"
#include "reference-impl/host/immediates.h"
#include "reference-impl/host/node_io.h"
#include "reference-impl/host/node_parts.h"
#include "reference-impl/host/node_signals.h"
#include "reference-impl/host/node_timers.h"
#include "reference-impl/host/rejections.h"
#include "reference-impl/host/script_host.h"

namespace conform::reference {

class NodeHost : public ScriptHost, public NodeCore, private TimerCaller, private LoopOwner {
 public:
  NodeHost(const Case& c, const NodeRules& rules, Platform& platform, Recorder& recorder);

  static const HostOps<NodeHost>& Ops();

  void RunFromStart() override;
  void RunFromRest() override;
  void AddTo(Fingerprint* fingerprint) const override;

  // NodeCore.
  Loop& loop() override { return loop_; }
  const NodeRules& rules() const override { return rules_; }
  void CountStep() override { recorder_.CountStep(); }
  Outcome Call(const TaskPtr& task, Where where, const std::string& outcome) override;
  Outcome RunNextTicks() override { return drain_->RunNextTicks(); }
  Outcome RunTickCallback() override { return drain_->RunTickCallback(); }
  bool MakeCallback(const std::function<Outcome()>& body) override;
  bool drain_failed() const override { return drain_failed_; }
  bool CloseScope() override;
  void TriggerUncaught(const std::string& error) override;
  void EndUnhandled() override;
  void RunMicrotasks() override { drain_->RunMicrotasks(); }
  void QueueTick(const TaskPtr& task, const std::string& outcome) override;
  void QueueInternalTick(std::shared_ptr<InternalTick> tick) override;
  bool EmitEvent(const std::string& event, const std::string& outcome, Where where,
                 Outcome* outcome_of_handlers) override;
  Outcome Resolve(const ThingPtr& promise) override;
  void RejectionIsPending() override { drain_->RejectionIsPending(); }
  void ForgetRejections() override { drain_->ForgetRejections(); }
  void Warn() override;

 protected:
  // Interpreter.
  Outcome Do(const Step& step, const TaskPtr& around) override;
  void Rearm(const TaskPtr& task) override;
  void EndRepetition(const TaskPtr& task) override;
  int64_t iteration() const override { return loop_.iteration(); }

 private:
  struct Owner : PhaseHandle {
    NodeHost* self = nullptr;
  };

  // The process from start to end.
  void RunMain();
  void RunEsmMain();
  enum class LoopCall { kRun, kContinue };
  void SpinLoop(LoopCall first);
  void EndLoop();
  void TearDown(LoopCall call);
  void EmitBeforeExit();
  enum class Cause { kLoopEnded, kRequested, kFatalError };
  Outcome EmitExit(Cause cause);
  [[noreturn]] void EndAfterError();
  bool ModuleWaits() const;
  [[noreturn]] void End(int code);
  void ReportEnd(int code);
  bool TakesTicks() const;
  void OnIntruder();
  // Where rejections wait for the loop: reports them.
  void ReportRejections(bool more_to_come);

  // PromiseHost.
  void RejectedWithoutHandler(const PromisePtr& promise) override { rejections_.Add(promise); }
  void HandledAfterAll(const PromisePtr& promise) override { rejections_.Handle(promise); }

  // LoopOwner.
  int64_t steps() const override { return steps_done(); }
  bool IsQuiet() const override;

  // TimerCaller.
  Outcome CallTimer(const TimeoutPtr& timer, const char* clause) override;

  // What each op does.
  void ArmTick(const TaskPtr& task);
  void ArmTimer(const TaskPtr& task);
  void ArmImmediate(const TaskPtr& task);
  void ArmRead(const TaskPtr& task);
  void ArmFile(const TaskPtr& task);
  void ArmMessage(const TaskPtr& task);
  void ArmConnect(const TaskPtr& task);
  void ArmAccept(const TaskPtr& task);
  void ArmRefused(const TaskPtr& task);
  void ArmClose(const TaskPtr& task);
  void ArmChild(const TaskPtr& task);
  void ArmSignal(const TaskPtr& task);
  void ArmListener(const TaskPtr& task);
  void MakeServer(const Step& step);
  void MakeSocket(const Step& step);
  void DoRaise(const Step& step);
  void DoClear(const Step& step);
  void ClearAsImmediate(const TimeoutPtr& timer);
  void DoRef(const Step& step);
  void DoRefresh(const Step& step);
  Outcome DoExit(const Step& step);  // returns only where a listener threw
  void RemoveListener(const std::string& event, const TaskPtr& task, const ThingPtr& target);
  SocketPtr TargetOf(const Step& step) const;

  const NodeRules& rules_;
  Loop loop_;
  std::unique_ptr<NodeTimers> timers_;
  Immediates immediates_;
  NodeIo io_;
  NodeSignals signals_;
  Rejections rejections_;
  std::unique_ptr<DrainPolicy> drain_;
  Owner intruder_;              // a task of the engine's own opens a callback scope too
  WakeupHandle engine_wakeup_;  // and wakes the loop up
  Owner reporter_;              // of rejections that wait for the loop
  std::map<std::string, std::vector<TaskPtr>> handlers_;
  std::map<const Task*, std::weak_ptr<Thing>> made_by_;  // the timer or immediate that a chain stands for
  bool drain_failed_ = false;
  bool exiting_ = false;
  bool has_failed_ = false;         // the process ends with an error, when it ends
  bool outside_callbacks_ = false;  // what runs is the main script, or a listener of `beforeExit`
  bool tearing_down_ = false;
  bool after_before_exit_ = false;  // the loop turns once more after `beforeExit`
  bool alive_after_before_exit_ = false;
  Handle own_handle_;  // closed when all is taken down
  std::optional<int> requested_code_;
  std::shared_ptr<Coroutine> esm_main_;
};

}  // namespace conform::reference

#endif  // CONFORM_REFERENCE_IMPL_HOST_NODE_HOST_H_
