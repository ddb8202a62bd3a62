// A profile, resolved: the rules that the loop and the host of a family are built from, read once.
#ifndef CONFORM_REFERENCE_IMPL_EXPLORE_MODEL_H_
#define CONFORM_REFERENCE_IMPL_EXPLORE_MODEL_H_

#include <memory>
#include <string>

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

}  // namespace conform::reference

#endif  // CONFORM_REFERENCE_IMPL_EXPLORE_MODEL_H_
