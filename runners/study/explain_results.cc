#include "runners/study/explain_results.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "runners/base/text.h"

namespace conform {
namespace {

// The one that `values` have in common, or an error that lists them.
Result<std::string> TheOnly(const std::set<std::string>& values, const std::string& what, const std::string& hint) {
  if (values.size() == 1) return *values.begin();
  return Error::WithHint("the results are of several " + what + ": " + Join({values.begin(), values.end()}, ", "),
                         hint);
}

}  // namespace

Result<ResultsOfOne> ChooseResults(std::vector<CaseResult> results, const std::string& implementation,
                                   const std::string& profile) {
  if (!implementation.empty()) {
    std::erase_if(results, [&](const CaseResult& one) {
      return one.implementation != implementation && !one.implementation.starts_with(implementation + "@");
    });
  }
  if (results.empty()) {
    return Error{implementation.empty() ? "there are no results" : "there are no results of " + implementation};
  }
  std::set<std::string> implementations, profiles;
  for (const CaseResult& one : results) {
    implementations.insert(one.implementation);
    profiles.insert(one.profile);
  }
  const auto only = TheOnly(implementations, "implementations", "choose one with --impl");
  if (!only) return only.error();
  if (profiles.contains(profile)) {
    std::erase_if(results, [&](const CaseResult& one) { return one.profile != profile; });
    return ResultsOfOne{std::move(results), profile};
  }
  auto held_to = TheOnly(profiles, "profiles", "choose one with --as");
  if (!held_to) return held_to.error();
  return ResultsOfOne{std::move(results), std::move(*held_to)};
}

Explanation ExplainResults(const std::vector<CaseResult>& results, const std::vector<SelectedCase>& cases,
                           const Profiles& profiles, const Profile& profile, CausesSettings settings,
                           std::optional<uint64_t> half) {
  Explanation one;
  one.evidence = GatherEvidence(results, cases, profiles, profile, settings.jobs);
  if (half) one.withheld = WithholdHalf(&one.evidence, *half);
  settings.releases = ReleasesOf(profiles, profile);
  one.hypotheses = AllChanges(profiles, profile, Narrower::kLeftOut);
  one.report = CauseFinder(one.evidence, one.hypotheses, std::move(settings)).Find();
  return one;
}

std::vector<CausesReport> ExplainAllResults(
    const std::vector<CaseResult>& results, const std::vector<SelectedCase>& cases, const Profiles& profiles,
    const CausesSettings& settings,
    const std::function<void(size_t done, size_t of, const std::string& implementation)>& progress) {
  std::map<std::pair<std::string, std::string>, std::vector<CaseResult>> sides;
  std::set<std::pair<std::string, std::string>> failing;
  for (const CaseResult& one : results) {
    sides[{one.implementation, one.profile}].push_back(one);
    if (one.verdict == Verdict::kFail) failing.insert({one.implementation, one.profile});
  }
  std::vector<CausesReport> all;
  size_t done = 0;
  for (const auto& side : failing) {
    if (settings.stopped()) break;
    progress(done++, failing.size(), side.first);
    const auto profile = profiles.Resolve(side.second);
    if (!profile) continue;
    auto [evidence, withheld, hypotheses, report] = ExplainResults(sides[side], cases, profiles, *profile, settings);
    if (report.failing == 0) continue;
    FindPrograms(&report, evidence, settings);
    all.push_back(std::move(report));
  }
  std::stable_sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.failing > b.failing; });
  return all;
}

}  // namespace conform
