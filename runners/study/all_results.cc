#include "runners/study/all_results.h"

#include <iterator>
#include <utility>

#include "runners/base/output.h"
#include "runners/model/renamed.h"
#include "runners/model/results.h"

namespace conform {

Result<std::vector<CaseResult>> ReadAllResults(const std::vector<std::string>& files, const Home& home) {
  const auto renamed = LoadRenamed(home.Renamed());
  if (!renamed) return renamed.error();
  std::vector<CaseResult> results;
  for (const std::string& file : files) {
    auto read = ReadResults(file);
    if (!read) return read.error();
    std::move(read->results.begin(), read->results.end(), std::back_inserter(results));
  }
  PrintNotes(RenameResults(*renamed, results));
  return results;
}

}  // namespace conform
