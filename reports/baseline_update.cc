#include "reports/baseline_update.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "reports/baseline_text.h"
#include "reports/escape.h"
#include "reports/first_difference.h"
#include "runners/base/check.h"
#include "runners/base/text.h"

namespace conform::reports {
namespace {

constexpr size_t kMaxReason = 200;

// What a person may begin with who writes the reason.
std::string FirstReason(const CaseResult& result) {
  std::string reason = result.reason;
  if (const Try* one = DecisiveTry(result); one != nullptr && result.verdict == Verdict::kFail) {
    reason = "observed " + OrderToString(one->trace.ToOrder()) + " where " + result.expected + " is expected";
  }
  return Bounded(Cleaned(reason), kMaxReason);
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

// Takes in all results, then works out the changes.
class Updater {
 public:
  Updater(const Baseline& baseline, const ResultSet& set) : baseline_(baseline), set_(set), next_(baseline) {}

  std::optional<Error> Add(const CaseResult& result) {
    if (result.verdict == Verdict::kInconclusive) return std::nullopt;
    const ReportImplementation& implementation =
        set_.implementations()[*set_.FindImplementation(result.implementation)];
    const auto known = baseline_.Find(result.case_id, implementation, result.profile);
    if (!known) return known.error();
    if (*known != nullptr) {
      verdicts_[*known].insert(result.verdict);
    } else if (result.verdict != Verdict::kPass) {
      AddEntry(result, implementation);
    }
    return std::nullopt;
  }

  void ChangeEntries(const std::vector<std::string>& ids) {
    const std::set<std::string> all(ids.begin(), ids.end());
    for (size_t s = 0; s < baseline_.sections.size(); ++s) {
      for (const KnownDeviation& known : baseline_.sections[s].known) {
        const auto seen = verdicts_.find(&known);
        const bool gone = !all.contains(known.case_id) && !set_.FindCase(known.case_id);
        if (gone) {
          Change(s, known, std::nullopt);
        } else if (seen != verdicts_.end() && seen->second.size() == 1) {
          const Verdict now = *seen->second.begin();
          // A machine that was fast enough for once says nothing new.
          if (known.verdict == Verdict::kInconclusive && now == Verdict::kPass) continue;
          if (now != known.verdict) Change(s, known, now == Verdict::kPass ? std::nullopt : std::optional(now));
        } else if (seen != verdicts_.end()) {
          Conflict(s, known, seen->second);
        }
      }
    }
  }

  BaselineUpdate Take(const std::string& text) {
    update_.changes.insert(update_.changes.end(), new_.begin(), new_.end());
    const auto edited = EditBaseline(baseline_, text, update_.changes);
    const auto read = ParseBaseline(edited.value_or(""), baseline_.file);
    update_.comments_kept = edited && read && SameContent(*read, next_);
    update_.text = update_.comments_kept ? *edited : BaselineText(next_);
    return std::move(update_);
  }

 private:
  void AddEntry(const CaseResult& result, const ReportImplementation& implementation) {
    // A section for any profile cannot tell the results of several apart.
    const bool several = implementation.profiles.size() > 1;
    auto section = std::find_if(next_.sections.begin(), next_.sections.end(), [&](const BaselineSection& one) {
      return one.Covers(implementation, result.profile) && !(several && one.profile.empty());
    });
    if (section == next_.sections.end()) {
      BaselineSection fresh;
      fresh.text = SectionFor(implementation, result.profile);
      const auto parsed = ParseBaseline("format: 1\nknown:\n  " + YamlText(fresh.text) + ":\n", baseline_.file);
      if (!parsed || parsed->sections.size() != 1) {
        update_.conflicts.push_back("'" + fresh.text + "' cannot be the name of a section");
        return;
      }
      next_.sections.push_back(parsed->sections[0]);
      section = std::prev(next_.sections.end());
    }
    KnownDeviation known{result.case_id, result.verdict, FirstReason(result), "", {}, {}};
    const auto twin = std::find_if(section->known.begin(), section->known.end(),
                                   [&](const KnownDeviation& one) { return one.case_id == result.case_id; });
    if (twin != section->known.end()) {
      if (twin->verdict != result.verdict) {
        update_.conflicts.push_back(section->text + ": " + result.case_id + " is " +
                                    std::string(VerdictName(twin->verdict)) + " and " +
                                    std::string(VerdictName(result.verdict)));
      }
      return;
    }
    new_.push_back({section->text, result.case_id, std::nullopt, result.verdict, known.reason});
    section->known.push_back(std::move(known));
  }

  void Change(size_t section, const KnownDeviation& known, std::optional<Verdict> after) {
    std::vector<KnownDeviation>& entries = next_.sections[section].known;
    const auto entry = std::find_if(entries.begin(), entries.end(),
                                    [&](const KnownDeviation& one) { return one.case_id == known.case_id; });
    CONFORM_CHECK(entry != entries.end());
    if (after) {
      entry->verdict = *after;
    } else {
      entries.erase(entry);
    }
    update_.changes.push_back({baseline_.sections[section].text, known.case_id, known.verdict, after, ""});
  }

  void Conflict(size_t section, const KnownDeviation& known, const std::set<Verdict>& verdicts) {
    std::vector<std::string> names;
    for (const Verdict verdict : verdicts) names.emplace_back(VerdictName(verdict));
    update_.conflicts.push_back(baseline_.sections[section].text + ": " + known.case_id + " is " +
                                Join(names, " and "));
  }

  const Baseline& baseline_;
  const ResultSet& set_;
  Baseline next_;
  std::map<const KnownDeviation*, std::set<Verdict>> verdicts_;  // of the results that each entry speaks of
  std::vector<BaselineChange> new_;
  BaselineUpdate update_;
};

std::vector<BaselineChange> RenamedEntries(const Baseline& baseline) {
  std::vector<BaselineChange> changes;
  for (const BaselineSection& section : baseline.sections) {
    for (const KnownDeviation& known : section.known) {
      if (known.renamed_from.empty()) continue;
      changes.push_back({section.text, known.case_id, known.verdict, known.verdict, "", known.renamed_from});
    }
  }
  return changes;
}

}  // namespace

std::string EmptyBaseline() {
  return "# Deviations that are known. spec/gate.md of conform describes this file.\nformat: 1\nknown:\n";
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
  for (const CaseResult& result : set.results()) {
    if (auto error = updater.Add(result)) return *error;
  }
  updater.ChangeEntries(ids);
  return updater.Take(text);
}

}  // namespace conform::reports
