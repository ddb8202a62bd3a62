// Putting the parts of a sharded run together. The parts are made by `conform run --shard=I/N`.
#ifndef CONFORM_REPORTS_MERGE_H_
#define CONFORM_REPORTS_MERGE_H_

#include <string>
#include <vector>

#include "reports/result_set.h"
#include "runners/base/result.h"
#include "runners/model/results.h"

namespace conform::reports {

// The results of the whole run, in the order in which it would have written them. The first line is that of the whole:
// without `shard`, begun when the first part was, and with the arguments that all parts share. Refused, each with its
// own message: a file that is no part, one that was cut short, two for one part, a part that is missing, other versions
// of conform, other cases or rules, other implementations, and other options.
Result<RunResults> MergeParts(std::vector<ResultSet::Source> parts);

// The whole text of a results file that came to its end.
std::string ResultsText(const RunResults& results);

}  // namespace conform::reports

#endif  // CONFORM_REPORTS_MERGE_H_
