// The models of the profiles that a command runs, each made once.
#ifndef CONFORM_REFERENCE_IMPL_EXPLORE_MODEL_CACHE_H_
#define CONFORM_REFERENCE_IMPL_EXPLORE_MODEL_CACHE_H_

#include <map>
#include <mutex>
#include <string>
#include <utility>

#include "reference-impl/explore/model.h"

namespace conform::reference {

// Versions with the same rules share them: `&Of(a).rules() == &Of(b).rules()`. Several threads may ask at once.
// REQUIRES: profiles of one name have the same rules.
class ModelCache {
 public:
  Model Of(const Profile& profile) {
    const std::lock_guard<std::mutex> lock(mutex_);
    const std::string name = profile.Name();
    if (const auto known = models_.find(name); known != models_.end()) return known->second;
    const std::pair rules(profile.family, profile.rules);
    const auto same = by_rules_.find(rules);
    const Model model = same == by_rules_.end() ? Model(profile) : Model(profile, same->second);
    if (same == by_rules_.end()) by_rules_.emplace(rules, model);
    return models_.emplace(name, model).first->second;
  }

 private:
  std::mutex mutex_;
  std::map<std::string, Model> models_;
  std::map<std::pair<std::string, std::map<std::string, std::string>>, Model> by_rules_;
};

}  // namespace conform::reference

#endif  // CONFORM_REFERENCE_IMPL_EXPLORE_MODEL_CACHE_H_
