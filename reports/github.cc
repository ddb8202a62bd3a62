#include <fmt/format.h>

#include "reports/escape.h"
#include "reports/writers.h"
#include "runners/model/version.h"

namespace conform::reports {
namespace {

// The line of the expectation that the result was held to; the first line where that is not known.
int LineOf(const Case& c, const std::string& profile) {
  const auto [family, text] = KindAndVersion(profile);
  const auto version = Version::Parse(text);
  const Expectation* expectation = version ? c.ExpectationFor(family, *version) : nullptr;
  return expectation == nullptr || expectation->at.line < 1 ? 1 : expectation->at.line;
}

std::string Annotation(const CaseResult& result, const ResultSet& set, const PlaceInRepository& place) {
  const ReportCase& row = set.cases()[*set.FindCase(result.case_id)];
  const std::string file = row.known ? place(row.known->file) : "";
  std::string command = result.verdict == Verdict::kInconclusive ? "::warning " : "::error ";
  if (!file.empty()) {
    command += fmt::format("file={},line={},", GithubProperty(file), LineOf(*row.known, result.profile));
  }
  const std::string title =
      fmt::format("{}: {} on {}", VerdictName(result.verdict), result.case_id, result.implementation);
  std::string message = Explanation(result);
  if (!result.expected.empty()) message += "\nexpected: " + result.expected;
  if (const std::string observed = ObservedText(result); !observed.empty()) message += "\nobserved: " + observed;
  if (const std::string clause = set.ClauseOf(result).Text(); !clause.empty()) message += "\n" + clause;
  message += "\n" + result.reproduce;
  return command + "title=" + GithubProperty(title) + "::" + GithubMessage(message) + "\n";
}

}  // namespace

std::optional<Error> GithubAnnotations(const ResultSet& set, const PlaceInRepository& place, const Knowledge& knowledge,
                                       const TextSink& out) {
  size_t shown = 0, left = 0;
  for (const std::string& why : set.Incompleteness()) {
    if (auto error = out("::error title=conform::" + GithubMessage("incomplete: " + why) + "\n")) return error;
  }
  const auto annotate = [&](const CaseResult& result) -> std::optional<Error> {
    const Outcome outcome = knowledge.OutcomeOf(result);
    const bool told =
        outcome == Outcome::kBad || outcome == Outcome::kBroken || result.verdict == Verdict::kInconclusive;
    if (!told) return std::nullopt;
    if (shown++ < kMaxAnnotations) return out(Annotation(result, set, place));
    ++left;
    return std::nullopt;
  };
  if (auto error = set.ForEach(ResultSet::By::kCase, annotate)) return error;
  std::string rest;
  if (left > 0) rest += fmt::format("::notice title=conform::and {} more\n", left);
  if (const int64_t known = knowledge.Count(Outcome::kKnown); known > 0) {
    rest += fmt::format("::notice title=conform::{} known deviation{}\n", known, known == 1 ? "" : "s");
  }
  return rest.empty() ? std::nullopt : out(rest);
}

}  // namespace conform::reports
