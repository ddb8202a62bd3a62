#include "reports/terminal/run_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "reports/first_difference.h"
#include "reports/writers.h"
#include "runners/base/check.h"
#include "runners/base/text.h"
#include "runners/model/clause_scope.h"
#include "runners/model/profile_change.h"

namespace conform::reports {
namespace {

// More would hide the totals; the results file has them all.
constexpr size_t kMaxFindingsShown = 50;
constexpr size_t kMaxReasonsShown = 10;

std::string Painted(Verdict verdict, const std::string& text, const Style& style) {
  switch (OutcomeOf(verdict)) {
    case Outcome::kGood:
      return style.Good(text);
    case Outcome::kBad:
    case Outcome::kBroken:
      return style.Bad(text);
    case Outcome::kSkipped:
    case Outcome::kKnown:
      return verdict == Verdict::kInconclusive ? style.Doubtful(text) : text;
  }
  CONFORM_CHECK(false);
}

std::string Versions(const std::vector<std::string>& profiles) {
  if (profiles.size() <= 2) return Join(profiles, " and ");
  return fmt::format("{} to {} ({} versions)", profiles.front(), profiles.back(), profiles.size());
}

bool DidNotEnd(const CaseResult& result) {
  return std::any_of(result.tries.begin(), result.tries.end(), [](const Try& one) { return !one.trouble.empty(); });
}

std::string ReasonsText(const char* verdict, const std::map<std::string, int64_t>& counts) {
  std::vector<std::pair<std::string, int64_t>> reasons(counts.begin(), counts.end());
  std::stable_sort(reasons.begin(), reasons.end(), [](const auto& a, const auto& b) { return a.second > b.second; });
  std::string out;
  for (size_t i = 0; i < reasons.size() && i < kMaxReasonsShown; ++i) {
    out += fmt::format("  {}: {} ({})\n", verdict, reasons[i].first, reasons[i].second);
  }
  if (reasons.size() > kMaxReasonsShown) {
    out += fmt::format("  {}: {} more reasons\n", verdict, reasons.size() - kMaxReasonsShown);
  }
  return out;
}

}  // namespace

void RunReport::Add(const CaseResult& result, const SelectedCase& selected) {
  ++totals_[result.verdict];
  cases_.insert(result.case_id);
  profiles_.insert(result.profile);
  implementations_.insert(result.implementation);
  clauses_.insert(selected.c.clauses.begin(), selected.c.clauses.end());
  ++by_implementation_[result.implementation][result.verdict];
  if (selected.c.expect.empty()) {
    if (scripts_.empty() || scripts_.back().id != result.case_id) {
      scripts_.push_back({result.case_id, selected.c.source, {}, false});
    }
    scripts_.back().sides.push_back(SideOf(result));
    scripts_.back().unfinished = scripts_.back().unfinished || DidNotEnd(result);
  } else {
    comparison_.Add(result);
  }
  if (result.verdict != Verdict::kInconclusive) ++bases_[result.basis];
  if (result.verdict == Verdict::kUnsupported) ++unsupported_[result.reason];
  // One capability may be missing for very many cases.
  if (result.verdict == Verdict::kMissing) {
    ++missing_[result.reason];
    return;
  }
  if (result.verdict == Verdict::kUnspecified && selected.c.expect.empty()) {
    // The comparison shows the orders, and this how a run ended that did not end well.
    const bool ended_well = result.reason == "nothing is expected";
    if (!ended_well) Note(result.case_id + " on " + result.implementation + ": " + result.reason);
    return;
  }
  if (result.verdict != Verdict::kPass && result.verdict != Verdict::kUnsupported) {
    AddFinding(result, selected);
    return;
  }
  if (result.tries.size() < 2) return;
  Histogram orders = HistogramOf(result);
  if (orders.size() < 2) return;
  ++several_orders_;
  if (spreads_.size() == kMaxFindingsShown) return;
  spreads_.push_back({result.case_id, result.implementation, result.profile, std::move(orders)});
}

void RunReport::AddFinding(const CaseResult& result, const SelectedCase& selected) {
  const bool differs = result.verdict == Verdict::kFail || result.verdict == Verdict::kSuspect;
  Finding finding{result.verdict,
                  result.basis,
                  result.case_id,
                  result.implementation,
                  result.expected,
                  result.reason,
                  result.reproduce,
                  "conform explore " + Quoted(selected.reference) + " --profile=" + result.profile,
                  differs ? FirstDifferenceText(result) : "",
                  selected.c.clauses.empty() ? "" : selected.c.clauses[0],
                  HistogramOf(result),
                  {result.profile},
                  selected.reference,
                  !selected.c.HasNoProgram()};
  const auto same = [&](const Finding& other) {
    return other.verdict == finding.verdict && other.basis == finding.basis && other.case_id == finding.case_id &&
           other.implementation == finding.implementation && other.expected == finding.expected &&
           other.observed == finding.observed;
  };
  const auto known = std::find_if(findings_.rbegin(), findings_.rend(), same);
  if (known == findings_.rend()) {
    findings_.push_back(std::move(finding));
  } else {
    known->profiles.push_back(result.profile);
  }
}

int RunReport::ExitCode(bool strict) const {
  for (const auto& [verdict, count] : totals_) {
    if (IsJudgement(verdict) || (strict && verdict == Verdict::kInconclusive)) return kJudgement;
  }
  const auto differs = [](const Script& one) { return CompareScript(one.id, one.sides).Has(Likeness::kDifferent); };
  if (std::any_of(scripts_.begin(), scripts_.end(), differs)) return kJudgement;
  const auto unfinished = [](const Script& one) { return one.unfinished; };
  return std::any_of(scripts_.begin(), scripts_.end(), unfinished) ? kHarnessTrouble : kAllAsExpected;
}

// The sentence of a clause that does not hold would accuse an order that keeps it: a user's own profile may change what
// the clause says, and an old release may be older than the clause.
std::string RunReport::ClauseLine(const std::string& id, const std::string& profile) const {
  const Clause* clause = spec_.Find(id);
  if (clause == nullptr) return "";
  std::string says = ": " + FirstSentence(clause->text);
  if (IsProfileFile(profile)) {
    says = ", with the rules of " + profile;
  } else if (!HoldsFor(*clause, profile)) {
    says = fmt::format(" ({}) does not hold for {}, which must do what was done without it", clause->applies, profile);
  }
  return Wrap(clause->id + says, "    ", "      ");
}

std::string RunReport::Headline(const CaseResult& result, const SelectedCase& selected, const Style& style) const {
  if (!IsJudgement(result.verdict)) return "";
  return Painted(result.verdict, std::string(VerdictName(result.verdict)), style) + "  " +
         style.Strong(result.case_id) + "  " + result.implementation + "  " + result.profile + "\n" +
         (selected.c.clauses.empty() ? "" : ClauseLine(selected.c.clauses[0], result.profile));
}

std::string RunReport::FindingText(const Finding& finding, const Style& style) const {
  std::string out = Painted(finding.verdict, std::string(VerdictName(finding.verdict)), style) + "  " +
                    style.Strong(finding.case_id) + "  " + finding.implementation + "  " + Versions(finding.profiles) +
                    "\n";
  if (finding.verdict != Verdict::kUnspecified && finding.is_case) {
    out += Wrap("`" + finding.expected + "`", "    expected: ", "              ");
  }
  if (finding.observed.size() == 1) {
    out += Wrap("`" + ShownOrder(finding.observed[0].first) + "`", "    observed: ", "              ");
  } else if (!finding.observed.empty()) {
    out += "    observed:\n" + HistogramText(finding.observed, "    ");
  }
  if (!finding.difference.empty()) out += Wrap(finding.difference, "    ", "      ");
  if (!finding.reason.empty()) out += Wrap(finding.reason, "    ", "      ");
  if (IsJudgement(finding.verdict)) out += ClauseLine(finding.clause, finding.profiles[0]);
  const bool rests_on_it = finding.verdict == Verdict::kFail || finding.verdict == Verdict::kSuspect;
  if (rests_on_it && finding.basis != Basis::kNone) out += fmt::format("    basis: {}\n", BasisName(finding.basis));
  out += "    " + finding.reproduce + "\n";
  if (finding.verdict != Verdict::kUnspecified && finding.is_case) out += "    " + finding.explore + "\n";
  return out;
}

std::string RunReport::SpreadText() const {
  std::string out = spreads_.empty() ? "" : "Several orders were seen of:\n";
  for (const Spread& spread : spreads_) {
    out += fmt::format("{}  {}  {}\n", spread.case_id, spread.implementation, spread.profile);
    out += HistogramText(spread.orders, "");
  }
  if (several_orders_ > spreads_.size()) {
    out += fmt::format("and {} more with several orders\n", several_orders_ - spreads_.size());
  }
  return out;
}

// A line for each implementation, where there are several.
std::string RunReport::ByImplementationText(const Style& style) const {
  if (by_implementation_.size() < 2) return "";
  size_t width = 0;
  for (const auto& [name, totals] : by_implementation_) width = std::max(width, Columns(name));
  std::string out;
  for (const auto& [name, totals] : by_implementation_) {
    std::vector<std::string> parts;
    for (const auto& [verdict, count] : totals) {
      parts.push_back(Painted(verdict, fmt::format("{} {}", count, VerdictName(verdict)), style));
    }
    out += "  " + Padded(name, width) + "  " + Join(parts, ", ") + "\n";
  }
  return out;
}

std::string RunReport::TotalsText(const Style& style) const {
  int64_t results = 0;
  std::vector<std::string> parts;
  for (const auto& [verdict, count] : totals_) {
    results += count;
    parts.push_back(Painted(verdict, fmt::format("{} {}", count, VerdictName(verdict)), style));
  }
  const std::vector<std::string> names(implementations_.begin(), implementations_.end());
  if (results == 0) return "no results\n";
  // More of them have a line each below.
  const std::string on =
      names.size() < 3 ? Join(names, " and ") : Counted(static_cast<int64_t>(names.size()), "implementation");
  const std::string line =
      fmt::format("{} on {}, {}, {}: {}", Counted(static_cast<int64_t>(cases_.size()), "case"), on,
                  Counted(static_cast<int64_t>(profiles_.size()), "profile"),
                  Counted(static_cast<int64_t>(clauses_.size()), "clause"), Counted(results, "result"));
  return Wrap(line, "", "  ") + "  " + Join(parts, ", ") + "\n" + BasesText();
}

// Nothing where all rest on proof.
std::string RunReport::BasesText() const {
  std::vector<std::string> parts;
  for (const auto& [basis, count] : bases_) {
    if (basis != Basis::kNone) parts.push_back(fmt::format("{} by {}", count, BasisName(basis)));
  }
  const bool all_by_proof = parts.size() == 1 && bases_.contains(Basis::kProof);
  return parts.empty() || all_by_proof ? "" : "  decided " + Join(parts, ", ") + "\n";
}

// From a failure to its cause, and to a program for a bug report.
std::string RunReport::HelpText() const {
  const auto has_model = [](const Finding& one) { return one.verdict == Verdict::kFail && one.is_case; };
  const auto failure = std::find_if(findings_.begin(), findings_.end(), has_model);
  if (failure == findings_.end()) return "";
  const std::string& profile = failure->profiles[0];
  const std::string language = help_.language_of ? help_.language_of(profile.substr(0, profile.find('@'))) : "";
  std::string out = "\nthe rules behind failures:  ";
  out += help_.results_file.empty() ? "run with --output=FILE, then: conform causes FILE\n"
                                    : "conform causes " + Quoted(help_.results_file) + "\n";
  if (!language.empty()) {
    out += "a program for a bug report: conform show " + Quoted(failure->reference) + " --as=" + language + "\n";
  }
  return out;
}

std::vector<Comparison::Difference> RunReport::Differences() const {
  return by_implementation_.size() < 2 ? std::vector<Comparison::Difference>() : comparison_.Differences();
}

std::string RunReport::DifferencesSection(const Style& style) const {
  const auto differences = Differences();
  if (differences.empty()) {
    const bool compared = by_implementation_.size() > 1 && scripts_.size() < cases_.size();
    return compared ? "They do not differ.\n\n" : "";
  }
  return "They differ in " + Counted(static_cast<int64_t>(differences.size()), "case") + ":\n\n" +
         DifferencesText(differences, kMaxFindingsShown, style) + "\n";
}

std::vector<std::string> RunReport::SilentScripts() const {
  std::vector<std::string> silent;
  for (const Script& script : scripts_) {
    if (CompareScript(script.id, script.sides).IsSilent()) silent.push_back(script.id);
  }
  return silent;
}

std::vector<ScriptReport> RunReport::Scripts() const {
  std::vector<ScriptReport> all;
  for (const Script& script : scripts_) {
    ScriptReport report{CompareScript(script.id, script.sides), script.source, {}};
    for (const ScriptPair& pair : report.comparison.pairs) {
      if (pair.likened.likeness != Likeness::kDifferent || !causes_of_) continue;
      for (ScriptCause& cause : causes_of_(script.source, script.sides[pair.a], script.sides[pair.b])) {
        const auto same = [&](const ScriptCause& one) { return one.rule == cause.rule; };
        if (std::none_of(report.causes.begin(), report.causes.end(), same)) report.causes.push_back(std::move(cause));
      }
    }
    all.push_back(std::move(report));
  }
  return all;
}

std::string RunReport::ScriptsSection(const Style& style) const {
  std::string out;
  for (const ScriptReport& script : Scripts()) out += ScriptText(script, style) + "\n";
  return out;
}

std::string RunReport::Text(const Style& style) const {
  std::string out = SpreadText();
  for (size_t i = 0; i < findings_.size() && i < kMaxFindingsShown; ++i) out += FindingText(findings_[i], style);
  if (findings_.size() > kMaxFindingsShown) out += fmt::format("and {} more\n", findings_.size() - kMaxFindingsShown);
  if (!out.empty()) out += "\n";
  out += DifferencesSection(style) + ScriptsSection(style);
  out += TotalsText(style) + ByImplementationText(style);
  for (const std::string& note : notes_) out += Wrap(note, "  ", "    ");
  out += ReasonsText("missing", missing_) + ReasonsText("unsupported", unsupported_);
  return out + HelpText();
}

nlohmann::ordered_json RunReport::Json() const {
  nlohmann::ordered_json totals = nlohmann::ordered_json::object();
  for (const auto& [verdict, count] : totals_) totals[std::string(VerdictName(verdict))] = count;
  nlohmann::ordered_json scripts = nlohmann::ordered_json::array();
  for (const ScriptReport& script : Scripts()) scripts.push_back(ScriptJson(script));
  return {{"cases", cases_.size()},       {"profiles", profiles_.size()},
          {"clauses", clauses_.size()},   {"implementations", implementations_},
          {"totals", std::move(totals)},  {"differences", DifferencesJson(Differences())},
          {"scripts", std::move(scripts)}};
}

}  // namespace conform::reports
