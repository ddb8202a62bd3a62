// Putting the parts of a sharded run together. The parts are made by `conform run --shard=I/N`.
#ifndef CONFORM_REPORTS_MERGE_H_
#define CONFORM_REPORTS_MERGE_H_

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "runners/base/result.h"
#include "runners/base/write_file.h"
#include "runners/model/results.h"

namespace conform::reports {

// The files of all parts, read as one. No result is held: they are read once to be checked, and again to be written.
class MergedParts {
 public:
  // Refused, each with its message: a file that is not a part, one that was cut short, two for one part, a part that
  // is missing, other versions of conform, other cases or rules, other implementations, and other options.
  static Result<MergedParts> Of(const std::vector<std::string>& paths);

  // The first line of the whole: without `shard`, begun when the first part was, and with the arguments that all parts
  // share.
  const RunInfo& run() const { return run_; }

  // Hands out every line of the whole's file, with its newline, in the order in which one run would have written them.
  [[nodiscard]] std::optional<Error> WriteTo(const TextSink& write) const;

 private:
  using Take = std::function<std::optional<Error>(const CaseResult& result)>;
  [[nodiscard]] std::optional<Error> ForEach(const Take& take) const;

  RunInfo run_;
  std::vector<std::string> paths_;  // in the order of the parts
  Totals totals_;
};

}  // namespace conform::reports

#endif  // CONFORM_REPORTS_MERGE_H_
