// Linting: do the pattern that a person wrote and the set that the model computes agree, at every version that matters?
#ifndef CONFORM_RUNNERS_STUDY_LINTER_H_
#define CONFORM_RUNNERS_STUDY_LINTER_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "reference-impl/explore/explorer.h"
#include "runners/harness/selection.h"
#include "runners/model/case.h"
#include "runners/model/clause.h"
#include "runners/model/profile.h"

namespace conform {

// How many orders a set has.
struct SetSize {
  int64_t orders = 0;
  bool more = false;  // there are more than were counted
};
inline constexpr size_t kMaxCountedOrders = 10'000;
SetSize SizeOf(const reference::Exploration& exploration);

// The late set can be far larger than the set on time; within these limits its size is known soon, or not told.
reference::ExploreLimits SmallLimits();

enum class Agreement {
  kAgrees,
  kDisagrees,
  kIncomplete,   // a limit was hit: nothing is proved
  kNotModelled,  // the reference loop cannot run it
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
  std::optional<SetSize> late;  // only if asked for
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
};

struct LintOptions {
  bool sizes = false;  // also count the late set, within small limits
  reference::ExploreLimits limits;
  RenamedIds renamed = {};  // for clauses that have another id now
};

// What `expect` names and no profile is called.
std::vector<Error> UnknownFamilies(const Case& c, const Profiles& profiles);

// Once a limit was hit under one profile, the others are not explored any more, but counted as incomplete too.
CaseLint LintCase(const SelectedCase& selected, const Profiles& profiles, const ClauseList& clauses,
                  const LintOptions& options);

// Clauses of that level which no case names.
std::vector<const Clause*> ClausesWithoutCase(const ClauseList& clauses, const std::vector<Case>& cases,
                                              ClauseLevel level);

}  // namespace conform

#endif  // CONFORM_RUNNERS_STUDY_LINTER_H_
