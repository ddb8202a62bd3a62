#include "runners/model/case_text.h"

namespace conform {

std::string RangeText(const Expectation& expectation) {
  if (expectation.family.empty()) return "every profile";
  const std::string range = expectation.range.ToString();
  return range.empty() ? expectation.family : expectation.family + " " + range;
}

std::string ProgramText(const Program& program, const std::string& indent) {
  std::string out;
  for (const Step& step : program) {
    out += indent + "- " + step.ToString() + (step.body.empty() ? "" : ":") + "\n";
    out += ProgramText(step.body, indent + "    ");
  }
  return out;
}

}  // namespace conform
