#include "runners/study/history.h"

#include <algorithm>
#include <set>

#include "reference-impl/explore/explorer.h"
#include "runners/base/text.h"
#include "runners/export/export.h"
#include "runners/harness/parallel.h"

namespace conform {
namespace {

// A set with more orders is given by the expected pattern.
constexpr size_t kFewOrders = 3;

std::string Told(const std::vector<Order>& orders, const Expectation* expectation) {
  if (orders.size() > kFewOrders && expectation != nullptr) return std::string(Trim(expectation->pattern.text));
  std::vector<std::string> texts;
  for (const Order& order : orders) texts.push_back(OrderToString(order));
  std::sort(texts.begin(), texts.end());
  return Join(texts, " | ");
}

Automaton OrdersOf(const Case& c, const Profile& profile) {
  return reference::Explore(c, profile, reference::Timing::kOnTime).orders;
}

// Most sets are small, or differ in one of their first orders.
bool AreSame(const Automaton& a, const Automaton& b) {
  const std::vector<Order> some = a.Enumerate(kFewOrders + 1);
  if (some != b.Enumerate(kFewOrders + 1)) return false;
  return some.size() <= kFewOrders || (!Includes(a, b).counter_example && !Includes(b, a).counter_example);
}

std::vector<HistorySpan> ByModel(const Case& c, const Profiles& profiles, const ProfileFamily& family) {
  std::vector<HistorySpan> spans;
  std::optional<Profile> before;
  for (const Profile& profile : profiles.CheckpointsFor(c)) {
    if (profile.family != family.name) continue;
    const std::string told =
        Told(OrdersOf(c, profile).Enumerate(kFewOrders + 1), c.ExpectationFor(family.name, profile.version));
    if (spans.empty() || spans.back().orders != told) {
      spans.push_back({profile.version, profile.version, told, {}});
      if (before) spans.back().changed_by = RulesBehind(c, *before, profile);
    }
    spans.back().last = profile.version;
    before = profile;
  }
  return spans;
}

// What the tries showed that came to their end, and in time.
std::set<Order> Seen(const CaseResult& result) {
  std::set<Order> seen;
  for (const Try& one : result.tries) {
    if (one.trouble.empty() && one.standing != Standing::kLate) seen.insert(one.trace.ToOrder());
  }
  return seen;
}

std::string ToldByRuns(const CaseResult& result, const Expectation* expectation) {
  // Where several orders are expected, runs show some of them, now these and now those.
  const bool several = expectation != nullptr && result.verdict == Verdict::kPass &&
                       Automaton::FromPattern(expectation->pattern).CountOrders(2) > 1;
  if (several) return std::string(Trim(expectation->pattern.text));
  const std::set<Order> seen = Seen(result);
  return Told({seen.begin(), seen.end()}, expectation);
}

std::vector<HistorySpan> ByRuns(const Case& c, const std::string& family, const RunsByVersion& runs) {
  std::vector<HistorySpan> spans;
  for (const auto& [version, result] : runs) {
    const std::string told = ToldByRuns(*result, c.ExpectationFor(family, version));
    if (spans.empty() || spans.back().orders != told) spans.push_back({version, version, told, {}});
    spans.back().last = version;
  }
  return spans;
}

// An order says little to whoever has not seen the program. Of many cases, the programs would hide the histories.
void AddProgram(const Case& c, CaseHistory* history) {
  const ExportLanguage* language = ExportLanguageOf(history->family);
  if (language == nullptr) return;
  if (auto text = language->write_steps(c)) history->program = std::move(*text);
}

}  // namespace

std::vector<std::string> RulesBehind(const Case& c, const Profile& before, const Profile& after) {
  std::vector<std::string> alone, needed, all;
  const Automaton old_orders = OrdersOf(c, before), new_orders = OrdersOf(c, after);
  if (AreSame(old_orders, new_orders)) return {};
  for (const auto& [rule, value] : after.rules) {
    if (before.Rule(rule) == value) continue;
    all.push_back(rule);
    Profile changed = before;
    changed.rules[rule] = value;
    if (!AreSame(OrdersOf(c, changed), old_orders)) alone.push_back(rule);
    changed = after;
    changed.rules[rule] = before.Rule(rule);
    if (!AreSame(OrdersOf(c, changed), new_orders)) needed.push_back(rule);
  }
  return !alone.empty() ? alone : !needed.empty() ? needed : all;
}

RunsByVersion RunsOf(const std::vector<CaseResult>& results, const Case& c, const std::string& family) {
  RunsByVersion runs;
  for (const CaseResult& result : results) {
    if (result.case_id != c.id || result.content_hash != c.content_hash) continue;
    if (result.verdict == Verdict::kUnsupported || Seen(result).empty()) continue;
    const bool itself = result.implementation.starts_with(family) || result.implementation.starts_with("ref");
    if (!itself || !result.profile.starts_with(family + "@")) continue;
    const auto version = Version::Parse(result.profile.substr(family.size() + 1));
    if (version) runs[*version] = &result;
  }
  return runs;
}

CaseHistory HistoryOf(const Case& c, const Profiles& profiles, const ProfileFamily& family, const RunsByVersion& runs) {
  CaseHistory history{c.id, c.title, family.name, {}, ByRuns(c, family.name, runs), ""};
  if (const auto missing = reference::NotModelled(c, family.name)) {
    history.note = "the reference loop has no model of " + *missing;
  } else {
    history.by_model = ByModel(c, profiles, family);
  }
  return history;
}

CaseHistory HistoryOfReleases(const Case& c, const std::string& implementation,
                              const std::vector<CaseResult>& results) {
  struct Release {
    std::set<Order> seen;
    std::string passes;  // the expectation under which all runs do; "" where one does not
  };
  std::map<Version, Release> releases;
  for (const CaseResult& result : results) {
    if (result.case_id != c.id || result.content_hash != c.content_hash) continue;
    if (!result.implementation.starts_with(implementation + "@")) continue;
    const auto version = Version::Parse(result.implementation.substr(implementation.size() + 1));
    const std::set<Order> seen = Seen(result);
    if (!version || seen.empty()) continue;
    const auto [place, is_new] = releases.try_emplace(*version);
    Release& release = place->second;
    const std::string passes = result.verdict == Verdict::kPass ? result.expected : "";
    release.passes = is_new || release.passes == passes ? passes : "";
    release.seen.insert(seen.begin(), seen.end());
  }
  CaseHistory history{c.id, c.title, implementation, {}, {}, ""};
  std::set<Order> seen;  // in the span
  std::string passes;    // of the release before
  for (const auto& [version, release] : releases) {
    const bool overlaps =
        std::any_of(release.seen.begin(), release.seen.end(), [&](const Order& order) { return seen.contains(order); });
    if (!overlaps && (release.passes.empty() || release.passes != passes)) {
      seen.clear();
      history.by_runs.push_back({version, version, "", {}});
    }
    seen.insert(release.seen.begin(), release.seen.end());
    history.by_runs.back().last = version;
    history.by_runs.back().orders = Told({seen.begin(), seen.end()}, nullptr);
    passes = release.passes;
  }
  return history;
}

std::vector<std::string> ReleasesRun(const std::vector<CaseResult>& results, const std::string& implementation) {
  std::map<std::string, std::set<Version>> versions;
  for (const CaseResult& result : results) {
    const std::string& name = implementation.empty() ? result.profile : result.implementation;
    const size_t at = name.find('@');
    if (at == std::string::npos || (!implementation.empty() && name.substr(0, at) != implementation)) continue;
    const auto version = Version::Parse(name.substr(at + 1));
    if (version && !result.tries.empty()) versions[name.substr(0, at)].insert(*version);
  }
  std::vector<std::string> names;
  for (const auto& [family, known] : versions) {
    for (const Version& version : known) names.push_back(family + " " + version.ToString());
  }
  return names;
}

std::vector<CaseHistory> AllHistories(const std::vector<SelectedCase>& cases, const Profiles& profiles,
                                      const std::vector<CaseResult>& results, const HistoriesSettings& settings) {
  const bool of_releases = !settings.only.empty() && profiles.Find(settings.only) == nullptr;
  std::vector<std::pair<const Case*, const ProfileFamily*>> asked;
  for (const SelectedCase& selected : cases) {
    if (of_releases) asked.emplace_back(&selected.c, nullptr);
    for (const ProfileFamily& family : profiles.families()) {
      const bool wanted = settings.only.empty() || family.name == settings.only;
      if (wanted && selected.c.SpeaksOf(family.name)) asked.emplace_back(&selected.c, &family);
    }
  }
  std::vector<CaseHistory> histories(asked.size());
  ForEachInOrder(
      asked.size(), settings.jobs,
      [&](size_t index) {
        const auto& [c, family] = asked[index];
        histories[index] = family == nullptr ? HistoryOfReleases(*c, settings.only, results)
                                             : HistoryOf(*c, profiles, *family, RunsOf(results, *c, family->name));
      },
      [&](size_t index) {
        settings.progress(index + 1, asked.size(), asked[index].first->id);
        return true;
      });
  std::erase_if(histories, [](const CaseHistory& one) { return one.by_model.empty() && one.by_runs.empty(); });
  if (cases.size() == 1) {
    for (CaseHistory& history : histories) AddProgram(cases[0].c, &history);
  }
  return histories;
}

std::vector<Change> ChangesShown(const std::vector<CaseHistory>& histories) {
  std::vector<Change> changes;
  for (const CaseHistory& history : histories) {
    for (size_t i = 1; i < history.by_runs.size(); ++i) {
      Change change{&history, &history.by_runs[i - 1], &history.by_runs[i], std::nullopt, {}};
      for (const HistorySpan& span : history.by_model) {
        if (span.changed_by.empty() || span.orders != change.after->orders) continue;
        if (span.first <= change.before->last || change.after->first < span.first) continue;
        change.since = span.first;
        change.changed_by = span.changed_by;
      }
      changes.push_back(std::move(change));
    }
  }
  std::stable_sort(changes.begin(), changes.end(), [](const Change& a, const Change& b) {
    if (a.history->family != b.history->family) return a.history->family > b.history->family;  // node, then libuv
    return a.since.value_or(a.after->first) < b.since.value_or(b.after->first);
  });
  return changes;
}

}  // namespace conform
