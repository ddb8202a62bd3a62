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

std::string Diagnosis(const CaseResult& result) {
  std::string out = "  ---\n";
  const auto add = [&](const char* key, const std::string& value) {
    if (!value.empty()) out += fmt::format("  {}: {}\n", key, InQuotes(value));
  };
  add("verdict", std::string(VerdictName(result.verdict)));
  add("message", Explanation(result));
  add("expected", result.expected);
  add("observed", ObservedText(result));
  add("reproduce", result.reproduce);
  return out + "  ...\n";
}

std::string Point(size_t number, const CaseResult& result, const Knowledge& knowledge) {
  const std::string what = fmt::format(
      "{} - {}", number, TapEscaped(result.case_id + " on " + result.implementation + " as " + result.profile));
  switch (knowledge.OutcomeOf(result)) {
    case Outcome::kGood:
      return "ok " + what + "\n";
    case Outcome::kBad:
    case Outcome::kBroken:
      return "not ok " + what + "\n" + Diagnosis(result);
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

std::string TapReport(const ResultSet& set, int version, const Knowledge& knowledge) {
  std::string out = fmt::format("TAP version {}\n", version);
  if (set.results().empty()) {
    out += "1..0 # SKIP no results\n";
  } else {
    out += fmt::format("1..{}\n", set.results().size());
  }
  size_t number = 0;
  for (const CaseResult& result : set.results()) out += Point(++number, result, knowledge);
  const std::vector<std::string> incomplete = set.Incompleteness();
  if (!incomplete.empty()) out += "Bail out! " + Cleaned(incomplete.front()) + "\n";
  return out;
}

}  // namespace conform::reports
