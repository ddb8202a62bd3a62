// What was observed, and who did the same.
#ifndef CONFORM_REPORTS_BEHAVIOURS_H_
#define CONFORM_REPORTS_BEHAVIOURS_H_

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "runners/model/verdict.h"

namespace conform::reports {

// How often each order was observed; the most frequent first, then in the order of labels.
struct ObservedOrder {
  Order order;
  int64_t count = 0;
  bool ended = true;  // false: what was seen of runs that did not end

  std::string Text() const;  // "A B", or "A B …"
};
std::vector<ObservedOrder> ObservedOrders(const CaseResult& result);

// The results of one case, grouped. Two results show the same behaviour when their sets of orders are equal, or when
// both pass and were held to the same expectation: which of several allowed orders came is chance.
class Behaviours {
 public:
  static constexpr int kNone = -1;  // nothing was observed

  // The number of the behaviour that the result shows, counted from 0 in the order of calls; or kNone.
  int Add(const CaseResult& result);

  // One text for each: the orders that were seen, at most kMaxTextBytes of them.
  std::vector<std::string> Texts() const;
  static constexpr size_t kMaxTextBytes = 300;
  // The expectation of each result that passes, and its behaviour.
  const std::map<std::string, int>& passes() const { return by_expectation_; }

 private:
  std::vector<std::set<std::string>> orders_;  // that were seen, by behaviour
  std::map<std::string, int> by_expectation_;  // of results that pass
  std::map<std::set<std::string>, int> by_orders_;
};

}  // namespace conform::reports

#endif  // CONFORM_REPORTS_BEHAVIOURS_H_
