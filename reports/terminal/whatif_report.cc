#include "reports/terminal/whatif_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "runners/base/check.h"

namespace conform::reports {
namespace {

using Json = nlohmann::ordered_json;

std::string EffectText(Effect effect, const Style& style) {
  switch (effect) {
    case Effect::kFails:
      return style.Bad("fails");
    case Effect::kMayFail:
      return style.Doubtful("may fail");
    case Effect::kNotDecided:
      return style.Doubtful("not decided");
    case Effect::kFewerOrders:
      return "fewer orders";
    case Effect::kNone:
      return "none";
  }
  CONFORM_CHECK(false);
}

std::string OrdersText(const std::vector<Order>& orders) {
  std::vector<std::string> texts;
  for (const Order& order : orders) texts.push_back("`" + OrderToString(order) + "`");
  return texts.empty() ? "nothing that ends" : Join(texts, ", ");
}

std::string CaseText(const CaseEffect& one, const Style& style) {
  std::string out = EffectText(one.effect, style) + "  " + style.Strong(one.case_id) + "\n";
  out += Wrap(one.title, "    ", "    ");
  out += Wrap(OrdersText(one.before), "    now:  ", "          ");
  out += Wrap(OrdersText(one.after), "    then: ", "          ");
  if (!one.limit.empty()) out += "    the limit on " + one.limit + " was hit\n";
  return out;
}

int64_t CountOf(const WhatIfReport& report, Effect effect) {
  return std::count_if(report.cases.begin(), report.cases.end(),
                       [&](const CaseEffect& one) { return one.effect == effect; });
}

template <typename List>
std::string Rest(const List& list, size_t limit, const char* what) {
  return list.size() > limit ? fmt::format("and {} more {}\n", list.size() - limit, what) : "";
}

}  // namespace

std::string RuleChangeText(const RuleChange& change, const std::string& indent) {
  return Wrap(change.summary + ": " + change.to + ", not " + change.from, indent, indent) +
         Wrap(change.words, indent, indent);
}

Json RuleChangeJson(const RuleChange& change) {
  return {{"rule", change.rule},     {"from", change.from},       {"to", change.to},
          {"clause", change.clause}, {"summary", change.summary}, {"words", change.words}};
}

std::string WhatIfText(const WhatIfReport& report, size_t limit, const Style& style) {
  std::string out;
  for (const RuleChange& change : report.changes) {
    out += style.Strong(report.profile + " with " + change.Name()) + "\n" + RuleChangeText(change, "  ");
    out += "  clause: " + change.clause + "\n";
  }
  out += "\n";
  for (size_t i = 0; i < std::min(limit, report.cases.size()); ++i) out += CaseText(report.cases[i], style);
  out += Rest(report.cases, limit, "cases");
  if (!report.cases.empty()) out += "\n";
  out += fmt::format("{} asked: {} would fail on any machine, {} may fail, {} would show fewer orders\n",
                     Counted(report.asked, "case"), CountOf(report, Effect::kFails), CountOf(report, Effect::kMayFail),
                     CountOf(report, Effect::kFewerOrders));
  if (const int64_t undecided = CountOf(report, Effect::kNotDecided))
    out += fmt::format("  {} not decided\n", undecided);
  if (report.without_model > 0) out += fmt::format("  {} without a model\n", report.without_model);
  for (size_t i = 0; i < std::min(limit, report.clauses.size()); ++i) {
    const ClauseEffect& clause = report.clauses[i];
    if (i == 0) out += "\nClauses whose cases change:\n";
    out += fmt::format("  {}  {} of {}\n", clause.clause, clause.changed, Counted(clause.cases, "case"));
  }
  out += Rest(report.clauses, limit, "clauses");
  if (report.judged_again == 0) return out;
  out += fmt::format("\n{} judged again: {} would change\n", Counted(report.judged_again, "result"),
                     report.results.size());
  for (size_t i = 0; i < std::min(limit, report.results.size()); ++i) {
    const ResultEffect& one = report.results[i];
    out += fmt::format("  {}  {}: {}, not {}\n", one.implementation, one.case_id, VerdictName(one.after),
                       VerdictName(one.before));
  }
  return out + Rest(report.results, limit, "results");
}

Json WhatIfJson(const WhatIfReport& report) {
  Json changes = Json::array(), cases = Json::array(), clauses = Json::array(), results = Json::array();
  for (const RuleChange& change : report.changes) changes.push_back(RuleChangeJson(change));
  for (const CaseEffect& one : report.cases) {
    Json json{{"case", one.case_id},
              {"effect", EffectName(one.effect)},
              {"clauses", one.clauses},
              {"before", one.before},
              {"after", one.after}};
    if (!one.limit.empty()) json["limit"] = one.limit;
    cases.push_back(std::move(json));
  }
  for (const ClauseEffect& one : report.clauses) {
    clauses.push_back({{"clause", one.clause}, {"changed", one.changed}, {"cases", one.cases}});
  }
  for (const ResultEffect& one : report.results) {
    results.push_back({{"case", one.case_id},
                       {"implementation", one.implementation},
                       {"before", VerdictName(one.before)},
                       {"after", VerdictName(one.after)}});
  }
  return {{"profile", report.profile},
          {"changes", std::move(changes)},
          {"asked", report.asked},
          {"without_model", report.without_model},
          {"cases", std::move(cases)},
          {"clauses", std::move(clauses)},
          {"judged_again", report.judged_again},
          {"results", std::move(results)}};
}

}  // namespace conform::reports
