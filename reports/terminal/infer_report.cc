#include "reports/terminal/infer_report.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "runners/base/text.h"

namespace conform::reports {
namespace {

using Json = nlohmann::ordered_json;

Json RuleJson(const InferredRule& rule) {
  Json json{{"rule", rule.rule}, {"value", rule.value}, {"clause", rule.clause}};
  if (!rule.others.empty()) {
    json["others"] = rule.others;
    json["reason"] = rule.reason;
  }
  return json;
}

}  // namespace

std::string InferText(const InferReport& report, const Style& style) {
  std::string out = fmt::format("{}, as a loop of the family {}: {} of {} decided, by {} and {}\n",
                                style.Strong(report.implementation), report.family, report.decided.size(),
                                Counted(static_cast<int64_t>(report.decided.size() + report.open.size()), "rule"),
                                Counted(report.cases, "case"), Counted(report.programs, "random program"));
  if (report.differences.empty()) {
    out += "  all that are decided are those of " + style.Strong(report.base) + "\n";
  } else {
    out += fmt::format("  nearest release: {}, which differs in {}\n", style.Strong(report.base),
                       Counted(static_cast<int64_t>(report.differences.size()), "rule"));
  }
  for (const RuleChange& change : report.differences) {
    out += "\n" + style.Strong("  " + change.Name()) + "\n";
    out += Wrap(change.summary + ": " + change.to + ", not " + change.from, "    ", "    ");
    out += Wrap(change.words, "    ", "    ");
  }
  if (!report.open.empty()) out += "\nnot decided:\n";
  for (const InferredRule& rule : report.open) {
    out += Wrap(fmt::format("{}: {} or {}", rule.rule, rule.value, Join(rule.others, " or ")), "  ", "    ");
    out += Wrap(rule.reason, "    ", "    ");
  }
  if (!report.unexplained.empty()) {
    out += "\n" + style.Doubtful("unexplained") + "\n" + Wrap(Join(report.unexplained, ", "), "  ", "  ");
  }
  if (report.interrupted) out += "\ninterrupted: less is decided than could be\n";
  return out;
}

Json InferJson(const InferReport& report) {
  Json decided = Json::array(), open = Json::array(), differences = Json::array();
  for (const InferredRule& rule : report.decided) decided.push_back(RuleJson(rule));
  for (const InferredRule& rule : report.open) open.push_back(RuleJson(rule));
  for (const RuleChange& change : report.differences) {
    differences.push_back({{"rule", change.rule}, {"value", change.to}, {"of_base", change.from}});
  }
  return {{"implementation", report.implementation},
          {"family", report.family},
          {"base", report.base},
          {"differences", std::move(differences)},
          {"decided", std::move(decided)},
          {"open", std::move(open)},
          {"cases", report.cases},
          {"programs", report.programs},
          {"unexplained", report.unexplained},
          {"interrupted", report.interrupted}};
}

}  // namespace conform::reports
