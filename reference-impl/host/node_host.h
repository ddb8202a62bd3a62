// The Node host: main script, tick queue, microtasks, callback scopes, uncaught errors, rejections, exit.
#ifndef CONFORM_REFERENCE_IMPL_HOST_NODE_HOST_H_
#define CONFORM_REFERENCE_IMPL_HOST_NODE_HOST_H_

#include <deque>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "reference-impl/host/immediates.h"
#include "reference-impl/host/node_io.h"
#include "reference-impl/host/node_parts.h"
#include "reference-impl/host/node_timers.h"
#include "reference-impl/host/script_host.h"

namespace conform::reference {

class NodeHost : public ScriptHost, public NodeCore, private TimerCaller, private IoCaller {
 public:
  NodeHost(const Case& c, const Profile& profile, Platform& platform, Recorder& recorder);

  void RunCase() override;
  void AddTo(Fingerprint* fingerprint) const override;

  // NodeCore.
  Loop& loop() override { return loop_; }
  const NodeRules& rules() const override { return rules_; }
  Outcome Call(const TaskPtr& task, Where where, const std::string& outcome) override;
  Outcome RunNextTicks() override;
  Outcome RunTickCallback() override;
  bool MakeCallback(const std::function<Outcome()>& body) override;
  bool drain_failed() const override { return drain_failed_; }
  bool CloseScope() override;
  void TriggerUncaught(const std::string& error) override;
  void QueueTick(const TaskPtr& task, const std::string& outcome) override;
  void QueueInternalTick(std::shared_ptr<InternalTick> tick) override;

 protected:
  // Interpreter.
  Outcome Do(const Step& step, const TaskPtr& task) override;
  void Rearm(const TaskPtr& task) override;
  void EndRepetition(const TaskPtr& task) override;
  int64_t iteration() const override { return loop_.iteration(); }

 private:
  struct Tick {
    TaskPtr task;
    std::string outcome;
    std::shared_ptr<InternalTick> internal;
  };
  struct Owner : PhaseHandle {
    NodeHost* self = nullptr;
  };
  struct MicrotaskTick;

  // node_host.cc: the process from start to end.
  void RunMain();
  void RunEsmMain();
  void SpinLoop();
  void EmitBeforeExit();
  [[noreturn]] void Exit(int code, bool run_handlers, bool loop_ended);
  bool EmitEvent(const std::string& event, const std::string& outcome, Where where, Outcome* outcome_of_handlers);

  // node_drain.cc: ticks, microtasks, rejections.
  Outcome ProcessTicksAndRejections();
  Outcome ProcessTicksByDepth();
  Outcome ProcessTicksWithMicrotaskTick();
  Outcome ProcessTicksThenMicrotaskTick();
  Outcome RunOneTick();
  void ScheduleMicrotaskTick();
  void OnSpinner();
  void OnIntruder();
  Outcome RunMicrotasks();
  bool ProcessRejections(Outcome* outcome);
  Outcome ReportRejection(const PromisePtr& promise);
  bool NothingToDrain() const;

  // PromiseHost.
  void RejectedWithoutHandler(const PromisePtr& promise) override;
  void HandledAfterAll(const PromisePtr& promise) override;

  // TimerCaller, IoCaller.
  Outcome CallTimer(const TimeoutPtr& timer, const char* clause) override;
  Outcome Resolve(const ThingPtr& promise) override;

  // node_ops.cc: what each op does.
  void Arm(const Step& step, const TaskPtr& task);
  void ArmTimer(const Step& step, const TaskPtr& task);
  void DoClear(const Step& step);
  void DoRef(const Step& step, bool ref);

  const NodeRules rules_;
  Loop loop_;
  std::unique_ptr<NodeTimers> timers_;
  Immediates immediates_;
  NodeIo io_;
  Owner spinner_;   // release 0.10: ticks that are left over run in the idle phase
  Owner intruder_;  // a task of the engine's own opens a callback scope too
  std::deque<Tick> ticks_;
  bool microtask_tick_scheduled_ = false;
  bool has_tick_scheduled_ = false;
  bool has_rejection_ = false;
  bool draining_microtasks_ = false;
  std::deque<PromisePtr> pending_rejections_;
  std::deque<PromisePtr> handled_late_;
  std::vector<PromisePtr> warned_;
  std::map<std::string, std::vector<TaskPtr>> handlers_;
  std::map<const Task*, std::weak_ptr<Thing>> made_by_;  // the timer or immediate that a chain stands for
  bool drain_failed_ = false;
  bool exiting_ = false;
  bool after_before_exit_ = false;  // the loop turns once more after `beforeExit`
  std::shared_ptr<Coroutine> esm_main_;
};

}  // namespace conform::reference

#endif  // CONFORM_REFERENCE_IMPL_HOST_NODE_HOST_H_
