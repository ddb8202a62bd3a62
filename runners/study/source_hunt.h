// The hunt for mutants of real sources: which of them does the catalogue notice?
#ifndef CONFORM_RUNNERS_STUDY_SOURCE_HUNT_H_
#define CONFORM_RUNNERS_STUDY_SOURCE_HUNT_H_

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "runners/harness/selection.h"
#include "runners/model/profile.h"
#include "runners/model/shard.h"
#include "runners/model/verdict.h"
#include "runners/study/implementations.h"
#include "runners/study/known_mutants.h"
#include "runners/study/workshop.h"

namespace conform {

// What became of a mutant.
enum class MutantState {
  kKilled,
  kSurvives,
  kNotExecuted,  // not killed, and no case reaches the place
  kSameCode,     // not a mutant: it compiles to the same code
  kNotSource,    // not a mutant: it does not compile
};
std::string_view MutantStateName(MutantState state);  // "killed", "survives", "not-executed", "same-code", "not-source"

struct SourceResult {
  const SourceMutant* mutant = nullptr;
  const KnownMutants* known = nullptr;  // the entry that covers it: equivalent, or beyond the language
  MutantState state = MutantState::kSurvives;
  // Of kKilled: the case that noticed it, what that case was then, the verdict, and why. No case: it does not even
  // start.
  std::string case_id;
  std::string case_hash;
  std::string verdict;
  std::string why;
  std::string suspected_by;  // the last case whose result was suspect once, and did not come again
  int64_t milliseconds = 0;

  // Killed, although an entry says that it cannot be.
  bool IsWronglyKnown() const { return state == MutantState::kKilled && known != nullptr; }
};

struct SourceReport {
  std::string of;      // "libuv", "node"
  std::string source;  // "libuv 1.44.2"
  uint64_t seed = 0;
  std::string shard;               // "" for all
  size_t possible = 0;             // mutants that there are
  size_t cases = 0;                // that were run
  std::vector<std::string> unfit;  // cases that the unchanged source does not pass here, and so were left out
  std::vector<SourceResult> results;
  std::vector<std::string> useless_entries;  // of spec/source-mutants.yaml, as "file:line: …"
  int64_t cpu_ms = 0;                        // of this process and all that it started
  int64_t made = 0;                          // mutants that were made now; the others were known from before
  bool interrupted = false;

  // Mutants that count: not those that are not mutants and, of Node, not those that no case is known to reach.
  bool Counts(const SourceResult& result) const;
  int64_t Count(const std::function<bool(const SourceResult&)>& is) const;  // of those that count
  int64_t counted() const;
  int64_t killed() const;
  int64_t killed_by_lateness() const;            // of those, by a suspect result that came again
  int64_t known(KnownMutants::Kind kind) const;  // not killed, and of this kind
  int64_t survivors() const;
  int64_t wrongly_known() const;
  int ExitCode() const;
};

struct SourceHuntSettings {
  uint64_t seed = 1;
  size_t count = 400;
  std::string only;  // only mutants whose id this glob matches; "" for all
  Shard shard;
  int jobs = 1;
  std::string log;  // a file: each result is added at once, and what it has already is not hunted again; "" for none
};

struct SourceHuntListener {
  std::function<void(size_t done, size_t of, const std::string& at)> progress;
  std::function<bool()> stopped;
};

// Draws `count` of the workshop's mutants that no entry puts outside, and hunts them with the cases that the unchanged
// source passes: one after the other until one has a judgement against the mutant, which is more than chance. Those
// that killed its neighbours come first, then those of the folders that the workshop names, then those that take the
// least time. A mutant that survives is made once more with a mark in its place, to see whether any case gets there.
Result<SourceReport> HuntSourceMutants(Workshop& workshop, const std::string& of,
                                       const std::vector<KnownMutants>& known, const std::string& known_file,
                                       const std::vector<SelectedCase>& cases, const Profiles& profiles,
                                       const RunnerOptions& runner_options, const SourceHuntSettings& settings,
                                       const SourceHuntListener& listener);

// A suspect result may be the machine's fault. It is more than chance if it comes again each time, and the unchanged
// source passes in between. Nothing where the user stopped it, and neither has a verdict.
using VerdictOfRun = std::function<std::optional<Verdict>()>;
std::optional<bool> IsMoreThanChance(const VerdictOfRun& mutant, const VerdictOfRun& unchanged);

// The mutants that a seed draws, in the order in which it draws them.
std::vector<const SourceMutant*> DrawMutants(const std::vector<SourceMutant>& mutants,
                                             const std::vector<KnownMutants>& known, const std::string& only,
                                             uint64_t seed, size_t count);

}  // namespace conform

#endif  // CONFORM_RUNNERS_STUDY_SOURCE_HUNT_H_
