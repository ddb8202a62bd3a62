#include "reference-impl/explore/rules/model_rules.h"

#include "reference-impl/explore/families.h"
#include "reference-impl/explore/model.h"

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

}  // namespace conform::reference
