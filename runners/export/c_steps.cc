#include "runners/export/c_steps.h"

#include <algorithm>
#include <cctype>
#include <cmath>

#include "runners/base/check.h"
#include "runners/model/op_table.h"

namespace conform {
namespace {

void ReplaceAll(std::string& text, const std::string& what, const std::string& with) {
  for (size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + with.size())) {
    text.replace(at, what.size(), with);
  }
}

bool HasWord(const std::string& text, const std::string& word) {
  const auto is_part = [&](size_t at) {
    return at < text.size() && (std::isalnum(static_cast<unsigned char>(text[at])) != 0 || text[at] == '_');
  };
  for (size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) {
    if ((at == 0 || !is_part(at - 1)) && !is_part(at + word.size())) return true;
  }
  return false;
}

// A chain whose handle goes on by itself, and is stopped before the body of its last run.
bool StopsItself(Op op) { return op == Op::kInterval || op == Op::kIdle || op == Op::kPrepare || op == Op::kCheck; }

}  // namespace

CSteps::CSteps(const Case& c, const ProgramFacts& facts)
    : case_(c),
      facts_(facts),
      names_({"arm", "check", "file", "loop", "main", "on", "on_exit", "read", "signal", "write"}) {}

Result<CSteps::Parts> CSteps::Write() {
  NameVariables();
  Frame frame;
  WriteBody(case_.program, frame, parts_.main);
  if (error_) return *error_;
  return parts_;
}

void CSteps::Refuse(const Step& step, const std::string& message) {
  if (!error_) error_ = Error{message, case_.file, step.at};
}

void CSteps::NameVariables() {
  for (const Step* step : facts_.steps()) {
    const COp* op = FindCOp(*step);
    if (op == nullptr || op->type.empty()) continue;
    if (step->label.empty() || !facts_.IsReferredTo(step->label)) {
      own_[step] = names_.Unique(NameFor(op->prefix, *step));
      continue;
    }
    if (!shared_.emplace(step->label, "").second) continue;
    shared_[step->label] = names_.Unique(NameFor(op->prefix, *step));
    parts_.variables.Line("static " + op->type + " *" + shared_[step->label] + ";");
  }
}

bool CSteps::NeedsRun(const Step& step) const {
  return step.chained || std::any_of(facts_.steps().begin(), facts_.steps().end(), [&](const Step* inner) {
           return inner->op == Op::kOnly && facts_.EnclosingCallback(*inner) == &step;
         });
}

// Refuses names that different kinds of things have, since a variable of C has one type.
const COp* CSteps::TargetOp(const Step& step) {
  const COp* found = nullptr;
  for (const Step* maker : facts_.Makers(step.target)) {
    const COp* op = FindCOp(*maker);
    if (op == nullptr || op->type.empty()) continue;
    if (found != nullptr && found->type != op->type) {
      Refuse(step, "'" + step.target + "' names different kinds of things; an exported program needs one kind");
      return nullptr;
    }
    found = op;
  }
  if (found == nullptr) {
    Refuse(step, "libuv has nothing that '" + step.target + "' could name in '" + step.ToString() + "'");
  }
  return found;
}

const Step* CSteps::TargetMaker(const Step& step) {
  const std::vector<const Step*>& makers = facts_.Makers(step.target);
  if (makers.size() == 1) return makers.front();
  Refuse(step, "'" + step.target + "' is made in several places, so '" + step.ToString() + "' has no one callback");
  return nullptr;
}

std::string CSteps::Variable(const std::string& label) const {
  const auto found = shared_.find(label);
  return found == shared_.end() ? "" : found->second;
}

std::string CSteps::Function(const Step& step) {
  std::string& name = functions_[&step];
  if (name.empty()) name = names_.Unique(NameFor("on", step));
  return name;
}

std::string CSteps::Path(const std::string& server) {
  std::string& name = paths_[server];
  if (name.empty()) {
    name = names_.Unique("path_" + IdentifierPart(server));
    parts_.variables.Line("static char " + name + "[64];");
    parts_.end.Line("unlink(" + name + ");");
  }
  return name;
}

