// Causes that fit equally: a program that tells them apart is searched for, and run.
#include <algorithm>
#include <utility>

#include "runners/study/causes.h"
#include "runners/study/shrink.h"
#include "runners/study/telling.h"

namespace conform {
namespace {

using reference::Membership;
using reference::Model;

constexpr size_t kMostSmallerTold = 150;  // programs that are tried to make one smaller

// Of the profile with all causes, what makes it that with an alternative in the place of one.
RuleChanges InstanceOf(const Cause& cause, const RuleChange& alternative) {
  if (alternative.rule == cause.change.rule) return {alternative};
  RuleChange back = cause.change;
  std::swap(back.from, back.to);
  return {back, alternative};
}

class CauseTeller {
 public:
  CauseTeller(CausesReport* report, const Profile& profile, const CausesSettings& settings)
      : report_(report), profile_(profile), settings_(settings) {}

  void Tell(TellingPrograms* programs) {
    while (!settings_.stopped()) {
      std::vector<RuleChanges> others;
      std::vector<Cause*> causes;  // of each of the others
      for (Cause& cause : report_->causes) {
        for (const RuleChange& alternative : cause.alternatives) {
          others.push_back(InstanceOf(cause, alternative));
          causes.push_back(&cause);
        }
      }
      const auto told = programs->Next(Found(), others);
      if (!told) return;
      Cause* last = nullptr;
      for (size_t i = 0; i < others.size(); ++i) {
        if (told->tells[i] != 0 && causes[i] != last) Judge(*told, causes[i]);
        last = causes[i];
      }
    }
  }

 private:
  // The profile with all causes.
  Profile Found() const {
    RuleChanges changes;
    for (const Cause& cause : report_->causes) changes.push_back(cause.change);
    return WithChanges(profile_, changes);
  }

  // What the cause and its alternatives say of the orders. Nothing is decided unless one of them explains the orders,
  // and another does not.
  void Judge(const TellingPrograms::Told& told, Cause* cause) {
    const Profile found = Found();
    RuleChanges candidates{cause->change};
    candidates.insert(candidates.end(), cause->alternatives.begin(), cause->alternatives.end());
    std::vector<Model> models;
    std::vector<Membership> says;
    for (const RuleChange& candidate : candidates) {
      const bool is_cause = candidate == cause->change;
      models.emplace_back(is_cause ? found : WithChanges(found, InstanceOf(*cause, candidate)));
      says.push_back(LateMembership(told.program, models.back(), told.orders));
    }
    const auto winner = std::find(says.begin(), says.end(), Membership::kIn);
    if (winner == says.end() || std::find(says.begin(), says.end(), Membership::kOut) == says.end()) return;
    const size_t kept = says[0] == Membership::kOut ? static_cast<size_t>(winner - says.begin()) : 0;
    std::vector<const Model*> ruled_out;
    for (size_t i = 0; i < candidates.size(); ++i) {
      if (says[i] == Membership::kOut) ruled_out.push_back(&models[i]);
    }
    const auto [program, given] = Smaller(told, models[static_cast<size_t>(winner - says.begin())], ruled_out);
    cause->change = candidates[kept];
    cause->alternatives.clear();
    for (size_t i = 0; i < candidates.size(); ++i) {
      if (says[i] == Membership::kOut) {
        cause->told_apart.push_back({candidates[i], program, given});
      } else if (i != kept) {
        cause->alternatives.push_back(candidates[i]);
      }
    }
  }

  // A smaller program, as long as the implementation gives only orders that one model allows and the others rule out.
  std::pair<Case, Order> Smaller(const TellingPrograms::Told& told, const Model& allows,
                                 const std::vector<const Model*>& ruled_out) const {
    const auto rules_out = [&](const Case& c, const std::vector<Order>& orders) {
      return std::all_of(ruled_out.begin(), ruled_out.end(),
                         [&](const Model* model) { return LateMembership(c, *model, orders) == Membership::kOut; });
    };
    Order given;
    const auto note = [&](const Case& c, const std::vector<Order>& orders) {
      given = *std::find_if(orders.begin(), orders.end(), [&](const Order& order) {
        return LateMembership(c, *ruled_out.front(), {order}) == Membership::kOut;
      });
    };
    note(told.program, told.orders);
    size_t tried = 0;
    const auto tells = [&](const Case& c) {
      if (reference::NotModelled(c, profile_.family)) return false;
      const auto orders = ObserveOften(c, settings_.observe);
      if (!orders || LateMembership(c, allows, *orders) != Membership::kIn) return false;
      if (!rules_out(c, *orders)) return false;
      note(c, *orders);
      return true;
    };
    const auto first_that_tells = [&](const std::vector<Case>& programs) -> std::optional<size_t> {
      for (size_t i = 0; i < programs.size() && tried < kMostSmallerTold && !settings_.stopped(); ++i, ++tried) {
        if (tells(programs[i])) return i;
      }
      return std::nullopt;
    };
    Case program = Shrink(told.program, profile_.family, first_that_tells);
    return {std::move(program), std::move(given)};
  }

  CausesReport* const report_;
  const Profile& profile_;
  const CausesSettings& settings_;
};

}  // namespace

void TellCausesApart(CausesReport* report, const Profiles& profiles, const Profile& profile,
                     const CausesSettings& settings) {
  TellingPrograms::Settings telling;
  telling.jobs = settings.jobs;
  telling.observe = settings.observe;
  telling.progress = settings.progress;
  telling.stopped = settings.stopped;
  TellingPrograms programs(profiles, profile, std::move(telling));
  CauseTeller(report, profile, settings).Tell(&programs);
}

}  // namespace conform
