// A profile, resolved: the rules that the loop and the host of a family are built from, read once.
#ifndef CONFORM_REFERENCE_IMPL_EXPLORE_MODEL_H_
#define CONFORM_REFERENCE_IMPL_EXPLORE_MODEL_H_

#include <bitset>
#include <functional>
#include <memory>
#include <string>

#include "reference-impl/loop/rule.h"
#include "runners/model/profile.h"

namespace conform::reference {

struct ModelRules;

// Immutable, and cheap to copy; several threads may use one.
class Model {
 public:
  // Reads the rules, and throws UnknownRule. Not explicit, so that a profile can be handed over wherever a model is
  // asked for; whoever runs many programs makes the model once.
  Model(const Profile& profile);  // NOLINT(google-explicit-constructor)
  // Shares what was read for `same`. REQUIRES: it is of the same family, and has the same rules.
  Model(const Profile& profile, const Model& same);

  const ModelRules& rules() const { return *rules_; }
  const std::string& family() const { return family_; }
  const Version& version() const { return version_; }

 private:
  std::string family_;
  Version version_;
  std::shared_ptr<const ModelRules> rules_;
};

// Rules of a family, by number.
using RuleSet = std::bitset<kMostRules>;

// REQUIRES: the model has the rule. The number is the same for every model of its family.
size_t NumberOfRule(const Model& model, const std::string& rule);

// Calls `ask`, which asks models of the family of `model`, and returns the rules that they read for it. If others have
// another value, the answer is the same. Those of which no note is taken are among them.
RuleSet RulesReadBy(const Model& model, const std::function<void()>& ask);

}  // namespace conform::reference

#endif  // CONFORM_REFERENCE_IMPL_EXPLORE_MODEL_H_
