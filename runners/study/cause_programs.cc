// What is known of a cause: the smallest program that shows it, what the implementation does with it, and reports.
#include <algorithm>

#include "runners/export/export.h"
#include "runners/harness/parallel.h"
#include "runners/study/causes.h"
#include "runners/study/shrink.h"

namespace conform {
namespace {

using reference::Membership;
using reference::Model;
using reference::Timing;

constexpr size_t kMostOrdersOfProgram = 20;  // of a program that shows a cause
constexpr size_t kMostSmallerTried = 400;    // programs that are tried to make one smaller

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

// Smaller and smaller, as long as the change alone, and with all others, gives only orders that the profile rules out,
// and the implementation itself gives one of them.
void FindProgram(Cause* cause, const std::vector<RuleChange>& changes, const CauseEvidence& evidence,
                 const CausesSettings& settings) {
  const Profile& profile = evidence.profile;
  const Model right(profile), alone(cause->change.ApplyTo(profile)), all(WithChanges(profile, changes));
  const auto shows = [&](const Case& c) {
    if (reference::NotModelled(c, profile.family)) return false;
    const reference::ExploreLimits limits = LimitsOfQuestion(c, right);
    for (const Model* model : {&alone, &all}) {
      const auto orders = FewOrders(c, *model, limits);
      if (!orders || !AllOutside(c, right, *orders, limits)) return false;
    }
    return !settings.observe || IsAsPredicted(c, settings.observe(c, 0), right, all, limits);
  };
  size_t tried = 0;
  const auto first_that_shows = [&](const std::vector<Case>& programs) -> std::optional<size_t> {
    for (size_t i = 0; i < programs.size() && tried < kMostSmallerTried && !settings.stopped(); ++i, ++tried) {
      if (shows(programs[i])) return i;
    }
    return std::nullopt;
  };
  for (const std::string& id : cause->explains) {
    const auto one = std::find_if(evidence.observations.begin(), evidence.observations.end(),
                                  [&](const Observation& observation) { return observation.c->id == id; });
    const Case& c = *one->c;
    if (!c.native.empty() || !c.models.empty() || !shows(c)) continue;
    cause->program = Shrink(c, profile.family, first_that_shows);
    cause->made_from = id;
    cause->program->id = "causes/" + cause->change.rule;
    cause->program->title = cause->change.Sentence();
    const reference::ExploreLimits limits = LimitsOfQuestion(*cause->program, right);
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

std::vector<RuleChange> ChangesOf(const CausesReport& report) {
  std::vector<RuleChange> changes;
  for (const Cause& cause : report.causes) changes.push_back(cause.change);
  return changes;
}

}  // namespace

void FindPrograms(CausesReport* report, const CauseEvidence& evidence, const CausesSettings& settings) {
  const std::vector<RuleChange> changes = ChangesOf(*report);
  ForEachInOrder(
      report->causes.size(), settings.jobs,
      [&](size_t index) { FindProgram(&report->causes[index], changes, evidence, settings); },
      [&](size_t index) {
        settings.progress("program of a cause", index + 1, report->causes.size());
        return true;
      });
}

void ConfirmCauses(CausesReport* report, const Profile& profile, const CausesSettings& settings) {
  const Model right(profile), changed(WithChanges(profile, ChangesOf(*report)));
  const auto confirm = [&](const Case& c, const std::function<RunOutcome(int64_t number)>& observe) {
    const reference::ExploreLimits limits = LimitsOfQuestion(c, right);
    std::vector<RunOutcome> outcomes(kRunsToConfirm);
    Confirmation confirmation;
    ForEachInOrder(
        outcomes.size(), settings.jobs, [&](size_t i) { outcomes[i] = observe(static_cast<int64_t>(i)); },
        [&](size_t i) {
          ++confirmation.runs;
          const bool as_predicted = IsAsPredicted(c, outcomes[i], right, changed, limits);
          confirmation.as_predicted += as_predicted ? 1 : 0;
          if (!as_predicted) confirmation.other = outcomes[i].trace.ToOrder();
          return !settings.stopped();
        });
    return confirmation;
  };
  size_t done = 0;
  for (Cause& cause : report->causes) {
    settings.progress("causes confirmed", ++done, report->causes.size());
    if (!cause.program || settings.stopped()) continue;
    const Case& c = *cause.program;
    cause.confirmation = confirm(c, [&](int64_t number) { return settings.observe(c, number); });
    if (cause.script.empty() || !settings.observe_alone) continue;
    cause.alone = confirm(c, [&](int64_t) { return settings.observe_alone(c, cause.script); });
  }
}

void NoteKnownReports(CausesReport* report, const std::vector<KnownReport>& reports) {
  for (Cause& cause : report->causes) {
    for (const KnownReport& one : reports) {
      if (one.IsAbout(report->implementation, cause.change.rule, cause.change.to)) cause.reports.push_back(one);
    }
  }
}

}  // namespace conform
