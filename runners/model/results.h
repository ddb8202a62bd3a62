// The results file: one JSON value a line. spec/results-format.md, spec/schemas/results.schema.json.
//
//   {"type":"run","format":1,"conform":"0.1.0",…}       first
//   {"type":"result","case":"timers/x",…}               one for each case on each implementation under each profile
//   {"type":"end","results":1,"totals":{"pass":1}}      last, if the run came to its end
#ifndef CONFORM_RUNNERS_MODEL_RESULTS_H_
#define CONFORM_RUNNERS_MODEL_RESULTS_H_

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "runners/base/locked_file.h"
#include "runners/base/result.h"
#include "runners/model/verdict.h"

namespace conform {

inline constexpr int kResultsFormat = 1;
inline constexpr size_t kMaxResultLine = 64 << 20;

// An implementation as it introduced itself.
struct RunImplementation {
  std::string name;     // as in results: "bun@1.4.4"
  std::string version;  // "1.4.4"
  std::string claims;   // "node@24.3.0", or "" where it claims nothing
  std::map<std::string, std::string> details;
};

// What the first line says of the run as a whole.
struct RunInfo {
  std::string conform;  // the version of conform
  std::string started;  // "2026-11-16T01:38:00Z", or "" where the time is left out so that files can be compared
  std::string command;  // as typed
  std::string shard;    // "2/8", or "" for the whole
  int64_t planned = 0;  // how many results are to come
  std::vector<std::string> arguments = {};              // of `conform run`, so that the run can be resumed
  std::vector<RunImplementation> implementations = {};  // those that introduce themselves
  std::string catalogue = "";                           // a name for the cases and the rules they are held to
  std::map<std::string, std::string> scripts = {};      // the text of each script that was run, by its id
  std::string plan = "";                                // a name for all that is planned, in other shards too
};

using Totals = std::map<Verdict, int64_t>;  // verdicts that do not occur are absent
Totals TotalsOf(const std::vector<CaseResult>& results);
int64_t SumOf(const Totals& totals);

struct RunResults {
  RunInfo run;
  std::vector<CaseResult> results;
  bool complete = false;   // the last line is there
  size_t whole_bytes = 0;  // of the file, up to the end of the last line that was read
};

// The same without the results.
struct ResultsSummary {
  RunInfo run;
  Totals totals;
  bool complete = false;
  size_t whole_bytes = 0;
};

// One line each, without the newline. Bytes that are not UTF-8 are written as U+FFFD.
// Texts of scripts that would make the line longer than `max_bytes` are left out.
std::string RunLine(const RunInfo& run, size_t max_bytes = kMaxResultLine);
// Tries that would make it longer than `max_bytes` are left out, which its reason then says: a reader refuses the whole
// file for one line that is too long.
std::string ResultLine(const CaseResult& result, size_t max_bytes = kMaxResultLine);
std::string EndLine(const Totals& totals);

// Reads a whole file. A run that was cut short (no last line, and perhaps half a line at the end of the file) is read
// as far as it goes, with `complete` false. Anything else that is not as the format says is refused with its line.
// Unknown fields are ignored; a newer format is refused.
Result<RunResults> ParseResults(std::string_view text, const std::string& file);
Result<RunResults> ReadResults(const std::string& path);

// Where the line of a result is in its file.
struct ResultPlace {
  uint32_t offset = 0;  // no file is longer than 4 GiB
  uint32_t bytes = 0;
};

// The same one result after the other, so that memory does not grow with the file.
class ResultsReader {
 public:
  // Reads the first line.
  static Result<ResultsReader> Open(const std::string& path);
  // `text` is borrowed.
  static Result<ResultsReader> Of(std::string_view text, const std::string& file);
  ~ResultsReader();
  ResultsReader(ResultsReader&&) noexcept;

  // Nothing at the end. After an error nothing that was read before is to be used.
  Result<std::optional<CaseResult>> Next();
  // Of what was read so far; whether the run is complete is known at the end.
  const ResultsSummary& summary() const;
  // Of the result that Next returned last.
  ResultPlace place() const;

 private:
  class State;
  explicit ResultsReader(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

// Single results of a file that a ResultsReader has read, again.
class ResultLines {
 public:
  explicit ResultLines(std::string path);
  ~ResultLines();
  ResultLines(ResultLines&&) noexcept;

  // REQUIRES: `place` is what the reader gave. Error: the file cannot be read, or was changed since. In the order of
  // the file a result takes about as long as with the reader.
  Result<CaseResult> At(const ResultPlace& place);

 private:
  class State;
  std::unique_ptr<State> state_;
};

// Writes a results file from the first line to the last. Every line reaches the file by one write, so that whatever
// happens to the process, the file holds whole lines. No other process can write to it at the same time: it is locked.
// What is written can be read: no line is too long, and neither is the file. Not for several threads.
class ResultsWriter {
 public:
  // Creates or empties the file, and writes the first line.
  static Result<std::unique_ptr<ResultsWriter>> Create(const std::string& path, const RunInfo& run);
  // Continues a file that was read as `so_far`, which is not complete: what follows the last whole line is cut
  // off. The end line will count what is there already.
  static Result<std::unique_ptr<ResultsWriter>> Resume(LockedFile file, const RunResults& so_far);
  // What Resume continues; nothing of it is changed. To be opened before the file is read.
  static Result<LockedFile> OpenToResume(const std::string& path);
  ResultsWriter(const ResultsWriter&) = delete;
  ResultsWriter& operator=(const ResultsWriter&) = delete;

  // Nothing on success. REQUIRES: Finish was not called.
  [[nodiscard]] std::optional<Error> Append(const CaseResult& result);
  // Writes the last line and closes the file.
  [[nodiscard]] std::optional<Error> Finish();

 private:
  explicit ResultsWriter(LockedFile file) : file_(std::move(file)) {}
  std::optional<Error> WriteLine(std::string line);
  Error Trouble(std::string_view what, int code) const;

  LockedFile file_;
  size_t bytes_ = 0;  // of the file
  bool finished_ = false;
  Totals totals_;
};

}  // namespace conform

#endif  // CONFORM_RUNNERS_MODEL_RESULTS_H_
