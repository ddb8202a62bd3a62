#include "runners/export/python_steps.h"

#include <cmath>
#include <cstdlib>

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

// What a thread of the pool is given to do, and with what.
std::string WorkOf(const Step& step) {
  const int64_t ms = WorkMsOf(step);
  return ms == 0 ? "int, 0" : "time.sleep, " + std::to_string(ms) + " / 1000";
}

}  // namespace

const std::map<std::string, PythonSteps::Row>& PythonSteps::Table() {
  static const std::map<std::string, Row> kTable = {
      {"soon", {"call_soon(@)", true}},
      {"timeout", {"call_later($d, @)", true}},
      {"timeout as at", {"call_at(started + $d, @)", true}},
      {"wake", {"", true, &PythonSteps::WriteWake}},
      {"signal", {"add_signal_handler(@)"}},
      {"raise", {"raise_signal($t)"}},
      {"read", {"read(@)", true}},
      {"file", {"run_in_executor(os.stat, '.', @)"}},
      {"work", {"run_in_executor($w, @)"}},
      {"then", {"", false, &PythonSteps::WriteThen}},
      {"await", {"", true, &PythonSteps::WriteAwait}},
      {"async", {"", true, &PythonSteps::WriteAsync}},
      {"on", {"", false, &PythonSteps::WriteOn}},
      {"log", {"log($l)"}},
      {"busy", {"busy($n)"}},
      {"clear", {"", false, &PythonSteps::WriteClear}},
      {"throw", {"raise $e"}},
      {"promise", {"$v = loop.create_future()"}},
      {"resolve", {"", false, &PythonSteps::WriteSettle}},
      {"reject", {"", false, &PythonSteps::WriteSettle}},
      {"pause", {"", false, &PythonSteps::WritePause}},
      {"exit", {"sys.exit($n)"}},
      {"stop", {"loop.stop()"}},
      {"run", {"", false, &PythonSteps::WriteRun}},
  };
  return kTable;
}

PythonSteps::PythonSteps(const Case& c, const ProgramFacts& facts)
    : StepWriter(c, facts, "asyncio", {"arm", "on", "task"}) {}

Result<Code> PythonSteps::Write() {
  Code out(4);
  WriteBody(case_.program, Frame{}, out);
  if (error_) return *error_;
  return out;
}

std::string PythonSteps::Assignment(const Step& step) const {
  return step.label.empty() || !facts_.IsReferredTo(step.label) ? "" : Newest(step.label) + " = ";
}

// In seconds; asyncio takes fractions and what is below 0.
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
  return number == "0" ? number : (negative ? "-" : "") + number + " / 1000";
}

std::string PythonSteps::GuardOf(const Step& step) {
  if (step.target.empty() || facts_.SurelyExists(step.target, step)) return "";
  return PythonString(step.target) + " in newest";
}

void PythonSteps::WriteIf(const std::string& condition, const Code& inner, Code& out) const {
  WriteBlock("if " + condition + ":", inner, out);
}

std::string PythonSteps::IsBetween(const std::string& value, const std::string& from, const std::string& to) const {
  return from + " <= " + value + " <= " + to;
}

void PythonSteps::WriteRow(const Step& step, const Frame& frame, Code& out) {
  const Row& row = *FindRow(Table(), step);
  const auto write = [&] {
    if (row.write != nullptr) return (this->*row.write)(step, frame, out);
    WriteText(row.text, step, out);
  };
  if (!step.chained) return write();
  const std::string arm = names_.Unique(NameFor("arm", step));
  arm_names_[&step] = arm;
  out.Open("def " + arm + "(run):");
  write();
  out.Outdent();
  out.Line();
  out.Line(arm + "(1)");
}

// What has a callback, or makes a thing, is kept under its name where some step refers to it.
void PythonSteps::WriteText(const std::string& text, const Step& step, Code& out) {
  const size_t at = text.find('@');
  const std::string function = at == std::string::npos ? "" : Function(step, "def", "", out);
  const std::string assignment = at == std::string::npos ? "" : Assignment(step);
  out.Line(assignment +
           Filled(text, {{"@", [&] { return function; }},
                         {"$d", [&] { return Delay(step); }},
                         {"$w", [&] { return WorkOf(step); }},
                         {"$t", [&] { return Newest(step.target); }},
                         {"$v", [&] { return Newest(step.label); }},
                         {"$l", [&] { return PythonString(step.label); }},
                         {"$e", [&] { return NewException(step.argument); }},
                         {"$n", [&] { return std::to_string(std::strtoll(step.argument.c_str(), nullptr, 10)); }}}));
}

