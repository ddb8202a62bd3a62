#include <set>

#include "reference-impl/explore/explorer.h"
#include "reference-impl/explore/rules/model_rules.h"

namespace conform::reference {

namespace {

// Every version at which some span of some rule begins.
std::set<Version> Boundaries(const ProfileFamily& family) {
  std::set<Version> versions(family.releases.begin(), family.releases.end());
  for (const RuleDefinition& rule : family.rules) {
    for (const RuleDefinition::Span& span : rule.spans) {
      for (const VersionInterval& interval : span.range.intervals()) {
        if (interval.from.has_value() && family.Knows(*interval.from)) versions.insert(*interval.from);
      }
    }
  }
  return versions;
}

}  // namespace

std::optional<Error> CheckRules(const Profiles& profiles) {
  for (const ProfileFamily& family : profiles.families()) {
    if (family.is_documented == HasRecipeOfItsOwn(family.name)) {
      return Error{"`recipe: documented` is required exactly where there is no built-in recipe, and '" + family.name +
                       (family.is_documented ? "' has one" : "' has none"),
                   family.file};
    }
    try {
      for (const Version& version : Boundaries(family)) ReadModelRules(profiles.At(family, version));
      for (const RuleDefinition& rule : family.rules) {
        for (const auto* others : {&rule.deviations, &rule.narrower}) {
          for (const RuleDefinition::Deviation& other : *others) {
            Profile profile = profiles.At(family, family.releases.back());
            profile.rules[rule.name] = other.value;
            ReadModelRules(profile);
          }
        }
      }
    } catch (const UnknownRule& unknown) {
      return Error{unknown.message, family.file};
    }
  }
  return std::nullopt;
}

}  // namespace conform::reference
