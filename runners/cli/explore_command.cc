// conform explore
#include <algorithm>
#include <charconv>

#include "reports/terminal/explore_report.h"
#include "runners/base/text.h"
#include "runners/cli/commands.h"
#include "runners/study/one_case.h"

namespace conform {
namespace {

struct ExploreArguments {
  std::string word;
  std::string profile;
  std::string path;
  bool late = false;
  bool json = false;
  size_t limit = 20;
};

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

// The newest version that matters for the family that `expect` names first; for a pattern without one, node's.
Result<Profile> DefaultProfile(const Profiles& profiles, const Case& c) {
  const std::vector<Profile> checkpoints = profiles.CheckpointsFor(c);
  std::string family = c.expect.empty() ? "" : c.expect[0].family;
  const auto has = [&](const std::string& name) {
    return std::any_of(checkpoints.begin(), checkpoints.end(), [&](const Profile& p) { return p.family == name; });
  };
  if (family.empty()) family = has("node") || checkpoints.empty() ? "node" : checkpoints.back().family;
  const auto newest = std::find_if(checkpoints.rbegin(), checkpoints.rend(),
                                   [&](const Profile& profile) { return profile.family == family; });
  if (newest != checkpoints.rend()) return *newest;
  return profiles.Resolve(family);
}

// Nothing when the model can run the case under the profile.
std::optional<Error> WhyNot(const Profiles& profiles, const Case& c, const Profile& profile) {
  if (const auto missing = profiles.Find(profile.family)->Unsupported(c, profile.version)) {
    return Error{profile.Name() + " has no " + *missing, c.file, {}, "another profile may: --profile=NAME"};
  }
  if (const auto missing = reference::NotModelled(c, profile.family)) {
    return Error{"the reference loop has no model of " + *missing, c.file};
  }
  return std::nullopt;
}

SetFacts FactsOf(const reference::Exploration& exploration) {
  return {SizeOf(exploration), exploration.limit_hit, exploration.runs, exploration.states};
}

void ExploreAll(const Case& c, const Profile& profile, const ExploreArguments& arguments, ExploreReport* report) {
  const reference::Exploration on_time = reference::Explore(c, profile, reference::Timing::kOnTime);
  const reference::Exploration late = reference::Explore(c, profile, reference::Timing::kLate,
                                                         arguments.late ? reference::ExploreLimits{} : SmallLimits());
  report->on_time_set = FactsOf(on_time);
  report->late_set = FactsOf(late);
  const reference::Timing timing = arguments.late ? reference::Timing::kLate : reference::Timing::kOnTime;
  const std::vector<Order> orders = (arguments.late ? late : on_time).orders.Enumerate(arguments.limit);
  for (reference::ModelRun& run : reference::Explain(c, profile, timing, orders)) {
    const bool is_on_time = !arguments.late || on_time.orders.Accepts(run.trace.ToOrder());
    report->runs.push_back({std::move(run), is_on_time});
  }
}

int ExploreCase(const ExploreArguments& arguments, const Context& context) {
  const auto fail = [](const Error& error) {
    PrintError(error);
    return kBadInput;
  };
  const auto profiles = LoadProfiles(context.home);
  if (!profiles) return fail(profiles.error());
  const auto selected = SelectOneCase(context.home, arguments.word);
  if (!selected) return fail(selected.error());
  const Case& c = selected->c;
  const auto profile = arguments.profile.empty() ? DefaultProfile(*profiles, c) : profiles->Resolve(arguments.profile);
  if (!profile) return fail(profile.error());
  if (const auto error = WhyNot(*profiles, c, *profile)) return fail(*error);

  ExploreReport report;
  report.case_id = c.id;
  report.reference = selected->reference;
  report.title = c.title;
  report.profile = profile->Name();
  report.late = arguments.late;
  if (const Expectation* expectation = c.ExpectationFor(profile->family, profile->version)) {
    report.expected = std::string(Trim(expectation->pattern.text));
  }
  if (arguments.path.empty()) {
    ExploreAll(c, *profile, arguments, &report);
  } else {
    const auto path = ParsePath(arguments.path);
    if (!path) return fail(path.error());
    auto run =
        reference::Replay(c, *profile, arguments.late ? reference::Timing::kLate : reference::Timing::kOnTime, *path);
    if (!run) return fail(run.error());
    report.runs.push_back({std::move(*run), true});
  }
  const ClauseList clauses = LoadClauses(context.home.Spec());
  const std::string text =
      arguments.json ? ExploreJson(report, clauses).dump(2) + "\n" : ExploreText(report, clauses, context.out);
  return Print(text) ? kAllAsExpected : kHarnessTrouble;
}

}  // namespace

CommandSpec MakeExploreCommand() {
  const auto arguments = std::make_shared<ExploreArguments>();
  return {
      "explore",
      "List every order that the model allows, and why",
      {Argument("CASE", &arguments->word, "an id, or a file").Required(),
       Value("--profile", "PROFILE", &arguments->profile, "such as node@24 (default: the newest that the case covers)"),
       Flag("--late", &arguments->late, "also the orders that occur only when something is late"),
       Value("--path", "PATH", &arguments->path, "only the run with these choices, such as 0,2,1"),
       Value("--limit", "N", &arguments->limit, "how many orders to list (default 20)").Between(1, 10'000),
       FormatOption(&arguments->json)},
      RunWith(arguments, ExploreCase)};
}

}  // namespace conform
