// What the HTML report is made of.
#ifndef CONFORM_REPORTS_HTML_INPUT_H_
#define CONFORM_REPORTS_HTML_INPUT_H_

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "reports/knowledge.h"
#include "reports/result_set.h"
#include "runners/model/allowed_orders.h"
#include "runners/model/clause.h"

namespace conform::reports {

struct HtmlInput {
  const ResultSet& set;
  const ClauseList& clauses;
  // For each case of the set, the answers to its AllowedQuestionsOf (allowed.h); nothing where no single order can be
  // named. May be empty.
  std::vector<std::vector<std::optional<AllowedOrders>>> allowed;
  std::optional<nlohmann::ordered_json> survey;  // of `conform survey --format=json`
  std::string conform;                           // the version that writes the report
  Knowledge knowledge = {};                      // of the set
  // For each case of the set, more words to find it by: names of APIs. May be empty.
  std::vector<std::string> find_by = {};
  std::string playground = "";  // the address of the playground, as seen from the start page; "" where there is none
  std::vector<std::string> playground_families = {};  // that it has, the usual one first
  std::string site = "";  // the start page of the site that the report is part of, as seen from its own; "" for none
  std::vector<nlohmann::ordered_json> causes = {};  // of `conform causes --format=json`, one for each implementation
};

}  // namespace conform::reports

#endif  // CONFORM_REPORTS_HTML_INPUT_H_
