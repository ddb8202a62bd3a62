#include "runners/export/js_steps.h"

#include <algorithm>
#include <cctype>

#include "runners/export/js_prelude.h"
#include "runners/model/op_table.h"

namespace conform {
namespace {

std::string Capitalised(const std::string& label) {
  std::string part = IdentifierPart(label);
  if (!part.empty()) part[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(part[0])));
  return part;
}

}  // namespace

JsSteps::JsSteps(const Case& c, const ProgramFacts& facts) : case_(c), facts_(facts), names_({}) {}

Result<Code> JsSteps::Write() {
  Code declarations;
  NameVariables(declarations);
  Frame frame;
  frame.is_async = case_.entry == Entry::kEsm;
  Code main;
  WriteBody(case_.program, frame, main);
  if (error_) return *error_;
  Code out;
  out.Append(declarations);
  out.Append(main);
  return out;
}

JsSteps::Thing JsSteps::ThingOf(const Step& step) {
  switch (step.op) {
    case Op::kTimeout:
      return step.kind == "promise" ? Thing::kPromise : Thing::kTimeout;
    case Op::kInterval:
      return Thing::kInterval;
    case Op::kImmediate:
      return step.kind == "promise" ? Thing::kPromise : Thing::kImmediate;
    case Op::kFile:
      return step.kind == "promise" ? Thing::kPromise : Thing::kNone;
    case Op::kThen:
    case Op::kCatch:
    case Op::kFinally:
    case Op::kAwait:
    case Op::kPromise:
    case Op::kAsync:
      return Thing::kPromise;
    case Op::kThenable:
      return Thing::kThenable;
    case Op::kRead:
    case Op::kConnect:
    case Op::kAccept:
    case Op::kSocket:
    case Op::kRefused:
      return Thing::kSocket;
    case Op::kListen:
      return Thing::kServer;
    case Op::kMessage:
      return Thing::kPort;
    case Op::kChild:
      return Thing::kChild;
    case Op::kSignal:
    case Op::kOn:
      return Thing::kListener;
    case Op::kTick:
    case Op::kMicrotask:
    case Op::kWork:
    case Op::kClose:
    case Op::kWrite:
    case Op::kRaise:
    case Op::kIdle:
    case Op::kPrepare:
    case Op::kCheck:
    case Op::kWake:
    case Op::kSend:
    case Op::kSoon:
    case Op::kLog:
    case Op::kBusy:
    case Op::kClear:
    case Op::kRef:
    case Op::kUnref:
    case Op::kRefresh:
    case Op::kStart:
    case Op::kThrow:
    case Op::kResolve:
    case Op::kReject:
    case Op::kReturn:
    case Op::kPause:
    case Op::kExit:
    case Op::kStop:
    case Op::kRun:
    case Op::kAlive:
    case Op::kUpdate:
    case Op::kAgain:
    case Op::kOnly:
      return Thing::kNone;
  }
  return Thing::kNone;
}

bool JsSteps::HasOnly(const Step& step) const {
  return std::any_of(facts_.steps().begin(), facts_.steps().end(), [&](const Step* inner) {
    return inner->op == Op::kOnly && facts_.EnclosingCallback(*inner) == &step;
  });
}

void JsSteps::NameVariables(Code& declarations) {
  static const std::map<Thing, std::string> kPrefixes = {
      {Thing::kTimeout, "timer"},    {Thing::kInterval, "timer"},    {Thing::kImmediate, "immediate"},
      {Thing::kPromise, "promise"},  {Thing::kThenable, "thenable"}, {Thing::kSocket, "socket"},
      {Thing::kServer, "server"},    {Thing::kPort, "port"},         {Thing::kChild, "child"},
      {Thing::kListener, "listener"}};
  for (const Step* step : facts_.steps()) {
    const Thing thing = ThingOf(*step);
    if (thing == Thing::kNone || step->label.empty() || variables_.count(step->label) != 0) continue;
    if (!facts_.IsReferredTo(step->label)) continue;
    if (thing == Thing::kListener && facts_.Referring(Op::kClear, step->label).empty()) continue;
    Variable variable;
    variable.thing = thing;
    variable.name = names_.Unique(kPrefixes.at(thing) + Capitalised(step->label));
    variable.at_its_maker = facts_.Makers(step->label).size() == 1 && facts_.Parent(*step) == nullptr &&
                            step->op != Op::kAccept && (!step->chained || step->op == Op::kInterval);
    if (!facts_.Referring(Op::kResolve, step->label).empty()) variable.resolve = "resolve" + Capitalised(step->label);
    if (!facts_.Referring(Op::kReject, step->label).empty()) variable.reject = "reject" + Capitalised(step->label);
    for (std::string* function : {&variable.resolve, &variable.reject}) {
      if (!function->empty()) *function = names_.Unique(*function);
      if (!function->empty() && !variable.at_its_maker) declarations.Line("var " + *function + ";");
    }
    if (!variable.at_its_maker) declarations.Line("var " + variable.name + ";");
    variables_[step->label] = variable;
  }
  if (!declarations.empty()) declarations.Line();
  // A channel has a name, too; what can be closed or unreferenced is the port that receives.
  for (const Step* step : facts_.steps()) {
    if (step->via.empty() || !facts_.IsReferredTo(step->via) || variables_.count(step->via) != 0) continue;
    Variable variable;
    variable.thing = Thing::kPort;
    variable.name = JsChannelName(step->via) + ".port";
    variables_[step->via] = variable;
  }
}

