// From the text of a rule's value to its enumerator.
#ifndef CONFORM_REFERENCE_IMPL_LOOP_RULE_VALUE_H_
#define CONFORM_REFERENCE_IMPL_LOOP_RULE_VALUE_H_

#include <initializer_list>
#include <string>
#include <utility>

#include "runners/base/check.h"
#include "runners/model/profile.h"

namespace conform {

// REQUIRES: the profile's value of `rule` is one of `values`. The profile tests hold the files to that.
template <typename Enum>
Enum RuleValue(const Profile& profile, const std::string& rule,
               std::initializer_list<std::pair<const char*, Enum>> values) {
  const std::string& text = profile.Rule(rule);
  for (const auto& [name, value] : values) {
    if (text == name) return value;
  }
  CheckFailed("spec/profiles", 0, (rule + " has no value '" + text + "' that the reference loop knows").c_str());
}

}  // namespace conform

#endif  // CONFORM_REFERENCE_IMPL_LOOP_RULE_VALUE_H_
