// What was observed of an implementation, as far as the model can be asked about it.
#ifndef CONFORM_RUNNERS_STUDY_CAUSE_EVIDENCE_H_
#define CONFORM_RUNNERS_STUDY_CAUSE_EVIDENCE_H_

#include <cstdint>
#include <string>
#include <vector>

#include "reference-impl/explore/explorer.h"
#include "runners/harness/selection.h"
#include "runners/model/verdict.h"

namespace conform {

// What was observed of one case that has a model.
struct Observation {
  const Case* c;
  std::vector<Order> orders;        // of all runs that ended, each once
  bool fails = false;               // some order is outside the late set of the profile
  reference::ExploreLimits limits;  // for one question about it
};

struct CauseEvidence {
  std::string implementation;
  Profile profile;
  std::vector<Observation> observations;
  std::vector<std::string> without_model;   // cases that fail without one: nothing can be asked about them
  std::vector<std::string> without_orders;  // cases that timed out, crashed or were missing something
  int64_t older = 0;                        // results of other versions of a case, or of cases that are gone
  int64_t undecided = 0;                    // cases whose orders the limits left undecided

  int64_t failing() const;
  int64_t passing() const { return static_cast<int64_t>(observations.size()) - failing(); }
};

// Of the results of one implementation, which `results` are, held to `profile`. The cases must outlive the evidence.
CauseEvidence GatherEvidence(const std::vector<CaseResult>& results, const std::vector<SelectedCase>& cases,
                             const Profiles& profiles, const Profile& profile, int jobs);

// Takes a half of the observations out of `evidence`, drawn by the seed, and returns it.
CauseEvidence WithholdHalf(CauseEvidence* evidence, uint64_t seed);

// A loop with a change may go round without an end. What it is given for one question about the case.
reference::ExploreLimits LimitsOfQuestion(const Case& c, const reference::Model& model);

}  // namespace conform

#endif  // CONFORM_RUNNERS_STUDY_CAUSE_EVIDENCE_H_