std::string CSteps::Delay(const Step& step) {
  const double delay = DelayOf(step);
  constexpr double kLargest = 1e15;  // far beyond any wait, and exact as a double
  if (!std::isfinite(delay) || delay < 0 || delay > kLargest) {
    Refuse(step, "libuv has no delay '" + (step.argument.empty() ? "none" : step.argument) + "'");
    return "0";
  }
  return std::to_string(static_cast<int64_t>(delay));
}

std::string CSteps::Fill(std::string text, const Step& step) {
  const auto own = own_.find(&step);
  ReplaceAll(text, "$v", own != own_.end() ? own->second : Variable(step.label));
  if (text.find("$f") != std::string::npos) ReplaceAll(text, "$f", Function(step));
  if (text.find("$d") != std::string::npos) ReplaceAll(text, "$d", Delay(step));
  if (text.find("$p") != std::string::npos) ReplaceAll(text, "$p", Path(step.target));
  ReplaceAll(text, "$t", Variable(step.target));
  return text;
}

void CSteps::WriteBody(const std::vector<Step>& body, const Frame& frame, Code& out) {
  for (const Step& step : body) WriteStep(step, frame, out);
}

void CSteps::WriteStep(const Step& step, const Frame& frame, Code& out) {
  // A signal is raised whether or not somebody listens; everything else needs its object.
  if (step.target.empty() || step.op == Op::kRaise) return WriteUnguarded(step, frame, out);
  if (FindCOp(step) == nullptr && ShapeOf(step.op).makes) return WriteUnguarded(step, frame, out);
  if (TargetOp(step) == nullptr) return;
  const std::string variable = Variable(step.target);
  std::string condition = facts_.SurelyExists(step.target, step) ? "" : variable + " != NULL";
  // Clearing a wake-up closes it.
  const bool closes = step.op == Op::kClose || (step.op == Op::kClear && TargetOp(step)->type == "uv_async_t");
  const size_t closings =
      facts_.Referring(Op::kClose, step.target).size() + facts_.Referring(Op::kClear, step.target).size();
  if (closes && (closings > 1 || facts_.MayRepeat(step))) {
    condition += (condition.empty() ? "" : " && ") + ("!uv_is_closing((uv_handle_t *) " + variable + ")");
  }
  Code inner;
  WriteUnguarded(step, frame, inner);
  if (condition.empty()) return out.Append(inner);
  out.Open("if (" + condition + ") {");
  out.Append(inner);
  out.Close("}");
}

void CSteps::WriteUnguarded(const Step& step, const Frame& frame, Code& out) {
  if (step.op == Op::kOnly) return WriteOnly(step, frame, out);
  if (!ShapeOf(step.op).makes || step.op == Op::kPromise || step.op == Op::kAsync) return WriteAct(step, frame, out);
  const COp* op = FindCOp(step);
  if (op == nullptr) {
    const std::string kind = step.kind.empty() ? "" : " as " + step.kind;
    return Refuse(step, "libuv has no " + std::string(OpName(step.op)) + kind);
  }
  if (step.op == Op::kListen) return WriteServer(step, *op, out);
  if (step.op == Op::kAccept) return WriteAccept(step, *op, out);
  if (step.op == Op::kSocket) return WriteMaking(step, *op, false, out);
  if (step.op == Op::kClose && step.label.empty() && step.body.empty()) {
    return out.Line("uv_close((uv_handle_t *) " + Variable(step.target) + ", NULL);");
  }
  const bool rearmed = step.chained && !StopsItself(step.op) && step.op != Op::kWake;
  if (!rearmed) {
    WriteCallback(step, *op);
    WriteMaking(step, *op, false, out);
    if (!step.unsent) out.Line(Fill(op->start, step));
    return;
  }
  // A chain: a function that makes one more of it, and a callback that calls this function.
  const std::string arm = names_.Unique(NameFor("arm", step));
  arm_functions_[&step] = arm;
  parts_.functions.Line("static void " + arm + "(intptr_t run);");
  parts_.functions.Line();
  WriteCallback(step, *op);
  Code code;
  WriteMaking(step, *op, true, code);
  code.Line(Fill(op->start, step));
  parts_.functions.Open("static void " + arm + "(intptr_t run) {");
  parts_.functions.Append(code);
  parts_.functions.Close("}");
  parts_.functions.Line();
  out.Line(arm + "(1);");
}

