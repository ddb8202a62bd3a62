// Where an observed order leaves the expected ones.
#ifndef CONFORM_REPORTS_FIRST_DIFFERENCE_H_
#define CONFORM_REPORTS_FIRST_DIFFERENCE_H_

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "runners/model/pattern.h"
#include "runners/model/verdict.h"

namespace conform::reports {

struct FirstDifference {
  size_t at = 0;                      // index of the first label that no expected order has there; the length of the
                                      // observed order where it ends too early
  std::vector<std::string> expected;  // labels that an expected order has there, sorted; "_" stands for any label
  bool may_end = false;               // an expected order ends there
};

// Nothing where the order is among the expected ones, where `pattern` is none, and where finding out takes more than
// kMaxDifferenceWork steps: results may come from anywhere.
std::optional<FirstDifference> FindFirstDifference(const std::string& pattern, const Order& observed);
inline constexpr size_t kMaxDifferenceWork = 20'000'000;

// The try that decided the verdict: the first outside, else the last; null where nothing was run.
const Try* DecisiveTry(const CaseResult& result);

// `first difference at 3: observed C, expected B or D`, or "" where there is none. Labels count from 1.
std::string FirstDifferenceText(const CaseResult& result);

}  // namespace conform::reports

#endif  // CONFORM_REPORTS_FIRST_DIFFERENCE_H_
