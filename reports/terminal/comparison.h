// Where implementations differ: a pure function of their results.
#ifndef CONFORM_REPORTS_TERMINAL_COMPARISON_H_
#define CONFORM_REPORTS_TERMINAL_COMPARISON_H_

#include <cstdint>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <utility>
#include <vector>

#include "reports/behaviours.h"
#include "runners/base/output.h"
#include "runners/model/verdict.h"

namespace conform::reports {

// How often each order was observed; the most frequent first.
using Histogram = std::vector<std::pair<std::string, int64_t>>;
Histogram HistogramOf(const CaseResult& result);
// An order as it is printed: the beginning of one that fills a screen, and how many labels more it has.
std::string ShownOrder(const std::string& order);
// One line for each order, as `     3 × A B`, indented.
std::string HistogramText(const Histogram& histogram, std::string_view indent);

class Comparison {
 public:
  // Results that did not run are left out.
  void Add(const CaseResult& result);

  // Implementations that show one behaviour (reports/behaviours.h), and what the first of them gave.
  struct Group {
    std::vector<std::string> names;
    Histogram orders;
  };
  struct Difference {
    std::string case_id;
    std::vector<Group> groups;
  };
  // Cases with more than one group, in the order in which they came.
  std::vector<Difference> Differences() const;

 private:
  struct One {
    std::string case_id, implementation, profile;
    size_t behaviour;
  };
  // Of a case: its behaviours, and what the first result of each gave.
  struct Seen {
    Behaviours behaviours;
    std::vector<Histogram> orders;
  };
  std::vector<One> all_;
  std::map<std::string, Seen> seen_;  // by case
};

// At most `limit` cases. The first label that differs between two groups with one order each is in brackets.
std::string DifferencesText(const std::vector<Comparison::Difference>& differences, size_t limit, const Style& style);
nlohmann::ordered_json DifferencesJson(const std::vector<Comparison::Difference>& differences);

}  // namespace conform::reports

#endif  // CONFORM_REPORTS_TERMINAL_COMPARISON_H_
