#include "runners/study/needed_cases.h"

#include <algorithm>
#include <map>
#include <set>

#include "runners/base/output.h"

namespace conform {
namespace {

// Everything that must keep a case: mutants and clauses, by name, with the cases that each has.
using Duties = std::map<std::string, std::set<size_t>>;

Duties DutiesOf(const std::vector<MutantResult>& results, const std::vector<SelectedCase>& cases) {
  std::map<std::string, size_t> index;
  for (size_t i = 0; i < cases.size(); ++i) index[cases[i].c.id] = i;
  Duties duties;
  for (const MutantResult& result : results) {
    for (const Kill& kill : result.kills) duties["mutant " + result.mutant.id].insert(index.at(kill.case_id));
  }
  for (size_t i = 0; i < cases.size(); ++i) {
    for (const std::string& clause : cases[i].c.clauses) duties["clause " + clause].insert(i);
  }
  return duties;
}

const std::string kMutant = "mutant ";

// A mutant by its id alone, a clause with the word before it.
std::string NeedOf(const std::string& duty) { return duty.starts_with(kMutant) ? duty.substr(kMutant.size()) : duty; }

NeededReport WithPurposes(const std::vector<SelectedCase>& cases, const Purposes& purposes,
                          const std::map<std::string, std::string>& kept) {
  NeededReport report;
  for (const SelectedCase& selected : cases) {
    CaseNeed one;
    one.case_id = selected.c.id;
    if (const auto said = purposes.find(one.case_id); said != purposes.end()) one.purposes = said->second;
    if (const auto reason = kept.find(one.case_id); reason != kept.end()) one.purposes.push_back(reason->second);
    report.cases.push_back(std::move(one));
  }
  return report;
}

// 0 for a case that can go first: the tree says what it is for; 1 where the file of mutants does.
int Reluctance(const CaseNeed& one, const Purposes& purposes) {
  return purposes.contains(one.case_id) ? 0 : one.purposes.empty() ? 2 : 1;
}

}  // namespace

int64_t NeededReport::idle() const {
  return std::count_if(cases.begin(), cases.end(),
                       [](const CaseNeed& one) { return one.need.empty() && one.purposes.empty(); });
}

int NeededReport::ExitCode() const { return idle() == 0 && problems.empty() ? kAllAsExpected : kJudgement; }

NeededReport FindNeeded(const std::vector<MutantResult>& results, const std::vector<SelectedCase>& cases,
                        const Purposes& purposes, const std::map<std::string, std::string>& kept) {
  NeededReport report = WithPurposes(cases, purposes, kept);
  Duties duties = DutiesOf(results, cases);
  std::vector<std::vector<Duties::value_type*>> of(cases.size());
  for (auto& duty : duties) {
    const bool mutant = duty.first.starts_with(kMutant);
    for (const size_t i : duty.second) {
      of[i].push_back(&duty);
      report.cases[i].kills += mutant;
      if (mutant && duty.second.size() == 1) report.cases[i].only_here.push_back(NeedOf(duty.first));
    }
  }
  // Who is for something else can go first; then who kills the least.
  std::vector<size_t> order(cases.size());
  for (size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) {
    const CaseNeed &x = report.cases[a], &y = report.cases[b];
    const int first = Reluctance(x, purposes), second = Reluctance(y, purposes);
    return first != second ? first < second : x.kills < y.kills;
  });
  for (const size_t i : order) {
    // A mutant rather than a clause: that can be tried again.
    for (const Duties::value_type* duty : of[i]) {
      const bool better = report.cases[i].need.empty() || duty->first.starts_with(kMutant);
      if (duty->second.size() == 1 && better) report.cases[i].need = NeedOf(duty->first);
    }
    if (!report.cases[i].need.empty()) continue;
    for (Duties::value_type* duty : of[i]) duty->second.erase(i);
  }
  return report;
}

RecordedNeeds NeedsOf(const NeededReport& report) {
  RecordedNeeds needs;
  for (const CaseNeed& one : report.cases) {
    if (!one.need.empty()) needs[one.case_id] = one.need;
  }
  return needs;
}

NeededReport FollowRecordedNeeds(const RecordedNeeds& recorded, const MutantHunt& hunt,
                                 const std::vector<reference::Mutant>& mutants, const std::vector<SelectedCase>& cases,
                                 const Purposes& purposes, const std::map<std::string, std::string>& kept) {
  NeededReport report = WithPurposes(cases, purposes, kept);
  for (size_t i = 0; i < cases.size(); ++i) {
    const Case& c = cases[i].c;
    const auto entry = recorded.find(c.id);
    if (entry == recorded.end()) continue;
    const std::string& need = entry->second;
    const auto mutant =
        std::find_if(mutants.begin(), mutants.end(), [&](const reference::Mutant& one) { return one.id == need; });
    const bool clause = std::any_of(c.clauses.begin(), c.clauses.end(),
                                    [&](const std::string& name) { return "clause " + name == need; });
    const bool kills = mutant != mutants.end() && hunt.FindBy(c.id, *mutant);
    if (clause || kills) {
      report.cases[i].need = need;
      report.cases[i].kills = kills;
    } else {
      report.problems.push_back("needed.yaml: " + c.id + " is recorded for `" + need + "`, which it does not " +
                                (need.starts_with("clause ") ? "name" : "kill"));
    }
  }
  return report;
}

std::vector<std::string> StaleEntries(const RecordedNeeds& recorded, const std::vector<SelectedCase>& cases) {
  std::vector<std::string> stale;
  for (const auto& [id, need] : recorded) {
    const bool is_there =
        std::any_of(cases.begin(), cases.end(), [&wanted = id](const auto& one) { return one.c.id == wanted; });
    if (!is_there) stale.push_back("needed.yaml: " + id + " is not a case");
  }
  return stale;
}

std::vector<std::string> StaleEntries(const NeededReport& report, const Purposes& purposes,
                                      const std::map<std::string, std::string>& kept) {
  std::vector<std::string> stale;
  for (const auto& [id, reason] : kept) {
    const auto one = std::find_if(report.cases.begin(), report.cases.end(),
                                  [&, &wanted = id](const CaseNeed& need) { return need.case_id == wanted; });
    if (one == report.cases.end()) {
      stale.push_back("mutants.yaml keeps " + id + ", which is not a case");
    } else if (!one->need.empty()) {
      stale.push_back("mutants.yaml keeps " + id + ", which is needed for `" + one->need + "`");
    } else if (purposes.contains(id)) {
      stale.push_back("mutants.yaml keeps " + id + ", which " + purposes.at(id).front());
    }
  }
  return stale;
}

}  // namespace conform
