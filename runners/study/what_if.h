// What would change if a profile had other values: which cases, clauses and results.
#ifndef CONFORM_RUNNERS_STUDY_WHAT_IF_H_
#define CONFORM_RUNNERS_STUDY_WHAT_IF_H_

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "runners/harness/selection.h"
#include "runners/model/verdict.h"
#include "runners/study/rule_changes.h"

namespace conform {

// What a loop with the new values does to a case as it stands, from worst to best.
enum class Effect {
  kFails,        // each of its orders is outside the late set: it fails on any machine
  kMayFail,      // some order of it is not expected
  kNotDecided,   // a limit was hit
  kFewerOrders,  // it gives some of the expected orders
  kNone,         // on time, the same orders
};
std::string_view EffectName(Effect effect);  // "fails", "may-fail", "not-decided", "fewer-orders", "none"

// One case whose orders change.
struct CaseEffect {
  std::string case_id;
  std::string title;
  std::vector<std::string> clauses;
  Effect effect = Effect::kNone;
  std::vector<Order> before;  // some orders on time
  std::vector<Order> after;
  std::string limit;  // that was hit, where nothing is decided
};

struct ClauseEffect {
  std::string clause;
  int64_t changed = 0;  // cases that name it and would fail, or may
  int64_t cases = 0;    // that name it and were asked
};

// A result that would get another verdict, if it were held to the changed profile.
struct ResultEffect {
  std::string case_id;
  std::string implementation;
  Verdict before;
  Verdict after;
};

struct WhatIfReport {
  std::string profile;
  std::vector<RuleChange> changes;
  int64_t asked = 0;                  // cases
  int64_t without_model = 0;          // cases that are held to the profile, and could not be asked
  std::vector<CaseEffect> cases;      // those that change, worst first, then as they came
  std::vector<ClauseEffect> clauses;  // of those that fail or may, most changed first
  int64_t judged_again = 0;           // results of cases that were asked, held to the same rules
  std::vector<ResultEffect> results;
};

class WhatIf {
 public:
  // Everything must outlive this.
  WhatIf(const Profile& profile, std::vector<RuleChange> changes, const std::vector<SelectedCase>& cases,
         const Profiles& profiles);

  // The cases that are held to the profile and have a model.
  const std::vector<const Case*>& asked() const { return asked_; }
  // What would be said of the tries of `result`; nothing where the result is not of this case and these rules, or the
  // model was not asked when it was judged.
  std::optional<Verdict> VerdictThen(const Case& c, const CaseResult& result) const;
  // Asks about all of asked(), `jobs` of them at once, and judges `results` again. `progress` is called on this thread,
  // after each case.
  using Progress = std::function<void(size_t done, const std::string& case_id)>;
  WhatIfReport Report(const std::vector<CaseResult>& results, int jobs, const Progress& progress) const;

 private:
  CaseEffect EffectOn(const Case& c) const;

  const Profile& profile_;
  const Profile changed_;
  const std::vector<RuleChange> changes_;
  const Profiles& profiles_;
  std::vector<const Case*> asked_;
  int64_t without_model_ = 0;
};

}  // namespace conform

#endif  // CONFORM_RUNNERS_STUDY_WHAT_IF_H_
