// What `conform mutants` prints: pure functions of what the hunt found.
#ifndef CONFORM_RUNNERS_CLI_MUTANTS_REPORT_H_
#define CONFORM_RUNNERS_CLI_MUTANTS_REPORT_H_

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "runners/cli/equivalent_mutants.h"
#include "runners/cli/mutant_hunt.h"
#include "runners/cli/output.h"

namespace conform {

// What became of one mutant.
struct MutantResult {
  Mutant mutant;
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
  int64_t kills = 0;                   // mutants that it kills
  std::vector<std::string> only_here;  // of those, the ones that no other case kills
  bool needed = false;                 // a mutant or a clause would be without a case if it went, and those not needed
  std::string also_for;                // what the file says that it is for
};
struct NeededReport {
  std::vector<CaseNeed> cases;

  int64_t idle() const;  // neither needed nor for anything else
  int ExitCode() const;
};

// Leaves out one case after another, those that are kept for something else first, for as long as every mutant that was
// killed still is, and every clause that was named still is.
NeededReport FindNeeded(const std::vector<MutantResult>& results, const std::vector<SelectedCase>& cases,
                        const std::map<std::string, std::string>& kept);
std::string NeededText(const NeededReport& report, const Style& style);
nlohmann::ordered_json NeededJson(const NeededReport& report);

}  // namespace conform

#endif  // CONFORM_RUNNERS_CLI_MUTANTS_REPORT_H_
