#include "reports/terminal/script_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "reports/terminal/comparison.h"
#include "runners/base/check.h"

namespace conform::reports {
namespace {

using Json = nlohmann::ordered_json;

constexpr size_t kMaxPairsShown = 20;

std::string Painted(Likeness likeness, const Style& style) {
  const std::string name(LikenessName(likeness));
  switch (likeness) {
    case Likeness::kEqual:
    case Likeness::kOverlapping:
      return style.Good(name);
    case Likeness::kDifferent:
      return style.Bad(name);
    case Likeness::kUndecided:
      return style.Doubtful(name);
  }
  CONFORM_CHECK(false);
}

// "1 of 1,000,000": the power of ten that the chance is certainly below.
std::string OneIn(double chance) {
  double power = 1'000;
  while (power < 1e15 && chance <= 0.1 / power) power *= 10;
  std::string digits = fmt::format("{:.0f}", power);
  for (size_t at = digits.size(); at > 3; at -= 3) digits.insert(at - 3, ",");
  return "1 of " + digits;
}

std::string Evidence(const Likened& likened) {
  switch (likened.likeness) {
    case Likeness::kEqual:
      return "the same orders, about as often";
    case Likeness::kOverlapping:
      return "some orders were seen on one side alone, no more often than chance explains";
    case Likeness::kDifferent:
      return "chance alone would produce such a difference in at most " + OneIn(likened.chance) + " comparisons";
    case Likeness::kUndecided:
      return "no order was seen on both sides, but in too few runs to exclude chance; raise --repeat";
  }
  CONFORM_CHECK(false);
}

Histogram MostOftenFirst(const ScriptSide& side) {
  Histogram histogram(side.orders.begin(), side.orders.end());
  std::stable_sort(histogram.begin(), histogram.end(),
                   [](const auto& a, const auto& b) { return a.second > b.second; });
  return histogram;
}

}  // namespace

std::string ScriptCauseText(const ScriptCause& cause, const std::string& indent) {
  const std::string rule = fmt::format("{} (since {} {}, {})", cause.rule, cause.family, cause.since, cause.clause);
  const std::string text = cause.is_shown
                               ? "due to " + rule + ", by the model of what it schedules; see: conform lift " +
                                     Quoted(cause.case_id) + ", conform show " + cause.clause
                               : "may be due to " + rule + "; see: conform history " + cause.case_id;
  return Wrap(text, indent, indent + "  ");
}

Json ScriptCauseJson(const ScriptCause& cause) {
  Json json{{"rule", cause.rule},
            {"family", cause.family},
            {"since", cause.since},
            {"clause", cause.clause},
            {"case", cause.case_id}};
  if (cause.is_shown) json["is_shown"] = true;
  return json;
}

std::string ScriptText(const ScriptReport& report, const Style& style) {
  const ScriptComparison& comparison = report.comparison;
  std::string out = style.Strong(comparison.script) + "\n";
  for (const ScriptSide& side : comparison.sides) {
    if (side.runs() == 0) {
      out += Wrap(side.name + ": " + side.why_none, "  ", "    ");
      continue;
    }
    out += "  " + side.name + ", " + Counted(side.runs(), "run") + "\n" + HistogramText(MostOftenFirst(side), "  ");
  }
  for (size_t i = 0; i < comparison.pairs.size() && i < kMaxPairsShown; ++i) {
    const ScriptPair& pair = comparison.pairs[i];
    const std::string names = comparison.sides[pair.a].name + " and " + comparison.sides[pair.b].name;
    out += Wrap(names + ": " + Painted(pair.likened.likeness, style) + "; " + Evidence(pair.likened), "  ", "    ");
  }
  if (comparison.pairs.size() > kMaxPairsShown) {
    out += fmt::format("  and {} more pairs\n", comparison.pairs.size() - kMaxPairsShown);
  }
  for (const ScriptCause& cause : report.causes) out += ScriptCauseText(cause, "  ");
  return out;
}

Json ScriptJson(const ScriptReport& report) {
  const ScriptComparison& comparison = report.comparison;
  Json sides = Json::array(), pairs = Json::array(), causes = Json::array();
  for (const ScriptSide& side : comparison.sides) {
    Json orders = Json::array();
    for (const auto& [order, count] : MostOftenFirst(side)) orders.push_back({{"order", order}, {"count", count}});
    Json one{{"implementation", side.name}, {"runs", side.runs()}, {"orders", std::move(orders)}};
    if (side.runs() == 0) one["reason"] = side.why_none;
    sides.push_back(std::move(one));
  }
  for (const ScriptPair& pair : comparison.pairs) {
    pairs.push_back({{"implementations", {comparison.sides[pair.a].name, comparison.sides[pair.b].name}},
                     {"likeness", LikenessName(pair.likened.likeness)},
                     {"chance", pair.likened.chance}});
  }
  for (const ScriptCause& cause : report.causes) causes.push_back(ScriptCauseJson(cause));
  return {{"script", comparison.script}, {"source", report.source},   {"level", comparison.level},
          {"sides", std::move(sides)},   {"pairs", std::move(pairs)}, {"causes", std::move(causes)}};
}

}  // namespace conform::reports
