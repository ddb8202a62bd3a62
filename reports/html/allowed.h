// Which allowed orders the pages show.
#ifndef CONFORM_REPORTS_HTML_ALLOWED_H_
#define CONFORM_REPORTS_HTML_ALLOWED_H_

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "reports/result_set.h"
#include "runners/model/verdict.h"

namespace conform::reports {

// What the page of a case wants to know: some orders that the case allows under the profile, and for each of `near` the
// nearest one.
struct AllowedQuestion {
  std::string pattern, profile;
  std::vector<Order> near;
};

// The questions about one case. What was held to the same expectation is one question. Where an order is to be
// explained, that is done under the very profile that it was held to.
class AllowedQuestions {
 public:
  // The index of the question that this result belongs to; -1 where there is nothing to compare with.
  int Add(const CaseResult& result);

  const std::vector<AllowedQuestion>& all() const { return all_; }

 private:
  std::vector<AllowedQuestion> all_;
  std::map<std::pair<std::string, std::string>, int> index_;
};

// Those that the page of the case will have, in its order.
std::vector<AllowedQuestion> AllowedQuestionsOf(const ResultSet& set, size_t case_index);

}  // namespace conform::reports

#endif  // CONFORM_REPORTS_HTML_ALLOWED_H_
