#include "runners/study/exploring.h"

#include <algorithm>
#include <charconv>
#include <utility>

#include "runners/base/text.h"
#include "runners/export/export.h"
#include "runners/harness/expected_orders.h"
#include "runners/harness/parallel.h"
#include "runners/study/own_profile.h"

namespace conform {
namespace {

Result<std::vector<int>> ParsePath(const std::string& text) {
  std::vector<int> path;
  for (const std::string& part : Split(text, ',')) {
    int index = 0;
    const auto [end, trouble] = std::from_chars(part.data(), part.data() + part.size(), index);
    if (trouble != std::errc{} || end != part.data() + part.size() || index < 0) {
      return Error{"'" + part + "' is not a choice: expected integers separated by commas, such as 0,2,1"};
    }
    path.push_back(index);
  }
  return path;
}

std::optional<Error> WhyNot(const Profiles& profiles, const Case& c, const Profile& profile) {
  return reference::WhyNotExplored(profiles, c, profile, "another profile may: --profile=NAME");
}

// The newest version that matters for the family that `expect` names first; for a pattern without one, the first family
// of all. Where nothing is expected, the first that can run the program.
Result<Profile> DefaultProfile(const Profiles& profiles, const Case& c) {
  const std::vector<std::string>& families = reference::FamiliesWithRecipe();
  for (const std::string& family : families) {
    if (!c.expect.empty()) break;
    auto profile = profiles.Resolve(family);
    if (profile.ok() && !WhyNot(profiles, c, *profile)) return profile;
  }
  const std::vector<Profile> checkpoints = profiles.CheckpointsFor(c);
  std::string family = c.expect.empty() ? "" : c.expect[0].family;
  const auto has = [&](const std::string& name) {
    return std::any_of(checkpoints.begin(), checkpoints.end(), [&](const Profile& p) { return p.family == name; });
  };
  if (family.empty()) {
    family = has(families.front()) || checkpoints.empty() ? families.front() : checkpoints.back().family;
  }
  const auto newest = std::find_if(checkpoints.rbegin(), checkpoints.rend(),
                                   [&](const Profile& profile) { return profile.family == family; });
  if (newest != checkpoints.rend()) return *newest;
  return profiles.Resolve(family);
}

SetFacts FactsOf(const reference::Exploration& exploration) {
  return {SizeOf(exploration), exploration.limit_hit, exploration.runs, exploration.states};
}

void ExploreAll(const Case& c, const Profile& profile, const ExploreOptions& options, ExploreReport* report) {
  reference::ExploreLimits limits;
  reference::ExploreLimits late_limits = options.late ? limits : SmallLimits();
  options.limits.ApplyTo(&limits);
  options.limits.ApplyTo(&late_limits);
  limits.threads = static_cast<size_t>(DefaultJobs());
  // How much is found within small limits must not depend on who is quicker.
  if (options.late) late_limits.threads = limits.threads;
  const reference::Model model(profile);
  const reference::Exploration on_time = reference::Explore(c, model, reference::Timing::kOnTime, limits);
  const reference::Exploration late = reference::Explore(c, model, reference::Timing::kLate, late_limits);
  report->on_time_set = FactsOf(on_time);
  report->late_set = FactsOf(late);
  const reference::Timing timing = options.late ? reference::Timing::kLate : reference::Timing::kOnTime;
  const std::vector<Order> orders = (options.late ? late : on_time).orders.Enumerate(options.limit);
  std::vector<std::vector<reference::ModelRun>> explained(orders.size());
  ForEachInOrder(
      orders.size(), DefaultJobs(),
      [&](size_t i) { explained[i] = reference::Explain(c, model, timing, {orders[i]}, limits); },
      [&](size_t i) {
        for (reference::ModelRun& run : explained[i]) {
          const bool is_on_time = !options.late || on_time.orders.Accepts(run.trace.ToOrder());
          report->runs.push_back({std::move(run), is_on_time, {}});
        }
        return true;
      });
}

void AddProgram(const Case& c, const std::string& family, ExploreReport* report) {
  const ExportLanguage* language = ExportLanguageOf(family);
  if (language == nullptr) return;
  auto text = language->write_steps(c);
  if (!text) return;  // the loop has something that the language cannot write
  report->language = language->title;
  report->program = std::move(*text);
}

void CompareWithExpectation(const ExpectedOrders& expected, ExploreReport* report) {
  report->expected = expected.pattern();
  for (ExploredRun& explored : report->runs) explored.is_expected = expected.Contains(explored.run.trace.ToOrder());
}

}  // namespace

SetSize SizeOf(const reference::Exploration& exploration) {
  const size_t orders = exploration.orders.CountOrders(kMaxCountedOrders + 1);
  const bool more = orders > kMaxCountedOrders || !exploration.complete;
  return {static_cast<int64_t>(std::min(orders, kMaxCountedOrders)), more};
}

reference::ExploreLimits SmallLimits() {
  reference::ExploreLimits limits;
  limits.max_runs = 5'000;
  limits.max_total_callbacks = 1'000'000;
  return limits;
}

bool ExploreReport::Complete() const {
  const std::optional<SetFacts>& asked = late ? late_set : on_time_set;
  return (!asked || asked->limit_hit.empty()) && std::all_of(runs.begin(), runs.end(), [](const ExploredRun& explored) {
           return explored.run.limit_hit.empty();
         });
}

std::string PathOf(const std::vector<reference::Choice>& choices) {
  size_t length = choices.size();
  while (length > 1 && choices[length - 1].index == 0) --length;
  std::vector<std::string> parts;
  for (size_t i = 0; i < length; ++i) parts.push_back(std::to_string(choices[i].index));
  return Join(parts, ",");
}

Result<ExploreReport> ExploreOne(const SelectedCase& selected, Profiles profiles, const ExploreOptions& options) {
  const Case& c = selected.c;
  const auto profile =
      options.profile.empty() ? DefaultProfile(profiles, c) : ResolveProfile(options.profile, &profiles);
  if (!profile) return profile.error();
  if (const auto error = WhyNot(profiles, c, *profile)) return *error;

  ExploreReport report;
  report.case_id = c.id;
  report.reference = selected.reference;
  report.title = c.title;
  report.profile = profile->Name();
  report.late = options.late;
  AddProgram(c, profile->family, &report);
  if (options.path.empty()) {
    ExploreAll(c, *profile, options, &report);
  } else {
    const auto path = ParsePath(options.path);
    if (!path) return path.error();
    auto run =
        reference::Replay(c, *profile, options.late ? reference::Timing::kLate : reference::Timing::kOnTime, *path);
    if (!run) return run.error();
    report.runs.push_back({std::move(*run), true, {}});
  }
  if (const Expectation* expectation = c.ExpectationFor(profile->family, profile->version)) {
    CompareWithExpectation(ExpectedOrders(c, *expectation), &report);
  }
  return report;
}

}  // namespace conform
