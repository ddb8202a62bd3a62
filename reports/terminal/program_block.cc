#include "reports/terminal/program_block.h"

#include <fmt/format.h>

#include <vector>

#include "runners/base/text.h"

namespace conform::reports {
namespace {

constexpr size_t kMaxProgramLines = 40;

}  // namespace

std::string ProgramBlock(const std::string& program) {
  if (program.empty()) return "";
  std::vector<std::string> lines = Split(program, '\n');
  while (!lines.empty() && Trim(lines.back()).empty()) lines.pop_back();
  std::string out = "\n";
  for (size_t i = 0; i < lines.size() && i < kMaxProgramLines; ++i) {
    out += lines[i].empty() ? "\n" : "    " + lines[i] + "\n";
  }
  if (lines.size() > kMaxProgramLines) out += fmt::format("    … {} more lines\n", lines.size() - kMaxProgramLines);
  return out + "\n";
}

}  // namespace conform::reports
