#include "reports/writers.h"
#include "runners/base/text.h"

namespace conform::reports {
namespace {

// Quoted where it must be. A spreadsheet takes a cell that starts with one of `=+-@` for a formula: an apostrophe in
// front makes it text.
std::string CsvCell(std::string text) {
  if (!text.empty() && std::string_view("=+-@").find(text[0]) != std::string_view::npos) text.insert(0, "'");
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? "\"\"" : std::string(1, c);
  return quoted + "\"";
}

}  // namespace

std::optional<Error> CsvReport(const ResultSet& set, const Knowledge&, const TextSink& out) {
  if (auto error = out("case,implementation,profile,verdict,reason,expected,observed,reproduce\n")) return error;
  return set.ForEach(ResultSet::By::kCase, [&](const CaseResult& result) {
    std::vector<std::string> cells;
    for (const std::string& text :
         {result.case_id, result.implementation, result.profile, std::string(VerdictName(result.verdict)),
          result.reason, result.expected, ObservedText(result), result.reproduce}) {
      cells.push_back(CsvCell(text));
    }
    return out(Join(cells, ",") + "\n");
  });
}

}  // namespace conform::reports
