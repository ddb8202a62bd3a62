#include "runners/model/case_text.h"

namespace conform {

namespace {

std::string CoveredText(const std::string& family, const VersionRange& versions) {
  if (family.empty()) return "every profile";
  const std::string range = versions.ToString();
  return range.empty() ? family : family + " " + range;
}

}  // namespace

std::string RangeText(const Expectation& expectation) { return CoveredText(expectation.family, expectation.range); }

std::string ModelText(const Case& c, const std::string& indent) {
  std::string out;
  for (const ModelProgram& model : c.models) {
    if (model.family.empty()) return ProgramText(model.program, indent);
    out += indent + CoveredText(model.family, model.range) + ":\n" + ProgramText(model.program, indent + "  ");
  }
  return out;
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
