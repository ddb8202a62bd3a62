// What a case is for, apart from the mutants that it kills: what the tree itself says of it.
#ifndef CONFORM_RUNNERS_STUDY_CASE_PURPOSES_H_
#define CONFORM_RUNNERS_STUDY_CASE_PURPOSES_H_

#include <map>
#include <set>
#include <string>
#include <vector>

#include "runners/base/result.h"
#include "runners/harness/selection.h"

namespace conform {

// The id of a case, and sentences without a full stop.
using Purposes = std::map<std::string, std::vector<std::string>>;

// Each is read off a file of the tree, so that it is true for as long as the file says so: a claim that the case shows,
// a question to any loop that it asks, a table that it is a row of, releases that were seen to differ in it; and, for a
// case that is not in `modelled`, that only real runtimes can answer it. A file of `spec_folder` that is not there says
// nothing.
Purposes FindPurposes(const std::string& spec_folder, const std::vector<SelectedCase>& cases,
                      const std::set<std::string>& modelled);

// Every id of `cases` that occurs in `text` as a word.
std::set<std::string> CasesNamedIn(const std::string& text, const std::set<std::string>& ids);

// spec/needed.yaml: the id of a case, and the mutant, or `clause NAME`, that would be without a case if it went. Errors
// carry file, line and column.
using RecordedNeeds = std::map<std::string, std::string>;
Result<RecordedNeeds> ParseRecordedNeeds(const std::string& text, const std::string& file);
std::string RecordedNeedsText(const RecordedNeeds& needs);

}  // namespace conform

#endif  // CONFORM_RUNNERS_STUDY_CASE_PURPOSES_H_
