#include "runners/study/what_if.h"

#include <algorithm>
#include <utility>

#include "reference-impl/explore/explorer.h"
#include "runners/base/check.h"
#include "runners/harness/parallel.h"
#include "runners/judge/judge.h"

namespace conform {
namespace {

using reference::Membership;
using reference::Timing;

// Orders that stand for a set: they are shown, and held against the late set.
constexpr size_t kShownOrders = 3;
constexpr size_t kMostProved = 50;

reference::ExploreLimits LimitsOfOneQuestion() {
  reference::ExploreLimits limits;
  limits.max_callbacks = 50'000;
  limits.max_total_callbacks = 2'000'000;
  limits.max_cpu_ms = 5'000;
  limits.max_memory_bytes = 256LL << 20;
  return limits;
}

// A change can make a loop spin where it ended before; it then gives an order that never ends.
constexpr char kSpins[] = "callbacks in one run";

Verdict VerdictOf(const std::vector<Try>& tries) { return Judge(tries, Basis::kProof).verdict; }

}  // namespace

std::string_view EffectName(Effect effect) {
  switch (effect) {
    case Effect::kFails:
      return "fails";
    case Effect::kMayFail:
      return "may-fail";
    case Effect::kNotDecided:
      return "not-decided";
    case Effect::kFewerOrders:
      return "fewer-orders";
    case Effect::kNone:
      return "none";
  }
  CONFORM_CHECK(false);
}

WhatIf::WhatIf(const Profile& profile, std::vector<RuleChange> changes, const std::vector<SelectedCase>& cases,
               const Profiles& profiles)
    : profile_(profile), changed_(WithChanges(profile, changes)), changes_(std::move(changes)), profiles_(profiles) {
  const ProfileFamily& family = *profiles.Find(profile.family);
  for (const SelectedCase& selected : cases) {
    const Case& c = selected.c;
    if (c.ExpectationFor(profile.family, profile.version) == nullptr) continue;
    if (family.Unsupported(c, profile.version)) continue;
    if (reference::NotModelled(c, profile.family)) {
      ++without_model_;
    } else {
      asked_.push_back(&c);
    }
  }
}

CaseEffect WhatIf::EffectOn(const Case& c) const {
  CaseEffect found{c.id, c.title, c.clauses, Effect::kNone, {}, {}, ""};
  const reference::ExploreLimits limits = LimitsOfOneQuestion();
  const reference::Exploration before = reference::Explore(c, profile_, Timing::kOnTime, limits);
  const reference::Exploration after = reference::Explore(c, changed_, Timing::kOnTime, limits);
  found.before = before.orders.Enumerate(kShownOrders);
  found.after = after.orders.Enumerate(kShownOrders);
  if (before.complete && after.limit_hit == kSpins) {
    found.effect = Effect::kFails;
    found.limit = after.limit_hit;
    return found;
  }
  const Inclusion new_in_old = Includes(after.orders, before.orders),
                  old_in_new = Includes(before.orders, after.orders);
  if (!before.complete || !after.complete || new_in_old.truncated || old_in_new.truncated) {
    found.effect = Effect::kNotDecided;
    found.limit = !before.complete ? before.limit_hit : !after.complete ? after.limit_hit : "states of the comparison";
    return found;
  }
  if (!new_in_old.counter_example) {
    found.effect = old_in_new.counter_example ? Effect::kFewerOrders : Effect::kNone;
    return found;
  }
  const std::vector<Order> orders = after.orders.Enumerate(kMostProved + 1);
  const reference::Model model(profile_);
  const bool all_outside =
      orders.size() <= kMostProved && std::all_of(orders.begin(), orders.end(), [&](const Order& order) {
        return reference::CanGive(c, model, Timing::kLate, order, limits) == Membership::kOut;
      });
  found.effect = all_outside ? Effect::kFails : Effect::kMayFail;
  // What is new is more worth showing than what was there before.
  if (std::find(found.after.begin(), found.after.end(), *new_in_old.counter_example) == found.after.end()) {
    found.after.front() = *new_in_old.counter_example;
  }
  return found;
}

std::optional<Verdict> WhatIf::VerdictThen(const Case& c, const CaseResult& result) const {
  if (result.case_id != c.id || result.content_hash != c.content_hash || result.basis != Basis::kProof) {
    return std::nullopt;
  }
  const auto held_to = profiles_.Resolve(result.profile);
  if (!held_to || held_to->family != profile_.family || held_to->rules != profile_.rules) return std::nullopt;
  const bool ended =
      std::all_of(result.tries.begin(), result.tries.end(), [](const Try& one) { return one.trouble.empty(); });
  if (result.tries.empty() || !ended) return std::nullopt;
  const reference::Model model(changed_);
  const reference::ExploreLimits limits = LimitsOfOneQuestion();
  std::vector<Try> tries = result.tries;
  for (Try& one : tries) {
    const Order order = one.trace.ToOrder();
    const bool on_time = reference::CanGive(c, model, Timing::kOnTime, order, limits) == Membership::kIn;
    LateSet late = LateSet::kLimit;
    if (!on_time) {
      const Membership membership = reference::CanGive(c, model, Timing::kLate, order, limits);
      if (membership != Membership::kLimit) late = membership == Membership::kIn ? LateSet::kIn : LateSet::kOut;
    }
    one.standing = StandingOf(on_time, late);
  }
  return VerdictOf(tries);
}

WhatIfReport WhatIf::Report(const std::vector<CaseResult>& results, int jobs, const Progress& progress) const {
  std::vector<CaseEffect> effects(asked_.size());
  ForEachInOrder(
      effects.size(), jobs, [&](size_t index) { effects[index] = EffectOn(*asked_[index]); },
      [&](size_t index) {
        progress(index + 1, effects[index].case_id);
        return true;
      });
  WhatIfReport report;
  report.profile = profile_.Name();
  report.changes = changes_;
  report.asked = static_cast<int64_t>(asked_.size());
  report.without_model = without_model_;
  std::map<std::string, ClauseEffect> clauses;
  std::map<std::string, const Case*> by_id;
  for (size_t i = 0; i < effects.size(); ++i) {
    by_id[asked_[i]->id] = asked_[i];
    const bool fails = effects[i].effect == Effect::kFails || effects[i].effect == Effect::kMayFail;
    for (const std::string& id : effects[i].clauses) {
      ClauseEffect& clause = clauses[id];
      clause.clause = id;
      ++clause.cases;
      clause.changed += fails ? 1 : 0;
    }
    if (effects[i].effect != Effect::kNone) report.cases.push_back(std::move(effects[i]));
  }
  std::stable_sort(report.cases.begin(), report.cases.end(),
                   [](const CaseEffect& a, const CaseEffect& b) { return a.effect < b.effect; });
  for (auto& [id, clause] : clauses) {
    if (clause.changed > 0) report.clauses.push_back(std::move(clause));
  }
  std::stable_sort(report.clauses.begin(), report.clauses.end(),
                   [](const ClauseEffect& a, const ClauseEffect& b) { return a.changed > b.changed; });
  for (const CaseResult& result : results) {
    const auto c = by_id.find(result.case_id);
    if (c == by_id.end()) continue;
    const std::optional<Verdict> then = VerdictThen(*c->second, result);
    if (!then) continue;
    ++report.judged_again;
    if (*then == result.verdict) continue;
    report.results.push_back({result.case_id, result.implementation, result.verdict, *then});
  }
  return report;
}

}  // namespace conform
