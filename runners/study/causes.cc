#include "runners/study/causes.h"

#include <algorithm>
#include <limits>

#include "runners/harness/parallel.h"
#include "runners/study/search.h"

namespace conform {
namespace {

using reference::Membership;
using reference::Model;
using reference::Timing;

constexpr int kMostSwaps = 8;
constexpr int64_t kWeakGain = 1;    // before a change with no more than this is taken, all are asked again
constexpr size_t kAskedAtOnce = 8;  // hypotheses between two looks at the best so far

void RemoveChange(std::vector<RuleChange>* changes, const RuleChange& change) {
  std::erase_if(*changes, [&](const RuleChange& one) { return one == change; });
}

}  // namespace

CauseFinder::CauseFinder(const CauseEvidence& evidence, const std::vector<RuleChange>& hypotheses,
                         CausesSettings settings)
    : evidence_(evidence), hypotheses_(hypotheses), settings_(std::move(settings)), questions_(evidence) {}

// A rule has one value: the newest change of it counts.
CauseFinder::Changes CauseFinder::With(Changes changes, const RuleChange& change) const {
  std::erase_if(changes, [&](const RuleChange& one) { return one.rule == change.rule; });
  changes.push_back(change);
  return changes;
}

// Only what is decided counts: a limit neither explains a failure nor contradicts a pass.
bool CauseFinder::Allows(Changed& changed, size_t index) const {
  const Membership membership = questions_.Late(changed, index);
  return evidence_.observations[index].fails ? membership == Membership::kIn : membership != Membership::kOut;
}

bool CauseFinder::GivesOnTime(Changed& changed, size_t index) const {
  return questions_.OnTime(changed, index) == Membership::kIn;
}

CauseFinder::Fit CauseFinder::FitOf(const Changes& changes) const {
  Changed& changed = questions_.With(changes);
  Fit fit;
  for (size_t i = 0; i < evidence_.observations.size(); ++i) {
    const bool allowed = Allows(changed, i);
    fit.allowed.push_back(allowed);
    if (evidence_.observations[i].fails) {
      fit.explained += allowed ? 1 : 0;
    } else {
      fit.contradicted += allowed ? 0 : 1;
    }
  }
  return fit;
}

int64_t CauseFinder::GainOf(const Changes& changes, const Fit& fit, const RuleChange& change) const {
  Changed& changed = questions_.With(With(changes, change));
  const auto& all = evidence_.observations;
  int64_t gain = 0;
  for (size_t i = 0; i < all.size(); ++i) {
    if (all[i].fails && !fit.allowed[i] && Allows(changed, i)) ++gain;
  }
  // Without a gain it is of no use, whatever it contradicts.
  for (size_t i = 0; i < all.size() && gain > 0; ++i) {
    if (all[i].fails) {
      if (fit.allowed[i] && !Allows(changed, i)) --gain;
    } else if (fit.allowed[i] != Allows(changed, i)) {
      gain += fit.allowed[i] ? -kPenalty : kPenalty;
    }
  }
  return gain;
}

// In the late set there is room for more than one explanation. A loop that gives the order without any delay is the
// better one.
int64_t CauseFinder::OnTimeFit(const Changes& changes, const std::vector<size_t>& of) const {
  Changed& changed = questions_.With(changes);
  return std::count_if(of.begin(), of.end(), [&](size_t index) { return GivesOnTime(changed, index); });
}

// Takes the best change, again and again. What a change gained in an earlier round is an estimate of what it gains now:
// those with a better estimate than the best so far are asked again, and all of them before the search ends.
void CauseFinder::Grow() {
  constexpr int64_t kUnknown = std::numeric_limits<int64_t>::max();
  std::vector<int64_t> estimates(hypotheses_.size(), kUnknown);
  bool all_asked = false;
  while (changes_.size() < settings_.most_causes && !settings_.stopped()) {
    std::vector<size_t> order;
    for (size_t i = 0; i < hypotheses_.size(); ++i) {
      const bool has_it = std::find(changes_.begin(), changes_.end(), hypotheses_[i]) != changes_.end();
      if (!has_it) order.push_back(i);
    }
    std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) { return estimates[a] > estimates[b]; });
    int64_t best = 0;
    size_t asked = 0;
    while (asked < order.size() && !settings_.stopped()) {
      // Equal ones are asked too: the one that fits better on time is taken.
      if (!all_asked && best > kWeakGain && estimates[order[asked]] < best) break;
      const size_t begin = asked, count = std::min(kAskedAtOnce, order.size() - asked);
      ForEachInOrder(
          count, settings_.jobs,
          [&](size_t index) {
            const size_t at = order[begin + index];
            estimates[at] = GainOf(changes_, fit_, hypotheses_[at]);
          },
          [&](size_t index) {
            best = std::max(best, estimates[order[begin + index]]);
            settings_.progress("cause " + std::to_string(changes_.size() + 1), begin + index + 1, order.size());
            return !settings_.stopped();
          });
      asked += count;
    }
    if (best <= 0) {
      if (asked == order.size() && !TakePair()) return;
      all_asked = true;
      continue;
    }
    all_asked = false;
    const RuleChange* chosen = nullptr;
    int64_t best_on_time = -1;
    for (size_t i = 0; i < asked; ++i) {
      if (estimates[order[i]] != best) continue;
      const Changes with = With(changes_, hypotheses_[order[i]]);
      const Fit fit = FitOf(with);
      std::vector<size_t> fresh;
      for (size_t at = 0; at < fit.allowed.size(); ++at) {
        if (evidence_.observations[at].fails && fit.allowed[at] && !fit_.allowed[at]) fresh.push_back(at);
      }
      const int64_t on_time = OnTimeFit(with, fresh);
      if (on_time <= best_on_time) continue;
      best_on_time = on_time;
      chosen = &hypotheses_[order[i]];
    }
    changes_ = With(changes_, *chosen);
    fit_ = FitOf(changes_);
  }
}