// The variable of something that `step` refers to, or nothing, and an error, where JavaScript has no such thing.
const JsSteps::Variable* JsSteps::VariableOf(const Step& step, const std::string& label) {
  const auto found = variables_.find(label);
  if (found == variables_.end()) {
    Refuse(step, "JavaScript has nothing that '" + label + "' could name in '" + step.ToString() + "'");
    return nullptr;
  }
  const auto family = [](Thing thing) {
    return thing == Thing::kInterval ? Thing::kTimeout : thing == Thing::kThenable ? Thing::kPromise : thing;
  };
  for (const Step* maker : facts_.Makers(label)) {
    const Thing thing = ThingOf(*maker);
    if (thing == Thing::kNone || family(thing) == family(found->second.thing)) continue;
    Refuse(step, "'" + label + "' names different kinds of things; an exported program needs one kind");
    return nullptr;
  }
  return &found->second;
}

std::string JsSteps::Assignment(const Step& step) {
  const auto found = variables_.find(step.label);
  if (step.label.empty() || found == variables_.end() || ThingOf(step) == Thing::kNone) return "";
  return (found->second.at_its_maker ? "var " : "") + found->second.name + " = ";
}

bool JsSteps::IsTimerLike(const std::string& label) const {
  const auto found = variables_.find(label);
  return found == variables_.end() || found->second.thing != Thing::kListener;
}

// The variables that must hold something for the step to do anything.
std::vector<std::string> JsSteps::Guards(const Step& step) {
  switch (step.op) {
    case Op::kThen:
    case Op::kCatch:
    case Op::kFinally:
    case Op::kAwait:
    case Op::kConnect:
    case Op::kAccept:
    case Op::kClose:
    case Op::kWrite:
    case Op::kOn:
    case Op::kRef:
    case Op::kUnref:
    case Op::kRefresh:
    case Op::kResolve:
    case Op::kReject:
      break;
    case Op::kClear:
      // clearTimeout and the like accept undefined; removeListener does not.
      if (step.kind.empty() && IsTimerLike(step.target)) return {};
      break;
    case Op::kTick:
    case Op::kMicrotask:
    case Op::kTimeout:
    case Op::kInterval:
    case Op::kImmediate:
    case Op::kRead:
    case Op::kFile:
    case Op::kWork:
    case Op::kListen:
    case Op::kSocket:
    case Op::kRefused:
    case Op::kMessage:
    case Op::kSignal:
    case Op::kRaise:
    case Op::kChild:
    case Op::kIdle:
    case Op::kPrepare:
    case Op::kCheck:
    case Op::kWake:
    case Op::kSend:
    case Op::kSoon:
    case Op::kThenable:
    case Op::kLog:
    case Op::kBusy:
    case Op::kStart:
    case Op::kThrow:
    case Op::kPromise:
    case Op::kReturn:
    case Op::kAsync:
    case Op::kPause:
    case Op::kExit:
    case Op::kStop:
    case Op::kRun:
    case Op::kAlive:
    case Op::kUpdate:
    case Op::kAgain:
    case Op::kOnly:
      return {};
  }
  if (step.target.empty() || facts_.SurelyExists(step.target, step)) return {};
  const Variable* variable = VariableOf(step, step.target);
  if (variable == nullptr) return {};
  return {variable->name};
}

void JsSteps::WriteBody(const std::vector<Step>& body, const Frame& frame, Code& out) {
  for (const Step& step : body) WriteStep(step, frame, out);
}

