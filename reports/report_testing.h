// What the tests of reports share: results, made by hand.
#ifndef CONFORM_REPORTS_REPORT_TESTING_H_
#define CONFORM_REPORTS_REPORT_TESTING_H_

#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "reports/result_set.h"
#include "runners/base/check.h"
#include "runners/base/text.h"
#include "runners/base/write_file.h"

namespace conform::reports {

// A result of one try; `order` is written with spaces, and "" is a run that emitted nothing.
inline CaseResult MakeResult(const std::string& case_id, const std::string& implementation, Verdict verdict,
                             const std::string& order = "A B", const std::string& expected = "A B") {
  CaseResult result;
  result.case_id = case_id;
  result.content_hash = ContentHash(case_id);
  result.implementation = implementation;
  result.profile = "node@24.21.0";
  result.verdict = verdict;
  result.expected = expected;
  result.reproduce = "conform run " + case_id + " --impl=" + implementation;
  if (verdict == Verdict::kUnsupported) return result;
  Try one;
  one.standing = verdict == Verdict::kFail ? Standing::kOutside : Standing::kOnTime;
  if (!order.empty()) {
    for (const std::string& label : Split(order, ' ')) one.trace.events.push_back({label, {}, {}, "", ""});
  }
  result.tries = {one};
  return result;
}

// A run that came to its end with these results.
inline ResultSet::Source MakeSource(std::vector<CaseResult> results, const std::string& path = "r.jsonl") {
  RunResults run;
  run.run.conform = "0.1.0";
  run.run.planned = static_cast<int64_t>(results.size());
  run.results = std::move(results);
  run.complete = true;
  return {path, std::move(run)};
}

inline ResultSet MakeSet(std::vector<CaseResult> results) {
  return std::move(ResultSet::Of({MakeSource(std::move(results))})).value();
}

// The text of a results file; without its last line where the run is not complete.
inline std::string ResultsText(const RunResults& results) {
  std::string text = RunLine(results.run) + "\n";
  for (const CaseResult& result : results.results) text += ResultLine(result) + "\n";
  return results.complete ? text + EndLine(TotalsOf(results.results)) + "\n" : text;
}

// Results in files of these names, in a folder that ends with this.
class ResultFiles {
 public:
  explicit ResultFiles(const std::vector<ResultSet::Source>& sources)
      : folder_(testing::TempDir() + "conform-results-XXXXXX") {
    CONFORM_CHECK(mkdtemp(folder_.data()) != nullptr);
    for (const ResultSet::Source& source : sources) {
      paths_.push_back(folder_ + "/" + source.path);
      CONFORM_CHECK(!WriteWholeFile(paths_.back(), ResultsText(source.results)));
    }
  }
  ~ResultFiles() { std::filesystem::remove_all(folder_); }
  ResultFiles(const ResultFiles&) = delete;
  ResultFiles& operator=(const ResultFiles&) = delete;

  const std::vector<std::string>& paths() const { return paths_; }
  std::string WithoutFolder(std::string text) const {
    for (size_t at; (at = text.find(folder_)) != text.npos;) text.erase(at, folder_.size() + 1);
    return text;
  }

 private:
  std::string folder_;
  std::vector<std::string> paths_;
};

}  // namespace conform::reports

#endif  // CONFORM_REPORTS_REPORT_TESTING_H_
