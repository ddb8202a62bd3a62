// The models of the profiles that a command runs, each made once.
#ifndef CONFORM_REFERENCE_IMPL_EXPLORE_MODEL_CACHE_H_
#define CONFORM_REFERENCE_IMPL_EXPLORE_MODEL_CACHE_H_

#include <map>
#include <mutex>
#include <string>

#include "reference-impl/explore/model.h"

namespace conform::reference {

// Several threads may ask at once. REQUIRES: profiles of one name have the same rules.
class ModelCache {
 public:
  Model Of(const Profile& profile) {
    const std::lock_guard<std::mutex> lock(mutex_);
    return models_.try_emplace(profile.Name(), profile).first->second;
  }

 private:
  std::mutex mutex_;
  std::map<std::string, Model> models_;
};

}  // namespace conform::reference

#endif  // CONFORM_REFERENCE_IMPL_EXPLORE_MODEL_CACHE_H_
