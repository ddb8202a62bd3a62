#include "reports/terminal/gate_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "reports/first_difference.h"
#include "runners/base/text.h"
#include "runners/model/renamed.h"

namespace conform::reports {
namespace {

constexpr size_t kMaxDeviationsShown = 100;

std::string WhatIsKnown(const KnownDeviation* known) {
  if (known == nullptr) return "not in the baseline";
  std::string text = "known as " + known->verdicts.ToString();
  if (!known->reason.empty()) text += ": " + known->reason;
  if (!known->link.empty()) text += " " + known->link;
  if (!known->renamed_from.empty()) text += "; " + RenamedNote(known->renamed_from, known->case_id);
  return text;
}

std::string FindingText(const GateFinding& finding, const GateOptions& options, const Style& style) {
  const std::string kind(GateKindName(finding.kind));
  const bool counts = GateReport::Counts(finding.kind, options);
  std::string out = (counts ? style.Bad(kind) : style.Doubtful(kind)) + "  " + style.Strong(finding.case_id) + "  " +
                    finding.implementation;
  if (!finding.profile.empty()) out += "  " + finding.profile;
  out += "\n";
  // Nothing to act on, and it may be there in every build.
  if (finding.kind == GateKind::kUndecided && !counts) return out + Wrap(finding.result->reason, "    ", "      ");
  if (!finding.clause.empty()) {
    const std::string says = finding.sentence.empty() ? "" : ": " + finding.sentence;
    out += Wrap(finding.clause + says, "    ", "      ");
  }
  if (finding.kind == GateKind::kNotRun) return out;
  if (finding.kind == GateKind::kOutdated) return out + Wrap("the case has changed since it ran", "    ", "");
  const CaseResult& result = *finding.result;
  out += Wrap("now " + std::string(VerdictName(result.verdict)) + "; " + WhatIsKnown(finding.known), "    ", "      ");
  if (finding.kind == GateKind::kImproved) return out;
  if (const Try* one = DecisiveTry(result)) {
    if (!result.expected.empty()) out += Wrap("`" + result.expected + "`", "    expected: ", "              ");
    out += Wrap("`" + OrderToString(one->trace.ToOrder()) + "`", "    observed: ", "              ");
  }
  const std::string difference = FirstDifferenceText(result);
  const std::string reason = difference.empty() ? result.reason : difference;
  if (!reason.empty()) out += Wrap(reason, "    ", "      ");
  return out + "    " + result.reproduce + "\n";
}

std::string ChangeText(const BaselineChange& change, const Style& style) {
  if (!change.renamed_from.empty()) {
    return "= " + change.section + ": " + RenamedNote(change.renamed_from, change.case_id) + "\n";
  }
  const std::string what = change.section + ": " + change.case_id;
  if (!change.before) return style.Bad("+ ") + what + " " + change.after->ToString() + "\n";
  if (!change.after) return style.Good("- ") + what + " was " + change.before->ToString() + "\n";
  return style.Doubtful("~ ") + what + " was " + change.before->ToString() + ", is " + change.after->ToString() + "\n";
}

std::set<std::string> ClosingIds(const GateReport& report, const GateOptions& options) {
  std::set<std::string> ids;
  for (const GateFinding& finding : report.findings) {
    if (GateReport::Counts(finding.kind, options)) ids.insert(finding.case_id);
  }
  return ids;
}

// Whether a change rests on a single result: another run of the case could say more.
bool ChangedInOneResult(const GateReport& report) {
  std::map<std::array<std::string_view, 3>, int> results;
  const auto key = [](const GateFinding& finding) {
    return std::array<std::string_view, 3>{finding.case_id, finding.implementation, finding.profile};
  };
  for (const GateFinding& finding : report.findings) ++results[key(finding)];
  return std::any_of(report.findings.begin(), report.findings.end(), [&](const GateFinding& finding) {
    const bool changed = finding.kind == GateKind::kWorse || finding.kind == GateKind::kImproved;
    return changed && !finding.passes_beside && results.at(key(finding)) == 1;
  });
}

// " by " and up to three of the cases that close the gate, and the end of the sentence.
std::string ClosedBy(const GateReport& report, const GateOptions& options) {
  const std::set<std::string> ids = ClosingIds(report, options);
  if (ids.empty()) return ".";
  std::vector<std::string> named;
  for (const std::string& id : ids) {
    if (named.size() == 3) break;
    named.push_back(id);
  }
  const size_t more = ids.size() - named.size();
  return " by " + Join(named, ", ") + (more == 0 ? "." : fmt::format(" and {} more.", more));
}

// What to do about findings that close the gate, one sentence for each kind.
std::vector<std::string_view> Advice(const GateReport& report, const GateOptions& options) {
  std::vector<std::string_view> all;
  const auto add = [&](GateKind kind, std::string_view text) {
    if (report.totals.contains(kind) && GateReport::Counts(kind, options)) all.push_back(text);
  };
  add(GateKind::kNotRun,
      "not-run: run these cases too, narrow 'cases' in the baseline to what you run, or ignore them with "
      "--only-what-ran.");
  add(GateKind::kOutdated, "outdated: run these cases again.");
  add(GateKind::kImproved,
      "improved: --update changes these entries of the baseline, or removes those of cases that pass now; "
      "--allow-improvements tolerates them.");
  if (ChangedInOneResult(report)) {
    all.push_back(
        "If a verdict may change from run to run: run these cases again with --repeat=10, and give the gate both "
        "results files.");
  }
  return all;
}

// Texts of findings, each with how often it was found: several runs often find the same.
class FindingTexts {
 public:
  void Add(std::string text) {
    const auto same = std::find_if(all_.begin(), all_.end(), [&](const auto& one) { return one.first == text; });
    if (same == all_.end()) {
      all_.emplace_back(std::move(text), 1);
    } else {
      ++same->second;
    }
  }
  size_t size() const { return all_.size(); }

