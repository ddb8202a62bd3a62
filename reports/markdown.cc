#include <fmt/format.h>

#include <algorithm>

#include "reports/escape.h"
#include "reports/writers.h"
#include "runners/base/text.h"

namespace conform::reports {
namespace {

constexpr size_t kMaxCell = 160;  // bytes of an order or a pattern in a cell
// Room for the lines that say what was left out.
constexpr size_t kReserved = 400;

std::string Cell(const std::string& text) { return text.empty() ? "" : MarkdownCell(Shortened(text, kMaxCell)); }

// Verdicts that occur at all, in their order.
std::vector<Verdict> VerdictsIn(const ResultSet& set) {
  std::vector<Verdict> verdicts;
  for (const auto& [verdict, count] : set.totals()) verdicts.push_back(verdict);
  return verdicts;
}

std::string Profiles(const ReportImplementation& implementation) {
  const std::vector<std::string>& all = implementation.profiles;
  if (all.size() <= 2) return Join(all, ", ");
  return fmt::format("{} to {} ({})", all.front(), all.back(), all.size());
}

std::string TotalsTable(const ResultSet& set, size_t max_bytes) {
  const std::vector<Verdict> verdicts = VerdictsIn(set);
  std::string out = "| implementation | held to |";
  std::string line = "| --- | --- |";
  for (const Verdict verdict : verdicts) {
    out += fmt::format(" {} |", VerdictName(verdict));
    line += " ---: |";
  }
  out += "\n" + line + "\n";
  size_t left = 0;
  for (const ReportImplementation& implementation : set.implementations()) {
    std::string row = "| " + Cell(implementation.name) + " | " + Cell(Profiles(implementation)) + " |";
    for (const Verdict verdict : verdicts) {
      const auto count = implementation.totals.find(verdict);
      row += count == implementation.totals.end() ? " |" : fmt::format(" {} |", count->second);
    }
    if (out.size() + row.size() > max_bytes) {
      ++left;
    } else {
      out += row + "\n";
    }
  }
  if (left > 0) out += fmt::format("\nand {} more implementations\n", left);
  return out;
}

std::string Row(const CaseResult& result, bool several_profiles) {
  std::string on = result.implementation;
  if (several_profiles) on += " as " + result.profile;
  const bool bad = OutcomeOf(result.verdict) == Outcome::kBad;
  const std::string note = bad ? Explanation(result) : result.reason;
  std::string verdict(VerdictName(result.verdict));
  if (bad && result.basis != Basis::kNone) verdict += " by " + std::string(BasisName(result.basis));
  return "| " + Cell(result.case_id) + " | " + Cell(on) + " | " + verdict + " | " + Cell(result.expected) + " | " +
         Cell(ObservedText(result, kMaxCell)) + " | " + Cell(note) + " |\n";
}

}  // namespace

std::string MarkdownReport(const ResultSet& set, size_t max_bytes) {
  const size_t room = std::max(max_bytes, size_t{4'000}) - kReserved;
  const Totals totals = set.totals();
  std::string out = "### conform: ";
  std::vector<std::string> parts;
  for (const auto& [verdict, count] : totals) parts.push_back(fmt::format("{} {}", count, VerdictName(verdict)));
  out += fmt::format("{} case{}, {}\n\n", set.cases().size(), set.cases().size() == 1 ? "" : "s",
                     parts.empty() ? "no results" : Join(parts, ", "));
  for (const std::string& why : set.Incompleteness()) {
    if (out.size() < room / 4) out += "**Incomplete** " + MarkdownCode(Shortened(why, kMaxCell)) + "\n\n";
  }
  out += TotalsTable(set, room / 2);
  if (const std::string bases = BasesText(set.results()); !bases.empty()) out += "\n" + bases + ".\n";

  std::string rows;
  size_t left = 0;
  // What was observed and is wrong, or is not known, comes before what was not run at all.
  for (const bool skipped : {false, true}) {
    for (const CaseResult& result : set.results()) {
      const Outcome outcome = OutcomeOf(result.verdict);
      if (outcome == Outcome::kGood || (outcome == Outcome::kSkipped) != skipped) continue;
      if (result.verdict == Verdict::kUnsupported) continue;  // the totals say enough
      const bool several = set.implementations()[*set.FindImplementation(result.implementation)].profiles.size() > 1;
      const std::string row = Row(result, several);
      if (left > 0 || out.size() + rows.size() + row.size() > room) {
        ++left;
      } else {
        rows += row;
      }
    }
  }
  if (!rows.empty()) {
    out += "\n<details open><summary>What does not pass</summary>\n\n";
    out += "| case | on | verdict | expected | observed | |\n| --- | --- | --- | --- | --- | --- |\n" + rows;
    out += "\n</details>\n";
  }
  if (left > 0) out += fmt::format("\nand {} more in the results files\n", left);
  return out;
}

}  // namespace conform::reports