// Two rules that changed in one release may explain together what the first explains alone, without what it contradicts
// alone. Of values that no release has, too many pairs would fit something by chance.
bool CauseFinder::TakePair() {
  if (changes_.size() + 2 > settings_.most_causes) return false;
  const auto& all = evidence_.observations;
  std::vector<RuleChange> values;
  for (const RuleChange& change : hypotheses_) {
    const bool has_rule =
        std::any_of(changes_.begin(), changes_.end(), [&](const RuleChange& one) { return one.rule == change.rule; });
    if (change.of_release && !has_rule) values.push_back(change);
  }
  int64_t best = kWeakGain;
  Changes taken;
  for (const RuleChange& first : values) {
    if (settings_.stopped()) return false;
    const Changes with_first = With(changes_, first);
    Changed& changed = questions_.With(with_first);
    int64_t explained = 0;
    std::vector<size_t> contradicted;
    for (size_t i = 0; i < all.size(); ++i) {
      if (all[i].fails && !fit_.allowed[i]) explained += Allows(changed, i) ? 1 : 0;
    }
    if (explained <= best) continue;
    for (size_t i = 0; i < all.size(); ++i) {
      if (fit_.allowed[i] && !Allows(changed, i)) contradicted.push_back(i);
    }
    for (const RuleChange& second : values) {
      if (second.rule == first.rule) continue;
      Changed& both = questions_.With(With(with_first, second));
      const bool helps =
          std::any_of(contradicted.begin(), contradicted.end(), [&](size_t i) { return Allows(both, i); });
      const int64_t gain = helps ? GainOf(with_first, fit_, second) : 0;
      if (gain <= best) continue;
      best = gain;
      taken = {first, second};
    }
  }
  for (const RuleChange& change : taken) changes_ = With(std::move(changes_), change);
  if (!taken.empty()) fit_ = FitOf(changes_);
  return !taken.empty();
}

void CauseFinder::DropWhatIsNotNeeded() {
  for (size_t i = changes_.size(); i-- > 0 && !settings_.stopped();) {
    Changes fewer = changes_;
    RemoveChange(&fewer, changes_[i]);
    Fit fit = FitOf(fewer);
    if (fit.value() < fit_.value()) continue;
    changes_ = std::move(fewer);
    fit_ = std::move(fit);
  }
}

std::vector<RuleChange> CauseFinder::AlternativesTo(const RuleChange& change, const std::vector<size_t>& explains,
                                                    bool* better) const {
  Changes others = changes_;
  RemoveChange(&others, change);
  std::vector<RuleChange> alternatives;
  const int64_t on_time = OnTimeFit(changes_, explains);
  for (const RuleChange& other : hypotheses_) {
    if (settings_.stopped()) break;
    const bool has_it = std::find(changes_.begin(), changes_.end(), other) != changes_.end();
    const bool same_rule =
        std::any_of(others.begin(), others.end(), [&](const RuleChange& one) { return one.rule == other.rule; });
    if (has_it || same_rule) continue;
    const Changes with = With(others, other);
    Changed& changed = questions_.With(with);
    const bool explains_all =
        std::all_of(explains.begin(), explains.end(), [&](size_t at) { return Allows(changed, at); });
    if (!explains_all) continue;
    const Fit fit = FitOf(with);
    if (fit.value() < fit_.value()) continue;
    const int64_t on_time_of_other = OnTimeFit(with, explains);
    const auto mine = std::pair(fit_.value(), on_time), theirs = std::pair(fit.value(), on_time_of_other);
    if (theirs > mine) {
      *better = true;
      return {other};
    }
    if (theirs == mine && fit == fit_) alternatives.push_back(other);
  }
  return alternatives;
}

