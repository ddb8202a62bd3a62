#include "reports/baseline_update.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "reports/baseline_text.h"
#include "reports/distributions.h"
#include "reports/escape.h"
#include "reports/first_difference.h"
#include "runners/base/check.h"
#include "runners/base/text.h"

namespace conform::reports {
namespace {

constexpr size_t kMaxReason = 200;

// What a user who writes the reason may begin with.
std::string FirstReason(const CaseResult& result) {
  std::string reason = result.reason;
  if (const Try* one = DecisiveTry(result); one != nullptr && result.verdict == Verdict::kFail) {
    reason = "observed " + OrderToString(one->trace.ToOrder()) + " where " + result.expected + " is expected";
  }
  return Shortened(Cleaned(reason), kMaxReason);
}

// The name of a section for one implementation. Where its results are of several profiles, each has its own.
std::string SectionFor(const ReportImplementation& implementation, const std::string& profile) {
  std::string text = implementation.kind;
  const auto range = [](std::string_view version, const char* op) -> std::string {
    const auto parsed = Version::Parse(version.substr(0, version.find_first_of("-+ ")));
    return parsed ? fmt::format(" {}{}", op, parsed->ToString()) : "";
  };
  text += range(implementation.version, ">=");
  if (implementation.profiles.size() < 2) return text;
  const auto [family, version] = KindAndVersion(profile);
  return text + " as " + family + range(version, "=");
}

// How often each verdict was given, by what gave it: an implementation under a profile.
using Seen = std::map<std::pair<std::string, std::string>, Totals>;

// The verdicts that describe all of `seen`: those of one that show whatever the others do. Nothing where each has some
// that others have not, as where one version passes and the other fails.
std::optional<Totals> Together(const Seen& seen) {
  Totals sum;
  size_t most = 0;
  for (const auto& [who, totals] : seen) {
    for (const auto& [verdict, count] : totals) sum[verdict] += count;
    most = std::max(most, totals.size());
  }
  return most == sum.size() ? std::optional(sum) : std::nullopt;
}

KnownVerdicts VerdictsOf(const Totals& totals) {
  return totals.size() > 1 ? KnownVerdicts{totals} : KnownVerdicts::Only(totals.begin()->first);
}

// What an entry says after these verdicts; pass alone means that it goes.
KnownVerdicts Next(const KnownVerdicts& known, const Totals& now) {
  if (!known.varies()) {
    // A machine that was fast enough for once says nothing new.
    const bool fast_enough = known.Holds(Verdict::kInconclusive) && VerdictsOf(now).Holds(Verdict::kPass);
    return fast_enough && now.size() == 1 ? known : VerdictsOf(now);
  }
  const auto is_known = [&](const auto& one) { return known.Holds(one.first); };
  if (std::all_of(now.begin(), now.end(), is_known)) {
    const bool chance = now.size() == known.seen.size() || ChanceOfDifference(CountPairs(known.seen, now)) > kMaxChance;
    return chance ? known : VerdictsOf(now);
  }
  KnownVerdicts both = known;
  for (const auto& [verdict, count] : now) both.seen[verdict] += count;
  return both;
}

std::string Names(const Totals& totals) {
  std::vector<std::string> names;
  for (const auto& [verdict, count] : totals) names.emplace_back(VerdictName(verdict));
  return Join(names, " and ");
}

// Takes in all results, then works out the changes.
class Updater {
 public:
  Updater(const Baseline& baseline, const ResultSet& set) : baseline_(baseline), set_(set), next_(baseline) {}

  std::optional<Error> AddAll() {
    for (const CaseResult& result : set_.results()) {
      const auto known = baseline_.Find(result.case_id, ImplementationOf(result), result.profile);
      if (!known) return known.error();
      if (*known != nullptr) {
        Count(result, seen_[*known]);
      } else if (result.verdict != Verdict::kPass && result.verdict != Verdict::kInconclusive) {
        AddEntry(result);
      }
    }
    return std::nullopt;
  }

  void ChangeEntries(const std::vector<std::string>& ids) {
    const std::set<std::string> all(ids.begin(), ids.end());
    for (size_t s = 0; s < baseline_.sections.size(); ++s) {
      for (const KnownDeviation& known : baseline_.sections[s].known) {
        const bool gone = !all.contains(known.case_id) && !set_.FindCase(known.case_id);
        if (gone) {
          Change(s, known, std::nullopt);
          continue;
        }
        const auto seen = seen_.find(&known);
        if (seen == seen_.end() || seen->second.empty()) continue;
        const auto now = Together(seen->second);
        if (!now) {
          Conflict(baseline_.sections[s].text, known.case_id, seen->second);
          continue;
        }
        const KnownVerdicts next = Next(known.verdicts, *now);
        if (next == known.verdicts) continue;
        const bool passes = next == KnownVerdicts::Only(Verdict::kPass);
        Change(s, known, passes ? std::nullopt : std::optional(next));
      }
    }
  }

  void FillNewEntries() {
    for (const New& one : new_) {
      BaselineSection& section = next_.sections[one.section];
      Seen seen;
      for (const CaseResult& result : set_.results()) {
        if (result.case_id != one.result->case_id) continue;
        if (section.Covers(ImplementationOf(result), result.profile)) Count(result, seen);
      }
      const auto now = Together(seen);
      if (!now) {
        Conflict(section.text, one.result->case_id, seen);
        continue;
      }
      KnownDeviation known{one.result->case_id, VerdictsOf(*now), FirstReason(*one.result), "", {}, {}, {}};
      added_.push_back({section.text, known.case_id, std::nullopt, known.verdicts, known.reason});
      section.known.push_back(std::move(known));
    }
    // A section that stayed empty.
    const auto is_empty = [&](const BaselineSection& one) { return one.known.empty() && one.at.line == 0; };
    std::erase_if(next_.sections, is_empty);
  }

