// What the HTML report is made of.
#ifndef CONFORM_REPORTS_HTML_INPUT_H_
#define CONFORM_REPORTS_HTML_INPUT_H_

#include <cstddef>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "reports/result_set.h"
#include "runners/model/case.h"
#include "runners/model/clause.h"
#include "runners/model/trace.h"

namespace conform::reports {

// Orders that a case allows under a profile, with phases and clauses where the model knows them.
struct AllowedOrders {
  std::vector<Trace> traces;  // some of them
  size_t total = 0;           // how many there are
  bool at_least = false;      // there may be more than `total`
};

// Asked for a few orders, and for the nearest one to each of `near`. Nothing where no single order can be named.
using AllowedOrdersOf = std::function<std::optional<AllowedOrders>(const Case& c, const std::string& profile,
                                                                   const std::vector<Order>& near)>;

struct HtmlInput {
  const ResultSet& set;
  const ClauseList& clauses;
  AllowedOrdersOf allowed;
  std::optional<nlohmann::ordered_json> survey;  // of `conform survey --format=json`
  std::string conform;                           // the version that writes the report
};

}  // namespace conform::reports

#endif  // CONFORM_REPORTS_HTML_INPUT_H_
