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
#include "runners/model/allowed_orders.h"
#include "runners/model/case.h"
#include "runners/model/clause.h"

namespace conform::reports {

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