  BaselineUpdate Take(const std::string& text) {
    update_.changes.insert(update_.changes.end(), added_.begin(), added_.end());
    const auto edited = EditBaseline(baseline_, text, update_.changes);
    const auto read = ParseBaseline(edited.value_or(""), baseline_.file);
    update_.comments_kept = edited && read && SameContent(*read, next_);
    update_.text = update_.comments_kept ? *edited : BaselineText(next_);
    return std::move(update_);
  }

 private:
  // The first result of a case that nothing is known of, and the section to which it belongs.
  struct New {
    size_t section;
    const CaseResult* result;
  };

  const ReportImplementation& ImplementationOf(const CaseResult& result) const {
    return set_.implementations()[*set_.FindImplementation(result.implementation)];
  }

  static void Count(const CaseResult& result, Seen& seen) {
    for (const auto& [verdict, count] : DecidedVerdicts(result)) {
      seen[{result.implementation, result.profile}][verdict] += count;
    }
  }

  void AddEntry(const CaseResult& result) {
    const auto section = SectionOf(result);
    if (!section) return;
    const auto same = [&](const New& one) { return one.section == *section && one.result->case_id == result.case_id; };
    if (std::none_of(new_.begin(), new_.end(), same)) new_.push_back({*section, &result});
  }

  // The section for it in the next baseline, which may be a new one.
  std::optional<size_t> SectionOf(const CaseResult& result) {
    const ReportImplementation& implementation = ImplementationOf(result);
    // A section for any profile cannot tell the results of several apart.
    const bool several = implementation.profiles.size() > 1;
    const auto section = std::find_if(next_.sections.begin(), next_.sections.end(), [&](const BaselineSection& one) {
      return one.Covers(implementation, result.profile) && !(several && one.profile.empty());
    });
    if (section != next_.sections.end()) return section - next_.sections.begin();
    const std::string text = SectionFor(implementation, result.profile);
    auto parsed = ParseBaseline("format: 2\nknown:\n  " + YamlText(text) + ":\n", baseline_.file);
    if (!parsed || parsed->sections.size() != 1) {
      update_.conflicts.push_back("'" + text + "' cannot be the name of a section");
      return std::nullopt;
    }
    parsed->sections[0].at = {};
    next_.sections.push_back(std::move(parsed->sections[0]));
    return next_.sections.size() - 1;
  }

  void Change(size_t section, const KnownDeviation& known, std::optional<KnownVerdicts> after) {
    std::vector<KnownDeviation>& entries = next_.sections[section].known;
    const auto entry = std::find_if(entries.begin(), entries.end(),
                                    [&](const KnownDeviation& one) { return one.case_id == known.case_id; });
    CONFORM_CHECK(entry != entries.end());
    if (after) {
      entry->verdicts = *after;
    } else {
      entries.erase(entry);
    }
    update_.changes.push_back({baseline_.sections[section].text, known.case_id, known.verdicts, after, ""});
  }

  void Conflict(const std::string& section, const std::string& case_id, const Seen& seen) {
    std::vector<std::string> parts;
    for (const auto& [who, totals] : seen) parts.push_back(Names(totals) + " on " + who.first);
    update_.conflicts.push_back(section + ": " + case_id + " is " + Join(parts, ", "));
  }

  const Baseline& baseline_;
  const ResultSet& set_;
  Baseline next_;
  std::map<const KnownDeviation*, Seen> seen_;  // of the results that each entry speaks of
  std::vector<New> new_;
  std::vector<BaselineChange> added_;
  BaselineUpdate update_;
};

std::vector<BaselineChange> RenamedEntries(const Baseline& baseline) {
  std::vector<BaselineChange> changes;
  for (const BaselineSection& section : baseline.sections) {
    for (const KnownDeviation& known : section.known) {
      if (known.renamed_from.empty()) continue;
      changes.push_back({section.text, known.case_id, known.verdicts, known.verdicts, "", known.renamed_from});
    }
  }
  return changes;
}

}  // namespace

std::string EmptyBaseline(const std::vector<std::string>& cases) {
  std::string text = "# Deviations that are known. spec/gate.md of conform describes this file.\nformat: 2\n";
  if (!cases.empty()) text += "cases:\n";
  for (const std::string& word : cases) text += "  - " + YamlText(word) + "\n";
  return text + "known:\n";
}

Result<BaselineUpdate> UpdateBaseline(const Baseline& baseline, const std::string& text, const ResultSet& set,
                                      const std::vector<std::string>& ids) {
  if (std::vector<BaselineChange> renamed = RenamedEntries(baseline); !renamed.empty()) {
    auto edited = RenamedText(baseline, text);
    auto read = ParseBaseline(edited.value_or(""), baseline.file);
    const bool comments_kept = edited && read && SameContent(*read, baseline);
    if (!comments_kept) {
      edited = BaselineText(baseline);
      read = ParseBaseline(*edited, baseline.file);
      if (!read) return read.error();
    }
    auto update = UpdateBaseline(*read, *edited, set, ids);
    if (!update) return update;
    update->changes.insert(update->changes.begin(), renamed.begin(), renamed.end());
    update->comments_kept &= comments_kept;
    return update;
  }
  Updater updater(baseline, set);
  if (auto error = updater.AddAll()) return *error;
  updater.ChangeEntries(ids);
  updater.FillNewEntries();
  return updater.Take(text);
}

}  // namespace conform::reports
