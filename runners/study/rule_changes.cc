#include "runners/study/rule_changes.h"

#include <algorithm>
#include <utility>

#include "reference-impl/explore/families.h"
#include "reference-impl/explore/rules/rule_reader.h"
#include "runners/base/text.h"

namespace conform {
namespace {

// "as in node <11"; the ranges of a value that several spans have are joined.
std::string WhereKnown(const ProfileFamily& family, const RuleDefinition& rule, const std::string& value) {
  std::vector<std::string> ranges;
  for (const RuleDefinition::Span& span : rule.spans) {
    if (span.value == value) ranges.push_back(span.range.ToString());
  }
  return "as in " + family.name + " " + Join(ranges, " || ");
}

void AddChanges(const ProfileFamily& family, const RuleDefinition& rule, const Profile& profile, Narrower narrower,
                std::vector<RuleChange>* changes) {
  const auto now = profile.rules.find(rule.name);
  if (now == profile.rules.end()) return;
  const auto add = [&](const std::string& value, const std::string& clause, const std::string& words,
                       bool of_release = false) {
    if (value == now->second) return;
    changes->push_back({rule.name, now->second, value, clause, rule.summary, words, of_release});
  };
  for (const std::string& value : rule.values) add(value, rule.clause, WhereKnown(family, rule, value), true);
  const auto add_others = [&](const std::vector<RuleDefinition::Deviation>& others) {
    for (const RuleDefinition::Deviation& other : others) {
      // A deviation of the base is stated for versions of the base.
      const bool fits = family.name != profile.family || other.range.Contains(profile.version);
      if (fits) add(other.value, other.clause, other.sentence);
    }
  };
  add_others(rule.deviations);
  if (narrower == Narrower::kToo) add_others(rule.narrower);
  if (family.is_documented) add(reference::kOpenValue, rule.clause, "the promise is not kept");
}

}  // namespace

std::string RuleChange::Sentence() const {
  std::string text = of_release ? summary + ": " + to + ", " + words : words;
  if (text[0] >= 'a' && text[0] <= 'z') text[0] = static_cast<char>(text[0] - 'a' + 'A');
  return text;
}

std::vector<RuleChange> AllChanges(const Profiles& profiles, const Profile& profile, Narrower narrower) {
  std::vector<RuleChange> changes;
  const ProfileFamily* family = profiles.Find(profile.family);
  if (family == nullptr) return changes;
  for (const reference::StatedRule& stated : reference::RulesOf(profiles, *family)) {
    AddChanges(*stated.family, *stated.rule, profile, narrower, &changes);
  }
  return changes;
}

Result<RuleChange> ParseChange(const Profiles& profiles, const Profile& profile, const std::string& word) {
  const size_t equals = word.find('=');
  if (equals == std::string::npos) {
    return Error::WithHint("'" + word + "' is not a change of a rule",
                           "expected RULE=VALUE, such as tick-order=newest-first");
  }
  return FindChange(profiles, profile, word.substr(0, equals), word.substr(equals + 1));
}

Result<RuleChange> FindChange(const Profiles& profiles, const Profile& profile, const std::string& rule,
                              const std::string& value) {
  std::vector<std::string> rules, values;
  for (const auto& [name, now] : profile.rules) rules.push_back(name);
  const auto now = profile.rules.find(rule);
  if (now == profile.rules.end()) {
    const std::string renamed = profiles.RenamedHint(rule);
    return Error::WithHint(profile.Name() + " has no rule '" + rule + "'",
                           renamed.empty() ? DidYouMean(rule, rules) : renamed);
  }
  if (now->second == value) return Error{profile.Name() + " already has " + rule + "=" + value};
  for (const RuleChange& change : AllChanges(profiles, profile, Narrower::kToo)) {
    if (change.rule != rule) continue;
    if (change.to == value) return change;
    values.push_back(change.to);
  }
  const std::string renamed = profiles.RenamedHint(rule + "=" + value);
  const std::string hint = renamed.empty() ? DidYouMean(value, values) : renamed;
  return Error::WithHint("'" + value + "' is not a value of the rule '" + rule + "' in " + profile.Name(),
                         !hint.empty()    ? hint
                         : values.empty() ? "the model knows no other value than " + now->second
                                          : "other values are " + Join(values, " and "));
}

std::vector<Profile> ReleasesOf(const Profiles& profiles, const Profile& profile) {
  std::vector<Profile> releases;
  const ProfileFamily* family = profiles.Find(profile.family);
  if (family == nullptr) return releases;
  for (auto version = family->releases.rbegin(); version != family->releases.rend(); ++version) {
    Profile release = profiles.At(*family, *version);
    const bool is_known =
        std::any_of(releases.begin(), releases.end(), [&](const Profile& one) { return one.rules == release.rules; });
    if (!is_known) releases.push_back(std::move(release));
  }
  return releases;
}

Profile WithChanges(Profile profile, const std::vector<RuleChange>& changes) {
  for (const RuleChange& change : changes) profile = change.ApplyTo(std::move(profile));
  return profile;
}

}  // namespace conform
