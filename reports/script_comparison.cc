#include "reports/script_comparison.h"

#include <algorithm>

namespace conform::reports {

int64_t ScriptSide::runs() const {
  int64_t sum = 0;
  for (const auto& [order, count] : orders) sum += count;
  return sum;
}

ScriptSide SideOf(const CaseResult& result) {
  ScriptSide side{result.implementation, result.profile, {}, result.tries.empty() ? result.reason : ""};
  for (const Try& one : result.tries) {
    ++side.orders[OrderToString(one.trace.ToOrder()) + (one.trouble.empty() ? "" : " …")];
  }
  return side;
}

bool ScriptComparison::Has(Likeness likeness) const {
  return std::any_of(pairs.begin(), pairs.end(),
                     [&](const ScriptPair& pair) { return pair.likened.likeness == likeness; });
}

bool ScriptComparison::IsSilent() const {
  const auto is_silent = [](const ScriptSide& side) {
    return side.orders.size() == 1 && side.orders.contains(OrderToString({}));
  };
  return !sides.empty() && std::all_of(sides.begin(), sides.end(), is_silent);
}

ScriptComparison CompareScript(std::string script, std::vector<ScriptSide> sides) {
  ScriptComparison comparison{std::move(script), std::move(sides), {}};
  std::vector<size_t> ran;
  for (size_t i = 0; i < comparison.sides.size(); ++i) {
    if (comparison.sides[i].runs() > 0) ran.push_back(i);
  }
  if (ran.size() > 2) comparison.level = kMaxChance / static_cast<double>(ran.size() * (ran.size() - 1) / 2);
  for (size_t i = 0; i < ran.size(); ++i) {
    for (size_t k = i + 1; k < ran.size(); ++k) {
      const auto counts = CountPairs(comparison.sides[ran[i]].orders, comparison.sides[ran[k]].orders);
      comparison.pairs.push_back({ran[i], ran[k], Liken(counts, comparison.level)});
    }
  }
  return comparison;
}

}  // namespace conform::reports