// Allocates the thing and initialises it. Nothing is ever freed: the program ends soon.
void CSteps::WriteMaking(const Step& step, const COp& op, bool counts, Code& out) {
  if (op.type.empty()) return;
  const auto own = own_.find(&step);
  const std::string variable = own != own_.end() ? own->second : Variable(step.label);
  const std::string declaration = own != own_.end() ? op.type + " *" : "";
  out.Line(declaration + variable + " = calloc(1, sizeof *" + variable + ");");
  for (const std::string& line : op.init) out.Line(Fill(line, step));
  if (counts) out.Line(variable + "->data = (void *) run;");
}

void CSteps::WriteLabel(const Step& step, const COp& op, Code& out) {
  if (step.label.empty()) return;
  const std::string label = CString(step.label);
  out.Line(op.status.empty() ? "log_label(" + label + ");" : "log_outcome(" + label + ", " + op.status + ");");
}

void CSteps::WriteCallback(const Step& step, const COp& op) {
  const std::string name = Function(step);
  Code body;
  for (const std::string& line : op.before_label) body.Line(line);
  Frame frame;
  std::string at_end;
  if (NeedsRun(step)) {
    frame.run = "run";
    const auto arm = arm_functions_.find(&step);
    // A handle can be started again, so its runs are counted as they come; a request runs once.
    const bool counts = arm == arm_functions_.end() && op.is_handle && !op.type.empty() && op.thing == "handle";
    if (counts)
      body.Line("intptr_t run = next_run((uv_handle_t *) " + op.thing + ");");
    else if (arm != arm_functions_.end())
      body.Line("intptr_t run = (intptr_t) " + op.thing + "->data;");
    else
      frame.run = "";
    const std::string more = "run < " + std::to_string(step.times);
    const std::string next = arm != arm_functions_.end() ? arm->second + "(run + 1);" : "uv_async_send(handle);";
    if (step.chained && !StopsItself(step.op)) {
      frame.again = at_end = "if (" + more + ") " + next;
      const ProgramFacts::Rearming rearming = facts_.RearmingOf(step);
      if (rearming == ProgramFacts::Rearming::kByAgain) at_end = "";
      if (rearming == ProgramFacts::Rearming::kPerhapsByAgain) {
        body.Line("int armed = 0;");
        frame.again = "if (!armed++ && " + more + ") " + next;
        at_end = frame.again;
      }
    }
  }
  WriteLabel(step, op, body);
  if (step.chained && StopsItself(step.op)) {
    std::string stop = op.clear;
    ReplaceAll(stop, "$t", op.thing);
    body.Line("if (run == " + std::to_string(step.times) + ") " + stop);
  }
  WriteBody(step.body, frame, body);
  if (!at_end.empty()) body.Line(at_end);

  const std::string text = body.ToString();
  parts_.functions.Open("static void " + name + "(" + op.parameters + ") {");
  std::vector<std::string> unused = op.unused;
  const std::string first = op.thing.substr(0, op.thing.find('-'));
  if (!HasWord(text, first)) unused.insert(unused.begin(), first);
  if (HasWord(op.parameters, "status") && !HasWord(text, "status")) unused.push_back("status");
  for (const std::string& parameter : unused) parts_.functions.Line("(void) " + parameter + ";");
  parts_.functions.Append(body);
  parts_.functions.Close("}");
  parts_.functions.Line();
}

}  // namespace conform
