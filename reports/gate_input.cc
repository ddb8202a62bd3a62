#include "reports/gate_input.h"

#include <algorithm>
#include <filesystem>
#include <set>

namespace conform::reports {

Result<std::vector<const Case*>> CasesToHold(const Baseline& baseline, const ResultSet& set,
                                             const std::vector<Case>& catalogue, const IdsMeant& meant) {
  std::set<std::string> chosen;
  for (const BaselineWord& word : baseline.cases) {
    const auto named = [&](const Case& c) { return c.id == word.text; };
    const bool in_catalogue = std::any_of(catalogue.begin(), catalogue.end(), named);
    if (!in_catalogue && set.FindCase(word.text)) continue;  // from a file of the user, and there
    const auto ids = meant(word.text);
    if (!ids) return Error{ids.error().message, baseline.file, word.at, ids.error().hint};
    chosen.insert(ids->begin(), ids->end());
  }
  std::vector<const Case*> cases;
  for (const Case& c : catalogue) {
    if (baseline.cases.empty() || chosen.contains(c.id)) cases.push_back(&c);
  }
  return cases;
}

Result<ResultSet> ReadForGate(const std::vector<std::string>& files, const Baseline& baseline,
                              const RenamedIds& renamed, GateUse use) {
  const auto read = [&](const ResultSet::Keep& keep) {
    return ResultSet::Read(files, renamed, ResultSet::Runs::kSeveral, keep);
  };
  const auto is_regular = [](const std::string& path) { return std::filesystem::is_regular_file(path); };
  const bool twice = std::all_of(files.begin(), files.end(), is_regular);
  if (use == GateUse::kTell || (use == GateUse::kUpdate && !twice)) return read(nullptr);
  std::set<std::string> ids;
  for (const BaselineSection& section : baseline.sections) {
    for (const KnownDeviation& one : section.known) ids.insert(one.case_id);
  }
  const auto is_one_of_them = [&ids](const CaseResult& result) { return ids.contains(result.case_id); };
  auto set = read(is_one_of_them);
  if (!set || use == GateUse::kShow) return set;
  // A new entry counts the passes of its case as well, and these may have come before what deviates.
  const size_t known = ids.size();
  for (const CaseResult& result : set->results()) ids.insert(result.case_id);
  return ids.size() == known ? std::move(set) : read(is_one_of_them);
}

}  // namespace conform::reports
