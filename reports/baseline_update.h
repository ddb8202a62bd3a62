// Bringing a baseline up to date: what changes, and the file with those changes and nothing else changed.
#ifndef CONFORM_REPORTS_BASELINE_UPDATE_H_
#define CONFORM_REPORTS_BASELINE_UPDATE_H_

#include <optional>
#include <string>
#include <vector>

#include "reports/baseline.h"
#include "reports/result_set.h"

namespace conform::reports {

// One change of one entry.
struct BaselineChange {
  std::string section;  // "bun >=1.4.4"
  std::string case_id;
  std::optional<KnownVerdicts> before;  // nothing: the entry is new
  std::optional<KnownVerdicts> after;   // nothing: the entry goes
  std::string reason;                   // of a new entry
  std::string renamed_from = "";        // the id that the entry had before, where nothing else changes; else ""
};

struct BaselineUpdate {
  std::vector<BaselineChange> changes;
  std::string text;           // of the whole file
  bool comments_kept = true;  // false: the file was written anew, because its lines could not be changed one by one
  std::vector<std::string> conflicts;  // results that no single entry can describe; nothing was changed for them
};

// What a new file starts with. `cases`: what a run has to hold; none: the whole catalogue.
std::string EmptyBaseline(const std::vector<std::string>& cases = {});

// `text` is what `baseline` was read from. Entries under old ids get the new ones. Reasons, links, comments and the
// order of entries stay. Where several runs gave several verdicts, the entry varies; one that varies and shows only
// some of its verdicts now stays as it is, unless chance would show so less than once in a thousand times. An entry
// goes when all that it speaks of passes now, or when its case is gone: neither in the results nor among `ids`. What
// did not run, or was not decided, stays as it is. New entries are at the end of their section; a new section covers
// the version that ran and all later ones.
Result<BaselineUpdate> UpdateBaseline(const Baseline& baseline, const std::string& text, const ResultSet& set,
                                      const std::vector<std::string>& ids);

}  // namespace conform::reports

#endif  // CONFORM_REPORTS_BASELINE_UPDATE_H_
