#include "reference-impl/explore/rules/rule_reader.h"

#include <algorithm>
#include <cstdlib>

#include "runners/base/check.h"
#include "runners/base/text.h"

namespace conform::reference {

const std::string& RuleReader::TextOf(const std::string& rule) const {
  const auto it = profile_.rules.find(rule);
  if (it == profile_.rules.end()) throw UnknownRule{profile_.Name() + " has no rule '" + rule + "'"};
  return it->second;
}

uint8_t RuleReader::NumberOf(const std::string& rule) {
  CONFORM_CHECK(numbered_.size() < kMostRules);
  const auto [number, fresh] = numbers_.try_emplace(rule, static_cast<uint8_t>(numbered_.size()));
  if (fresh) numbered_.push_back({rule});
  return number->second;
}

void RuleReader::ReadNumber(const char* rule, int* value) {
  numbered_[NumberOf(rule)].notes = false;
  *value = WholeNumber(rule);
}

void RuleReader::ReadNumber(const char* rule, Rule<int>* value) { *value = {WholeNumber(rule), NumberOf(rule)}; }

int RuleReader::WholeNumber(const char* rule) {
  known_[rule];
  const std::string& text = TextOf(rule);
  const bool digits = std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
  if (text.empty() || text.size() > 4 || !digits) Refuse(rule, text);
  return std::atoi(text.c_str());
}

std::vector<std::string> RuleReader::ReadList(const char* rule) {
  known_[rule];
  numbered_[NumberOf(rule)].notes = false;
  return Split(TextOf(rule), ',');
}

void RuleReader::RefuseOthers() const {
  for (const auto& [rule, value] : profile_.rules) {
    if (!known_.contains(rule)) throw UnknownRule{profile_.Name() + ": nothing reads the rule '" + rule + "'"};
  }
}

void RuleReader::Refuse(const std::string& rule, const std::string& text) const {
  const auto found = known_.find(rule);
  const bool named = found != known_.end() && !found->second.empty();
  throw UnknownRule{profile_.Name() + ": the rule '" + rule + "' is '" + text + "', but the reference loop knows " +
                    (named ? Join(found->second, ", ") : "numbers alone")};
}

void RuleReader::RefuseItem(const std::string& rule, const std::string& item) const {
  throw UnknownRule{profile_.Name() + ": the rule '" + rule + "' has the item '" + item +
                    "', which the reference loop does not know"};
}

}  // namespace conform::reference
