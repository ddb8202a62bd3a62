#include "runners/study/cause_search.h"

#include <algorithm>
#include <limits>
#include <tuple>
#include <utility>

#include "runners/harness/parallel.h"

namespace conform {
namespace {

using reference::Membership;

constexpr int kMostNeighbours = 12;  // that are moved to, one after the other
constexpr int64_t kWeakGain = 1;     // before a change with no more than this is taken, all are asked again
constexpr int64_t kCostOfRelease = 3;
constexpr size_t kAskedAtOnce = 8;  // hypotheses between two looks at the best so far

bool Has(const CauseSearch::Changes& changes, const RuleChange& change) {
  return std::find(changes.begin(), changes.end(), change) != changes.end();
}

// A machine that was slow once looks like an order that only a delay explains. A value that releases have is
// believed for one of them; one that no release has is not.
int64_t LeastGainOnTime(const RuleChange& change) { return change.of_release ? 1 : 2; }

bool IsOf(const Profile& release, const RuleChange& change) {
  const auto value = release.rules.find(change.rule);
  return change.of_release && value != release.rules.end() && value->second == change.to;
}

}  // namespace

CauseSearch::CauseSearch(const CauseEvidence& evidence, const std::vector<RuleChange>& hypotheses,
                         CauseSearchSettings settings, CauseQuestions* questions)
    : evidence_(evidence),
      hypotheses_(hypotheses),
      settings_(std::move(settings)),
      questions_(*questions),
      unchanged_(FitOf({})) {}

CauseSearch::Changes CauseSearch::With(Changes changes, const RuleChange& change) {
  std::erase_if(changes, [&](const RuleChange& one) { return one.rule == change.rule; });
  changes.push_back(change);
  return changes;
}

CauseSearch::Changes CauseSearch::Without(Changes changes, const RuleChange& change) {
  std::erase(changes, change);
  return changes;
}

// Only what is decided counts: a limit neither explains a failure nor contradicts a pass.
bool CauseSearch::Allows(const CauseEvidence& evidence, CauseQuestions::Changed& changed, size_t index,
                         CauseQuestions* questions) {
  const Membership membership = questions->Late(changed, index);
  return evidence.observations[index].fails ? membership == Membership::kIn : membership != Membership::kOut;
}

// In the late set there is room for more than one explanation. A loop that gives the order without any delay is the
// better one.
bool CauseSearch::GivesOnTime(CauseQuestions::Changed& changed, size_t index) const {
  return questions_.OnTime(changed, index) == Membership::kIn;
}

CauseFit CauseSearch::FitOf(const CauseEvidence& evidence, const Changes& changes, CauseQuestions* questions) {
  CauseQuestions::Changed& changed = questions->With(changes);
  CauseFit fit;
  for (size_t i = 0; i < evidence.observations.size(); ++i) {
    const bool allowed = Allows(evidence, changed, i, questions);
    const bool on_time = allowed && questions->OnTime(changed, i) == Membership::kIn;
    fit.allowed.push_back(allowed);
    fit.on_time.push_back(on_time);
    fit.without_delay += on_time ? 1 : 0;
    if (evidence.observations[i].fails) {
      fit.explained += allowed ? 1 : 0;
    } else {
      fit.contradicted += allowed ? 0 : 1;
    }
  }
  return fit;
}

int64_t CauseSearch::GainOf(const Changes& changes, const CauseFit& fit, const RuleChange& change) const {
  CauseQuestions::Changed& changed = questions_.With(With(changes, change));
  const auto& all = evidence_.observations;
  const auto weight = [&](size_t i) { return all[i].fails ? 1 : CauseFit::kPenalty; };
  int64_t gain = 0;
  for (size_t i = 0; i < all.size(); ++i) {
    if (!fit.allowed[i] && Allows(changed, i)) gain += weight(i);
  }
  // From here on it only falls.
  for (size_t i = 0; i < all.size() && gain > 0; ++i) {
    if (fit.allowed[i] && !Allows(changed, i)) gain -= weight(i);
  }
  return gain;
}

int64_t CauseSearch::GainOnTime(const Found& found, const RuleChange& change) const {
  CauseQuestions::Changed& changed = questions_.With(With(found.changes, change));
  const CauseFit& fit = found.fit;
  int64_t gain = 0;
  for (size_t i = 0; i < fit.allowed.size(); ++i) {
    if (!fit.on_time[i] && fit.allowed[i] && GivesOnTime(changed, i)) ++gain;
  }
  for (size_t i = 0; i < fit.allowed.size() && gain > 0; ++i) {
    if (fit.allowed[i] && !Allows(changed, i)) return 0;
    if (fit.on_time[i] && !GivesOnTime(changed, i)) --gain;
  }
  return gain;
}

// Whether the profile with this change alone explains something, or gives something without a delay.
bool CauseSearch::HasAlone(const RuleChange& change) const {
  CauseQuestions::Changed& changed = questions_.With({change});
  for (size_t i = 0; i < unchanged_.allowed.size(); ++i) {
    if (!unchanged_.allowed[i] && Allows(changed, i)) return true;
    if (unchanged_.allowed[i] && !unchanged_.on_time[i] && GivesOnTime(changed, i)) return true;
  }
  return false;
}

CauseSearch::Found CauseSearch::Start(Changes changes, const Profile* release) const {
  Found found{std::move(changes), {}, release};
  found.fit = FitOf(found.changes);
  return found;
}

// What releases have is more likely, and the values of one release are one guess. Where few changes do, it is none.
int64_t CauseSearch::CostOf(const Found& found) const {
  int64_t cost = found.release == nullptr ? 0 : kCostOfRelease;
  for (const RuleChange& change : found.changes) {
    if (found.release != nullptr && IsOf(*found.release, change)) continue;
    cost += change.of_release ? 1 : 2;
  }
  return cost;
}

bool CauseSearch::IsBetter(const Found& a, const Found& b) const {
  return std::tuple(a.fit.value(), a.fit.without_delay, -CostOf(a)) >
         std::tuple(b.fit.value(), b.fit.without_delay, -CostOf(b));
}

std::vector<size_t> CauseSearch::Candidates(const Found& found, Values values, const RuleChange* avoided) const {
  std::vector<size_t> candidates;
  for (size_t i = 0; i < hypotheses_.size(); ++i) {
    const RuleChange& change = hypotheses_[i];
    if (Has(found.changes, change) || (avoided != nullptr && change == *avoided)) continue;
    if (change.of_release || values == Values::kAll) candidates.push_back(i);
  }
  return candidates;
}

// Takes the best change, again and again. What a change gained in an earlier round is an estimate of what it gains now:
// those with a better estimate than the best so far are asked again, and all of them before the search ends.
void CauseSearch::Grow(Found* found, Values values, const RuleChange* avoided) const {
  constexpr int64_t kUnknown = std::numeric_limits<int64_t>::max();
  std::vector<int64_t> estimates(hypotheses_.size(), kUnknown);
  while (!settings_.stopped()) {
    std::vector<size_t> order = Candidates(*found, values, avoided);
    std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) { return estimates[a] > estimates[b]; });
    int64_t best = 0;
    size_t asked = 0;
    while (asked < order.size() && !settings_.stopped()) {
      // Equal ones are asked too: the one that fits better on time is taken.
      if (best > kWeakGain && estimates[order[asked]] < best) break;
      const size_t begin = asked, count = std::min(kAskedAtOnce, order.size() - asked);
      ForEachInOrder(
          count, settings_.jobs,
          [&](size_t index) {
            const size_t at = order[begin + index];
            estimates[at] = GainOf(found->changes, found->fit, hypotheses_[at]);
          },
          [&](size_t index) {
            best = std::max(best, estimates[order[begin + index]]);
            settings_.progress("cause " + std::to_string(found->changes.size() + 1), begin + index + 1, order.size());
            return !settings_.stopped();
          });
      asked += count;
    }
    if (best <= 0) return;
    if (found->changes.size() >= settings_.most_causes) {
      found->at_limit = true;
      return;
    }
    std::optional<Found> chosen;
    for (size_t i = 0; i < asked; ++i) {
      const RuleChange& change = hypotheses_[order[i]];
      if (estimates[order[i]] != best) continue;
      Found with = Start(With(found->changes, change), found->release);
      const auto rank = [](const Found& one) {
        return std::pair(one.fit.without_delay, one.changes.back().of_release);
      };
      if (!chosen || rank(with) > rank(*chosen)) chosen = std::move(with);
    }
    *found = std::move(*chosen);
  }
}

