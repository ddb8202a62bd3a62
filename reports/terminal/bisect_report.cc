#include "reports/terminal/bisect_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "reports/terminal/script_report.h"
#include "runners/base/text.h"

namespace conform::reports {
namespace {

using Json = nlohmann::ordered_json;

constexpr size_t kMostOrders = 8;   // of one release
constexpr size_t kMostSkipped = 5;  // releases

// The most frequent first.
std::vector<std::pair<Order, int64_t>> ByCount(const ReleaseSample& sample) {
  std::vector<std::pair<Order, int64_t>> orders(sample.orders.begin(), sample.orders.end());
  std::stable_sort(orders.begin(), orders.end(), [](const auto& a, const auto& b) { return a.second > b.second; });
  return orders;
}

std::string SampleText(const ReleaseSample& sample, const std::string& place, size_t width) {
  const std::string first = "    " + Padded(place, width) + "  ";
  const std::string rest(Columns(first), ' ');
  std::string out;
  const auto orders = ByCount(sample);
  for (size_t i = 0; i < std::min(kMostOrders, orders.size()); ++i) {
    out += Wrap(fmt::format("{} × {}", orders[i].second, OrderToString(orders[i].first)), i == 0 ? first : rest,
                rest + "    ");
  }
  if (orders.size() > kMostOrders) out += rest + fmt::format("and {} more orders\n", orders.size() - kMostOrders);
  if (!sample.trouble.empty()) out += Wrap(sample.trouble, rest, rest);
  return out;
}

std::string ChangeText(const BisectReport& report, size_t index, const Style& style) {
  const BisectChange& change = report.changes[index];
  const ReleaseSample &before = report.samples[change.before], &after = report.samples[change.after];
  std::string out = "\n  " + style.Strong("changed in " + after.version);
  if (!change.not_run.empty()) out += ", or in " + Join(change.not_run, ", ") + ", which could not be judged";
  if (change.is_taken_back) out += ", and back in " + report.samples[report.changes[index + 1].after].version;
  out += "\n";
  const size_t width = std::max(before.version.size(), after.version.size());
  out += SampleText(before, before.version, width) + SampleText(after, after.version, width);
  for (const RuleBehind& rule : change.rules) {
    out +=
        Wrap(fmt::format("by {} ({}): {}, not {}", rule.rule, rule.clause, rule.after, rule.before), "    ", "      ");
  }
  for (const ScriptCause& cause : change.may_be_due) out += ScriptCauseText(cause, "    ");
  return out;
}

Json OrdersJson(const ReleaseSample& sample) {
  Json orders = Json::array();
  for (const auto& [order, count] : ByCount(sample)) orders.push_back({{"order", order}, {"count", count}});
  return orders;
}

}  // namespace

std::string BisectText(const BisectReport& report, const Style& style) {
  const ReleaseSample &first = report.samples.front(), &last = report.samples.back();
  std::string out =
      fmt::format("{} on {}, {} to {}: {}, {} run\n", style.Strong(report.program), report.runtime, first.version,
                  last.version, Counted(static_cast<int64_t>(report.releases), "release"), report.samples.size());
  if (report.changes.empty()) {
    out += fmt::format("  {} and {} agree, and so do those between them that were run\n", first.version, last.version);
    out += SampleText(last, last.version, last.version.size());
  }
  for (size_t i = 0; i < report.changes.size(); ++i) out += ChangeText(report, i, style);
  std::vector<std::string> ran;
  for (const ReleaseSample& sample : report.samples) ran.push_back(sample.version);
  out += "\n" + Wrap(Join(ran, ", "), "  run: ", "    ");
  if (!report.undecided.empty()) {
    out += Wrap(Join(report.undecided, ", "), "  too few runs to decide: ", "    ");
  }
  for (size_t i = 0; i < std::min(kMostSkipped, report.skipped.size()); ++i) {
    out += Wrap(report.skipped[i].first + ": " + report.skipped[i].second, "  skipped ", "    ");
  }
  if (report.skipped.size() > kMostSkipped) {
    out += fmt::format("  and {} more skipped\n", report.skipped.size() - kMostSkipped);
  }
  if (report.interrupted) out += "  interrupted: there may be more\n";
  return out;
}

Json BisectJson(const BisectReport& report) {
  Json samples = Json::array(), changes = Json::array(), skipped = Json::array();
  for (const ReleaseSample& sample : report.samples) {
    Json one{{"release", sample.version}, {"claims", sample.claims}, {"orders", OrdersJson(sample)}};
    if (!sample.trouble.empty()) one["trouble"] = sample.trouble;
    samples.push_back(std::move(one));
  }
  for (const BisectChange& change : report.changes) {
    Json rules = Json::array(), may_be_due = Json::array();
    for (const RuleBehind& rule : change.rules) {
      rules.push_back({{"rule", rule.rule}, {"before", rule.before}, {"after", rule.after}, {"clause", rule.clause}});
    }
    for (const ScriptCause& cause : change.may_be_due) may_be_due.push_back(ScriptCauseJson(cause));
    changes.push_back({{"before", report.samples[change.before].version},
                       {"after", report.samples[change.after].version},
                       {"not_run", change.not_run},
                       {"taken_back", change.is_taken_back},
                       {"rules", std::move(rules)},
                       {"may_be_due_to", std::move(may_be_due)}});
  }
  for (const auto& [version, why] : report.skipped) skipped.push_back({{"release", version}, {"reason", why}});
  return {{"program", report.program},     {"runtime", report.runtime},        {"releases", report.releases},
          {"run", std::move(samples)},     {"changes", std::move(changes)},    {"undecided", report.undecided},
          {"skipped", std::move(skipped)}, {"interrupted", report.interrupted}};
}

}  // namespace conform::reports