  std::string Shown(size_t most) const {
    std::string out;
    for (size_t i = 0; i < std::min(all_.size(), most); ++i) {
      out += all_[i].first;
      if (all_[i].second > 1) out += fmt::format("    the same in {} results\n", all_[i].second);
    }
    if (all_.size() > most) out += fmt::format("and {} more\n", all_.size() - most);
    return out;
  }

 private:
  std::vector<std::pair<std::string, int>> all_;
};

}  // namespace

std::string GateText(const GateReport& report, const std::string& baseline, const GateOptions& options,
                     const Style& style) {
  // What closes the gate comes last, where a log ends.
  FindingTexts others, closing;
  for (const GateFinding& finding : report.findings) {
    if (finding.kind == GateKind::kPasses || finding.kind == GateKind::kAsKnown) continue;
    (GateReport::Counts(finding.kind, options) ? closing : others).Add(FindingText(finding, options, style));
  }
  std::string out = others.Shown(kMaxDeviationsShown - std::min(closing.size(), kMaxDeviationsShown));
  out += closing.Shown(kMaxDeviationsShown);
  if (!out.empty()) out += "\n";
  for (const std::string& one : report.incomplete) out += Wrap(style.Bad("incomplete") + "  " + one, "", "    ");
  for (const std::string& hint : report.hints) out += Wrap(hint, "", "    ");
  std::vector<std::string> parts;
  int64_t results = 0;
  for (const auto& [kind, count] : report.totals) {
    parts.push_back(fmt::format("{} {}", count, GateKindName(kind)));
    if (kind != GateKind::kNotRun) results += count;
  }
  const bool passes = report.Passes(options);
  out += Wrap(Join(parts, ", "), baseline + ", " + Counted(results, "result") + ": ", "  ");
  out += passes ? style.Good("The gate is open.") + "\n"
                : Wrap(style.Bad("The gate is closed") + ClosedBy(report, options), "", "  ");
  if (report.totals.contains(GateKind::kVaries)) {
    out +=
        Wrap("varies: --update with these results files lists these cases with every verdict that was seen.", "", "");
  }
  if (passes) return out;
  for (const std::string_view advice : Advice(report, options)) out += Wrap(advice, "", "");
  return out;
}

std::string ClosingCases(const GateReport& report, const GateOptions& options) {
  std::string out;
  for (const std::string& id : ClosingIds(report, options)) out += id + "\n";
  return out;
}

std::string UpdateText(const BaselineUpdate& update, const std::string& baseline, const Style& style) {
  std::string out;
  for (const BaselineChange& change : update.changes) out += ChangeText(change, style);
  if (!update.comments_kept) out += "Its comments are lost: the file could not be changed line by line.\n";
  for (const std::string& one : update.conflicts) {
    out += Wrap(one + ": no single entry can express this; split the range of versions by hand", "conflict: ", "    ");
  }
  return out + baseline + ": " + Counted(static_cast<int64_t>(update.changes.size()), "change") + "\n";
}

nlohmann::ordered_json UpdateJson(const BaselineUpdate& update, const std::string& file) {
  nlohmann::ordered_json changes = nlohmann::ordered_json::array();
  for (const BaselineChange& change : update.changes) {
    nlohmann::ordered_json one{{"section", change.section}, {"case", change.case_id}};
    if (change.before) one["before"] = KnownVerdictsJson(*change.before)["verdict"];
    if (change.after) one["after"] = KnownVerdictsJson(*change.after)["verdict"];
    if (change.after && change.after->varies()) one["seen"] = KnownVerdictsJson(*change.after)["seen"];
    if (!change.renamed_from.empty()) one["renamed_from"] = change.renamed_from;
    changes.push_back(std::move(one));
  }
  return {{"baseline", file},
          {"changes", std::move(changes)},
          {"comments_kept", update.comments_kept},
          {"conflicts", update.conflicts}};
}

}  // namespace conform::reports
