#include <fmt/format.h>

#include <algorithm>

#include "reports/escape.h"
#include "reports/writers.h"
#include "runners/base/check.h"
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

std::string Row(const CaseResult& result, const ResultSet& set, bool several_profiles, const Knowledge& knowledge) {
  std::string on = result.implementation;
  if (several_profiles) on += " as " + result.profile;
  const Outcome outcome = knowledge.OutcomeOf(result);
  const std::string note = outcome == Outcome::kKnown ? knowledge.TextFor(result)
                           : outcome == Outcome::kBad ? Explanation(result)
                                                      : result.reason;
  std::string verdict(VerdictName(result.verdict));
  const bool is_wrong = OutcomeOf(result.verdict) == Outcome::kBad;
  if (is_wrong && result.basis != Basis::kNone) verdict += " by " + std::string(BasisName(result.basis));
  const std::string clause = outcome == Outcome::kBad ? set.ClauseOf(result).clause : "";
  return "| " + Cell(result.case_id) + " | " + Cell(on) + " | " + verdict + " | " + Cell(result.expected) + " | " +
         Cell(ObservedText(result, kMaxCell)) + " | " + Cell(note) + (clause.empty() ? "" : "<br>" + Cell(clause)) +
         " |\n";
}

// Rows of a table, as far as there is room; the others are counted.
class Rows {
 public:
  explicit Rows(size_t room) : room_(room) {}

  // `row()` is not called where there is no room left.
  template <typename Row>
  void Add(const Row& row) {
    if (left_ == 0) {
      std::string text = row();
      if (bytes_ + text.size() <= room_) {
        bytes_ += text.size();
        rows_.push_back(std::move(text));
        return;
      }
    }
    ++left_;
  }
  void Add(const Rows& others) {
    for (const std::string& row : others.rows_) Add([&] { return row; });
    left_ += others.left_;
  }
  size_t bytes() const { return bytes_; }

  // A table that can be folded away.
  std::string Section(const std::string& title, bool is_open) const {
    std::string out;
    if (!rows_.empty()) {
      out += fmt::format("\n<details{}><summary>{} ({})</summary>\n\n", is_open ? " open" : "", title,
                         rows_.size() + left_);
      out +=
          "| case | on | verdict | expected | observed | |\n| --- | --- | --- | --- | --- | --- |\n" + Join(rows_, "");
      out += "\n</details>\n";
    }
    if (left_ > 0) out += fmt::format("\nand {} more in the results files\n", left_);
    return out;
  }

 private:
  const size_t room_;
  std::vector<std::string> rows_;
  size_t bytes_ = 0, left_ = 0;
};

// What is listed: what was observed and is wrong, what is not known, and what is known to deviate.
struct Listed {
  explicit Listed(size_t room) : wrong(room), skipped(room), known(room) {}
  Rows wrong, skipped, known;

  Rows* For(Outcome outcome, Verdict verdict) {
    switch (outcome) {
      case Outcome::kGood:
        return nullptr;
      case Outcome::kBad:
      case Outcome::kBroken:
        return &wrong;
      case Outcome::kSkipped:
        return verdict == Verdict::kUnsupported ? nullptr : &skipped;  // the totals say enough
      case Outcome::kKnown:
        return &known;
    }
    CONFORM_CHECK(false);
  }
};

}  // namespace

std::optional<Error> MarkdownReport(const ResultSet& set, const Knowledge& knowledge, const TextSink& out,
                                    size_t max_bytes) {
  const size_t room = std::max(max_bytes, size_t{4'000}) - kReserved;
  const Totals totals = set.totals();
  std::string head = "### conform: ";
  std::vector<std::string> parts;
  for (const auto& [verdict, count] : totals) parts.push_back(fmt::format("{} {}", count, VerdictName(verdict)));
  head += fmt::format("{} case{}, {}\n\n", set.cases().size(), set.cases().size() == 1 ? "" : "s",
                      parts.empty() ? "no results" : Join(parts, ", "));
  for (const std::string& why : set.Incompleteness()) {
    if (head.size() < room / 4) head += "**Incomplete** " + MarkdownCode(Shortened(why, kMaxCell)) + "\n\n";
  }
  if (knowledge.has_baseline()) {
    head += fmt::format("**{} new**, {} known, {} improved\n\n",
                        knowledge.Count(Outcome::kBad) + knowledge.Count(Outcome::kBroken),
                        knowledge.Count(Outcome::kKnown), knowledge.improved());
  }
  head += TotalsTable(set, room / 2);
  if (const std::string bases = BasesText(set.bases()); !bases.empty()) head += "\n" + bases + ".\n";

  const size_t left = room - std::min(room, head.size());
  Listed listed(left);
  const auto list = [&](const CaseResult& result) -> std::optional<Error> {
    Rows* rows = listed.For(knowledge.OutcomeOf(result), result.verdict);
    if (rows == nullptr) return std::nullopt;
    const bool several = set.implementations()[*set.FindImplementation(result.implementation)].profiles.size() > 1;
    rows->Add([&] { return Row(result, set, several, knowledge); });
    return std::nullopt;
  };
  if (auto error = set.ForEach(ResultSet::By::kCase, list)) return error;
  // What is wrong has the first claim on the room that there is.
  const auto rest = [&](size_t used, const Rows& rows) {
    Rows fitting(left - std::min(left, used + kReserved));
    fitting.Add(rows);
    return fitting;
  };
  const Rows skipped = rest(listed.wrong.bytes(), listed.skipped);
  const Rows known = rest(listed.wrong.bytes() + skipped.bytes(), listed.known);
  return out(head + listed.wrong.Section(knowledge.has_baseline() ? "What is new" : "What does not pass", true) +
             skipped.Section("Not decided", false) + known.Section("Known deviations", false));
}

}  // namespace conform::reports
