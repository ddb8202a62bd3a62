#include "reference-impl/second-model/programs.h"

namespace conform::reference {
namespace {

// The step that a letter stands for, with its label; empty for a letter that stands for none.
std::string StepOf(char letter, char label) {
  const std::string name(1, label);
  switch (letter) {
    case 'n':
      return "tick " + name;
    case 'm':
      return "microtask " + name;
    case 'i':
      return "immediate " + name;
    case 'f':
      return "file " + name;
    case 't':
      return "timeout " + name + " 1";
    case 'u':
      return "timeout " + name + " 2";
    default:
      return "";
  }
}

}  // namespace

Result<Case> ParseNotation(const std::string& notation) {
  std::string text = "program:\n";
  char label = 'A';
  bool has_body = false;
  for (size_t i = 0; i < notation.size(); ++i) {
    const bool is_nested = notation[i] == '.';
    if (is_nested && (label == 'A' || ++i == notation.size())) return Error("'" + notation + "': nothing to nest");
    const std::string step = StepOf(notation[i], label++);
    if (step.empty()) return Error("'" + notation + "': the kinds are n m i f t u");
    if (is_nested) {
      text += (has_body ? "      - " : ":\n      - ") + step;
      has_body = true;
    } else {
      text += "  - " + step;
      has_body = false;
    }
    // A body is written below its step, which then ends with a colon.
    const bool body_begins = !is_nested && i + 1 < notation.size() && notation[i + 1] == '.';
    if (!body_begins) text += "\n";
  }
  return ParseCase(text + "expect: '...'\n", notation, notation);
}

}  // namespace conform::reference
