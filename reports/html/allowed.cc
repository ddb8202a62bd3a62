#include "reports/html/allowed.h"

#include <algorithm>

namespace conform::reports {
namespace {

constexpr size_t kMaxNear = 20;

}  // namespace

int AllowedQuestions::Add(const CaseResult& result) {
  if (result.tries.empty() || result.expected.empty()) return -1;
  const bool pass = result.verdict == Verdict::kPass;
  const auto [place, is_new] =
      index_.try_emplace({result.expected, pass ? "" : result.profile}, static_cast<int>(all_.size()));
  if (is_new) all_.push_back({result.expected, result.profile, {}});
  std::vector<Order>& near = all_[place->second].near;
  for (const Try& one : result.tries) {
    Order order = one.trace.ToOrder();
    if (near.size() < kMaxNear && std::find(near.begin(), near.end(), order) == near.end()) {
      near.push_back(std::move(order));
    }
  }
  return place->second;
}

std::vector<AllowedQuestion> AllowedQuestionsOf(const ResultSet& set, size_t case_index) {
  AllowedQuestions questions;
  for (size_t i = 0; i < set.implementations().size(); ++i) {
    for (const CaseResult& result : set.Of(case_index, i)) questions.Add(result);
  }
  return questions.all();
}

}  // namespace conform::reports
