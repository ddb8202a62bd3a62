// What changed between two sets of results, by case.
#ifndef CONFORM_REPORTS_DIFF_H_
#define CONFORM_REPORTS_DIFF_H_

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "reports/alignment.h"
#include "reports/result_set.h"

namespace conform::reports {

enum class DiffKind {
  kVerdict,      // the same case, another verdict
  kOrder,        // the same verdict on other orders, which not one expectation covers
  kUndecided,    // one of the two is inconclusive: not known to differ
  kCaseChanged,  // the case itself has another content, so that its results cannot be compared
  kNew,          // only after
  kGone,         // only before
};
std::string_view DiffKindName(DiffKind kind);  // "verdict", "order", …

struct DiffEntry {
  DiffKind kind;
  std::string case_id;
  const CaseResult* before = nullptr;  // in the sets
  const CaseResult* after = nullptr;
  std::vector<AlignedColumn> columns = {};  // of the two orders that differ; empty where there are no two
};

struct Diff {
  std::vector<DiffEntry> entries;  // by case
  int64_t same = 0;
  std::vector<std::string> only_before, only_after;  // implementations without a counterpart
  std::vector<std::string> incomplete;

  // Whether anything is known to differ.
  bool differs() const;
};

// Implementations are compared with that of the same name, else with the only other version of their kind, and where
// there is one on each side, with it. Results are compared under the same profile, or where there is one on each side.
Diff Compare(const ResultSet& before, const ResultSet& after);

// The same of two files, which may be larger than memory: passes that are the same on both sides are counted and not
// held. The files are read twice.
struct ComparedFiles {
  ResultSet before, after;  // what is held
  Diff diff;                // refers to them
};
Result<ComparedFiles> CompareFiles(const std::string& before, const std::string& after, const RenamedIds& renamed);

nlohmann::ordered_json DiffJson(const Diff& diff);  // spec/schemas/diff.schema.json
std::string DiffMarkdown(const Diff& diff, const std::string& before, const std::string& after, size_t max_bytes);

// "bun@1.4.4", or "ref as node@10.24.1": what tells the two sides of an entry apart.
std::string SideName(const CaseResult& result, const CaseResult* other);

}  // namespace conform::reports

#endif  // CONFORM_REPORTS_DIFF_H_
