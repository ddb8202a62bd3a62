#include "runners/export/python_steps.h"

#include <cmath>
#include <cstdlib>

#include "runners/base/check.h"
#include "runners/model/op_table.h"

namespace conform {
namespace {

// The newest thing of a name lives in a dictionary, so that functions need no `global`.
std::string Newest(const std::string& label) { return "newest[" + PythonString(label) + "]"; }

std::string NewException(const std::string& name) {
  return name.empty() ? "Exception()" : "Exception(" + PythonString(name) + ")";
}

// Python has no empty block.
void WriteBlock(const std::string& head, const Code& body, Code& out) {
  out.Open(head);
  if (body.empty()) out.Line("pass");
  out.Append(body);
  out.Outdent();
}

}  // namespace

PythonSteps::PythonSteps(const Case& c, const ProgramFacts& facts)
    : case_(c), facts_(facts), names_({"arm", "on", "task"}) {}

Result<Code> PythonSteps::Write() {
  Code out(4);
  WriteBody(case_.program, Frame{}, out);
  if (error_) return *error_;
  return out;
}

void PythonSteps::Refuse(const Step& step, const std::string& message) {
  if (!error_) error_ = Error{message, case_.file, step.at};
}

std::string PythonSteps::Assignment(const Step& step) const {
  return step.label.empty() || !facts_.IsReferredTo(step.label) ? "" : Newest(step.label) + " = ";
}

// Milliseconds; asyncio takes fractions and what is below 0.
std::string PythonSteps::Delay(const Step& step) {
  if (!std::isfinite(DelayOf(step))) {
    Refuse(step, "asyncio has no delay '" + (step.argument.empty() ? "none" : step.argument) + "'");
    return "0";
  }
  const size_t digits = step.argument.find_first_not_of("-0");
  const bool negative = step.argument.front() == '-';
  // Python refuses numbers that begin with a zero.
  std::string number = digits == std::string::npos ? "0" : step.argument.substr(digits);
  if (number.front() == '.') number = "0" + number;
  return (negative ? "-" : "") + number;
}

void PythonSteps::WriteBody(const std::vector<Step>& body, const Frame& frame, Code& out) {
  for (const Step& step : body) WriteStep(step, frame, out);
}

void PythonSteps::WriteStep(const Step& step, const Frame& frame, Code& out) {
  if (step.target.empty() || facts_.SurelyExists(step.target, step)) return WriteUnguarded(step, frame, out);
  Code inner(4);
  WriteUnguarded(step, frame, inner);
  WriteBlock("if " + PythonString(step.target) + " in newest:", inner, out);
}

void PythonSteps::WriteUnguarded(const Step& step, const Frame& frame, Code& out) {
  if (!step.kind.empty() && !(step.op == Op::kTimeout && step.kind == "at")) {
    return Refuse(step, "asyncio has no " + std::string(OpName(step.op)) + " as " + step.kind);
  }
  if (!step.chained) return WriteCallback(step, frame, "", out);
  const std::string arm = names_.Unique(NameFor("arm", step));
  out.Open("def " + arm + "(run):");
  WriteCallback(step, frame, arm, out);
  out.Outdent();
  out.Line();
  out.Line(arm + "(1)");
}

// Defines the function of a callback and returns its name.
std::string PythonSteps::Function(const Step& step, const std::string& head, const std::string& first,
                                  const std::string& arm, Code& out) {
  const std::string name = names_.Unique(NameFor(head == "def" ? "on" : "task", step));
  Frame frame;
  frame.is_async = head != "def";
  Code body(4);
  if (!first.empty()) body.Line(first);
  std::string at_end;
  if (!arm.empty()) {
    frame.run = "run";
    const std::string more = "run < " + std::to_string(step.times);
    frame.again = at_end = "if " + more + ": " + arm + "(run + 1)";
    const ProgramFacts::Rearming rearming = facts_.RearmingOf(step);
    if (rearming == ProgramFacts::Rearming::kByAgain) at_end = "";
    if (rearming == ProgramFacts::Rearming::kPerhapsByAgain) {
      body.Line("rearmed = []");
      frame.again = at_end = "if " + more + " and not rearmed: rearmed.append(" + arm + "(run + 1))";
    }
  }
  if (!step.label.empty() && step.op != Op::kAsync) body.Line("log(" + PythonString(step.label) + ")");
  WriteBody(step.body, frame, body);
  if (!at_end.empty()) body.Line(at_end);
  WriteBlock(head + " " + name + "():", body, out);
  out.Line();
  return name;
}

void PythonSteps::WriteCallback(const Step& step, const Frame& frame, const std::string& arm, Code& out) {
  const auto callback = [&] { return Function(step, "def", "", arm, out); };
  switch (step.op) {
    case Op::kSoon: {
      const std::string name = callback();
      return out.Line(Assignment(step) + "soon(" + name + ")");
    }
    case Op::kTimeout: {
      const std::string name = callback();
      return out.Line(Assignment(step) + (step.kind == "at" ? "timer_at(" : "later(") + Delay(step) + ", " + name +
                      ")");
    }
    case Op::kWake: {
      if (step.unsent) return Refuse(step, "asyncio has no wake unsent");
      const std::string name = callback();
      return out.Line(Assignment(step) + "wake(" + name + ")");
    }
    case Op::kSignal: {
      const std::string name = callback();
      return out.Line(Assignment(step) + "on_signal(" + name + ")");
    }
    case Op::kRead: {
      const std::string name = callback();
      return out.Line(Assignment(step) + "read(" + name + ")");
    }
    case Op::kFile:
    case Op::kWork: {
      const std::string name = callback();
      const std::string work = step.op == Op::kFile ? "os.stat, '.'" : "int, 0";
      return out.Line(Assignment(step) + "in_pool(" + work + ", " + name + ")");
    }
    case Op::kThen: {
      if (!Assignment(step).empty()) return Refuse(step, "asyncio has no promise that 'then " + step.label + "' makes");
      const std::string name = callback();
      const std::string future = step.target.empty() ? "resolved()" : Newest(step.target);
      return out.Line("then(" + future + ", " + name + ")");
    }
    case Op::kAwait:
    case Op::kAsync:
      return WriteTask(step, frame, arm, out);
    case Op::kOn: {
      if (step.event != "uncaught" || !step.target.empty()) return Refuse(step, "asyncio has no on " + step.event);
      if (!step.body.empty()) return Refuse(step, "an exported handler of uncaught errors has no body");
      const std::string handler = "lambda _, context: log_error(" + PythonString(step.label) + ", context)";
      return out.Line("loop.set_exception_handler(" + handler + ")");
    }
    case Op::kListen:
    case Op::kConnect:
    case Op::kAccept:
    case Op::kSocket:
    case Op::kRefused:
    case Op::kClose:
    case Op::kWrite:
    case Op::kChild:
      return Refuse(step, "exporting to asyncio does not cover " + std::string(OpName(step.op)));
    case Op::kTick:
    case Op::kMicrotask:
    case Op::kCatch:
    case Op::kFinally:
    case Op::kInterval:
    case Op::kImmediate:
    case Op::kMessage:
    case Op::kIdle:
    case Op::kPrepare:
    case Op::kCheck:
    case Op::kSend:
    case Op::kThenable:
    case Op::kRef:
    case Op::kUnref:
    case Op::kRefresh:
    case Op::kStart:
    case Op::kReturn:
    case Op::kAlive:
    case Op::kUpdate:
      return Refuse(step, "asyncio has no " + std::string(OpName(step.op)));
    case Op::kLog:
    case Op::kBusy:
    case Op::kClear:
    case Op::kThrow:
    case Op::kPromise:
    case Op::kResolve:
    case Op::kReject:
    case Op::kPause:
    case Op::kExit:
    case Op::kRaise:
    case Op::kRun:
    case Op::kStop:
    case Op::kAgain:
    case Op::kOnly:
      return WriteAct(step, frame, out);
  }
}

void PythonSteps::WriteTask(const Step& step, const Frame& frame, const std::string& arm, Code& out) {
  (void)frame;
  std::string first;
  if (step.op == Op::kAwait) {
    first = step.target.empty() || step.plain ? "await asyncio.sleep(0)" : "await " + Newest(step.target);
  }
  const std::string name = Function(step, "async def", first, arm, out);
  out.Line(Assignment(step) + "loop.create_task(" + name + "())");
}

void PythonSteps::WriteAct(const Step& step, const Frame& frame, Code& out) {
  const std::string target = Newest(step.target);
  const std::string number = std::to_string(std::strtoll(step.argument.c_str(), nullptr, 10));
  if (step.op == Op::kLog) return out.Line("log(" + PythonString(step.label) + ")");
  if (step.op == Op::kBusy) return out.Line("busy(" + number + ")");
  if (step.op == Op::kThrow) return out.Line("raise " + NewException(step.argument));
  if (step.op == Op::kPromise) return out.Line(Newest(step.label) + " = loop.create_future()");
  if (step.op == Op::kExit) return out.Line("sys.exit(" + number + ")");
  if (step.op == Op::kStop) return out.Line("loop.stop()");
  if (step.op == Op::kRaise) return out.Line("raise_signal(" + target + ")");
  if (step.op == Op::kRun) {
    if (step.argument == "once") return Refuse(step, "asyncio has no run once");
    const std::string waits = step.argument == "nowait" ? "False" : "True";
    return out.Line("run(" + waits + (step.label.empty() ? "" : ", " + PythonString(step.label)) + ")");
  }
  if (step.op == Op::kOnly) return WriteOnly(step, frame, out);
  if (step.op == Op::kAgain) return frame.again.empty() ? void() : out.Line(frame.again);
  if (step.op == Op::kResolve || step.op == Op::kReject) {
    if (!step.with.empty()) return Refuse(step, "asyncio has no resolve with");
    if (step.target.empty()) return Refuse(step, "asyncio has no reject without a promise");
    const std::string outcome =
        step.op == Op::kResolve ? "set_result(None)" : "set_exception(" + NewException(step.argument) + ")";
    return out.Line("if not " + target + ".done(): " + target + "." + outcome);
  }
  if (step.op == Op::kPause) {
    if (!frame.is_async) return Refuse(step, "'pause' stands outside of an async function");
    out.Line("await " + (step.target.empty() ? "asyncio.sleep(0)" : target));
    if (!step.label.empty()) out.Line("log(" + PythonString(step.label) + ")");
    return;
  }
  CONFORM_CHECK(step.op == Op::kClear);
  for (const Step* maker : facts_.Makers(step.target)) {
    const bool can = maker->op == Op::kSoon || maker->op == Op::kTimeout || maker->op == Op::kAsync ||
                     maker->op == Op::kAwait || maker->op == Op::kRead || maker->op == Op::kWake;
    if (!can) return Refuse(step, "exporting to asyncio does not cover clear for '" + step.target + "'");
  }
  out.Line(target + ".cancel()");
}

void PythonSteps::WriteOnly(const Step& step, const Frame& frame, Code& out) {
  if (frame.run.empty()) {
    // A callback that runs once: the condition is decided already.
    if (step.only_from <= 1 && step.only_to >= 1) WriteBody(step.body, frame, out);
    return;
  }
  const std::string from = std::to_string(step.only_from);
  const std::string to = std::to_string(step.only_to);
  Code inner(4);
  WriteBody(step.body, frame, inner);
  WriteBlock(step.only_from == step.only_to ? "if run == " + to + ":"
             : step.only_from <= 1          ? "if run <= " + to + ":"
                                            : "if " + from + " <= run <= " + to + ":",
             inner, out);
}

}  // namespace conform
