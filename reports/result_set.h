// Any number of results files, read as one: the matrix of cases by implementations that every report is a view of.
//
//   auto set = ResultSet::Read({"bun.jsonl", "deno.jsonl"}, renamed);
//   set->Describe(LoadCatalogue(folder));
//   for each case, for each implementation: set->Of(case, implementation)   one result for each profile
#ifndef CONFORM_REPORTS_RESULT_SET_H_
#define CONFORM_REPORTS_RESULT_SET_H_

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "runners/base/result.h"
#include "runners/model/case.h"
#include "runners/model/clause.h"
#include "runners/model/renamed.h"
#include "runners/model/results.h"

namespace conform::reports {

// Texts in a set come from adapters and files, and may say anything. They are valid UTF-8 on one line, without control
// characters; each format still has to escape them (reports/escape.h).

// A column.
struct ReportImplementation {
  std::string name;                            // as in results: "bun@1.4.4", "ref"
  std::string kind;                            // the name without its version: "bun"
  std::string version;                         // "1.4.4"; "" where it is unknown
  std::string claims;                          // "node@24.3.0", or ""
  std::map<std::string, std::string> details;  // as it introduced itself
  std::vector<std::string> profiles;           // that its results were held to, in the order of the results
  Totals totals;
};

// A row.
struct ReportCase {
  std::string id;
  std::string hash;           // the same in all results of the set
  std::optional<Case> known;  // the case of the catalogue, where Describe found one of this id and hash
};

// A file that the results came from.
struct ReportFile {
  std::string path;
  RunInfo run;
  bool complete = false;  // all that was planned is there, and the run came to its end
  int64_t results = 0;
};

// How often each verdict was given, over all the runs of a result: with `--repeat` there are several. What was late
// decides nothing, and is not counted.
Totals DecidedVerdicts(const CaseResult& result);

class ResultSet {
 public:
  // Reads every file. A run that was cut short is taken as far as it goes; `complete()` is then false. Refused, with
  // file and line: what is not as spec/results-format.md says, two results for one case on one implementation under one
  // profile, and results of one case with different hashes, which no row can show side by side.
  // Results under ids that were changed since are read under the new ones.
  // With `kSeveral`, any number of results for one case on one implementation under one profile are taken.
  enum class Runs { kOne, kSeveral };
  // Of a pass for which `keep` is false, only that it is one: memory does not grow with the length of the files then.
  // Without it all results are kept.
  using Keep = std::function<bool(const CaseResult&)>;
  static Result<ResultSet> Read(const std::vector<std::string>& paths, const RenamedIds& renamed,
                                Runs runs = Runs::kOne, const Keep& keep = nullptr);
  // The same of files that can be read again: of every result for which `keep` is false only its place is kept, which
  // takes some 30 bytes, and ForEach reads it once more.
  static Result<ResultSet> Skim(const std::vector<std::string>& paths, const RenamedIds& renamed, const Keep& keep);

  struct Source {
    std::string path;  // for messages
    RunResults results;
  };
  // The same of what was read, or run, elsewhere.
  static Result<ResultSet> Of(std::vector<Source> sources, Runs runs = Runs::kOne, const Keep& keep = nullptr);

  // Fills in `known` where id and hash agree: title, why, clauses, program, file. `clauses`: what ClauseOf quotes.
  void Describe(const Catalogue& catalogue, ClauseList clauses = {});

  // The first clause that the case of a result tests, and its sentence where it holds for what the result was held to:
  // `timers.threshold: A timer MUST NOT run early.` "" where the case is not known. REQUIRES: the result is of this
  // set.
  struct Tested {
    std::string clause, sentence;
    std::string Text() const { return sentence.empty() ? clause : clause + ": " + sentence; }
  };
  Tested ClauseOf(const CaseResult& result) const;

