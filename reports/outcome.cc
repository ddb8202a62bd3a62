#include "reports/behaviours.h"
#include "reports/first_difference.h"
#include "reports/writers.h"
#include "runners/base/text.h"

namespace conform::reports {

std::string BasesText(const std::map<Basis, int64_t>& bases) {
  std::vector<std::string> parts;
  for (const auto& [basis, count] : bases) {
    if (basis != Basis::kNone) parts.push_back(std::to_string(count) + " by " + std::string(BasisName(basis)));
  }
  return parts.empty() ? "" : "decided " + Join(parts, ", ");
}

std::string Explanation(const CaseResult& result) {
  const std::string difference = OutcomeOf(result.verdict) == Outcome::kBad ? FirstDifferenceText(result) : "";
  const std::string text = difference.empty() ? result.reason : difference;
  return text.empty() ? std::string(VerdictName(result.verdict)) : text;
}

std::string ObservedText(const CaseResult& result, size_t max_bytes) {
  const std::vector<ObservedOrder> orders = ObservedOrders(result);
  std::vector<std::string> all;
  for (const ObservedOrder& one : orders) {
    std::string text = one.Text();
    if (orders.size() > 1) text += " (" + std::to_string(one.count) + (one.count == 1 ? " time)" : " times)");
    all.push_back(std::move(text));
  }
  return Shortened(Join(all, ", "), max_bytes);
}

}  // namespace conform::reports
