// A value of a rule that notes when it is read: what a run never reads makes no difference to it.
#ifndef CONFORM_REFERENCE_IMPL_LOOP_RULE_H_
#define CONFORM_REFERENCE_IMPL_LOOP_RULE_H_

#include <array>
#include <cstddef>
#include <cstdint>

namespace conform::reference {

inline constexpr size_t kMostRules = 256;  // that one model reads

// By the number of a rule: whether this thread has read it since this was set to false. Constant initialization makes
// it one instruction to note.
inline constinit thread_local std::array<bool, kMostRules> rules_read{};

template <typename Value>
class Rule {
 public:
  // Not explicit, so that a rule is written like its value. It has the number 0, which stands for no rule.
  constexpr Rule(Value value) : value_(value) {}  // NOLINT(google-explicit-constructor)
  constexpr Rule(Value value, uint8_t number) : value_(value), number_(number) {}

  operator Value() const {  // NOLINT(google-explicit-constructor)
    rules_read[number_] = true;
    return value_;
  }

 private:
  Value value_;
  uint8_t number_ = 0;
};

}  // namespace conform::reference

#endif  // CONFORM_REFERENCE_IMPL_LOOP_RULE_H_
