// Profiles that a user describes in a file: a family, or a release with some of its rules changed.
#ifndef CONFORM_RUNNERS_STUDY_OWN_PROFILE_H_
#define CONFORM_RUNNERS_STUDY_OWN_PROFILE_H_

#include <string>

#include "runners/base/result.h"
#include "runners/harness/plan.h"
#include "runners/model/profile.h"

namespace conform {

// The profile that a word of the command line means: a name (`node@24`), or a file (`./my.yaml`). The family that a
// file describes is added to `profiles`, and the newest of its releases is meant. Errors of a file carry its line.
Result<Profile> ResolveProfile(const std::string& word, Profiles* profiles);

// Where rules were changed, no pattern says what is expected: the items of such profiles expect what the model gives on
// time. What the model does not know keeps the expectation of the release.
void ExpectWhatTheModelGives(Plan* plan);

}  // namespace conform

#endif  // CONFORM_RUNNERS_STUDY_OWN_PROFILE_H_
