// What `conform mutants` prints: pure functions of what the hunt found.
#ifndef CONFORM_REPORTS_TERMINAL_MUTANTS_REPORT_H_
#define CONFORM_REPORTS_TERMINAL_MUTANTS_REPORT_H_

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "runners/base/output.h"
#include "runners/study/case_purposes.h"
#include "runners/study/equivalent_mutants.h"
#include "runners/study/mutant_hunt.h"

namespace conform {

// What became of one mutant.
struct MutantResult {
  reference::Mutant mutant;
  std::vector<Kill> kills;                 // the first that was found; with `--needed`, one for each case
  const Equivalent* equivalent = nullptr;  // the entry that says that nothing can kill it

  bool Killed() const { return !kills.empty(); }
  bool Survives() const { return kills.empty() && equivalent == nullptr; }
};

struct MutantsReport {
  std::vector<MutantResult> results;
  std::vector<std::string> useless_entries;  // of spec/mutants.yaml: those that cover no mutant, as "file:line"
  int64_t cases = 0;

  int64_t killed() const;
  int64_t proofs() const;  // of those, by an order that no delay explains, or by no end
  int64_t equivalent() const;
  int64_t survivors() const;
  int64_t wrongly_equivalent() const;  // listed as equivalent, and killed
  int ExitCode() const;
};

std::string MutantsText(const MutantsReport& report, const Style& style);
// spec/schemas/mutants.schema.json
nlohmann::ordered_json MutantsJson(const MutantsReport& report);

// The other way round: what each case is needed for.
struct CaseNeed {
  std::string case_id;
  int64_t kills = 0;                   // mutants that it kills, of those that were tried
  std::vector<std::string> only_here;  // of those, the ones that no other case kills
  std::string need;                    // "" or what would be without a case: a mutant, or "clause NAME"
  std::vector<std::string> purposes;   // what else it is for
};
struct NeededReport {
  std::vector<CaseNeed> cases;
  std::vector<std::string> problems;  // entries of a file that are not, or no longer, true

  int64_t idle() const;  // neither needed nor for anything else
  int ExitCode() const;
};

// Leaves out one case after another, those that are for something else first, for as long as every mutant that was
// killed still is, and every clause that was named still is.
NeededReport FindNeeded(const std::vector<MutantResult>& results, const std::vector<SelectedCase>& cases,
                        const Purposes& purposes, const std::map<std::string, std::string>& kept);
// The same by what was recorded, of which each entry is looked at: does the case kill the mutant, or name the clause?
NeededReport FollowRecordedNeeds(const RecordedNeeds& recorded, const MutantHunt& hunt,
                                 const std::vector<reference::Mutant>& mutants, const std::vector<SelectedCase>& cases,
                                 const Purposes& purposes, const std::map<std::string, std::string>& kept);
// Entries of `kept` for cases that are not there, that are needed, or of which the tree says what they are for.
std::vector<std::string> StaleEntries(const NeededReport& report, const Purposes& purposes,
                                      const std::map<std::string, std::string>& kept);

// With `each`, what every case is for stands in it, and not only the sum.
std::string NeededText(const NeededReport& report, bool each, const Style& style);
// spec/schemas/needed.schema.json
nlohmann::ordered_json NeededJson(const NeededReport& report);

}  // namespace conform

#endif  // CONFORM_REPORTS_TERMINAL_MUTANTS_REPORT_H_
