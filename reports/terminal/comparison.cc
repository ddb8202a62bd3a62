#include "reports/terminal/comparison.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "runners/base/text.h"

namespace conform::reports {
namespace {

constexpr size_t kMaxOrdersShown = 10;
constexpr size_t kMaxOrderBytes = 700;  // some ten lines

// Orders are text here; labels hold no spaces.
std::vector<std::string> Labels(const std::string& order) {
  std::vector<std::string> labels = Split(order, ' ');
  if (labels.size() == 1 && labels[0].empty()) labels.clear();
  return labels;
}

// How many labels all of the orders begin with.
size_t CommonBeginning(const std::vector<std::vector<std::string>>& orders) {
  size_t common = 0;
  const auto has = [&](const std::vector<std::string>& order) {
    return common < order.size() && order[common] == orders[0][common];
  };
  while (std::all_of(orders.begin(), orders.end(), has)) ++common;
  return common;
}

// `A [B] C`; an order that ends where others continue gets `[end]`.
std::string Marked(std::vector<std::string> labels, size_t at) {
  if (at < labels.size()) {
    labels[at] = "[" + labels[at] + "]";
  } else {
    labels.emplace_back("[end]");
  }
  return Join(labels, " ");
}

std::string GroupText(const Comparison::Group& group, const std::string& marked) {
  std::string out = marked.empty() ? HistogramText(group.orders, "  ") : Wrap(marked, "  ", "    ");
  return out + Wrap(Join(group.names, ", "), "      ", "      ");
}

}  // namespace

Histogram HistogramOf(const CaseResult& result) {
  Histogram histogram;
  for (const ObservedOrder& one : ObservedOrders(result)) {
    histogram.emplace_back(one.Text(), one.count);
  }
  std::sort(histogram.begin(), histogram.end(), [](const auto& a, const auto& b) {
    return a.second != b.second ? a.second > b.second : a.first < b.first;
  });
  return histogram;
}

std::string ShownOrder(const std::string& order) {
  if (order.size() <= kMaxOrderBytes) return order;
  const size_t end = order.rfind(' ', kMaxOrderBytes);
  if (end == std::string::npos) return order;
  const auto left = 1 + std::count(order.begin() + static_cast<std::ptrdiff_t>(end) + 1, order.end(), ' ');
  return order.substr(0, end) + fmt::format(" … and {} more", left);
}

std::string HistogramText(const Histogram& histogram, std::string_view indent) {
  std::string out;
  for (size_t i = 0; i < histogram.size() && i < kMaxOrdersShown; ++i) {
    const std::string times = fmt::format("{}{:>6} × ", indent, histogram[i].second);
    out += Wrap(ShownOrder(histogram[i].first), times, std::string(Columns(times), ' '));
  }
  if (histogram.size() > kMaxOrdersShown) {
    out += fmt::format("{}       and {} more orders\n", indent, histogram.size() - kMaxOrdersShown);
  }
  return out;
}

void Comparison::Add(const CaseResult& result) {
  Seen& seen = seen_[result.case_id];
  const int behaviour = seen.behaviours.Add(result);
  if (behaviour == Behaviours::kNone) return;
  if (static_cast<size_t>(behaviour) == seen.orders.size()) seen.orders.push_back(HistogramOf(result));
  all_.push_back({result.case_id, result.implementation, result.profile, static_cast<size_t>(behaviour)});
}

std::vector<Comparison::Difference> Comparison::Differences() const {
  std::vector<Difference> differences;
  std::map<std::string, size_t> places;
  std::map<std::pair<std::string, std::string>, std::set<std::string>> profiles;
  for (const One& one : all_) profiles[{one.case_id, one.implementation}].insert(one.profile);
  for (const One& one : all_) {
    const auto [place, is_new] = places.try_emplace(one.case_id, differences.size());
    if (is_new) differences.push_back({one.case_id, {}});
    std::vector<Group>& groups = differences[place->second].groups;
    if (one.behaviour == groups.size()) groups.push_back({{}, seen_.at(one.case_id).orders[one.behaviour]});
    const bool several = profiles[{one.case_id, one.implementation}].size() > 1;
    groups[one.behaviour].names.push_back(several ? one.implementation + " as " + one.profile : one.implementation);
  }
  std::erase_if(differences, [](const Difference& difference) { return difference.groups.size() < 2; });
  return differences;
}

std::string DifferencesText(const std::vector<Comparison::Difference>& differences, size_t limit, const Style& style) {
  std::string out;
  for (size_t i = 0; i < differences.size() && i < limit; ++i) {
    const Comparison::Difference& difference = differences[i];
    out += style.Strong(difference.case_id) + "\n";
    std::vector<std::vector<std::string>> orders;
    for (const auto& group : difference.groups) {
      if (group.orders.size() == 1) orders.push_back(Labels(group.orders[0].first));
    }
    const size_t common = orders.size() > 1 ? CommonBeginning(orders) : 0;
    for (const auto& group : difference.groups) {
      const bool single = group.orders.size() == 1;
      std::string marked;
      if (single) {
        marked = orders.size() > 1 ? Marked(Labels(group.orders[0].first), common) : "`" + group.orders[0].first + "`";
      }
      out += GroupText(group, marked);
    }
  }
  if (differences.size() > limit) out += fmt::format("and {} more\n", differences.size() - limit);
  return out;
}

nlohmann::ordered_json DifferencesJson(const std::vector<Comparison::Difference>& differences) {
  nlohmann::ordered_json all = nlohmann::ordered_json::array();
  for (const auto& difference : differences) {
    nlohmann::ordered_json groups = nlohmann::ordered_json::array();
    for (const auto& group : difference.groups) {
      nlohmann::ordered_json orders = nlohmann::ordered_json::array();
      for (const auto& [order, count] : group.orders) orders.push_back({{"order", order}, {"count", count}});
      groups.push_back({{"implementations", group.names}, {"orders", std::move(orders)}});
    }
    all.push_back({{"case", difference.case_id}, {"groups", std::move(groups)}});
  }
  return all;
}

}  // namespace conform::reports
