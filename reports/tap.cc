#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "reports/escape.h"
#include "reports/first_difference.h"
#include "reports/writers.h"
#include "runners/base/check.h"

namespace conform::reports {
namespace {

// A text in double quotes, as both JSON and YAML have it.
std::string InQuotes(const std::string& text) { return nlohmann::json(text).dump(); }

std::string Diagnosis(const CaseResult& result, const ResultSet& set) {
  std::string out = "  ---\n";
  const auto add = [&](const char* key, const std::string& value) {
    if (!value.empty()) out += fmt::format("  {}: {}\n", key, InQuotes(value));
  };
  add("verdict", std::string(VerdictName(result.verdict)));
  add("message", Explanation(result));
  add("expected", result.expected);
  add("observed", ObservedText(result));
  add("clause", set.ClauseOf(result).Text());
  add("reproduce", result.reproduce);
  return out + "  ...\n";
}

std::string Point(size_t number, const CaseResult& result, const ResultSet& set, const Knowledge& knowledge) {
  const std::string what = fmt::format(
      "{} - {}", number, TapEscaped(result.case_id + " on " + result.implementation + " as " + result.profile));
  switch (knowledge.OutcomeOf(result)) {
    case Outcome::kGood:
      return "ok " + what + "\n";
    case Outcome::kBad:
    case Outcome::kBroken:
      return "not ok " + what + "\n" + Diagnosis(result, set);
    case Outcome::kKnown:
      return "not ok " + what + " # TODO " +
             TapEscaped(std::string(VerdictName(result.verdict)) + ": " + knowledge.TextFor(result)) + "\n";
    case Outcome::kSkipped:
      return "ok " + what + " # SKIP " +
             TapEscaped(std::string(VerdictName(result.verdict)) + ": " + Explanation(result)) + "\n";
  }
  CONFORM_CHECK(false);
}

}  // namespace

std::optional<Error> TapReport(const ResultSet& set, const Knowledge& knowledge, const TextSink& out, int version) {
  const int64_t points = SumOf(set.totals());
  const std::string plan = points == 0 ? "1..0 # SKIP no results" : fmt::format("1..{}", points);
  if (auto error = out(fmt::format("TAP version {}\n{}\n", version, plan))) return error;
  size_t number = 0;
  const auto write = [&](const CaseResult& result) { return out(Point(++number, result, set, knowledge)); };
  if (auto error = set.ForEach(ResultSet::By::kCase, write)) return error;
  const std::vector<std::string> incomplete = set.Incompleteness();
  return incomplete.empty() ? std::nullopt : out("Bail out! " + Cleaned(incomplete.front()) + "\n");
}

}  // namespace conform::reports
