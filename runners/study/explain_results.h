// From results of any kind to why they fail: which of them are of one implementation, and the causes of each.
#ifndef CONFORM_RUNNERS_STUDY_EXPLAIN_RESULTS_H_
#define CONFORM_RUNNERS_STUDY_EXPLAIN_RESULTS_H_

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "runners/study/causes.h"

namespace conform {

// The results of one implementation, held to one profile.
struct ResultsOfOne {
  std::vector<CaseResult> results;
  std::string profile;
};

// Those of `implementation` that are held to `profile`; "" for either where the results have only one. Error: they have
// several, or none of that name. An implementation may be named without its version; a profile that is not among the
// results leaves open which one they were held to.
Result<ResultsOfOne> ChooseResults(std::vector<CaseResult> results, const std::string& implementation,
                                   const std::string& profile);

struct Explanation {
  CauseEvidence evidence;
  CauseEvidence withheld;  // nothing, or a half that the causes are not from
  std::vector<RuleChange> hypotheses;
  CausesReport report;
};

// Why `results`, which are one implementation's, are not what `profile` gives; with `half`, by that half of them which
// the seed leaves. The settings' releases are those of the profile's family. The cases must outlive the explanation.
Explanation ExplainResults(const std::vector<CaseResult>& results, const std::vector<SelectedCase>& cases,
                           const Profiles& profiles, const Profile& profile, CausesSettings settings,
                           std::optional<uint64_t> half = std::nullopt);

// The same, with the programs of causes, for each implementation that fails something and each profile that it was held
// to; the one with most failures first. `progress` is called before each. Ends early where the settings are stopped.
std::vector<CausesReport> ExplainAllResults(
    const std::vector<CaseResult>& results, const std::vector<SelectedCase>& cases, const Profiles& profiles,
    const CausesSettings& settings,
    const std::function<void(size_t done, size_t of, const std::string& implementation)>& progress);

}  // namespace conform

#endif  // CONFORM_RUNNERS_STUDY_EXPLAIN_RESULTS_H_
