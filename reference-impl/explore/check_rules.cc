#include <set>

#include "reference-impl/explore/explorer.h"
#include "reference-impl/host/asyncio_host.h"
#include "reference-impl/host/documented_rules.h"
#include "reference-impl/host/html_rules.h"
#include "reference-impl/host/node_rules.h"
#include "reference-impl/host/promises.h"
#include "reference-impl/loop/rule_value.h"
#include "reference-impl/loop/rules.h"

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
      return Error{"the family '" + family.name + "' is " + (family.is_documented ? "not " : "") +
                       "documented: exactly those are that have no recipe of their own",
                   family.file};
    }
    for (const Version& version : Boundaries(family)) {
      const Profile profile = profiles.At(family, version);
      try {
        if (family.name == "libuv" || family.name == "node") LoopRules::From(profile);
        if (family.name == "node") NodeRules::From(profile);
        if (family.name == "asyncio") AsyncioRules::From(profile);
        if (family.name == "html") HtmlRules::From(profile);
        if (family.name == "node" || family.name == "html") PromiseRules::From(profile);
        if (family.is_documented) DocumentedRules::From(profile);
      } catch (const UnknownRule& unknown) {
        return Error{unknown.message, family.file};
      }
    }
  }
  return std::nullopt;
}

}  // namespace conform::reference
