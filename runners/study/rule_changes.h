// A profile with a value replaced: what a plan for a loop and a guess about an implementation have in common with a
// mutant.
#ifndef CONFORM_RUNNERS_STUDY_RULE_CHANGES_H_
#define CONFORM_RUNNERS_STUDY_RULE_CHANGES_H_

#include <string>
#include <vector>

#include "runners/base/result.h"
#include "runners/model/profile.h"

namespace conform {

struct RuleChange {
  std::string rule;
  std::string from;  // the value of the profile
  std::string to;
  std::string clause;   // that describes the rule, or that a deviation breaks
  std::string summary;  // what the rule decides
  // What a loop with the new value does: the sentence of a deviation, or else where the value is known from: "as in
  // node <11".
  std::string words;
  bool of_release = false;  // some version of the family has the new value

  std::string Name() const { return rule + "=" + to; }
  // As a heading: "A rejection is reported twice", or "How finally passes its value on: direct, as in node <11".
  std::string Sentence() const;
  Profile ApplyTo(Profile profile) const {
    profile.rules[rule] = to;
    return profile;
  }
  bool operator==(const RuleChange&) const = default;
};

enum class Narrower { kLeftOut, kToo };

// Every other value of every rule of the profile's family, and of its base: those that other versions have, and the
// deviations for this version. Rules about a step that the family's model lacks are left out. With `kToo`, values that
// only decide what the family leaves open are among them.
std::vector<RuleChange> AllChanges(const Profiles& profiles, const Profile& profile, Narrower narrower);

// "RULE=VALUE". Error: there is no such rule or value, or the profile has this value; it carries the nearest name.
Result<RuleChange> ParseChange(const Profiles& profiles, const Profile& profile, const std::string& word);
Result<RuleChange> FindChange(const Profiles& profiles, const Profile& profile, const std::string& rule,
                              const std::string& value);

// What the implementation may be as a whole: the releases of the profile's family. Of those with the same rules, the
// newest.
std::vector<Profile> ReleasesOf(const Profiles& profiles, const Profile& profile);

Profile WithChanges(Profile profile, const std::vector<RuleChange>& changes);

}  // namespace conform

#endif  // CONFORM_RUNNERS_STUDY_RULE_CHANGES_H_
