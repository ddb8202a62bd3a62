// Who did the same: the results of one case, told apart by the orders that were observed.
#ifndef CONFORM_REPORTS_HTML_BEHAVIOURS_H_
#define CONFORM_REPORTS_HTML_BEHAVIOURS_H_

#include <map>
#include <set>
#include <string>
#include <vector>

#include "runners/model/verdict.h"

namespace conform::reports {

// Two results show the same behaviour when their sets of orders are equal, or when both pass and were held to the same
// expectation: which of several allowed orders came is chance.
class Behaviours {
 public:
  static constexpr int kNone = -1;  // nothing was observed

  // The number of the behaviour that the result shows, counted from 0 in the order of calls; or kNone.
  int Add(const CaseResult& result);

  // One text for each: the orders that were seen, at most kMaxTextBytes of them.
  std::vector<std::string> Texts() const;
  static constexpr size_t kMaxTextBytes = 300;

 private:
  std::vector<std::set<std::string>> orders_;  // that were seen, by behaviour
  std::map<std::string, int> by_expectation_;  // of results that pass
  std::map<std::set<std::string>, int> by_orders_;
};

// At most `bytes` of UTF-8, with an ellipsis where something was left out; no character is broken.
std::string Shortened(const std::string& text, size_t bytes);

}  // namespace conform::reports

#endif  // CONFORM_REPORTS_HTML_BEHAVIOURS_H_
