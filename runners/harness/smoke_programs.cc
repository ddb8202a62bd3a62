#include "runners/harness/smoke_programs.h"

#include <algorithm>
#include <utility>

#include "runners/base/check.h"
#include "runners/base/text.h"
#include "runners/model/case_json.h"
#include "runners/model/op_table.h"
#include "runners/model/profile.h"

namespace conform {
namespace {

// A program that is written with OP in place of a callback: "OP A x3", for "soon A x3" or "timeout A 1 x3".
struct Sketch {
  const char* claim;
  const char* steps;
  const char* labels;
};

// What every op with a callback does in the same way.
constexpr Sketch kOfTheLanguage[] = {
    {"log emits its label", "[log A, log B]", "A B"},
    {"a program that emits nothing has an answer", "[busy 1]", ""},
    {"a callback runs its body", "[{OP A: [log B]}]", "A B"},
    {"a callback without a label is silent", "[{OP: [log B]}]", "B"},
    {"bodies can be nested", "[{OP A: [{OP B: [OP C]}]}]", "A B C"},
    {"labels may repeat", "[OP A, OP A, log A]", "A A A"},
    {"only counts the runs", "[{OP A x3: [{only 2: [log B]}, {only ..2: [log C]}]}]", "A A A B C C"},
    {"again rearms once", "[{OP A x3: [again, log B]}]", "A A A B B B"},
    {"a nested chain counts separately", "[{OP A x2: [{OP B x2: [{only 2: [log C]}]}]}]", "A A B B B B C C"},
};

// What single ops and events do.
constexpr Sketch kOfOps[] = {
    {"what was cleared does not run", "[timeout A 50, clear A, log B]", "B"},
    {"a name means the newest thing", "[timeout A 40, timeout A 50, clear A]", "A"},
    {"clear of what does not exist yet does nothing", "[{timeout 1: [timeout A 1]}, clear A]", "A"},
    {"an interval with xN ends", "[interval V 1 x3]", "V V V"},
    {"an interval can be cleared", "[{interval V 1: [{only 3: [clear V]}]}]", "V V V"},
    {"an uncaught error", "[on uncaught X, {OP A: [throw E, log B]}]", "A X=E"},
    {"an error without a name", "[on uncaught X, {OP A: [throw]}]", "A X"},
    {"an error ends a chain", "[on uncaught X, {OP A x3: [throw E]}]", "A X=E"},
    {"an unhandled rejection", "[on unhandled X, reject E]", "X=E"},
    {"the event is emitted", "[on exit X, OP A]", "A X"},
    {"the event is emitted", "[on beforeExit X, OP A]", "A X"},
    {"exit ends the program immediately", "[log A, exit, log B]", "A"},
    {"the code of exit is a label", "[log A, exit 3, log B]", "A exit=3"},
    {"exit in a callback", "[{OP A: [exit 4]}]", "A exit=4"},
    {"the outcome of run is part of its label", "[run default R]", "R=0"},
    {"the outcome of alive is part of its label", "[alive L]", "L=0"},
    {"a promise can be resolved later", "[promise D, then P of D, resolve D]", "P"},
    {"a promise can be rejected later", "[promise D, catch C of D, reject E of D]", "C"},
    {"a promise names the next one", "[then A, then B of A]", "A B"},
    {"async runs synchronously", "[{async F: [log A, pause B, log C]}, then P of F]", "A B C P"},
    {"a thenable is called", "[thenable N, promise D, then P of D, resolve D with N]", "N P"},
    {"a server and its client", "[listen L, {accept A of L: [close of A, close of L]}, {connect K to L: [close of K]}]",
     "A K"},
};

// Ops whose callback runs once when it is scheduled, and as often as xN says.
constexpr const char* kSchedulingOps[] = {"soon",    "timeout", "tick", "microtask", "immediate", "then", "await",
                                          "finally", "wake",    "work", "file",      "message",   "read"};
// Of these the first that there is stands for OP: a throw in its callback is uncaught, and it needs nothing handed
// over.
constexpr size_t kPlainOps = 5;

// Where an immediate is a check handle, something else has to turn the loop.
constexpr char kTurns[] = ", timeout 5 x20";

bool Has(const std::vector<std::string>& ops, std::string_view name) {
  return std::find(ops.begin(), ops.end(), name) != ops.end();
}

std::string PlainOp(const std::vector<std::string>& ops) {
  for (size_t i = 0; i < kPlainOps; ++i) {
    if (Has(ops, kSchedulingOps[i])) return kSchedulingOps[i];
  }
  return "";
}

// "soon A", "timeout A 1"; `label` may be empty.
std::string StepOf(const std::string& op, const std::string& label) {
  return op + (label.empty() ? "" : " " + label) + (op == "timeout" ? " 1" : "");
}

// Puts `op` in place of each OP, with its argument behind the label.
std::string WithOp(std::string_view steps, const std::string& op) {
  std::string text;
  for (size_t at = 0; at < steps.size();) {
    if (!steps.substr(at).starts_with("OP")) {
      text += steps[at++];
      continue;
    }
    at += 2;
    std::string label;
    if (steps[at] == ' ') {
      label = steps[at + 1];
      at += 2;
    }
    text += StepOf(op, label);
  }
  return text;
}

bool HasAll(const std::vector<std::string>& ops, const Case& c) {
  const std::vector<std::string> used = CapabilitiesUsed(c);
  return std::all_of(used.begin(), used.end(), [&](const std::string& name) { return Has(ops, name); });
}

std::vector<std::string> Words(std::string_view text) {
  return text.empty() ? std::vector<std::string>{} : Split(text, ' ');
}

// As a user writes it: without the brackets of the list and the braces of each step.
std::string Bare(std::string steps) {
  std::erase_if(steps, [](char c) { return c == '{' || c == '}'; });
  return steps.substr(1, steps.size() - 2);
}

}  // namespace

Case SmokeCase(const std::string& steps, Entry entry) {
  std::string text = "program: " + steps + "\nexpect: '...'\n";
  if (entry != Entry::kScript) text += "entry: " + std::string(EntryName(entry)) + "\n";
  Result<Case> c = ParseCase(text, "smoke", "smoke");
  CONFORM_CHECK(c.ok());
  return std::move(c).value();
}

std::string CallbackStep(const std::vector<std::string>& ops, const std::string& label) {
  const std::string op = PlainOp(ops);
  return op.empty() ? "" : StepOf(op, label);
}

std::vector<SmokeProgram> SmokePrograms(const std::vector<std::string>& ops) {
  std::vector<SmokeProgram> programs;
  const std::string plain = PlainOp(ops);
  const auto add = [&](const std::string& claim, const std::string& steps, const std::string& labels, int descriptors,
                       Entry entry) {
    SmokeProgram program{claim + ": " + Bare(steps), SmokeCase(steps, entry), Words(labels), descriptors};
    if (HasAll(ops, program.c)) programs.push_back(std::move(program));
  };
  const auto add_sketch = [&](const Sketch& sketch) {
    const bool needs_op = std::string_view(sketch.steps).find("OP") != std::string_view::npos;
    if (needs_op && plain.empty()) return;
    add(sketch.claim, WithOp(sketch.steps, plain), sketch.labels, 0, Entry::kScript);
  };
  for (const Sketch& sketch : kOfTheLanguage) add_sketch(sketch);
  for (const std::string op : kSchedulingOps) {
    const bool reads = op == "read";
    const std::string after = op == "immediate" && Has(ops, "timeout") ? kTurns : "";
    // A handle that can be woken again keeps its loop alive.
    const std::string last = op == "wake" ? ": [{only 3: [clear A]}]}" : "";
    const std::string open = last.empty() ? "[" : "[{";
    if (last.empty()) add("one callback", open + StepOf(op, "A") + after + "]", "A", reads ? 1 : 0, Entry::kScript);
    add("xN makes N runs", open + StepOf(op, "A") + " x3" + last + after + "]", "A A A", reads ? 3 : 0, Entry::kScript);
    for (const std::string& name : ops) {
      if (!name.starts_with(op + " as ") || WhyNoName(name.substr(op.size() + 4))) continue;
      const std::string kind = name.substr(op.size());
      add("one callback", "[" + StepOf(op, "A") + kind + after + "]", "A", reads ? 1 : 0, Entry::kScript);
    }
  }
  for (const Sketch& sketch : kOfOps) add_sketch(sketch);
  for (const Entry entry : {Entry::kEsm, Entry::kWorker}) {
    add("entry " + std::string(EntryName(entry)), "[log A]", "A", 0, entry);
  }
  return programs;
}

std::vector<UnsupportedProgram> UnsupportedPrograms(const std::vector<std::string>& ops) {
  std::vector<UnsupportedProgram> programs;
  for (const std::string op : kSchedulingOps) {
    if (Has(ops, op) || op == "read") continue;
    programs.push_back({op, SmokeCase("[log A, " + StepOf(op, "B") + "]")});
    break;
  }
  const std::string step = CallbackStep(ops, "B");
  if (!step.empty()) {
    programs.push_back({PlainOp(ops) + " as nonsense", SmokeCase("[log A, " + step + " as nonsense]")});
    // One that is in a body is found, too, before the first step runs.
    programs.push_back({"on nonsense", SmokeCase("[log A, {" + step + ": [on nonsense X of B]}]")});
  }
  return programs;
}

}  // namespace conform
