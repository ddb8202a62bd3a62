#include "runners/study/cause_truth.h"

#include <algorithm>
#include <mutex>
#include <utility>

#include "runners/harness/parallel.h"

namespace conform {
namespace {

using reference::Exploration;
using reference::Model;
using reference::Timing;

constexpr char kSpinning[] = "callbacks in one run";
constexpr int64_t kMostRunsOfSet = 5'000;
constexpr int64_t kMostCallbacksOfSet = 1'000'000;

// Of one case, with one change.
struct ChangedSet {
  size_t index;  // of the observation
  Exploration found;
};

bool AreTheSame(const Automaton& a, const Automaton& b) {
  const auto is_in = [](const Automaton& one, const Automaton& other) {
    const Inclusion inclusion = Includes(one, other);
    return !inclusion.truncated && !inclusion.counter_example;
  };
  return a == b || (is_in(a, b) && is_in(b, a));
}

// A loop that ends differs from one that spins.
bool AreTheSame(const Exploration& a, const Exploration& b) {
  return a.limit_hit == b.limit_hit && AreTheSame(a.orders, b.orders);
}

reference::ExploreLimits LimitsOfSet(const Observation& one) {
  reference::ExploreLimits limits = one.limits;
  limits.max_runs = kMostRunsOfSet;
  limits.max_total_callbacks = kMostCallbacksOfSet;
  return limits;
}

bool IsNamed(const CausesReport& report, const RuleChange& change) {
  return std::any_of(report.causes.begin(), report.causes.end(), [&](const Cause& cause) {
    return cause.change == change ||
           std::find(cause.alternatives.begin(), cause.alternatives.end(), change) != cause.alternatives.end();
  });
}

// The late sets of the observed cases that each change alone makes others.
class LateSets {
 public:
  LateSets(const CauseEvidence& evidence, const std::vector<RuleChange>& changes)
      : evidence_(evidence), model_(evidence.profile), changes_(changes), sets_(changes.size()) {
    for (const RuleChange& change : changes) {
      changed_.emplace_back(change.ApplyTo(evidence.profile));
      numbers_.push_back(NumberOfRule(model_, change.rule));
    }
  }

  void Find(int jobs) {
    ForEachInOrder(
        evidence_.observations.size(), jobs, [&](size_t index) { return Compare(index); }, [](size_t) { return true; });
    for (std::vector<ChangedSet>& sets : sets_) {
      std::sort(sets.begin(), sets.end(), [](const ChangedSet& a, const ChangedSet& b) { return a.index < b.index; });
    }
  }
  const std::vector<ChangedSet>& sets(size_t change) const { return sets_[change]; }
  int64_t not_decided() const { return not_decided_; }

  bool AreSeparated(size_t a, size_t b) const {
    return !std::equal(sets_[a].begin(), sets_[a].end(), sets_[b].begin(), sets_[b].end(),
                       [](const ChangedSet& one, const ChangedSet& other) {
                         return one.index == other.index && AreTheSame(one.found, other.found);
                       });
  }

 private:
  void Compare(size_t index) {
    const Observation& one = evidence_.observations[index];
    const reference::ExploreLimits limits = LimitsOfSet(one);
    Exploration before;
    const reference::RuleSet read =
        RulesReadBy(model_, [&] { before = reference::Explore(*one.c, model_, Timing::kLate, limits); });
    bool is_decided = true;
    for (size_t i = 0; i < changes_.size(); ++i) {
      if (!read[numbers_[i]]) continue;
      Exploration after = reference::Explore(*one.c, changed_[i], Timing::kLate, limits);
      const bool is_known = before.complete && (after.complete || after.limit_hit == kSpinning);
      is_decided = is_decided && is_known;
      if (!is_known || AreTheSame(before, after)) continue;
      const std::lock_guard<std::mutex> lock(mutex_);
      sets_[i].push_back({index, std::move(after)});
    }
    const std::lock_guard<std::mutex> lock(mutex_);
    not_decided_ += is_decided ? 0 : 1;
  }

  const CauseEvidence& evidence_;
  const Model model_;
  const std::vector<RuleChange>& changes_;
  std::vector<Model> changed_;
  std::vector<size_t> numbers_;  // of the rule of each change
  std::mutex mutex_;             // of what follows
  std::vector<std::vector<ChangedSet>> sets_;
  int64_t not_decided_ = 0;
};

}  // namespace

int64_t CauseTruth::named() const {
  return std::count_if(visible.begin(), visible.end(), [](const VisibleRules& rules) { return rules.is_named; });
}

double CauseTruth::precision() const {
  const int64_t causes = right + static_cast<int64_t>(wrong.size());
  return causes == 0 ? 1 : static_cast<double>(right) / static_cast<double>(causes);
}

double CauseTruth::recall() const {
  return visible.empty() ? 1 : static_cast<double>(named()) / static_cast<double>(visible.size());
}

CauseTruth CompareWithTruth(const CausesReport& report, const CauseEvidence& evidence,
                            const std::vector<RuleChange>& hypotheses, const Profile& follows, int jobs) {
  CauseTruth truth;
  truth.follows = follows.Name();
  std::vector<RuleChange> differing;
  for (const RuleChange& change : hypotheses) {
    const auto value = follows.rules.find(change.rule);
    if (value != follows.rules.end() && value->second == change.to) differing.push_back(change);
  }
  truth.differing = static_cast<int64_t>(differing.size());
  const auto is_true = [&](const RuleChange& change) {
    return std::find(differing.begin(), differing.end(), change) != differing.end();
  };
  for (const Cause& cause : report.causes) {
    if (is_true(cause.change) || std::any_of(cause.alternatives.begin(), cause.alternatives.end(), is_true)) {
      ++truth.right;
    } else {
      truth.wrong.push_back(cause.change);
    }
  }
  LateSets sets(evidence, differing);
  sets.Find(jobs);
  truth.not_decided = sets.not_decided();
  std::vector<size_t> first;  // of each group
  for (size_t i = 0; i < differing.size(); ++i) {
    if (sets.sets(i).empty()) continue;
    size_t at = 0;  // in the groups
    while (at < first.size() && sets.AreSeparated(i, first[at])) ++at;
    if (at == first.size()) {
      first.push_back(i);
      truth.visible.emplace_back();
      for (const ChangedSet& set : sets.sets(i)) {
        truth.visible.back().cases.push_back(evidence.observations[set.index].c->id);
      }
    }
    truth.visible[at].changes.push_back(differing[i]);
    truth.visible[at].is_named = truth.visible[at].is_named || IsNamed(report, differing[i]);
  }
  return truth;
}

CausePrediction PredictWithheld(const CausesReport& report, const CauseEvidence& withheld, uint64_t seed) {
  std::vector<RuleChange> changes;
  for (const Cause& cause : report.causes) changes.push_back(cause.change);
  CauseQuestions questions(withheld);
  const CauseFit fit = CauseSearch::FitOf(withheld, changes, &questions);
  return {seed, withheld.failing(), fit.explained, withheld.passing(), fit.contradicted};
}

}  // namespace conform
