// The baseline: which deviations of which implementations are known. spec/gate.md describes the file for a writer.
//
//   format: 2
//   cases: [timers/, drain/]              what a run has to hold; left out: the whole catalogue
//   known:
//     bun >=1.4 <1.5:                     an implementation, its versions, and `as PROFILE` where that matters
//       timers/drain-between-timers:
//         verdict: fail
//         reason: Ticks run after all timers that are due.
//         link: https://example.org/123
//       timers/race:
//         verdict: [pass, fail]             what varies, with all that was seen of it
//         seen: {pass: 7, fail: 3}
#ifndef CONFORM_REPORTS_BASELINE_H_
#define CONFORM_REPORTS_BASELINE_H_

#include <string>
#include <string_view>
#include <vector>

#include "reports/result_set.h"
#include "runners/base/result.h"
#include "runners/model/renamed.h"
#include "runners/model/verdict.h"
#include "runners/model/version.h"

namespace conform::reports {

// What is known of a case: one verdict that is not pass; or all that were seen of a case that varies, pass among them
// or not, with how often each was.
struct KnownVerdicts {
  Totals seen;  // of a single verdict the number is 0

  static KnownVerdicts Only(Verdict verdict) { return {{{verdict, 0}}}; }
  bool varies() const { return seen.size() > 1; }
  bool Holds(Verdict verdict) const { return seen.contains(verdict); }
  std::string ToString() const;  // "fail", "pass (7 times) or fail (3 times)"
  bool operator==(const KnownVerdicts&) const = default;
};

struct KnownDeviation {
  std::string case_id;
  KnownVerdicts verdicts;
  std::string reason;  // "" where there is none
  std::string link;
  Location at;                    // of the case
  Location verdict_at;            // of the verdict; column 0 where it is not one name, written in one piece
  Location seen_at;               // of the counts; line 0 where there are none
  std::string renamed_from = "";  // the id in the file, where the case was renamed since; "" where it is `case_id`
};

struct BaselineSection {
  std::string text;  // as written: "bun >=1.4 <1.5 as node"
  std::string kind;  // "bun"
  VersionRange versions;
  std::string profile;  // the family, or "" for any
  VersionRange profile_versions;
  Location at;
  std::vector<KnownDeviation> known;

  // A version that cannot be read is covered by sections for every version alone.
  bool Covers(const ReportImplementation& implementation, std::string_view profile_name) const;
};

struct BaselineWord {
  std::string text;
  Location at;
};

// Format 1 has single verdicts alone.
inline constexpr int kBaselineFormat = 2;

struct Baseline {
  std::string file;
  int format = kBaselineFormat;
  Location format_at;
  std::vector<BaselineWord> cases;  // ids, folders and globs; none: the whole catalogue
  std::vector<BaselineSection> sections;

  // Null where nothing is known. Two entries for one result are an error: the user has to say which is meant.
  Result<const KnownDeviation*> Find(std::string_view case_id, const ReportImplementation& implementation,
                                     std::string_view profile) const;
};

inline constexpr size_t kMaxBaselineBytes = 16 << 20;

// Errors carry file, line, column, and the nearest valid name.
Result<Baseline> ParseBaseline(const std::string& text, const std::string& file);
Result<Baseline> ReadBaseline(const std::string& path);

// Applies entries under old ids to the cases that have the new ones.
void Rename(Baseline& baseline, const RenamedIds& renamed);

// The first entry about a case that is none of `ids`, as an error.
std::optional<Error> FindUnknownCase(const Baseline& baseline, const std::vector<std::string>& ids);

}  // namespace conform::reports

#endif  // CONFORM_REPORTS_BASELINE_H_