// What passes late, and never on time, is evidence too: a change that gives all of it without a delay is a better
// explanation than a machine that was slow in the same place each time.
void CauseSearch::GrowOnTime(Found* found, const RuleChange* avoided) const {
  while (!settings_.stopped() && found->changes.size() < settings_.most_causes) {
    const RuleChange* chosen = nullptr;
    int64_t best = 0;
    for (const size_t at : Candidates(*found, Values::kAll, avoided)) {
      const RuleChange& change = hypotheses_[at];
      const int64_t gain = GainOnTime(*found, change);
      const bool is_chosen = gain > best || (gain == best && chosen != nullptr && !chosen->of_release);
      if (gain < LeastGainOnTime(change) || !is_chosen) continue;
      best = gain;
      chosen = &change;
    }
    if (chosen == nullptr) return;
    *found = Start(With(found->changes, *chosen), found->release);
  }
}

// Two rules that changed in one release may explain together what neither explains alone, or what one explains alone
// without what it contradicts. Of values that no release has, too many pairs would fit something by chance.
bool CauseSearch::TakePair(Found* found) const {
  if (found->changes.size() + 2 > settings_.most_causes) return false;
  std::vector<size_t> values = Candidates(*found, Values::kOfReleases, nullptr);
  std::erase_if(values, [&](size_t at) {
    return std::any_of(found->changes.begin(), found->changes.end(),
                       [&](const RuleChange& one) { return one.rule == hypotheses_[at].rule; }) ||
           questions_.With(With(found->changes, hypotheses_[at])).spins();
  });
  std::vector<std::pair<int64_t, size_t>> best(values.size(), {kWeakGain, 0});  // of the pairs with each as the first
  ForEachInOrder(
      values.size(), settings_.jobs,
      [&](size_t first) {
        const Changes with_first = With(found->changes, hypotheses_[values[first]]);
        for (size_t second = first + 1; second < values.size() && !settings_.stopped(); ++second) {
          const RuleChange& change = hypotheses_[values[second]];
          if (change.rule == hypotheses_[values[first]].rule) continue;
          best[first] = std::max(best[first], {GainOf(with_first, found->fit, change), values[second]},
                                 [](const auto& a, const auto& b) { return a.first < b.first; });
        }
      },
      [&](size_t first) {
        settings_.progress("pairs of values", first + 1, values.size());
        return !settings_.stopped();
      });
  const auto chosen =
      std::max_element(best.begin(), best.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  if (chosen == best.end() || chosen->first <= kWeakGain) return false;
  const RuleChange& first = hypotheses_[values[static_cast<size_t>(chosen - best.begin())]];
  *found = Start(With(With(found->changes, first), hypotheses_[chosen->second]), found->release);
  return true;
}

// Whatever is not needed goes, guesses first. Of a release as a whole, what explains something by itself stays: its
// values come together.
void CauseSearch::Drop(Found* found) const {
  Changes order = found->changes;
  std::reverse(order.begin(), order.end());
  std::stable_partition(order.begin(), order.end(), [](const RuleChange& change) { return !change.of_release; });
  for (const RuleChange& change : order) {
    if (settings_.stopped()) return;
    Found fewer = Start(Without(found->changes, change), found->release);
    if (fewer.fit.value() < found->fit.value()) continue;
    if (fewer.fit.value() == found->fit.value()) {
      if (found->fit.without_delay - fewer.fit.without_delay >= LeastGainOnTime(change)) continue;
      if (found->release != nullptr && IsOf(*found->release, change) && HasAlone(change)) continue;
    }
    *found = std::move(fewer);
  }
}

// Without one change that it has, and with whatever explains best what is left.
bool CauseSearch::TakeBetterNeighbour(Found* found) const {
  for (size_t i = 0; i < found->changes.size() && !settings_.stopped(); ++i) {
    settings_.progress("other explanations", i + 1, found->changes.size());
    const RuleChange& avoided = found->changes[i];
    Found other = Start(Without(found->changes, avoided), found->release);
    Grow(&other, Values::kAll, &avoided);
    if (other.fit.value() < found->fit.value()) continue;
    GrowOnTime(&other, &avoided);
    Drop(&other);
    if (settings_.stopped() || !IsBetter(other, *found)) continue;
    *found = std::move(other);
    return true;
  }
  return false;
}

void CauseSearch::Improve(Found* found) const {
  Grow(found, Values::kAll, nullptr);
  GrowOnTime(found, nullptr);
  Drop(found);
}

// What a native case stands for may differ by version; no rule says so.
bool CauseSearch::FitsAll(const Found& found) const {
  for (size_t i = 0; i < found.fit.allowed.size(); ++i) {
    if (!found.fit.allowed[i] && evidence_.observations[i].c->models.empty()) return false;
  }
  return true;
}

std::optional<CauseSearch::Found> CauseSearch::StartOfRelease() const {
  std::optional<Found> best;
  for (const Profile& release : settings_.releases) {
    Changes changes;
    for (const RuleChange& change : hypotheses_) {
      if (IsOf(release, change)) changes.push_back(change);
    }
    if (changes.empty() || changes.size() > settings_.most_causes || settings_.stopped()) continue;
    Found found = Start(std::move(changes), &release);
    const auto rank = [](const Found& one) {
      return std::tuple(one.fit.value(), one.fit.without_delay, -static_cast<int64_t>(one.changes.size()));
    };
    if (found.fit.value() > unchanged_.value() && (!best || rank(found) > rank(*best))) best = std::move(found);
  }
  return best;
}

CauseSearch::Found CauseSearch::Find() const {
  std::vector<Found> starts{Start({}, nullptr)};
  // What releases have comes first: a deviation may look like one of their values.
  starts.push_back(starts.front());
  Grow(&starts.back(), Values::kOfReleases, nullptr);
  if (auto whole = StartOfRelease()) starts.push_back(std::move(*whole));
  for (Found& found : starts) Improve(&found);
  Found best = std::move(
      *std::max_element(starts.begin(), starts.end(), [&](const Found& a, const Found& b) { return IsBetter(b, a); }));
  if (best.release != nullptr && FitsAll(best)) return best;
  while (!settings_.stopped() && !FitsAll(best) && TakePair(&best)) Improve(&best);
  for (int moves = 0; moves < kMostNeighbours && TakeBetterNeighbour(&best); ++moves) {
  }
  return best;
}

}  // namespace conform
