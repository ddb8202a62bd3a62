#include "reports/html/behaviours.h"

#include "runners/base/text.h"
#include "runners/model/pattern.h"

namespace conform::reports {

int Behaviours::Add(const CaseResult& result) {
  if (result.tries.empty()) return kNone;
  std::set<std::string> orders;
  for (const Try& one : result.tries) {
    orders.insert(OrderToString(one.trace.ToOrder()) + (one.trouble.empty() ? "" : " …"));
  }
  const bool pass = result.verdict == Verdict::kPass;
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

std::string Shortened(const std::string& text, size_t bytes) {
  if (text.size() <= bytes) return text;
  size_t end = bytes;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;
  return text.substr(0, end) + "…";
}

}  // namespace conform::reports