// In the order in which each adds most to those before it.
std::vector<Cause> CauseFinder::Attribute() const {
  std::vector<Cause> causes;
  Changes left = changes_, so_far;
  std::vector<size_t> unexplained;
  for (size_t i = 0; i < fit_.allowed.size(); ++i) {
    if (evidence_.observations[i].fails && fit_.allowed[i]) unexplained.push_back(i);
  }
  while (!left.empty()) {
    size_t best = 0;
    std::vector<size_t> best_explains;
    for (size_t i = 0; i < left.size(); ++i) {
      Changed& changed = questions_.With(With(so_far, left[i]));
      std::vector<size_t> explains;
      for (const size_t at : unexplained) {
        if (Allows(changed, at)) explains.push_back(at);
      }
      if (i > 0 && explains.size() <= best_explains.size()) continue;
      best = i;
      best_explains = std::move(explains);
    }
    std::stable_sort(best_explains.begin(), best_explains.end(), [&](size_t a, size_t b) {
      return SizeOfCase(*evidence_.observations[a].c) < SizeOfCase(*evidence_.observations[b].c);
    });
    Cause cause;
    cause.change = left[best];
    for (const size_t at : best_explains) {
      cause.explains.push_back(evidence_.observations[at].c->id);
      std::erase(unexplained, at);
    }
    so_far = With(std::move(so_far), left[best]);
    left.erase(left.begin() + static_cast<std::ptrdiff_t>(best));
    causes.push_back(std::move(cause));
  }
  return causes;
}

bool CauseFinder::IsMended(const Observation& one, const Model& model, const Model& fixed) const {
  const Case& c = *one.c;
  const reference::ExploreLimits& limits = one.limits;
  const reference::Exploration right = reference::Explore(c, model, Timing::kOnTime, limits);
  const reference::Exploration after = reference::Explore(c, fixed, Timing::kOnTime, limits);
  if (!right.complete || !after.complete) return false;
  const Inclusion inclusion = Includes(after.orders, right.orders);
  return !inclusion.truncated && !inclusion.counter_example;
}

bool CauseFinder::ImproveBySwaps() {
  bool improved = false;
  for (int swaps = 0; swaps < kMostSwaps; ++swaps) {
    bool swapped = false;
    for (const Cause& cause : Attribute()) {
      std::vector<size_t> explains;
      for (size_t i = 0; i < evidence_.observations.size(); ++i) {
        const std::string& id = evidence_.observations[i].c->id;
        if (std::find(cause.explains.begin(), cause.explains.end(), id) != cause.explains.end()) explains.push_back(i);
      }
      bool better = false;
      const std::vector<RuleChange> others = AlternativesTo(cause.change, explains, &better);
      if (!better) continue;
      RemoveChange(&changes_, cause.change);
      changes_ = With(std::move(changes_), others.front());
      fit_ = FitOf(changes_);
      swapped = improved = true;
      break;
    }
    if (!swapped) break;
  }
  return improved;
}

CausesReport CauseFinder::Find() {
  CausesReport report;
  report.implementation = evidence_.implementation;
  report.profile = evidence_.profile.Name();
  report.failing = evidence_.failing();
  report.passing = evidence_.passing();
  report.without_model = evidence_.without_model;
  report.without_orders = evidence_.without_orders;
  report.older = evidence_.older;
  report.undecided = evidence_.undecided;

  changes_.clear();
  fit_ = FitOf(changes_);
  if (report.failing > 0) {
    Grow();
    DropWhatIsNotNeeded();
    if (ImproveBySwaps()) {
      Grow();
      DropWhatIsNotNeeded();
    }
  }
  report.causes = Attribute();
  ForEachInOrder(
      report.causes.size(), settings_.jobs,
      [&](size_t index) {
        Cause& cause = report.causes[index];
        Changes others = changes_;
        RemoveChange(&others, cause.change);
        const Model model(evidence_.profile), fixed(WithChanges(evidence_.profile, others));
        std::vector<size_t> explains;
        for (size_t i = 0; i < evidence_.observations.size(); ++i) {
          const Observation& one = evidence_.observations[i];
          if (!one.fails || !fit_.allowed[i]) continue;
          const bool mine = std::find(cause.explains.begin(), cause.explains.end(), one.c->id) != cause.explains.end();
          if (mine) explains.push_back(i);
          if (IsMended(one, model, fixed)) cause.mends.push_back(one.c->id);
        }
        bool better = false;
        cause.alternatives = AlternativesTo(cause.change, explains, &better);
      },
      [&](size_t index) {
        settings_.progress("alternatives of a cause", index + 1, report.causes.size());
        return true;
      });
  for (size_t i = 0; i < fit_.allowed.size(); ++i) {
    const Observation& one = evidence_.observations[i];
    if (fit_.allowed[i]) continue;
    if (one.fails) {
      report.unexplained.emplace_back(one.c->id, one.orders.front());
    } else {
      report.contradicted.push_back(one.c->id);
    }
  }
  report.interrupted = settings_.stopped();
  return report;
}

}  // namespace conform
