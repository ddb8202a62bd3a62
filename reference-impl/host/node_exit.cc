// The end of a Node process: the exit event, what ends it, and the code that it ends with.
#include <cstdlib>
#include <string>

#include "reference-impl/host/node_host.h"

namespace conform::reference {

// spec: exit.exit-last
Outcome NodeHost::EmitExit(Cause cause) {
  exiting_ = true;
  Outcome outcome;
  if (rules_.before_exit == NodeRules::BeforeExit::kOnExitToo && cause != Cause::kLoopEnded) {
    EmitEvent("beforeExit", "", {"exit", "exit.before-exit-repeats"}, &outcome);
  }
  const int times = rules_.exit_event == NodeRules::ExitEvent::kTwice ? 2 : 1;
  for (int i = 0; i < times; ++i) EmitEvent("exit", "", {"exit", "exit.exit-last"}, &outcome);
  return outcome;
}

// spec: liveness.ref-counts, exit.code, exit.nothing-after
void NodeHost::EndLoop() {
  if (loop_.stuck()) {
    Emit("exit", {"exit", "liveness.ref-counts"}, "never");
    return;
  }
  // spec: exit.unsettled-main-module
  if (ModuleWaits() && !requested_code_) requested_code_ = rules_.unsettled_module_code;
  if (has_failed_ && !requested_code_) requested_code_ = rules_.fatal_exit_code;
  const Outcome outcome = EmitExit(Cause::kLoopEnded);
  // The event has a callback scope. Without an error it is closed; a rejection is reported there too.
  if (outcome.thrown()) {
    TriggerUncaught(outcome.error);
  } else if (rules_.exit_drain != NodeRules::ExitDrain::kNothing) {
    CloseScope();
  }
  TearDown(LoopCall::kRun);
}

// spec: exit.nothing-after. Handles of the process itself are closed, and the loop turns until they are.
void NodeHost::TearDown(LoopCall call) {
  if (call == LoopCall::kContinue) {
    loop_.Continue();
  } else if (rules_.tear_down == NodeRules::TearDown::kTurnsLoop) {
    tearing_down_ = true;
    immediates_.Stop();
    loop_.Close(&own_handle_, nullptr);
    loop_.Run(RunMode::kOnce);
  }
  ReportEnd(rules_.requested_code == NodeRules::RequestedCode::kForgotten ? 0 : requested_code_.value_or(0));
}

// spec: exit.code, exit.throw-in-exit
Outcome NodeHost::DoExit(const Step& step) {
  if (!step.argument.empty()) requested_code_ = std::atoi(step.argument.c_str());
  if (!exiting_) {
    if (Outcome outcome = EmitExit(Cause::kRequested); outcome.thrown()) return outcome;
  }
  End(requested_code_.value_or(0));
}

// spec: errors.fatal-exit, exit.code
void NodeHost::EndAfterError() {
  int code = rules_.fatal_exit_code;
  if (exiting_) {
    if (rules_.requested_code == NodeRules::RequestedCode::kKept) code = requested_code_.value_or(code);
  } else if (rules_.exit_event != NodeRules::ExitEvent::kNotAfterFatal) {
    EmitExit(Cause::kFatalError);  // an error in it is ignored
  }
  End(code);
}

// spec: errors.fatal-exit
void NodeHost::EndUnhandled() {
  if (exiting_ || outside_callbacks_ || rules_.fatal_errors == NodeRules::FatalErrors::kAtOnce) EndAfterError();
  has_failed_ = true;
}

bool NodeHost::ModuleWaits() const {
  return esm_main_ != nullptr && esm_main_->promise->state == Promise::State::kPending;
}

void NodeHost::End(int code) {
  ReportEnd(code);
  throw ProcessEnd();
}

void NodeHost::ReportEnd(int code) {
  if (rules_.exit_drain == NodeRules::ExitDrain::kTicksToo) drain_->RunTicksAlone();
  if (rules_.exit_code == NodeRules::ExitCode::kZero) code = 0;
  if (code != 0) Emit("exit", {"exit", "exit.code"}, std::to_string(code));
}

}  // namespace conform::reference
