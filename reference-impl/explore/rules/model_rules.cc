#include "reference-impl/explore/rules/model_rules.h"

#include <algorithm>

#include "reference-impl/explore/families.h"
#include "reference-impl/explore/model.h"
#include "runners/base/check.h"

namespace conform::reference {

ModelRules ReadModelRules(const Profile& profile) {
  RuleReader reader(profile);
  return ModelFamilyOf(profile.family).read_rules(&reader);
}

std::map<std::string, std::vector<std::string>> KnownValues(const Profile& profile) {
  RuleReader reader(profile);
  ModelFamilyOf(profile.family).read_rules(&reader);
  return reader.known();
}

Model::Model(const Profile& profile)
    : family_(profile.family),
      version_(profile.version),
      rules_(std::make_shared<const ModelRules>(ReadModelRules(profile))) {}

Model::Model(const Profile& profile, const Model& same)
    : family_(profile.family), version_(profile.version), rules_(same.rules_) {}

size_t NumberOfRule(const Model& model, const std::string& rule) {
  const std::vector<ReadRule>& numbered = model.rules().numbered;
  const auto found =
      std::find_if(numbered.begin(), numbered.end(), [&](const ReadRule& one) { return one.name == rule; });
  CONFORM_CHECK(found != numbered.end());
  return static_cast<size_t>(found - numbered.begin());
}

RuleSet RulesReadBy(const Model& model, const std::function<void()>& ask) {
  rules_read.fill(false);
  ask();
  RuleSet read;
  const std::vector<ReadRule>& numbered = model.rules().numbered;
  for (size_t i = 1; i < numbered.size(); ++i) read[i] = rules_read[i] || !numbered[i].notes;
  return read;
}

}  // namespace conform::reference