// Defines the function of a callback and returns its name.
std::string PythonSteps::Function(const Step& step, const std::string& head, const std::string& first, Code& out) {
  const std::string name = names_.Unique(NameFor(head == "def" ? "on" : "task", step));
  Frame frame;
  frame.is_async = head != "def";
  Code body(4);
  if (!first.empty()) body.Line(first);
  if (const auto arm = arm_names_.find(&step); arm != arm_names_.end()) {
    const std::string more = "run < " + std::to_string(step.times);
    const std::string call = arm->second + "(run + 1)";
    const std::string once = "if " + more + " and not rearmed: rearmed.append(" + call + ")";
    BeginChain(step, {"if " + more + ": " + call, "rearmed = []", once, once}, frame, body);
  }
  if (!step.label.empty() && step.op != Op::kAsync) body.Line("log(" + PythonString(step.label) + ")");
  WriteBody(step.body, frame, body);
  if (!frame.at_end.empty()) body.Line(frame.at_end);
  WriteBlock(head + " " + name + "():", body, out);
  out.Line();
  return name;
}

void PythonSteps::WriteWake(const Step& step, const Frame&, Code& out) {
  if (step.unsent) return Refuse(step, "asyncio has no wake unsent");
  WriteText("call_soon_threadsafe(@)", step, out);
}

void PythonSteps::WriteThen(const Step& step, const Frame&, Code& out) {
  if (!Assignment(step).empty()) return Refuse(step, "asyncio has no promise that 'then " + step.label + "' makes");
  WriteText(step.target.empty() ? "add_done_callback(resolved(), @)" : "add_done_callback($t, @)", step, out);
}

void PythonSteps::WriteAwait(const Step& step, const Frame&, Code& out) {
  const bool yields = step.target.empty() || step.plain;
  const std::string first = yields ? "await asyncio.sleep(0)" : "await " + Newest(step.target);
  const std::string name = Function(step, "async def", first, out);
  out.Line(Assignment(step) + "loop.create_task(" + name + "())");
}

void PythonSteps::WriteAsync(const Step& step, const Frame&, Code& out) {
  const std::string name = Function(step, "async def", "", out);
  out.Line(Assignment(step) + "loop.create_task(" + name + "())");
}

void PythonSteps::WriteOn(const Step& step, const Frame&, Code& out) {
  if (step.event != "uncaught" || !step.target.empty()) return Refuse(step, "asyncio has no on " + step.event);
  if (!step.body.empty()) return Refuse(step, "an exported uncaught-error handler has no body");
  WriteText("loop.set_exception_handler(lambda _, context: log_error($l, context))", step, out);
}

void PythonSteps::WriteRun(const Step& step, const Frame&, Code& out) {
  if (step.argument == "once") return Refuse(step, "asyncio has no run once");
  const std::string waits = step.argument == "nowait" ? "False" : "True";
  WriteText("run(" + waits + (step.label.empty() ? ")" : ", $l)"), step, out);
}

void PythonSteps::WriteSettle(const Step& step, const Frame&, Code& out) {
  if (!step.with.empty()) return Refuse(step, "asyncio has no resolve with");
  if (step.target.empty()) return Refuse(step, "asyncio has no reject without a promise");
  WriteText(
      step.op == Op::kResolve ? "if not $t.done(): $t.set_result(None)" : "if not $t.done(): $t.set_exception($e)",
      step, out);
}

void PythonSteps::WritePause(const Step& step, const Frame& frame, Code& out) {
  if (!frame.is_async) return Refuse(step, "'pause' is outside an async function");
  WriteText(step.target.empty() ? "await asyncio.sleep(0)" : "await $t", step, out);
  if (!step.label.empty()) WriteText("log($l)", step, out);
}

void PythonSteps::WriteClear(const Step& step, const Frame&, Code& out) {
  for (const Step* maker : facts_.Makers(step.target)) {
    const Row* row = FindRow(Table(), *maker);
    if (row != nullptr && row->can_be_cleared) continue;
    return Refuse(step, "exporting to asyncio does not cover clear for '" + step.target + "'");
  }
  WriteText("$t.cancel()", step, out);
}

}  // namespace conform
