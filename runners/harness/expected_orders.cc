#include "runners/harness/expected_orders.h"

#include <algorithm>

#include "runners/base/text.h"

namespace conform {

ExpectedOrders::ExpectedOrders(const Case& c, const Expectation& expectation)
    : pattern_(Trim(expectation.pattern.text)),
      automaton_(Automaton::FromPattern(expectation.pattern)),
      counts_(FixedCounts(c)) {
  for (const std::string& label : expectation.pattern.Never()) counts_.erase(label);
}

bool ExpectedOrders::Contains(const Order& order) const {
  return automaton_.Accepts(order) && !WrongCount(order, counts_);
}

std::optional<std::string> WrongCount(const Order& order, const std::map<std::string, int64_t>& counts) {
  for (const auto& [label, fixed] : counts) {
    const int64_t found = std::count(order.begin(), order.end(), label);
    if (found != fixed) {
      return std::to_string(found) + " of " + label + " where the program makes " + std::to_string(fixed);
    }
  }
  return std::nullopt;
}

}  // namespace conform
