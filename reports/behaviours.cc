#include "reports/behaviours.h"

#include <algorithm>

#include "runners/base/text.h"
#include "runners/model/pattern.h"

namespace conform::reports {

std::vector<ObservedOrder> ObservedOrders(const CaseResult& result) {
  std::map<std::pair<Order, bool>, int64_t> counts;
  for (const Try& one : result.tries) ++counts[{one.trace.ToOrder(), one.trouble.empty()}];
  std::vector<ObservedOrder> orders;
  for (const auto& [key, count] : counts) orders.push_back({key.first, count, key.second});
  std::stable_sort(orders.begin(), orders.end(), [](const auto& a, const auto& b) { return a.count > b.count; });
  return orders;
}

std::string ObservedOrder::Text() const { return OrderToString(order) + (ended ? "" : " …"); }

int Behaviours::Add(const CaseResult& result) {
  if (result.tries.empty()) return kNone;
  std::set<std::string> orders;
  for (const ObservedOrder& one : ObservedOrders(result)) orders.insert(one.Text());
  // Without an expectation there is nothing that could cover two orders.
  const bool pass = result.verdict == Verdict::kPass && !result.expected.empty();
  int behaviour = static_cast<int>(orders_.size());
  if (const auto known = by_orders_.find(orders); known != by_orders_.end()) {
    behaviour = known->second;
  } else if (const auto alike = by_expectation_.find(result.expected); pass && alike != by_expectation_.end()) {
    behaviour = alike->second;
  }
  if (behaviour == static_cast<int>(orders_.size())) orders_.emplace_back();
  orders_[behaviour].insert(orders.begin(), orders.end());
  if (pass) by_expectation_.try_emplace(result.expected, behaviour);
  by_orders_.try_emplace(std::move(orders), behaviour);
  return behaviour;
}

std::vector<std::string> Behaviours::Texts() const {
  std::vector<std::string> texts;
  for (const std::set<std::string>& orders : orders_) {
    texts.push_back(Shortened(Join({orders.begin(), orders.end()}, " | "), kMaxTextBytes));
  }
  return texts;
}

}  // namespace conform::reports
