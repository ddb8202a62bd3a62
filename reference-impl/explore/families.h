// What is modelled, and how: one table with a row for each family that has its own host. Whoever adds a family
// adds its profile, its host with a table of ops, and a row here.
#ifndef CONFORM_REFERENCE_IMPL_EXPLORE_FAMILIES_H_
#define CONFORM_REFERENCE_IMPL_EXPLORE_FAMILIES_H_

#include <optional>
#include <string>
#include <vector>

#include "reference-impl/explore/rules/model_rules.h"
#include "reference-impl/host/host_ops.h"
#include "runners/model/case.h"
#include "runners/model/profile.h"

namespace conform::reference {

struct ModelFamily {
  std::string name;  // as in the profile; "" for all the families that are held to their documentation
  const ModelledOps& ops;
  // The rules, which decide on the host. Throws UnknownRule.
  ModelRules (*read_rules)(RuleReader* reader);
  // Which delays a timer can have. In the others any number becomes one that fits.
  enum class Delays { kAny, kFinite, kNotNegative };
  Delays delays;
  // Whose functions its steps stand for, where that decides what a name may refer to.
  enum class Api { kJavaScript, kLibuv, kAsyncio, kDocumented };
  Api api;
  // Its adapter notices when a run waits for something that can never come, so that a program need not end by itself.
  bool notices_endless_waits;
  // What a program has that the host cannot say although it has the op; nothing where there is no such thing.
  std::optional<std::string> (*refuses)(const Case& c);
};

// The row of the family, or that of the documented ones.
const ModelFamily& ModelFamilyOf(const std::string& family);

// A rule, and the family whose profile states it.
struct StatedRule {
  const ProfileFamily* family;
  const RuleDefinition* rule;
};
// The rules of the family; and those of its base, except where the family has a rule of that name, or its model lacks
// the step that the rule is about.
std::vector<StatedRule> RulesOf(const Profiles& profiles, const ProfileFamily& family);

}  // namespace conform::reference

#endif  // CONFORM_REFERENCE_IMPL_EXPLORE_FAMILIES_H_
