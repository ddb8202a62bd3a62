// The other way round: which cases could go, and nothing would be missed?
#ifndef CONFORM_RUNNERS_STUDY_NEEDED_CASES_H_
#define CONFORM_RUNNERS_STUDY_NEEDED_CASES_H_

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "runners/study/case_purposes.h"
#include "runners/study/mutant_results.h"

namespace conform {

// What one case is needed for.
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
// What to record of it: each case that is needed, with what for.
RecordedNeeds NeedsOf(const NeededReport& report);
// The same by what was recorded, of which each entry is looked at: does the case kill the mutant, or name the clause?
NeededReport FollowRecordedNeeds(const RecordedNeeds& recorded, const MutantHunt& hunt,
                                 const std::vector<reference::Mutant>& mutants, const std::vector<SelectedCase>& cases,
                                 const Purposes& purposes, const std::map<std::string, std::string>& kept);
// Entries for cases that are not there.
std::vector<std::string> StaleEntries(const RecordedNeeds& recorded, const std::vector<SelectedCase>& cases);
// Entries of `kept` for cases that are not there, that are needed, or of which the tree says what they are for.
std::vector<std::string> StaleEntries(const NeededReport& report, const Purposes& purposes,
                                      const std::map<std::string, std::string>& kept);

}  // namespace conform

#endif  // CONFORM_RUNNERS_STUDY_NEEDED_CASES_H_
