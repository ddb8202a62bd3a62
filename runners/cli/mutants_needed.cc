// The other way round: which cases could go, and nothing would be missed?
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "runners/cli/mutants_report.h"

namespace conform {
namespace {

using Json = nlohmann::ordered_json;

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

}  // namespace

int64_t NeededReport::idle() const {
  return std::count_if(cases.begin(), cases.end(),
                       [](const CaseNeed& one) { return !one.needed && one.also_for.empty(); });
}

int NeededReport::ExitCode() const { return idle() == 0 ? kAllAsExpected : kJudgement; }

NeededReport FindNeeded(const std::vector<MutantResult>& results, const std::vector<SelectedCase>& cases,
                        const std::map<std::string, std::string>& kept) {
  NeededReport report;
  for (const SelectedCase& selected : cases) {
    const auto reason = kept.find(selected.c.id);
    report.cases.push_back({selected.c.id, 0, {}, true, reason == kept.end() ? "" : reason->second});
  }
  Duties duties = DutiesOf(results, cases);
  std::vector<std::vector<std::set<size_t>*>> of(cases.size());
  for (auto& [name, holders] : duties) {
    const bool mutant = name.starts_with("mutant ");
    for (const size_t i : holders) {
      of[i].push_back(&holders);
      report.cases[i].kills += mutant;
      if (mutant && holders.size() == 1) report.cases[i].only_here.push_back(name.substr(7));
    }
  }
  // Who is kept for something else can go first; then who kills the least.
  std::vector<size_t> order(cases.size());
  for (size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) {
    const CaseNeed &x = report.cases[a], &y = report.cases[b];
    return x.also_for.empty() != y.also_for.empty() ? y.also_for.empty() : x.kills < y.kills;
  });
  for (const size_t i : order) {
    const bool held = std::any_of(of[i].begin(), of[i].end(), [](const auto* holders) { return holders->size() == 1; });
    if (held) continue;
    report.cases[i].needed = false;
    for (std::set<size_t>* holders : of[i]) holders->erase(i);
  }
  return report;
}

std::string NeededText(const NeededReport& report, const Style& style) {
  std::string out;
  int64_t needed = 0, purposeful = 0;
  for (const CaseNeed& one : report.cases) {
    needed += one.needed;
    purposeful += !one.needed && !one.also_for.empty();
    if (one.needed || !one.also_for.empty()) continue;
    out +=
        style.Doubtful("not needed") + "  " + style.Strong(one.case_id) +
        (one.kills == 0 ? "  kills no mutant\n" : fmt::format("  others kill its {}\n", Counted(one.kills, "mutant")));
  }
  if (!out.empty()) out += "\n";
  return out + fmt::format("{}: {} needed for a mutant or a clause, {} kept for another reason, {} for nothing\n",
                           Counted(static_cast<int64_t>(report.cases.size()), "case"), needed, purposeful,
                           report.idle());
}

Json NeededJson(const NeededReport& report) {
  Json cases = Json::array();
  for (const CaseNeed& one : report.cases) {
    Json json{{"case", one.case_id}, {"needed", one.needed}, {"kills", one.kills}, {"only_here", one.only_here}};
    if (!one.also_for.empty()) json["for"] = one.also_for;
    cases.push_back(std::move(json));
  }
  return Json{{"idle", report.idle()}, {"cases", std::move(cases)}};
}

}  // namespace conform
