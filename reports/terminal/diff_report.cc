#include "reports/terminal/diff_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "reports/alignment.h"
#include "runners/base/text.h"

namespace conform::reports {
namespace {

constexpr size_t kMaxDifferencesShown = 100;

std::string EntryText(const DiffEntry& entry, const Style& style) {
  const auto verdict = [](const CaseResult* result) { return std::string(VerdictName(result->verdict)); };
  const std::string kind = Padded(std::string(DiffKindName(entry.kind)), 12);
  std::string out = (entry.kind == DiffKind::kUndecided ? style.Doubtful(kind) : style.Bad(kind)) + "  " +
                    style.Strong(entry.case_id) + "  ";
  if (entry.before == nullptr || entry.after == nullptr) {
    const CaseResult* only = entry.before == nullptr ? entry.after : entry.before;
    return out + verdict(only) + "  " + SideName(*only, nullptr) + "\n";
  }
  const bool same = entry.before->verdict == entry.after->verdict;
  out += (same ? verdict(entry.before) : verdict(entry.before) + " → " + verdict(entry.after)) + "\n";
  if (entry.columns.empty()) return out;
  std::string before = SideName(*entry.before, entry.after), after = SideName(*entry.after, entry.before);
  if (before == after) {
    before = "before";
    after = "after";
  }
  const size_t wide = std::max(Columns(before), Columns(after));
  const size_t room = std::max<size_t>(kLineWidth, wide + 26) - wide - 6;
  for (const AlignedLines& lines : AlignmentLines(entry.columns, room)) {
    out += "    " + Padded(before, wide) + "  " + lines.before + "\n";
    out += "    " + Padded(after, wide) + "  " + lines.after + "\n";
  }
  return out;
}

}  // namespace

std::string DiffText(const Diff& diff, const Style& style) {
  std::string out;
  std::map<DiffKind, int64_t> totals;
  for (size_t i = 0; i < diff.entries.size(); ++i) {
    ++totals[diff.entries[i].kind];
    if (i < kMaxDifferencesShown) out += EntryText(diff.entries[i], style);
  }
  if (diff.entries.size() > kMaxDifferencesShown)
    out += fmt::format("and {} more\n", diff.entries.size() - kMaxDifferencesShown);
  if (!out.empty()) out += "\n";
  for (const std::string& why : diff.incomplete) out += Wrap("incomplete: " + why, "", "    ");
  for (const std::string& name : diff.only_before) out += "only before: " + name + "\n";
  for (const std::string& name : diff.only_after) out += "only after: " + name + "\n";
  std::vector<std::string> parts{fmt::format("{} the same", diff.same)};
  for (const auto& [kind, count] : totals) parts.push_back(fmt::format("{} {}", count, DiffKindName(kind)));
  return out + Join(parts, ", ") + "\n";
}

}  // namespace conform::reports
