// Are the causes right, where the truth is known? Another release, or a mutant, is held to a profile; what differs
// between both is in their rules.
#ifndef CONFORM_RUNNERS_STUDY_CAUSE_TRUTH_H_
#define CONFORM_RUNNERS_STUDY_CAUSE_TRUTH_H_

#include <cstdint>
#include <string>
#include <vector>

#include "runners/study/causes.h"

namespace conform {

// Rules that differ, and that no case separates: each alone changes the same cases in the same way.
struct VisibleRules {
  std::vector<RuleChange> changes;
  std::vector<std::string> cases;  // whose late set changes if one of them does
  bool is_named = false;           // by a cause, or as an alternative to one
};

struct CauseTruth {
  std::string follows;            // the profile of the implementation
  int64_t differing = 0;          // rules that have another value there
  int64_t right = 0;              // causes that name the value there, or cannot be told apart from it
  std::vector<RuleChange> wrong;  // other causes
  std::vector<VisibleRules> visible;
  int64_t not_decided = 0;  // cases whose late set is too large to be compared, with a rule that they read

  int64_t named() const;
  double precision() const;  // 1 where there is no cause
  double recall() const;     // 1 where nothing is visible
};

// `report`: of `evidence`, which is what a loop that follows `follows` gave, held to another profile. A rule is visible
// if the late set of some observed case changes when it alone does.
CauseTruth CompareWithTruth(const CausesReport& report, const CauseEvidence& evidence,
                            const std::vector<RuleChange>& hypotheses, const Profile& follows, int jobs);

// What the causes say of cases that they were not found from.
struct CausePrediction {
  uint64_t seed = 0;  // that drew them
  int64_t failing = 0;
  int64_t explained = 0;  // of those
  int64_t passing = 0;
  int64_t contradicted = 0;  // of those
};

CausePrediction PredictWithheld(const CausesReport& report, const CauseEvidence& withheld, uint64_t seed);

}  // namespace conform

#endif  // CONFORM_RUNNERS_STUDY_CAUSE_TRUTH_H_
