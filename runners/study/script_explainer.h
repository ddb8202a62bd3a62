// Why a script behaves differently on two releases: by the model of the script itself where it can be lifted, or else
// by what the history knows of the functions that it mentions.
#ifndef CONFORM_RUNNERS_STUDY_SCRIPT_EXPLAINER_H_
#define CONFORM_RUNNERS_STUDY_SCRIPT_EXPLAINER_H_

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "runners/harness/run_scope.h"
#include "runners/lift/lift.h"
#include "runners/study/home.h"
#include "runners/study/script_causes.h"

namespace conform {

class ScriptExplainer {
 public:
  // REQUIRES: all of these outlive this.
  ScriptExplainer(const Home& home, const Profiles& profiles, const RunScope& scope)
      : home_(home), profiles_(profiles), scope_(scope) {}

  // `a` and `b` are profiles, as for FindScriptCauses; `are_releases`: of what ran the script, rather than what it was
  // held to. A script is lifted once, and is run for that.
  std::vector<ScriptCause> Explain(const Case& script, const std::string& a, const std::string& b, bool are_releases);

 private:
  // Nothing where it cannot be lifted as a whole.
  const std::optional<Lifted>& LiftedOnce(const std::string& file);

  const Home& home_;
  const Profiles& profiles_;
  const RunScope& scope_;
  std::map<std::string, std::optional<Lifted>> lifted_;
  std::optional<Catalogue> catalogue_;
};

}  // namespace conform

#endif  // CONFORM_RUNNERS_STUDY_SCRIPT_EXPLAINER_H_
