// CSteps, continued: servers, and the steps that act at once.
#include <algorithm>

#include "runners/export/c_steps.h"

namespace conform {

void CSteps::WriteServer(const Step& step, const COp& op, Code& out) {
  const std::string path = Path(step.label);
  const auto own = own_.find(&step);
  const std::string server = own != own_.end() ? own->second : Variable(step.label);
  const std::vector<const Step*> accepts = facts_.Referring(Op::kAccept, step.label);
  if (accepts.size() > 1) return Refuse(*accepts[1], "an exported program has one 'accept' for each server");
  const std::string function = Function(step);
  parts_.functions.Open("static void " + function + "(uv_stream_t *server, int status) {");
  parts_.functions.Line("(void) status;");
  if (accepts.empty() || step.label.empty()) {
    parts_.functions.Line("(void) server;");
  } else {
    const std::string accept = "accept_" + server;
    parts_.variables.Line("static void (*" + accept + ")(uv_stream_t *server);");
    parts_.functions.Line("if (" + accept + " != NULL) " + accept + "(server);");
  }
  parts_.functions.Close("}");
  parts_.functions.Line();
  WriteMaking(step, op, false, out);
  out.Line("new_path(" + path + ", sizeof " + path + ");");
  out.Line("uv_pipe_bind(" + server + ", " + path + ");");
  out.Line("uv_listen((uv_stream_t *) " + server + ", 128, " + function + ");");
}

void CSteps::WriteAccept(const Step& step, const COp& op, Code& out) {
  const std::string function = Function(step);
  const auto own = own_.find(&step);
  const std::string socket = own != own_.end() ? own->second : Variable(step.label);
  Code body;
  Frame frame;
  if (NeedsRun(step)) {
    frame.run = "run";
    body.Line("static int run = 0;");
    body.Line("run += 1;");
  }
  WriteMaking(step, op, false, body);
  body.Line("uv_accept(server, (uv_stream_t *) " + socket + ");");
  WriteLabel(step, op, body);
  WriteBody(step.body, frame, body);
  parts_.functions.Open("static void " + function + "(uv_stream_t *server) {");
  parts_.functions.Append(body);
  parts_.functions.Close("}");
  parts_.functions.Line();
  out.Line("accept_" + Variable(step.target) + " = " + function + ";");
}

void CSteps::WriteAct(const Step& step, const Frame& frame, Code& out) {
  const std::string target = Variable(step.target);
  switch (step.op) {
    case Op::kLog:
      return out.Line("log_label(" + CString(step.label) + ");");
    case Op::kBusy:
      return out.Line("busy(" + std::to_string(std::strtoll(step.argument.c_str(), nullptr, 10)) + ");");
    case Op::kRaise:
      return out.Line("raise(SIGUSR2);");
    case Op::kSend:
      return out.Line("uv_async_send(" + target + ");");
    case Op::kRef:
    case Op::kUnref: {
      const std::string name(OpName(step.op));
      if (!TargetOp(step)->is_handle) return Refuse(step, "libuv has no " + name + " for a request");
      return out.Line("uv_" + name + "((uv_handle_t *) " + target + ");");
    }
    case Op::kRefresh:
      if (TargetOp(step)->type != "uv_timer_t") return Refuse(step, "libuv has no refresh but for timers");
      return out.Line("uv_timer_again(" + target + ");");
    case Op::kClear: {
      if (!step.kind.empty()) return Refuse(step, "libuv has no clear as " + step.kind);
      const std::string clear = TargetOp(step)->clear;
      if (clear.empty()) return Refuse(step, "libuv cannot clear '" + step.target + "'");
      return out.Line(Fill(clear, step));
    }
    case Op::kStart: {
      const Step* maker = TargetMaker(step);
      if (maker == nullptr) return;
      const COp* op = FindCOp(*maker);
      if (op->parameters.empty()) return Refuse(step, "libuv cannot start '" + step.target + "'");
      if (functions_.count(maker) == 0) {
        parts_.variables.Line("static void " + Function(*maker) + "(" + op->parameters + ");");
      }
      std::string start = op->start;
      const size_t delay = start.find("$d");
      if (delay != std::string::npos && !step.argument.empty()) start.replace(delay, 2, Delay(step));
      return out.Line(Fill(start, *maker));
    }
    case Op::kExit:
      return out.Line("exit(" + std::to_string(std::strtol(step.argument.c_str(), nullptr, 10)) + ");");
    case Op::kStop:
      return out.Line("uv_stop(loop);");
    case Op::kUpdate:
      return out.Line("uv_update_time(loop);");
    case Op::kAlive:
      return out.Line("log_value(" + CString(step.label) + ", uv_loop_alive(loop));");
    case Op::kRun: {
      const std::string mode = step.argument == "once" ? "ONCE" : step.argument == "nowait" ? "NOWAIT" : "DEFAULT";
      const std::string call = "uv_run(loop, UV_RUN_" + mode + ")";
      return out.Line(step.label.empty() ? call + ";" : "log_value(" + CString(step.label) + ", " + call + ");");
    }
    case Op::kAgain:
      if (!frame.again.empty()) out.Line(frame.again);
      return;
    case Op::kThrow:
    case Op::kPromise:
    case Op::kResolve:
    case Op::kReject:
    case Op::kReturn:
    case Op::kAsync:
    case Op::kPause:
    case Op::kTick:
    case Op::kMicrotask:
    case Op::kThen:
    case Op::kCatch:
    case Op::kFinally:
    case Op::kAwait:
    case Op::kTimeout:
    case Op::kInterval:
    case Op::kImmediate:
    case Op::kRead:
    case Op::kFile:
    case Op::kWork:
    case Op::kListen:
    case Op::kConnect:
    case Op::kAccept:
    case Op::kSocket:
    case Op::kRefused:
    case Op::kClose:
    case Op::kMessage:
    case Op::kWrite:
    case Op::kSignal:
    case Op::kChild:
    case Op::kIdle:
    case Op::kPrepare:
    case Op::kCheck:
    case Op::kWake:
    case Op::kSoon:
    case Op::kOn:
    case Op::kThenable:
    case Op::kOnly:
      return Refuse(step, "libuv has no " + std::string(OpName(step.op)));
  }
}

void CSteps::WriteOnly(const Step& step, const Frame& frame, Code& out) {
  if (frame.run.empty()) {
    // A callback that runs once: the condition is decided already.
    if (step.only_from <= 1 && step.only_to >= 1) WriteBody(step.body, frame, out);
    return;
  }
  const std::string from = std::to_string(step.only_from);
  const std::string to = std::to_string(step.only_to);
  std::string condition = "run <= " + to;
  if (step.only_from == step.only_to)
    condition = "run == " + to;
  else if (step.only_from > 1)
    condition = "run >= " + from + " && " + condition;
  Code inner;
  WriteBody(step.body, frame, inner);
  out.Open("if (" + condition + ") {");
  out.Append(inner);
  out.Close("}");
}

}  // namespace conform
