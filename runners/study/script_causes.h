// What the history knows of a difference between two releases that a script shows.
#ifndef CONFORM_RUNNERS_STUDY_SCRIPT_CAUSES_H_
#define CONFORM_RUNNERS_STUDY_SCRIPT_CAUSES_H_

#include <string>
#include <vector>

#include "runners/lift/lift.h"
#include "runners/model/case.h"
#include "runners/model/profile.h"

namespace conform {

// A rule that changed between two releases, and a case that shows it: the script itself, or one whose orders change by
// the model even without what it does beyond the functions that the script mentions.
struct ScriptCause {
  std::string rule;
  std::string family;  // "node"
  std::string since;   // the first version with the newer value: "11.0.0"
  std::string clause;
  std::string case_id;    // or the script itself, where `is_shown`
  bool is_shown = false;  // by the model of what the script schedules
};

// The rules that make the orders of a script others, by the model of what it schedules. Nothing where the model gives
// the same, or the two are not releases of one family that can run it.
std::vector<ScriptCause> CausesOfLifted(const Profiles& profiles, const Lifted& lifted, const std::string& a,
                                        const std::string& b);

// `a` and `b` are profiles such as "node@10.24.1". Nothing where they are of two families, or one is not known. A cause
// is what may explain a difference, not what is shown to: the script is only searched for the names of functions.
std::vector<ScriptCause> FindScriptCauses(const Profiles& profiles, const std::vector<Case>& catalogue,
                                          const std::string& source, const std::string& a, const std::string& b);

}  // namespace conform

#endif  // CONFORM_RUNNERS_STUDY_SCRIPT_CAUSES_H_
