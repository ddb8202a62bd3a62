// The gate: results against what is known. A pure function of results, baseline and catalogue.
#ifndef CONFORM_REPORTS_GATE_H_
#define CONFORM_REPORTS_GATE_H_

#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "reports/baseline.h"
#include "reports/result_set.h"
#include "runners/model/clause.h"

namespace conform::reports {

enum class GateKind {
  kPasses,     // and nothing else is known
  kAsKnown,    // as bad as the baseline says, or one of the verdicts of a case that varies
  kWorse,      // than the baseline says, or bad where it says nothing
  kImproved,   // better than the baseline says
  kVaries,     // worse or better, but not in all the runs that there are of it, and no more often than chance explains
  kUndecided,  // inconclusive, which says nothing against the implementation
  kNotRun,     // there should be a result, and there is none
  kOutdated,   // the result is of the case as it was before it changed
};
std::string_view GateKindName(GateKind kind);  // "passes", "as-known", …

// How far from passing, for "worse" and "better": pass, unspecified, unsupported, suspect, fail, timeout, crash,
// protocol-error. REQUIRES: not inconclusive, which has no place among them.
int Badness(Verdict verdict);

struct GateFinding {
  GateKind kind;
  std::string case_id, implementation;
  std::string profile;                    // "" where nothing ran
  const CaseResult* result = nullptr;     // in the set; null where nothing ran
  const KnownDeviation* known = nullptr;  // in the baseline
  bool passes_beside = false;             // there are results that the set has not kept
  std::string clause = "";                // the first that the case tests, where NameClauses found it
  std::string sentence = "";              // the first of its text; "" where it does not hold for the profile
};

struct GateOptions {
  bool allow_improvements = false;
  bool strict = false;         // what varies or is undecided counts as worse
  bool only_what_ran = false;  // nothing is missing, whatever the catalogue and the baseline hold
};

struct GateReport {
  std::vector<GateFinding> findings;    // by case, implementation, profile; then what did not run
  std::vector<std::string> incomplete;  // one sentence for each file
  std::map<GateKind, int64_t> totals;
  std::vector<std::string> hints;  // names in the baseline that may be meant otherwise, and ids that were renamed

  bool Passes(const GateOptions& options) const;
  static bool Counts(GateKind kind, const GateOptions& options);  // against the run
};

// `cases`: those that a run has to hold. Refused: an entry that is contradicted by another one, and one about a case
// that neither the results nor `ids` have.
Result<GateReport> Gate(const ResultSet& set, const Baseline& baseline, const std::vector<const Case*>& cases,
                        const std::vector<std::string>& ids, const GateOptions& options);

// Names the clause of each finding, and its first sentence, where the catalogue has the case.
void NameClauses(GateReport& report, const std::vector<Case>& catalogue, const ClauseList& clauses);

// What the results hold, in words for `cases` of a baseline: folders of which everything ran that should have, and ids,
// also of cases that are not in the catalogue. None where the whole catalogue ran.
std::vector<std::string> WordsForWhatRan(const ResultSet& set, const std::vector<Case>& catalogue);

// {"verdict": "fail"}, or {"verdict": ["pass", "fail"], "seen": {"pass": 7, "fail": 3}}
nlohmann::ordered_json KnownVerdictsJson(const KnownVerdicts& verdicts);

// Every finding, spec/schemas/gate.schema.json.
nlohmann::ordered_json GateJson(const GateReport& report, const Baseline& baseline, const GateOptions& options);

}  // namespace conform::reports

#endif  // CONFORM_REPORTS_GATE_H_
