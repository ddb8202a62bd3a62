#include "runners/study/causes.h"

#include <algorithm>

#include "runners/harness/parallel.h"
#include "runners/study/search.h"

namespace conform {
namespace {

using reference::Membership;
using reference::Model;
using reference::Timing;

}  // namespace

CauseFinder::CauseFinder(const CauseEvidence& evidence, const std::vector<RuleChange>& hypotheses,
                         CausesSettings settings)
    : evidence_(evidence),
      hypotheses_(hypotheses),
      settings_(std::move(settings)),
      questions_(evidence),
      search_(evidence, hypotheses,
              {settings_.most_causes, settings_.jobs, settings_.releases, settings_.progress, settings_.stopped},
              &questions_) {}

// Changes that fit exactly as well in its place.
std::vector<RuleChange> CauseFinder::AlternativesTo(const Cause& cause) const {
  const CauseSearch::Changes others = CauseSearch::Without(found_.changes, cause.change);
  std::vector<RuleChange> alternatives;
  for (const RuleChange& other : hypotheses_) {
    if (settings_.stopped()) break;
    const bool is_taken = std::any_of(found_.changes.begin(), found_.changes.end(), [&](const RuleChange& one) {
      return one == other || (one.rule == other.rule && one.rule != cause.change.rule);
    });
    if (is_taken) continue;
    const CauseSearch::Changes with = CauseSearch::With(others, other);
    CauseQuestions::Changed& changed = questions_.With(with);
    bool is_same = true;
    for (size_t i = 0; i < found_.fit.allowed.size() && is_same; ++i) {
      is_same = search_.Allows(changed, i) == found_.fit.allowed[i];
    }
    if (is_same && search_.FitOf(with) == found_.fit) alternatives.push_back(other);
  }
  return alternatives;
}

// Failing cases that the profile explains with this change and no other.
std::vector<std::string> CauseFinder::ExplainedAlone(const RuleChange& change) const {
  CauseQuestions::Changed& changed = questions_.With({change});
  std::vector<std::string> explained;
  for (size_t i = 0; i < found_.fit.allowed.size(); ++i) {
    const Observation& one = evidence_.observations[i];
    if (one.fails && found_.fit.allowed[i] && search_.Allows(changed, i)) explained.push_back(one.c->id);
  }
  return explained;
}

// In the order in which each adds most to those before it.
std::vector<Cause> CauseFinder::Attribute() const {
  std::vector<Cause> causes;
  CauseSearch::Changes left = found_.changes, so_far;
  const CauseFit& all = found_.fit;
  CauseFit before = search_.FitOf({});
  const auto explains = [&](const CauseFit& fit) {
    std::vector<size_t> fresh;
    for (size_t i = 0; i < all.allowed.size(); ++i) {
      if (evidence_.observations[i].fails && all.allowed[i] && fit.allowed[i]) fresh.push_back(i);
    }
    return fresh;
  };
  std::vector<bool> attributed(all.allowed.size(), false);
  while (!left.empty()) {
    size_t best = 0;
    CauseFit best_fit;
    std::vector<size_t> best_explains;
    for (size_t i = 0; i < left.size(); ++i) {
      CauseFit fit = search_.FitOf(CauseSearch::With(so_far, left[i]));
      std::vector<size_t> fresh = explains(fit);
      std::erase_if(fresh, [&](size_t at) { return attributed[at]; });
      if (i > 0 &&
          std::pair(fresh.size(), fit.without_delay) <= std::pair(best_explains.size(), best_fit.without_delay)) {
        continue;
      }
      best = i;
      best_fit = std::move(fit);
      best_explains = std::move(fresh);
    }
    std::stable_sort(best_explains.begin(), best_explains.end(), [&](size_t a, size_t b) {
      return SizeOfCase(*evidence_.observations[a].c) < SizeOfCase(*evidence_.observations[b].c);
    });
    Cause cause;
    cause.change = left[best];
    for (const size_t at : best_explains) {
      cause.explains.push_back(evidence_.observations[at].c->id);
      attributed[at] = true;
    }
    for (size_t i = 0; i < all.allowed.size(); ++i) {
      if (evidence_.observations[i].fails || before.on_time[i] || !best_fit.on_time[i]) continue;
      cause.without_delay.push_back(evidence_.observations[i].c->id);
    }
    // It is one of a whole release whose other values explain the same.
    if (cause.explains.empty() && cause.without_delay.empty()) cause.explains = ExplainedAlone(cause.change);
    before = std::move(best_fit);
    so_far = CauseSearch::With(std::move(so_far), left[best]);
    left.erase(left.begin() + static_cast<std::ptrdiff_t>(best));
    causes.push_back(std::move(cause));
  }
  return causes;
}

std::vector<std::string> CauseFinder::MendedBy(const RuleChange& change) const {
  const CauseSearch::Changes others = CauseSearch::Without(found_.changes, change);
  CauseQuestions::Changed& changed = questions_.With(others);
  const Model fixed(WithChanges(evidence_.profile, others));
  std::vector<std::string> mended;
  for (size_t i = 0; i < evidence_.observations.size() && !settings_.stopped(); ++i) {
    const Observation& one = evidence_.observations[i];
    // What is outside the late set of the profile would still be given.
    if (!right_[i] || questions_.OnTime(changed, i) == Membership::kIn) continue;
    const reference::Exploration after = reference::Explore(*one.c, fixed, Timing::kOnTime, one.limits);
    if (!after.complete) continue;
    const Inclusion inclusion = Includes(after.orders, *right_[i]);
    if (!inclusion.truncated && !inclusion.counter_example) mended.push_back(one.c->id);
  }
  return mended;
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

  found_ = report.failing > 0 ? search_.Find() : CauseSearch::Found{{}, search_.FitOf({})};
  report.at_limit = found_.at_limit;
  if (found_.release != nullptr) report.release = found_.release->Name();
  report.causes = Attribute();
  const auto explained = [&](size_t i) { return evidence_.observations[i].fails && found_.fit.allowed[i]; };
  right_.assign(evidence_.observations.size(), std::nullopt);
  const Model model(evidence_.profile);
  ForEachInOrder(
      right_.size(), settings_.jobs,
      [&](size_t i) {
        if (!explained(i)) return;
        const Observation& one = evidence_.observations[i];
        reference::Exploration right = reference::Explore(*one.c, model, Timing::kOnTime, one.limits);
        if (right.complete) right_[i] = std::move(right.orders);
      },
      [&](size_t) { return !settings_.stopped(); });
  ForEachInOrder(
      report.causes.size(), settings_.jobs,
      [&](size_t index) {
        Cause& cause = report.causes[index];
        cause.alternatives = AlternativesTo(cause);
        cause.mends = MendedBy(cause.change);
      },
      [&](size_t index) {
        settings_.progress("alternatives of a cause", index + 1, report.causes.size());
        return true;
      });
  for (size_t i = 0; i < found_.fit.allowed.size(); ++i) {
    const Observation& one = evidence_.observations[i];
    if (found_.fit.allowed[i]) continue;
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
