// From the text of a rule's value to its enumerator.
#ifndef CONFORM_REFERENCE_IMPL_LOOP_RULE_VALUE_H_
#define CONFORM_REFERENCE_IMPL_LOOP_RULE_VALUE_H_

#include <initializer_list>
#include <string>
#include <utility>

#include "runners/model/profile.h"

namespace conform::reference {

// Of a rule that is not promised: a loop that breaks a promise, and the same as a rule that the profile does not have.
inline constexpr char kOpenValue[] = "open";

// A profile lacks a rule, or gives it a value that the reference loop does not know. CheckRules finds it before any
// run.
struct UnknownRule {
  std::string message;
};

inline const std::string& RuleText(const Profile& profile, const std::string& rule) {
  const auto it = profile.rules.find(rule);
  if (it == profile.rules.end()) throw UnknownRule{profile.Name() + " has no rule '" + rule + "'"};
  return it->second;
}

template <typename Enum>
Enum RuleValue(const Profile& profile, const std::string& rule,
               std::initializer_list<std::pair<const char*, Enum>> values) {
  const std::string& text = RuleText(profile, rule);
  for (const auto& [name, value] : values) {
    if (text == name) return value;
  }
  std::string known;
  for (const auto& [name, value] : values) known += std::string(known.empty() ? "" : ", ") + name;
  throw UnknownRule{profile.Name() + ": the rule '" + rule + "' is '" + text + "', but the reference loop knows " +
                    known};
}

}  // namespace conform::reference

#endif  // CONFORM_REFERENCE_IMPL_LOOP_RULE_VALUE_H_
