#include "runners/study/allowed_orders.h"

#include <algorithm>
#include <set>

#include "reference-impl/explore/explorer.h"
#include "runners/harness/expected_orders.h"

namespace conform {
namespace {

constexpr size_t kMaxShown = 8;          // besides the nearest ones
constexpr size_t kMaxConsidered = 500;   // orders among which the nearest is looked for
constexpr size_t kMaxLabels = 500'000;   // in all of those together
constexpr size_t kMaxCounted = 100'000;  // a set with more is reported as "at least"

// A report is drawn for many cases: one that takes long to explore is shown with fewer orders.
reference::ExploreLimits Limits() {
  reference::ExploreLimits limits;
  limits.max_runs = 5'000;
  limits.max_total_callbacks = 3'000'000;
  limits.max_orders = kMaxConsidered;
  return limits;
}

bool HasAnyLabel(const Automaton& automaton) {
  for (int state = 0; state < automaton.size(); ++state) {
    for (const Automaton::Edge& edge : automaton.edges(state)) {
      if (edge.kind == Automaton::EdgeKind::kAnyLabel) return true;
    }
  }
  return false;
}

// Not more than fit into memory: orders of some cases have a quarter of a million labels.
std::vector<Order> Considered(const Automaton& automaton) {
  const std::vector<Order> shortest = automaton.Enumerate(1);
  if (shortest.empty()) return {};
  return automaton.Enumerate(std::clamp<size_t>(kMaxLabels / (shortest[0].size() + 1), 1, kMaxConsidered));
}

size_t CommonBeginning(const Order& a, const Order& b) {
  return static_cast<size_t>(std::mismatch(a.begin(), a.end(), b.begin(), b.end()).first - a.begin());
}

// The first few, and the nearest to each of `near`; in the order in which they are in `orders`.
std::vector<Order> Chosen(const std::vector<Order>& orders, const std::vector<Order>& near) {
  std::set<size_t> chosen;
  for (size_t i = 0; i < std::min(orders.size(), kMaxShown); ++i) chosen.insert(i);
  for (const Order& observed : near) {
    const auto nearest = std::max_element(orders.begin(), orders.end(), [&](const Order& a, const Order& b) {
      return CommonBeginning(a, observed) < CommonBeginning(b, observed);
    });
    // Of those that share as much, the very one that was observed, where it is there.
    const auto equal = std::find(orders.begin(), orders.end(), observed);
    chosen.insert(static_cast<size_t>((equal == orders.end() ? nearest : equal) - orders.begin()));
  }
  std::vector<Order> all;
  for (const size_t index : chosen) all.push_back(orders[index]);
  return all;
}

Trace TraceOf(const Order& order) {
  Trace trace;
  for (const std::string& label : order) trace.events.push_back({label, {}, {}, "", ""});
  return trace;
}

std::optional<AllowedOrders> FromPattern(const Case& c, const Profile& profile, const std::vector<Order>& near) {
  const Expectation* expectation = c.ExpectationFor(profile.family, profile.version);
  if (expectation == nullptr) return std::nullopt;
  const ExpectedOrders expected(c, *expectation);
  if (HasAnyLabel(expected.automaton())) return std::nullopt;
  std::vector<Order> orders = Considered(expected.automaton());
  const bool all = orders.size() == expected.automaton().CountOrders(orders.size() + 1);
  std::erase_if(orders, [&](const Order& order) { return WrongCount(order, expected.counts()).has_value(); });
  if (orders.empty()) return std::nullopt;
  AllowedOrders allowed;
  for (const Order& order : Chosen(orders, near)) allowed.traces.push_back(TraceOf(order));
  allowed.total = orders.size();
  allowed.at_least = !all;
  return allowed;
}

}  // namespace

std::optional<AllowedOrders> FindAllowedOrders(const Profiles& profiles, const Case& c, const std::string& profile_name,
                                               const std::vector<Order>& near) {
  const Result<Profile> profile = profiles.Resolve(profile_name);
  if (!profile) return std::nullopt;
  if (reference::NotModelled(c, profile->family) || profiles.Find(profile->family)->Unsupported(c, profile->version)) {
    return FromPattern(c, *profile, near);
  }
  const reference::Exploration found = reference::Explore(c, *profile, reference::Timing::kOnTime, Limits());
  const std::vector<Order> orders = Considered(found.orders);
  if (orders.empty()) return FromPattern(c, *profile, near);
  AllowedOrders allowed;
  allowed.total = found.orders.CountOrders(kMaxCounted);
  allowed.at_least = !found.complete || allowed.total == kMaxCounted;
  for (reference::ModelRun& run :
       reference::Explain(c, *profile, reference::Timing::kOnTime, Chosen(orders, near), Limits())) {
    allowed.traces.push_back(std::move(run.trace));
  }
  if (allowed.traces.empty()) return FromPattern(c, *profile, near);
  return allowed;
}

}  // namespace conform
