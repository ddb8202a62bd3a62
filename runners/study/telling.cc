#include "runners/study/telling.h"

#include <algorithm>
#include <set>
#include <utility>

#include "runners/harness/parallel.h"

namespace conform {
namespace {

using reference::Membership;
using reference::Model;
using reference::Timing;

constexpr size_t kMostOrdersThatTell = 12;  // of a program that could decide something
constexpr int kRunsOfAProgram = 3;
constexpr int64_t kMostCallbacksAsked = 20'000;
constexpr int64_t kMostCpuMsAsked = 500;

reference::ExploreLimits LimitsOfProgram() {
  reference::ExploreLimits limits;
  limits.max_callbacks = kMostCallbacksAsked;
  limits.max_total_callbacks = 50 * kMostCallbacksAsked;
  limits.max_cpu_ms = kMostCpuMsAsked;
  return limits;
}

}  // namespace

GivenOnTime FindGivenOnTime(const Case& c, const Profile& profile) {
  GivenOnTime given;
  const Model model(profile);
  given.read = RulesReadBy(model, [&] {
    const reference::Exploration found = reference::Explore(c, model, Timing::kOnTime, LimitsOfProgram());
    given.orders = found.orders.Enumerate(kMostOrdersThatTell + 1);
    if (!found.complete || given.orders.size() > kMostOrdersThatTell) given.orders.clear();
  });
  return given;
}

bool WouldTell(const Case& c, const GivenOnTime& given, const Profile& profile, const RuleChanges& changes) {
  if (given.orders.empty()) return false;
  const Model other(WithChanges(profile, changes));
  // Where it reads none of the rules it gives them too, for it does the same.
  const bool is_read = std::any_of(changes.begin(), changes.end(), [&](const RuleChange& change) {
    return given.read[NumberOfRule(other, change.rule)];
  });
  return is_read && std::all_of(given.orders.begin(), given.orders.end(), [&](const Order& order) {
           return reference::CanGive(c, other, Timing::kLate, order, LimitsOfProgram()) == Membership::kOut;
         });
}

Membership LateMembership(const Case& c, const Model& model, const std::vector<Order>& orders) {
  Membership all = Membership::kIn;
  for (const Order& order : orders) {
    const Membership one = reference::CanGive(c, model, Timing::kLate, order, LimitsOfProgram());
    if (one == Membership::kOut) return one;
    if (one == Membership::kLimit) all = one;
  }
  return all;
}

std::optional<std::vector<Order>> ObserveOften(
    const Case& c, const std::function<RunOutcome(const Case& c, int64_t number)>& observe) {
  std::set<Order> seen;
  for (int run = 0; run < kRunsOfAProgram; ++run) {
    const RunOutcome outcome = observe(c, run);
    if (outcome.trouble != Trouble::kNone) return std::nullopt;
    seen.insert(outcome.trace.ToOrder());
  }
  return std::vector<Order>(seen.begin(), seen.end());
}

TellingPrograms::TellingPrograms(const Profiles& profiles, const Profile& profile, Settings settings)
    : settings_(std::move(settings)) {
  auto lexicon = LexiconOf(*profiles.Find(profile.family), profile.version, {});
  if (lexicon) generator_.emplace(std::move(*lexicon), settings_.seed);
}

std::optional<TellingPrograms::Told> TellingPrograms::Next(const Profile& profile,
                                                           const std::vector<RuleChanges>& others) {
  while (generator_ && !others.empty() && drawn_ < settings_.programs && !settings_.stopped()) {
    ++drawn_;
    settings_.progress("random programs", static_cast<size_t>(drawn_), static_cast<size_t>(settings_.programs));
    Case c = generator_->Make(drawn_);
    if (reference::NotModelled(c, profile.family)) continue;
    const GivenOnTime given = FindGivenOnTime(c, profile);
    std::vector<char> tells(others.size(), 0);  // of bytes, which threads may write side by side
    ForEachInOrder(
        others.size(), settings_.jobs, [&](size_t i) { tells[i] = WouldTell(c, given, profile, others[i]) ? 1 : 0; },
        [](size_t) { return true; });
    if (std::find(tells.begin(), tells.end(), 1) == tells.end()) continue;
    auto orders = ObserveOften(c, settings_.observe);
    if (orders) return Told{std::move(c), std::move(*orders), std::move(tells)};
  }
  return std::nullopt;
}

}  // namespace conform
