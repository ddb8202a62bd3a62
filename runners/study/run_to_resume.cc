#include "runners/study/run_to_resume.h"

#include <map>
#include <utility>

#include "runners/base/output.h"
#include "runners/harness/earlier_results.h"
#include "runners/model/renamed.h"

namespace conform {

namespace {

Error Refused(const RunToResume& resumed, const std::string& message) {
  return Error{message, resumed.path, {}, kHowToResume};
}

}  // namespace

Result<RunToResume> ReadRunToResume(const std::string& path, const std::string& version, const Home& home) {
  auto file = ResultsWriter::OpenToResume(path);
  auto read = ReadResults(path);
  if (!read) return read.error();
  if (!read->complete && !file) return file.error();
  const auto renamed = LoadRenamed(home.Renamed());
  if (!renamed) return renamed.error();
  PrintNotes(RenameResults(*renamed, read->results));
  RunToResume resumed{path, std::move(*read), std::nullopt};
  if (!resumed.so_far.complete) resumed.file = std::move(*file);
  const std::string& writer = resumed.so_far.run.conform;
  if (writer != version) return Refused(resumed, "written by conform " + writer);
  return resumed;
}

std::optional<Error> CheckRunToResume(const RunToResume& resumed, const WhatToRun& request, const Home& home) {
  const Selection selection = SelectWhatToRun(request, home, LoadCatalogue(home.Cases()));
  if (!selection.errors.empty()) return selection.errors[0];
  std::map<std::string, std::string> hashes;
  for (const SelectedCase& selected : selection.cases) hashes.emplace(selected.c.id, selected.c.content_hash);
  for (const CaseResult& result : resumed.so_far.results) {
    const auto found = hashes.find(result.case_id);
    if (found == hashes.end()) return Refused(resumed, "it contains results that are not planned");
    if (found->second != result.content_hash) return Refused(resumed, "the case " + result.case_id + " has changed");
  }
  return std::nullopt;
}

}  // namespace conform