  const std::vector<ReportFile>& files() const { return files_; }
  const std::vector<ReportImplementation>& implementations() const { return implementations_; }  // as they came
  const std::vector<ReportCase>& cases() const { return cases_; }                                // by id

  // By case, then implementation, then as they came. Those that were kept.
  const std::vector<CaseResult>& results() const { return results_; }
  // One for each profile, and run; empty where there is none. REQUIRES: both are indices into cases() and
  // implementations().
  std::span<const CaseResult> Of(size_t case_index, size_t implementation_index) const;

  std::optional<size_t> FindCase(std::string_view id) const;
  std::optional<size_t> FindImplementation(std::string_view name) const;
  const CaseResult* Find(std::string_view case_id, std::string_view implementation, std::string_view profile) const;

  // Calls `take` with each result in turn, and ends with the first error. After Skim these are all results of the
  // files; else those that were kept.
  enum class By {
    kCase,           // in the order of results()
    kImplementation  // by implementation, then profile, then case
  };
  using Take = std::function<std::optional<Error>(const CaseResult&)>;
  [[nodiscard]] std::optional<Error> ForEach(By by, const Take& take) const;

  // Under how many profiles there is a result, kept or not. REQUIRES: as Of.
  size_t CountProfiles(size_t case_index, size_t implementation_index) const;
  bool Ran(size_t case_index, size_t implementation_index) const {
    return CountProfiles(case_index, implementation_index) > 0;
  }
  Totals totals() const;
  // How many results rest on each, kept or not.
  const std::map<Basis, int64_t>& bases() const { return bases_; }
  // How many results passed and were not kept.
  int64_t passes_not_kept() const { return passes_not_kept_; }
  // How often they did so beside a result that was, over all their runs (DecidedVerdicts).
  int64_t PassesBeside(const CaseResult& kept) const;

  // One sentence for each case that a file has under an old id: `bun.jsonl: 'timers/old' was renamed to 'timers/new'`.
  const std::vector<std::string>& notes() const { return notes_; }

  // Every file is whole, and none is a part that was not merged.
  bool complete() const { return Incompleteness().empty(); }
  // One sentence for each file that is not: `bun.jsonl: cut short, with 17 of 222 results`.
  std::vector<std::string> Incompleteness() const;

 private:
  class Collector;  // fills it

  // A result, by its case, implementation and profile; and where it is: in a file, or in results_.
  struct Entry {
    uint32_t row, column, profile, file;
    ResultPlace place;  // in results_ it is an index, without bytes
  };

  static Result<ResultSet> ReadWith(Collector collector, const std::vector<std::string>& paths, bool skims);
  size_t ImplementationNamed(const std::string& name);
  Result<CaseResult> ReadAgain(const Entry& entry, std::map<uint32_t, ResultLines>& files) const;

  std::vector<ReportFile> files_;
  std::vector<ReportImplementation> implementations_;
  std::vector<ReportCase> cases_;
  ClauseList clauses_;
  std::map<std::string, size_t, std::less<>> names_;  // of implementations
  std::vector<CaseResult> results_;
  std::vector<std::string> notes_;
  std::vector<size_t> cells_;     // of each result: its row times the number of columns, and its column
  std::vector<uint32_t> counts_;  // by cell: of profiles with a result
  std::map<Basis, int64_t> bases_;
  int64_t passes_not_kept_ = 0;
  std::map<std::tuple<std::string, std::string, std::string>, int64_t> passes_beside_;  // case, implementation, profile
  std::deque<Entry> entries_;                                                           // as By::kCase has them
  std::vector<std::string> paths_;  // after Skim: what to read again
  RenamedIds renamed_;              // after Skim: what to change then
};

// "bun" and "1.4.4" of "bun@1.4.4"; "bun" and "" of "bun=./build/bun", which introduces itself with its version.
std::pair<std::string, std::string> KindAndVersion(std::string_view implementation);

}  // namespace conform::reports

#endif  // CONFORM_REPORTS_RESULT_SET_H_
