// Ids that were changed: what a case, a clause or a rule was called before. spec/renamed.yaml, described in
// spec/README.md.
//
//   cases:
//     timers/fractions-are-cut: timers/fractions-are-truncated      old: new
//   clauses:
//     documented.cancelled-is-told: documented.cancellation-is-reported
//   rules:
//     cancelled-is-told: cancellation-is-reported
//     handled-rejection=never-told: handled-rejection=never-reported      a value
#ifndef CONFORM_RUNNERS_MODEL_RENAMED_H_
#define CONFORM_RUNNERS_MODEL_RENAMED_H_

#include <map>
#include <set>
#include <string>
#include <vector>

#include "runners/base/result.h"
#include "runners/model/verdict.h"

namespace conform {

struct RenamedId {
  std::string now;
  Location at;  // of the old id in the file
};

struct RenamedIds {
  std::string file;
  std::map<std::string, RenamedId> cases;    // by the old id
  std::map<std::string, RenamedId> clauses;  // by the old id
  std::map<std::string, RenamedId> rules;    // by the old name, or `RULE=VALUE` for a value

  // The id that the case or clause has now; null where `id` is not an old one.
  const std::string* CaseNow(const std::string& id) const;
  const std::string* ClauseNow(const std::string& id) const;
};

inline constexpr size_t kMaxRenamedBytes = 1 << 20;

// Errors carry file, line and column.
Result<RenamedIds> ParseRenamed(const std::string& text, const std::string& file);
// A file that does not exist means that nothing was renamed.
Result<RenamedIds> LoadRenamed(const std::string& path);

// `'timers/old' was renamed to 'timers/new'`
std::string RenamedNote(const std::string& old, const std::string& now);

// What is wrong with the table itself: an old id that exists again, a new id that does not exist, and a chain, in which
// a new id was renamed once more.
std::vector<Error> CheckRenamed(const RenamedIds& renamed, const std::set<std::string>& cases,
                                const std::set<std::string>& clauses, const std::set<std::string>& rules);

// Gives a result that was recorded under an old id the new one, and the clauses in its traces. The first returns a note
// where it does so.
std::optional<std::string> RenameCase(const RenamedIds& renamed, CaseResult& result);
void RenameClauses(const RenamedIds& renamed, CaseResult& result);
// Both, for all of them: a note for each case.
std::vector<std::string> RenameResults(const RenamedIds& renamed, std::vector<CaseResult>& results);

}  // namespace conform

#endif  // CONFORM_RUNNERS_MODEL_RENAMED_H_
