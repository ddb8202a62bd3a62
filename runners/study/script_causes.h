// What the history knows of a difference between two releases that a script shows.
#ifndef CONFORM_RUNNERS_STUDY_SCRIPT_CAUSES_H_
#define CONFORM_RUNNERS_STUDY_SCRIPT_CAUSES_H_

#include <string>
#include <vector>

#include "runners/model/case.h"
#include "runners/model/profile.h"

namespace conform {

// A rule that changed between two releases, and a case that shows it: by the model, even without what it does beyond
// the functions that the script mentions.
struct ScriptCause {
  std::string rule;
  std::string family;  // "node"
  std::string since;   // the first version with the newer value: "11.0.0"
  std::string clause;
  std::string case_id;
};

// `a` and `b` are profiles such as "node@10.24.1". Nothing where they are of two families, or one is not known. A cause
// is what may explain a difference, not what is shown to: the script is only searched for the names of functions.
std::vector<ScriptCause> FindScriptCauses(const Profiles& profiles, const std::vector<Case>& catalogue,
                                          const std::string& source, const std::string& a, const std::string& b);

}  // namespace conform

#endif  // CONFORM_RUNNERS_STUDY_SCRIPT_CAUSES_H_
