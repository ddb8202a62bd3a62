// What a case expects under one profile, ready to be compared with what was observed and with what the model allows.
#ifndef CONFORM_RUNNERS_HARNESS_EXPECTED_ORDERS_H_
#define CONFORM_RUNNERS_HARNESS_EXPECTED_ORDERS_H_

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "runners/model/automaton.h"
#include "runners/model/case.h"

namespace conform {

// A pattern, read together with the label counts that the program fixes; or a set that was found otherwise.
class ExpectedOrders {
 public:
  ExpectedOrders(const Case& c, const Expectation& expectation);
  ExpectedOrders(Automaton orders, std::string pattern) : pattern_(std::move(pattern)), automaton_(std::move(orders)) {}

  bool Contains(const Order& order) const;

  const std::string& pattern() const { return pattern_; }
  const Automaton& automaton() const { return automaton_; }
  const std::map<std::string, int64_t>& counts() const { return counts_; }

 private:
  std::string pattern_;
  Automaton automaton_;
  std::map<std::string, int64_t> counts_;
};

// "9 of I where the program makes 10", or nothing when every count is as the program fixes it.
std::optional<std::string> WrongCount(const Order& order, const std::map<std::string, int64_t>& counts);

}  // namespace conform

#endif  // CONFORM_RUNNERS_HARNESS_EXPECTED_ORDERS_H_
