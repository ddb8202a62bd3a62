#include "runners/study/causes.h"

#include <algorithm>
#include <limits>
#include <set>

#include "runners/base/check.h"
#include "runners/export/export.h"
#include "runners/harness/parallel.h"
#include "runners/study/search.h"
#include "runners/study/shrink.h"

namespace conform {
namespace {

using reference::Membership;
using reference::Model;
using reference::Timing;

// A loop with a change may go round without an end. It is given this many times the steps of the profile's own run, and
// some to spare.
constexpr int64_t kTimesTheSteps = 4;
constexpr int64_t kMoreSteps = 2'000;
constexpr int64_t kTotalFactor = 50;
constexpr int64_t kMostCpuMs = 2'000;
constexpr int64_t kMostBytes = 64LL << 20;

constexpr int kMostSwaps = 8;
constexpr int64_t kWeakGain = 1;             // before a change with no more than this is taken, all are asked again
constexpr size_t kMostOrdersOfProgram = 20;  // of a program that shows a cause
constexpr size_t kMostSmallerTried = 400;    // programs that are tried to make one smaller
constexpr size_t kAskedAtOnce = 8;           // hypotheses between two looks at the best so far

reference::ExploreLimits LimitsFor(const Case& c, const Profile& profile) {
  const reference::ModelRun run = reference::RunInVirtualTime(c, profile, 0);
  reference::ExploreLimits limits;
  limits.max_callbacks = kTimesTheSteps * run.steps + kMoreSteps;
  limits.max_total_callbacks = kTotalFactor * limits.max_callbacks;
  limits.max_cpu_ms = kMostCpuMs;
  limits.max_memory_bytes = kMostBytes;
  return limits;
}

void RemoveChange(std::vector<RuleChange>* changes, const RuleChange& change) {
  std::erase_if(*changes, [&](const RuleChange& one) { return one == change; });
}

// The orders on time, where they are few and all of them.
std::optional<std::vector<Order>> FewOrders(const Case& c, const Model& model, const reference::ExploreLimits& limits) {
  const reference::Exploration found = reference::Explore(c, model, Timing::kOnTime, limits);
  std::vector<Order> orders = found.orders.Enumerate(kMostOrdersOfProgram + 1);
  if (!found.complete || orders.empty() || orders.size() > kMostOrdersOfProgram) return std::nullopt;
  return orders;
}

bool AllOutside(const Case& c, const Model& model, const std::vector<Order>& orders,
                const reference::ExploreLimits& limits) {
  return std::all_of(orders.begin(), orders.end(), [&](const Order& order) {
    return reference::CanGive(c, model, Timing::kLate, order, limits) == Membership::kOut;
  });
}

// The run ended with an order that the profile rules out and the causes allow.
bool IsAsPredicted(const Case& c, const RunOutcome& outcome, const Model& right, const Model& changed,
                   const reference::ExploreLimits& limits) {
  if (outcome.trouble != Trouble::kNone) return false;
  const Order order = outcome.trace.ToOrder();
  return AllOutside(c, right, {order}, limits) &&
         reference::CanGive(c, changed, Timing::kLate, order, limits) == Membership::kIn;
}

}  // namespace

int64_t CauseEvidence::failing() const {
  return std::count_if(observations.begin(), observations.end(), [](const Observation& one) { return one.fails; });
}

CauseEvidence GatherEvidence(const std::vector<CaseResult>& results, const std::vector<SelectedCase>& cases,
                             const Profiles& profiles, const Profile& profile, int jobs) {
  CauseEvidence evidence;
  evidence.profile = profile;
  const ProfileFamily& family = *profiles.Find(profile.family);
  std::map<std::string, const Case*> by_id;
  for (const SelectedCase& selected : cases) by_id[selected.c.id] = &selected.c;
  std::map<std::string, std::set<Order>> orders;  // by case
  for (const CaseResult& result : results) {
    evidence.implementation = result.implementation;
    const auto c = by_id.find(result.case_id);
    if (c == by_id.end() || c->second->content_hash != result.content_hash) {
      ++evidence.older;
      continue;
    }
    if (family.Unsupported(*c->second, profile.version) || result.verdict == Verdict::kUnsupported) continue;
    const std::set<Order> ended = result.EndedOrders();
    if (ended.empty()) {
      evidence.without_orders.push_back(result.case_id);
    } else if (!reference::NotModelled(*c->second, profile.family)) {
      orders[result.case_id].insert(ended.begin(), ended.end());
    } else if (IsJudgement(result.verdict)) {
      evidence.without_model.push_back(result.case_id);
    }
  }
  for (const auto& [id, seen] : orders) {
    evidence.observations.push_back({by_id[id], {seen.begin(), seen.end()}, false, {}});
  }
  const Model model(profile);
  std::vector<char> decided(evidence.observations.size(), 1);  // of bytes, which threads may write side by side
  ForEachInOrder(
      evidence.observations.size(), jobs,
      [&](size_t index) {
        Observation& one = evidence.observations[index];
        one.limits = LimitsFor(*one.c, profile);
        for (const Order& order : one.orders) {
          const Membership membership = reference::CanGive(*one.c, model, Timing::kLate, order);
          one.fails = one.fails || membership == Membership::kOut;
          if (membership == Membership::kLimit) decided[index] = 0;
        }
      },
      [](size_t) { return true; });
  std::vector<Observation> kept;
  for (size_t i = 0; i < decided.size(); ++i) {
    if (decided[i] != 0) {
      kept.push_back(std::move(evidence.observations[i]));
    } else {
      ++evidence.undecided;
    }
  }
  evidence.observations = std::move(kept);
  return evidence;
}

CauseFinder::CauseFinder(const CauseEvidence& evidence, const std::vector<RuleChange>& hypotheses,
                         CausesSettings settings)
    : evidence_(evidence), hypotheses_(hypotheses), settings_(std::move(settings)) {}

// A rule has one value: the newest change of it counts.
CauseFinder::Changes CauseFinder::With(Changes changes, const RuleChange& change) const {
  std::erase_if(changes, [&](const RuleChange& one) { return one.rule == change.rule; });
  changes.push_back(change);
  return changes;
}

// Only what is decided counts: a limit neither explains a failure nor contradicts a pass.
bool CauseFinder::Allows(const Model& model, const Observation& one) const {
  return std::all_of(one.orders.begin(), one.orders.end(), [&](const Order& order) {
    const Membership membership = reference::CanGive(*one.c, model, Timing::kLate, order, one.limits);
    return one.fails ? membership == Membership::kIn : membership != Membership::kOut;
  });
}

CauseFinder::Fit CauseFinder::FitOf(const Changes& changes) const {
  const Model model(WithChanges(evidence_.profile, changes));
  Fit fit;
  for (const Observation& one : evidence_.observations) {
    const bool allowed = Allows(model, one);
    fit.allowed.push_back(allowed);
    if (one.fails) {
      fit.explained += allowed ? 1 : 0;
    } else {
      fit.contradicted += allowed ? 0 : 1;
    }
  }
  return fit;
}

int64_t CauseFinder::GainOf(const Changes& changes, const Fit& fit, const RuleChange& change) const {
  const Model model(WithChanges(evidence_.profile, With(changes, change)));
  const auto& all = evidence_.observations;
  int64_t gain = 0;
  for (size_t i = 0; i < all.size(); ++i) {
    if (all[i].fails && !fit.allowed[i] && Allows(model, all[i])) ++gain;
  }
  // Without a gain it is of no use, whatever it contradicts.
  for (size_t i = 0; i < all.size() && gain > 0; ++i) {
    if (all[i].fails) {
      if (fit.allowed[i] && !Allows(model, all[i])) --gain;
    } else if (fit.allowed[i] != Allows(model, all[i])) {
      gain += fit.allowed[i] ? -kPenalty : kPenalty;
    }
  }
  return gain;
}

// In the late set there is room for more than one explanation. A loop that gives the order without any delay is the
// better one.
int64_t CauseFinder::OnTimeFit(const Changes& changes, const std::vector<size_t>& of) const {
  const Model model(WithChanges(evidence_.profile, changes));
  return std::count_if(of.begin(), of.end(), [&](size_t index) {
    const Observation& one = evidence_.observations[index];
    return std::all_of(one.orders.begin(), one.orders.end(), [&](const Order& order) {
      return reference::CanGive(*one.c, model, Timing::kOnTime, order, one.limits) == Membership::kIn;
    });
  });
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
      if (asked == order.size()) return;
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
    const Model model(WithChanges(evidence_.profile, with));
    const bool explains_all = std::all_of(explains.begin(), explains.end(),
                                          [&](size_t at) { return Allows(model, evidence_.observations[at]); });
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
      const Model model(WithChanges(evidence_.profile, With(so_far, left[i])));
      std::vector<size_t> explains;
      for (const size_t at : unexplained) {
        if (Allows(model, evidence_.observations[at])) explains.push_back(at);
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

bool CauseFinder::IsMended(const Case& c, const RuleChange& change) const {
  Changes others = changes_;
  RemoveChange(&others, change);
  const reference::ExploreLimits limits = LimitsFor(c, evidence_.profile);
  const Model fixed(WithChanges(evidence_.profile, others));
  const reference::Exploration right = reference::Explore(c, evidence_.profile, Timing::kOnTime, limits);
  const reference::Exploration after = reference::Explore(c, fixed, Timing::kOnTime, limits);
  if (!right.complete || !after.complete) return false;
  const Inclusion inclusion = Includes(after.orders, right.orders);
  return !inclusion.truncated && !inclusion.counter_example;
}

// Smaller and smaller, as long as the change alone, and with all others, gives only orders that the profile rules out,
// and the implementation itself gives one of them.
void CauseFinder::FindProgram(Cause* cause) const {
  const Profile& profile = evidence_.profile;
  const Model right(profile), alone(cause->change.ApplyTo(profile)), all(WithChanges(profile, changes_));
  const auto shows = [&](const Case& c) {
    if (reference::NotModelled(c, profile.family)) return false;
    const reference::ExploreLimits limits = LimitsFor(c, profile);
    for (const Model* model : {&alone, &all}) {
      const auto orders = FewOrders(c, *model, limits);
      if (!orders || !AllOutside(c, right, *orders, limits)) return false;
    }
    return !settings_.observe || IsAsPredicted(c, settings_.observe(c, 0), right, all, limits);
  };
  size_t tried = 0;
  const auto first_that_shows = [&](const std::vector<Case>& programs) -> std::optional<size_t> {
    for (size_t i = 0; i < programs.size() && tried < kMostSmallerTried && !settings_.stopped(); ++i, ++tried) {
      if (shows(programs[i])) return i;
    }
    return std::nullopt;
  };
  for (const std::string& id : cause->explains) {
    const auto one = std::find_if(evidence_.observations.begin(), evidence_.observations.end(),
                                  [&](const Observation& observation) { return observation.c->id == id; });
    const Case& c = *one->c;
    if (!c.native.empty() || !c.models.empty() || !shows(c)) continue;
    cause->program = Shrink(c, profile.family, first_that_shows);
    cause->made_from = id;
    cause->program->id = "causes/" + cause->change.rule;
    cause->program->title = cause->change.Sentence();
    const reference::ExploreLimits limits = LimitsFor(*cause->program, profile);
    const std::vector<Order> expected =
        reference::Explore(*cause->program, right, Timing::kOnTime, limits).orders.Enumerate(1);
    const auto given = FewOrders(*cause->program, all, limits);
    if (!expected.empty()) cause->expected = expected.front();
    if (given) cause->given = given->front();
    if (const ExportLanguage* language = ExportLanguageOf(profile.family)) {
      if (const auto script = language->write(*cause->program)) cause->script = *script;
    }
    return;
  }
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
        std::vector<size_t> explains;
        for (size_t i = 0; i < evidence_.observations.size(); ++i) {
          const Observation& one = evidence_.observations[i];
          if (!one.fails || !fit_.allowed[i]) continue;
          const bool mine = std::find(cause.explains.begin(), cause.explains.end(), one.c->id) != cause.explains.end();
          if (mine) explains.push_back(i);
          if (IsMended(*one.c, cause.change)) cause.mends.push_back(one.c->id);
        }
        bool better = false;
        cause.alternatives = AlternativesTo(cause.change, explains, &better);
        if (settings_.programs) FindProgram(&cause);
      },
      [&](size_t index) {
        settings_.progress("program of a cause", index + 1, report.causes.size());
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

void ConfirmCauses(CausesReport* report, const Profile& profile, const CausesSettings& settings) {
  std::vector<RuleChange> changes;
  for (const Cause& cause : report->causes) changes.push_back(cause.change);
  const Model right(profile), changed(WithChanges(profile, changes));
  size_t done = 0;
  for (Cause& cause : report->causes) {
    settings.progress("causes confirmed", ++done, report->causes.size());
    if (!cause.program || settings.stopped()) continue;
    const Case& c = *cause.program;
    const reference::ExploreLimits limits = LimitsFor(c, profile);
    std::vector<RunOutcome> outcomes(kRunsToConfirm);
    Confirmation confirmation;
    ForEachInOrder(
        outcomes.size(), settings.jobs, [&](size_t i) { outcomes[i] = settings.observe(c, static_cast<int64_t>(i)); },
        [&](size_t i) {
          ++confirmation.runs;
          const bool as_predicted = IsAsPredicted(c, outcomes[i], right, changed, limits);
          confirmation.as_predicted += as_predicted ? 1 : 0;
          if (!as_predicted) confirmation.other = outcomes[i].trace.ToOrder();
          return !settings.stopped();
        });
    cause.confirmation = confirmation;
  }
}

}  // namespace conform