void JsSteps::WriteStep(const Step& step, const Frame& frame, Code& out) {
  const std::vector<std::string> guards = Guards(step);
  if (guards.empty()) return WriteUnguarded(step, frame, out);
  Code inner;
  WriteUnguarded(step, frame, inner);
  out.Block("if (" + guards.front() + ") {", inner, "}");
}

void JsSteps::WriteUnguarded(const Step& step, const Frame& frame, Code& out) {
  // An interval arms itself; every other chain is a function that is given the number of the run it arms.
  const bool is_chain = step.chained && step.op != Op::kInterval;
  if (!is_chain && (step.chained || HasOnly(step))) {
    // Listeners run often, and a timer can be refreshed: the runs are counted as they come.
    counters_[&step] = names_.Unique("runsOf" + IdentifierPart(step.label));
    out.Line("var " + counters_[&step] + " = 0;");
  }
  if (!is_chain) return WriteOther(step, frame, out);
  const std::string arm = names_.Unique("arm" + Capitalised(step.label));
  arm_names_[&step] = arm;
  Code inner;
  WriteOther(step, frame, inner);
  out.Open("(function " + arm + "(run) {");
  out.Append(inner);
  out.Close("}(1));");
}

// What the function of a callback holds: the label, the body, and the next run of a chain, between `first` and `last`.
Code JsSteps::Callback(const Step& step, const Frame& outer, const std::string& first, const std::string& last) {
  Code code;
  if (!first.empty()) code.Line(first);
  Frame frame = outer;
  frame.run = frame.again = frame.at_end = "";
  frame.is_async = step.op == Op::kAwait;
  const auto counter = counters_.find(&step);
  const auto arm = arm_names_.find(&step);
  if (counter != counters_.end()) {
    frame.run = counter->second;
    code.Line(counter->second + " += 1;");
  } else if (arm != arm_names_.end()) {
    frame.run = "run";
    const std::string more = "run < " + std::to_string(step.times);
    const std::string call = arm->second + "(run + 1);";
    frame.again = frame.at_end = "if (" + more + ") " + call;
    switch (facts_.RearmingOf(step)) {
      case ProgramFacts::Rearming::kAtEnd:
        break;
      case ProgramFacts::Rearming::kByAgain:
        frame.at_end = "";
        break;
      case ProgramFacts::Rearming::kPerhapsByAgain:
        code.Line("var armed = false;");
        frame.again = "if (!armed && " + more + ") { armed = true; " + call + " }";
        frame.at_end = "if (!armed && " + more + ") " + call;
        break;
    }
  }
  const std::string quoted = JsString(step.label);
  if (!step.label.empty()) code.Line("log(" + (GivenError(step) ? "outcome(" + quoted + ", error)" : quoted) + ");");
  if (step.op == Op::kInterval && step.chained) {
    code.Line("if (" + counter->second + " === " + std::to_string(step.times) + ") clearInterval(" +
              own_timers_.at(&step) + ");");
  }
  WriteBody(step.body, frame, code);
  const bool returns = !step.body.empty() && step.body.back().op == Op::kReturn;
  if (!frame.at_end.empty() && !returns) code.Line(frame.at_end);
  if (!last.empty()) code.Line(last);
  return code;
}

void JsSteps::WriteOnly(const Step& step, const Frame& frame, Code& out) {
  if (frame.run.empty()) {
    // A callback that runs once: the condition is decided already.
    if (step.only_from <= 1 && step.only_to >= 1) WriteBody(step.body, frame, out);
    return;
  }
  std::string condition;
  if (step.only_from == step.only_to) {
    condition = frame.run + " === " + std::to_string(step.only_from);
  } else {
    if (step.only_from > 1) condition = frame.run + " >= " + std::to_string(step.only_from) + " && ";
    condition += frame.run + " <= " + std::to_string(step.only_to);
  }
  Code inner;
  WriteBody(step.body, frame, inner);
  out.Block("if (" + condition + ") {", inner, "}");
}

void JsSteps::Refuse(const Step& step, const std::string& message) {
  if (!error_) error_ = Error{message, case_.file, step.at};
}

bool JsSteps::RefuseKind(const Step& step) {
  if (step.kind.empty()) return false;
  Refuse(step, "JavaScript has no '" + std::string(OpName(step.op)) + " as " + step.kind + "'");
  return true;
}

}  // namespace conform
