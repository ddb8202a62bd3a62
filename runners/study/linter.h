// Linting: do the hand-written pattern and the set that the model computes agree, at every version that matters?
#ifndef CONFORM_RUNNERS_STUDY_LINTER_H_
#define CONFORM_RUNNERS_STUDY_LINTER_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "reference-impl/explore/model_cache.h"
#include "runners/harness/selection.h"
#include "runners/model/case.h"
#include "runners/model/clause.h"
#include "runners/model/profile.h"
#include "runners/study/exploring.h"

namespace conform {

// From best to worst.
enum class Agreement {
  kAgrees,
  kNotModelled,  // the reference loop cannot run it
  kIncomplete,   // a limit was hit: nothing is proved
  kDisagrees,
};

// One case under one profile.
struct ProfileLint {
  std::string profile;
  std::string pattern;
  Agreement agreement = Agreement::kAgrees;
  std::optional<Order> only_model;    // a shortest order that the model allows and the pattern does not
  std::optional<Order> only_pattern;  // and the other way round
  std::string note;                   // the limit that was hit, what is not modelled, a count that is wrong
  std::optional<SetSize> on_time;
  std::optional<SetSize> late;  // only if requested
};

struct CaseLint {
  std::string case_id;
  std::string reference;  // the word that means the case on the command line
  std::string file;
  bool native = false;
  std::vector<Error> problems;  // unknown clauses and families
  std::vector<Error> notes;     // lines of `expect` that no version checks
  std::vector<ProfileLint> profiles;

  bool Clean() const;  // no problem, no disagreement, nothing incomplete
  Agreement Worst() const;
};

// What was found in all cases.
struct LintReport {
  std::vector<CaseLint> cases;
  std::vector<Error> unreadable;               // files of cases and of the spec
  std::vector<std::string> must_without_case;  // clause ids; empty when only some cases were linted
  int64_t must_clauses = 0;                    // 0 when only some cases were linted

  int64_t Count(Agreement agreement) const;  // cases of which some profile is so, and none worse
  bool Clean() const;
  int ExitCode() const;
};

struct LintOptions {
  bool sizes = false;  // also count the late set, within small limits
  reference::ExploreLimits limits;
  RenamedIds renamed = {};  // for clauses that have another id now
  std::shared_ptr<reference::ModelCache> models = std::make_shared<reference::ModelCache>();
};

// What `expect` names and no profile is called.
std::vector<Error> UnknownFamilies(const Case& c, const Profiles& profiles);

// Once a limit was hit under one profile, the others are not explored any more, but counted as incomplete too.
CaseLint LintCase(const SelectedCase& selected, const Profiles& profiles, const ClauseList& clauses,
                  const LintOptions& options);

// The same for all cases, `jobs` of them at once. `progress` is called on this thread, after each case.
std::vector<CaseLint> LintCases(const std::vector<SelectedCase>& cases, const Profiles& profiles,
                                const ClauseList& clauses, const LintOptions& options, int jobs,
                                const std::function<void(size_t done, const std::string& case_id)>& progress);

// Clauses of that level which no case names.
std::vector<const Clause*> ClausesWithoutCase(const ClauseList& clauses, const std::vector<Case>& cases,
                                              ClauseLevel level);
// Fills in what a report says of MUST clauses, of which every one needs a case.
void LintMustClauses(const ClauseList& clauses, const std::vector<Case>& cases, LintReport* report);

}  // namespace conform

#endif  // CONFORM_RUNNERS_STUDY_LINTER_H_
