// The comparison of a script on several implementations: how often each gave each order, and what that shows.
#ifndef CONFORM_REPORTS_SCRIPT_COMPARISON_H_
#define CONFORM_REPORTS_SCRIPT_COMPARISON_H_

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "reports/distributions.h"
#include "runners/model/verdict.h"

namespace conform::reports {

struct ScriptSide {
  std::string name;                       // "bun@1.4.4"
  std::string profile;                    // "node@26.3.0"
  std::map<std::string, int64_t> orders;  // an order of a run that did not end has ` …` behind it
  std::string why_none;                   // why nothing was run; else ""

  int64_t runs() const;
};
ScriptSide SideOf(const CaseResult& result);

struct ScriptPair {
  size_t a, b;  // sides
  Likened likened;
};

struct ScriptComparison {
  std::string script;
  std::vector<ScriptSide> sides;
  std::vector<ScriptPair> pairs;  // of sides that ran
  double level = kMaxChance;      // of each pair, so that all of them together claim a false difference no more often

  bool Has(Likeness likeness) const;
  // No run of any side gave a label.
  bool IsSilent() const;
};
ScriptComparison CompareScript(std::string script, std::vector<ScriptSide> sides);

}  // namespace conform::reports

#endif  // CONFORM_REPORTS_SCRIPT_COMPARISON_H_
