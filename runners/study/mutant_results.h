// What became of the mutants of the reference loop: which of them the catalogue notices.
#ifndef CONFORM_RUNNERS_STUDY_MUTANT_RESULTS_H_
#define CONFORM_RUNNERS_STUDY_MUTANT_RESULTS_H_

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

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

// All mutants of the profiles; or those of `family`, and of `rule`, which is "RULE" or "RULE=VALUE". Error: there is
// none of that name; it carries the nearest one.
Result<std::vector<reference::Mutant>> ChooseMutants(const Profiles& profiles, const std::string& family,
                                                     const std::string& rule);

struct MutantsSettings {
  bool every_case = false;  // look for all cases that kill a mutant, and leave out those listed as equivalent
  int jobs = 1;
  std::function<void(size_t done, const std::string& mutant)> progress;  // on the calling thread
};

// What becomes of each of the mutants. `equivalent`, which the report points into, must outlive it.
MutantsReport HuntMutants(const MutantHunt& hunt, const std::vector<reference::Mutant>& mutants,
                          const std::vector<Equivalent>& equivalent, const MutantsSettings& settings);

// The entries that cover none of the mutants, as "file:line".
std::vector<std::string> UselessEntries(const std::vector<Equivalent>& entries,
                                        const std::vector<reference::Mutant>& mutants, const std::string& file);

}  // namespace conform

#endif  // CONFORM_RUNNERS_STUDY_MUTANT_RESULTS_H_
