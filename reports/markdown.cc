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

std::string Row(const CaseResult& result, bool several_profiles, const Knowledge& knowledge) {
  std::string on = result.implementation;
  if (several_profiles) on += " as " + result.profile;
  const Outcome outcome = knowledge.OutcomeOf(result);
  const std::string note = outcome == Outcome::kKnown ? knowledge.TextFor(result)
                           : outcome == Outcome::kBad ? Explanation(result)
                                                      : result.reason;
  std::string verdict(VerdictName(result.verdict));
  const bool is_wrong = OutcomeOf(result.verdict) == Outcome::kBad;
  if (is_wrong && result.basis != Basis::kNone) verdict += " by " + std::string(BasisName(result.basis));
  return "| " + Cell(result.case_id) + " | " + Cell(on) + " | " + verdict + " | " + Cell(result.expected) + " | " +
         Cell(ObservedText(result, kMaxCell)) + " | " + Cell(note) + " |\n";
}

// A table of results that can be folded away, as far as there is room.
class Section {
 public:
  Section(std::string title, bool open) : title_(std::move(title)), open_(open) {}

  void Add(const std::string& row, size_t room) {
    if (left_ > 0 || rows_.size() + row.size() > room) {
      ++left_;
    } else {
      rows_ += row;
      ++shown_;
    }
  }
  size_t size() const { return rows_.size(); }

  std::string Text() const {
    std::string out;
    if (shown_ > 0) {
      out += fmt::format("\n<details{}><summary>{} ({})</summary>\n\n", open_ ? " open" : "", title_, shown_ + left_);
      out += "| case | on | verdict | expected | observed | |\n| --- | --- | --- | --- | --- | --- |\n" + rows_;
      out += "\n</details>\n";
    }
    if (left_ > 0) out += fmt::format("\nand {} more in the results files\n", left_);
    return out;
  }

 private:
  std::string title_, rows_;
  bool open_;
  size_t shown_ = 0, left_ = 0;
};

// Of results with one of these outcomes.
void AddRows(const ResultSet& set, const Knowledge& knowledge, const std::vector<Outcome>& outcomes, size_t room,
             Section& section) {
  for (const CaseResult& result : set.results()) {
    const Outcome outcome = knowledge.OutcomeOf(result);
    if (std::find(outcomes.begin(), outcomes.end(), outcome) == outcomes.end()) continue;
    // The totals say enough.
    if (outcome == Outcome::kSkipped && result.verdict == Verdict::kUnsupported) continue;
    const bool several = set.implementations()[*set.FindImplementation(result.implementation)].profiles.size() > 1;
    section.Add(Row(result, several, knowledge), room);
  }
}

}  // namespace

std::string MarkdownReport(const ResultSet& set, size_t max_bytes, const Knowledge& knowledge) {
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
  if (knowledge.has_baseline()) {
    out += fmt::format("**{} new**, {} known, {} improved\n\n",
                       knowledge.Count(Outcome::kBad) + knowledge.Count(Outcome::kBroken),
                       knowledge.Count(Outcome::kKnown), knowledge.improved());
  }
  out += TotalsTable(set, room / 2);
  if (const std::string bases = BasesText(set.results()); !bases.empty()) out += "\n" + bases + ".\n";

  // What was observed and is wrong, or is not known, comes before what was not run at all.
  Section wrong(knowledge.has_baseline() ? "What is new" : "What does not pass", true);
  const size_t left = room - std::min(room, out.size());
  AddRows(set, knowledge, {Outcome::kBad, Outcome::kBroken}, left, wrong);
  AddRows(set, knowledge, {Outcome::kSkipped}, left, wrong);
  Section known("Known deviations", false);
  AddRows(set, knowledge, {Outcome::kKnown}, left - std::min(left, wrong.size() + kReserved), known);
  return out + wrong.Text() + known.Text();
}

}  // namespace conform::reports
