// The history of a case: which orders it gives at which versions, by the model and by runs, and what changed.
#ifndef CONFORM_RUNNERS_STUDY_HISTORY_H_
#define CONFORM_RUNNERS_STUDY_HISTORY_H_

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "runners/harness/selection.h"
#include "runners/model/case.h"
#include "runners/model/profile.h"
#include "runners/model/verdict.h"

namespace conform {

// A stretch of versions with the same orders.
struct HistorySpan {
  Version first;  // by the model: the first version of all; by runs: the first that was run
  Version last;   // by runs: the last that was run; by the model: the last that was looked at
  std::string orders;
  std::vector<std::string> changed_by;  // rules, by the model; empty for the first span
};

struct CaseHistory {
  std::string case_id;
  std::string title;
  std::string family;
  std::vector<HistorySpan> by_model;  // empty where there is no model
  std::vector<HistorySpan> by_runs;   // empty where there are none
  std::string note;                   // why there is no model
  std::string program = "";           // the steps as calls of the family's API, of a single case
};

// What runs gave, by version; only results that ran. Of one version the last result counts.
using RunsByVersion = std::map<Version, const CaseResult*>;

// The results of `case_id` on releases of `family` themselves (or on the reference loop standing for them).
RunsByVersion RunsOf(const std::vector<CaseResult>& results, const Case& c, const std::string& family);

// The rules to which the orders of `c` under `after` are due, where they are not those under `before`: rules that
// change them by themselves, or else those without which they would not be the new ones, or else all that are new.
// Empty where the orders are the same. REQUIRES: the reference loop has a model of `c`.
std::vector<std::string> RulesBehind(const Case& c, const Profile& before, const Profile& after);

CaseHistory HistoryOf(const Case& c, const Profiles& profiles, const ProfileFamily& family, const RunsByVersion& runs);

// The history of `c` on releases of an implementation that has no profile of its own, such as bun, by its own version
// and by runs alone. A span ends where a release shows nothing that was seen in it, over all runs, unless it and the
// release before pass under one expectation: what may be chance is no change.
CaseHistory HistoryOfReleases(const Case& c, const std::string& implementation, const std::vector<CaseResult>& results);

// The versions that `results` are of, as "node 24.21.0": those of the profiles that they were held to; or, with
// `implementation`, the releases of that.
std::vector<std::string> ReleasesRun(const std::vector<CaseResult>& results, const std::string& implementation);

struct HistoriesSettings {
  std::string only;  // this family; or the implementation of that name, where no family has it; "" for all families
  int jobs = 1;
  std::function<void(size_t done, size_t of, const std::string& at)> progress;  // on the calling thread
};

// The histories of all cases that have one, in their order. That of a single case has its program.
std::vector<CaseHistory> AllHistories(const std::vector<SelectedCase>& cases, const Profiles& profiles,
                                      const std::vector<CaseResult>& results, const HistoriesSettings& settings);

// One change of order, between two spans of one case.
struct Change {
  const CaseHistory* history;
  const HistorySpan* before;
  const HistorySpan* after;
  std::optional<Version> since;         // by the model: the first version of all that has it
  std::vector<std::string> changed_by;  // by the model
};

// Every change that runs show, by the version that shows it first. The model adds the exact version where it has a
// change of its own between the two releases.
std::vector<Change> ChangesShown(const std::vector<CaseHistory>& histories);

}  // namespace conform

#endif  // CONFORM_RUNNERS_STUDY_HISTORY_H_
