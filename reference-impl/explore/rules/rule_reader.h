// From the text of a profile to the values that the loop and its hosts read.
#ifndef CONFORM_REFERENCE_IMPL_EXPLORE_RULES_RULE_READER_H_
#define CONFORM_REFERENCE_IMPL_EXPLORE_RULES_RULE_READER_H_

#include <cstdint>
#include <initializer_list>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "reference-impl/loop/rule.h"
#include "runners/model/profile.h"

namespace conform::reference {

// Of a rule that is not promised: a loop that breaks a promise, and the same as a rule that the profile does not have.
inline constexpr char kOpenValue[] = "open";

// A profile lacks a rule, has one that is never read, or gives it a value that the reference loop does not know.
// CheckRules finds it before any run.
struct UnknownRule {
  std::string message;
};

// The rules that a model reads, by number, in the order in which its family reads them. Number 0 is no rule.
struct ReadRule {
  std::string name;
  bool notes = true;  // each place that reads it is a Rule
};

// Reads rules one by one, and remembers which values each may have. Whatever goes wrong is thrown as UnknownRule.
class RuleReader {
 public:
  explicit RuleReader(const Profile& profile) : profile_(profile) {}

  // Sets *value to what the text of the rule stands for.
  template <typename Value>
  void Read(const char* rule, Value* value, std::initializer_list<std::pair<const char*, Value>> values) {
    numbered_[NumberOf(rule)].notes = false;
    ReadText(rule, value, values);
  }
  template <typename Value>
  void Read(const char* rule, Rule<Value>* value, std::initializer_list<std::pair<const char*, Value>> values) {
    Value read{};
    ReadText(rule, &read, values);
    *value = {read, NumberOf(rule)};
  }
  // The same for a rule that may be missing or open, and then leaves *value as it is.
  template <typename Value>
  void ReadPromise(const char* rule, Value* value, std::initializer_list<std::pair<const char*, Value>> values) {
    const auto found = profile_.rules.find(rule);
    if (found != profile_.rules.end() && found->second != kOpenValue) return Read(rule, value, values);
    known_[rule];
    numbered_[NumberOf(rule)].notes = false;
  }
  void ReadYesNo(const char* rule, Rule<bool>* value) { Read<bool>(rule, value, {{"yes", true}, {"no", false}}); }
  // A whole number from 0 to 9999.
  void ReadNumber(const char* rule, int* value);
  void ReadNumber(const char* rule, Rule<int>* value);
  // The items of a list.
  std::vector<std::string> ReadList(const char* rule);

  // Throws where the profile has a rule that was not read.
  void RefuseOthers() const;
  [[noreturn]] void Refuse(const std::string& rule, const std::string& text) const;
  [[noreturn]] void RefuseItem(const std::string& rule, const std::string& item) const;

  // The values that each rule may have; none for numbers and for lists.
  const std::map<std::string, std::vector<std::string>>& known() const { return known_; }
  const std::vector<ReadRule>& numbered() const { return numbered_; }

 private:
  template <typename Value>
  void ReadText(const char* rule, Value* value, std::initializer_list<std::pair<const char*, Value>> values) {
    std::vector<std::string>& names = known_[rule];
    for (const auto& [name, known] : values) names.push_back(name);
    const std::string& text = TextOf(rule);
    for (const auto& [name, known] : values) {
      if (text != name) continue;
      *value = known;
      return;
    }
    Refuse(rule, text);
  }
  int WholeNumber(const char* rule);
  const std::string& TextOf(const std::string& rule) const;
  uint8_t NumberOf(const std::string& rule);

  const Profile& profile_;
  std::map<std::string, std::vector<std::string>> known_;
  std::vector<ReadRule> numbered_{{""}};
  std::map<std::string, uint8_t> numbers_;
};

}  // namespace conform::reference

#endif  // CONFORM_REFERENCE_IMPL_EXPLORE_RULES_RULE_READER_H_
