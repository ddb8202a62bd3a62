// What `conform run` prints: pure functions of the results.
#ifndef CONFORM_REPORTS_TERMINAL_RUN_REPORT_H_
#define CONFORM_REPORTS_TERMINAL_RUN_REPORT_H_

#include <functional>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "reports/terminal/comparison.h"
#include "reports/terminal/script_report.h"
#include "runners/base/output.h"
#include "runners/harness/selection.h"
#include "runners/model/clause.h"
#include "runners/model/results.h"

namespace conform::reports {

// The results of a run, gathered one by one. Of what is as expected only numbers are kept.
class RunReport {
 public:
  // `spec`: what findings quote of the clauses that they break.
  explicit RunReport(ClauseList spec = {}) : spec_(std::move(spec)) {}

  void Add(const CaseResult& result, const SelectedCase& selected);

  // A judgement against an implementation in two lines, to be shown as it happens: what failed, and the clause that it
  // breaks. "" for any other result.
  std::string Headline(const CaseResult& result, const SelectedCase& selected, const Style& style) const;

  // Something that the user should know; the same thing is reported once.
  void Note(std::string note) { notes_.insert(std::move(note)); }

  // Finds what explains, or may explain, a difference between two sides that a script with this source shows.
  using CausesOf =
      std::function<std::vector<ScriptCause>(const std::string& source, const ScriptSide& a, const ScriptSide& b)>;
  void Explain(CausesOf causes) { causes_of_ = std::move(causes); }

  // What helps with failures, named at the end where there are any.
  struct Help {
    std::string results_file;  // "" where the results are not kept
    // In which language `conform show --as` writes programs for that family of loops; "" where in none.
    std::function<std::string(const std::string& family)> language_of;
  };
  void Offer(Help help) { help_ = std::move(help); }

  // Scripts that gave no label on any implementation.
  std::vector<std::string> SilentScripts() const;

  // 1 for any judgement against an implementation, and for a script on which two of them differ; with `strict`,
  // inconclusive counts as one. 3 where a run of a script did not end: what would have come is not known.
  int ExitCode(bool strict) const;

  std::string Text(const Style& style) const;
  // Without the results themselves. spec/schemas/run.schema.json
  nlohmann::ordered_json Json() const;

 private:
  // Results of one case that say the same of several versions.
  struct Finding {
    Verdict verdict;
    Basis basis;
    std::string case_id, implementation, expected, reason, reproduce, explore, difference;
    std::string clause;  // the first of the case's
    Histogram observed;
    std::vector<std::string> profiles;
    std::string reference;  // of the case, as the user can name it
    bool is_case;           // and not a native one without a model, of which nothing can be explored
  };
  struct Spread {
    std::string case_id, implementation, profile;
    Histogram orders;
  };

  std::string ClauseLine(const std::string& id, const std::string& profile) const;
  void AddFinding(const CaseResult& result, const SelectedCase& selected);
  std::string FindingText(const Finding& finding, const Style& style) const;
  std::string SpreadText() const;
  std::vector<Comparison::Difference> Differences() const;
  std::vector<ScriptReport> Scripts() const;
  std::string ScriptsSection(const Style& style) const;
  std::string DifferencesSection(const Style& style) const;
  std::string TotalsText(const Style& style) const;
  std::string BasesText() const;
  std::string ByImplementationText(const Style& style) const;
  std::string HelpText() const;

  ClauseList spec_;
  Totals totals_;
  std::map<std::string, Totals> by_implementation_;
  Comparison comparison_;
  // What expects nothing, and is shown whatever it does.
  struct Script {
    std::string id, source;
    std::vector<ScriptSide> sides;
    bool unfinished = false;  // a run of it did not end
  };
  std::vector<Script> scripts_;
  CausesOf causes_of_;
  Help help_;
  std::set<std::string> notes_;
  std::set<std::string> cases_, profiles_, clauses_, implementations_;
  std::vector<Finding> findings_;
  std::vector<Spread> spreads_;                 // where one case under one profile gave several orders; the first
  size_t several_orders_ = 0;                   // how many there are of them
  std::map<std::string, int64_t> unsupported_;  // by reason
  std::map<std::string, int64_t> missing_;      // likewise
  std::map<Basis, int64_t> bases_;
};

}  // namespace conform::reports

#endif  // CONFORM_REPORTS_TERMINAL_RUN_REPORT_H_
