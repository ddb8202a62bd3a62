#include "reports/terminal/verify_report.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "reports/baseline_text.h"
#include "reports/gate.h"
#include "reports/terminal/comparison.h"
#include "runners/base/check.h"

namespace conform::reports {
namespace {

using Json = nlohmann::ordered_json;

std::string Painted(Stability stability, const Style& style) {
  const std::string name = Padded(StabilityName(stability), 8);
  switch (stability) {
    case Stability::kStable:
    case Stability::kVaries:
      return style.Good(name);
    case Stability::kLate:
    case Stability::kNotRun:
      return style.Doubtful(name);
    case Stability::kRefuted:
    case Stability::kWrong:
      return style.Bad(name);
  }
  CONFORM_CHECK(false);
}

// What a baseline would say of a case that gave several verdicts; one verdict where it did not.
KnownVerdicts Suggested(const Verified& one) {
  KnownVerdicts verdicts;
  for (const CaseResult* round : {&one.calm, &one.disturbed}) {
    for (const auto& [verdict, count] : DecidedVerdicts(*round)) verdicts.seen[verdict] += count;
  }
  return verdicts;
}

Json RoundJson(const CaseResult& result) {
  Json orders = Json::array();
  for (const auto& [order, count] : HistogramOf(result)) orders.push_back({{"order", order}, {"count", count}});
  return Json{{"verdict", VerdictName(result.verdict)}, {"reason", result.reason}, {"orders", std::move(orders)}};
}

}  // namespace

std::string VerifyText(const VerifyReport& report, const Style& style) {
  std::string out;
  for (const Verified& one : report.all) {
    const Stability stability = one.stability();
    const bool as_itself = one.calm.profile.empty() || one.calm.profile == one.calm.implementation;
    out += fmt::format("{}  {}  {}{}\n", Painted(stability, style), style.Strong(one.calm.case_id),
                       one.calm.implementation, as_itself ? "" : "  " + one.calm.profile);
    if (stability == Stability::kStable) continue;
    if (stability == Stability::kNotRun) {
      out += Wrap(one.calm.reason, "    ", "    ");
      continue;
    }
    if (stability == Stability::kRefuted) {
      out += "    the case states that nothing in it depends on time, and gives several orders\n";
    }
    out += Wrap("`" + one.calm.expected + "`", "    expected: ", "              ");
    for (const CaseResult* round : {&one.calm, &one.disturbed}) {
      out += round == &one.calm ? "    undisturbed:\n" : "    disturbed:\n";
      out += HistogramText(HistogramOf(*round), "    ");
      if (!round->reason.empty()) out += Wrap(round->reason, "      ", "      ");
    }
    if (const KnownVerdicts verdicts = Suggested(one); verdicts.varies()) {
      out += "    for a baseline (spec/gate.md):\n      " + YamlText(one.calm.case_id) + ":\n";
      for (const std::string& line : VerdictLines(verdicts)) out += "        " + line + "\n";
    }
  }
  if (!out.empty()) out += "\n";
  out += Counted(static_cast<int64_t>(report.all.size()), "result") + "\n";
  for (const Stability stability : kStabilities) {
    if (const int64_t count = report.Count(stability); count > 0) {
      out += fmt::format("  {} {}\n", count, StabilityName(stability));
    }
  }
  return out;
}

Json VerifyJson(const VerifyReport& report) {
  Json results = Json::array();
  for (const Verified& one : report.all) {
    Json result{{"case", one.calm.case_id},
                {"implementation", one.calm.implementation},
                {"profile", one.calm.profile},
                {"expected", one.calm.expected},
                {"stability", StabilityName(one.stability())},
                {"calm", RoundJson(one.calm)},
                {"disturbed", RoundJson(one.disturbed)}};
    const KnownVerdicts verdicts = Suggested(one);
    if (verdicts.varies()) result["baseline"] = KnownVerdictsJson(verdicts);
    results.push_back(std::move(result));
  }
  Json totals = Json::object();
  for (const Stability stability : kStabilities) {
    if (const int64_t count = report.Count(stability); count > 0) totals[std::string(StabilityName(stability))] = count;
  }
  return Json{{"totals", std::move(totals)}, {"results", std::move(results)}};
}

}  // namespace conform::reports
