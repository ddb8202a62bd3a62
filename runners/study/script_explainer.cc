#include "runners/study/script_explainer.h"

#include "runners/study/lifted_orders.h"

namespace conform {

const std::optional<Lifted>& ScriptExplainer::LiftedOnce(const std::string& file) {
  const auto [at, is_new] = lifted_.try_emplace(file);
  if (!is_new) return at->second;
  auto lifted = LiftWithin(file, {}, home_, scope_);
  if (lifted && !lifted->LeavesOut() && !DoubtsOf(*lifted, profiles_, {}).Any()) at->second = std::move(*lifted);
  return at->second;
}

std::vector<ScriptCause> ScriptExplainer::Explain(const Case& script, const std::string& a, const std::string& b,
                                                  bool are_releases) {
  if (are_releases && a.starts_with("node@")) {
    const std::optional<Lifted>& lifted = LiftedOnce(script.file);
    std::vector<ScriptCause> causes;
    if (lifted) causes = CausesOfLifted(profiles_, *lifted, a, b);
    if (!causes.empty()) return causes;
  }
  if (!catalogue_) catalogue_ = LoadCatalogue(home_.Cases());
  return FindScriptCauses(profiles_, catalogue_->cases, script.source, a, b);
}

}  // namespace conform
