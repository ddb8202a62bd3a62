#include "runners/model/results.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <nlohmann/json.hpp>

#include "runners/base/check.h"
#include "runners/base/text.h"

namespace conform {
namespace {

// Keys keep the order in which they are added, so that the same results are the same bytes.
using Json = nlohmann::ordered_json;

// From here on only lines without tries are written, for which the rest is more than enough.
constexpr size_t kMaxBytesWithTries = size_t{3} << 30;

std::string ToLine(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

Json ToJson(const TraceEvent& event) {
  Json json{{"label", event.label}};
  if (event.t_ns) json["t_ns"] = *event.t_ns;
  if (event.iteration) json["iteration"] = *event.iteration;
  if (!event.phase.empty()) json["phase"] = event.phase;
  if (!event.clause.empty()) json["clause"] = event.clause;
  return json;
}

Json ToJson(const Try& one) {
  Json events = Json::array();
  for (const TraceEvent& event : one.trace.events) events.push_back(ToJson(event));
  const bool ended = one.trouble.empty();
  Json json = ended ? Json{{"standing", StandingName(one.standing)}} : Json{{"trouble", one.trouble}};
  if (!one.seen.empty()) json["seen"] = one.seen;
  if (one.processes != 1) json["processes"] = one.processes;
  if (one.disturbed) json["disturbed"] = true;
  if (one.calm) json["calm"] = true;
  if (one.trace.start_ns) json["start_ns"] = *one.trace.start_ns;
  if (ended || !events.empty()) json["events"] = std::move(events);
  return json;
}

Json ToJson(const RunImplementation& one) {
  Json json{{"name", one.name}, {"version", one.version}};
  if (!one.claims.empty()) json["claims"] = one.claims;
  if (!one.details.empty()) json["details"] = one.details;
  return json;
}

}  // namespace

Totals TotalsOf(const std::vector<CaseResult>& results) {
  Totals totals;
  for (const CaseResult& result : results) ++totals[result.verdict];
  return totals;
}

int64_t SumOf(const Totals& totals) {
  int64_t sum = 0;
  for (const auto& [verdict, count] : totals) sum += count;
  return sum;
}

std::string RunLine(const RunInfo& run, size_t max_bytes) {
  Json json{{"type", "run"}, {"format", kResultsFormat}, {"conform", run.conform}};
  if (!run.started.empty()) json["started"] = run.started;
  if (!run.command.empty()) json["command"] = run.command;
  if (!run.shard.empty()) json["shard"] = run.shard;
  json["planned"] = run.planned;
  if (!run.catalogue.empty()) json["catalogue"] = run.catalogue;
  if (!run.plan.empty()) json["plan"] = run.plan;
  if (!run.arguments.empty()) json["arguments"] = run.arguments;
  for (const RunImplementation& one : run.implementations) json["implementations"].push_back(ToJson(one));
  constexpr size_t kFrameBytes = 20;  // of the object that holds the scripts
  size_t bytes = ToLine(json).size() + kFrameBytes;
  for (const auto& [id, text] : run.scripts) {
    const size_t more = ToLine(Json{{id, text}}).size();
    if (bytes + more > max_bytes) continue;
    json["scripts"][id] = text;
    bytes += more;
  }
  return ToLine(json);
}

std::string ResultLine(const CaseResult& result, size_t max_bytes) {
  constexpr size_t kRemarkBytes = 100;
  std::vector<std::string> tries;
  size_t bytes = 0;
  for (const Try& one : result.tries) {
    tries.push_back(ToLine(ToJson(one)));
    bytes += tries.back().size() + 1;
  }
  Json json{{"type", "result"},
            {"case", result.case_id},
            {"hash", result.content_hash},
            {"implementation", result.implementation},
            {"profile", result.profile},
            {"verdict", VerdictName(result.verdict)}};
  if (result.basis != Basis::kNone) json["basis"] = BasisName(result.basis);
  json["reason"] = result.reason;
  json["expected"] = result.expected;
  json["tries"] = Json::array();
  json["reproduce"] = result.reproduce;
  std::string line = ToLine(json);
  const size_t room = max_bytes - std::min(max_bytes, line.size() + kRemarkBytes);
  if (bytes > room) {
    std::erase_if(tries, [left = room](const std::string& one) mutable {
      const bool fits = one.size() < left;
      if (fits) left -= one.size() + 1;
      return !fits;
    });
    const std::string remark = std::to_string(result.tries.size() - tries.size()) + " of " +
                               std::to_string(result.tries.size()) + " tries are too long to be kept";
    json["reason"] = result.reason.empty() ? remark : result.reason + "; " + remark;
    line = ToLine(json);
  }
  // No text can hold this: a quotation mark in it is escaped.
  constexpr std::string_view kNone = "\"tries\":[";
  line.insert(line.find(kNone) + kNone.size(), Join(tries, ","));
  return line;
}

std::string EndLine(const Totals& totals) {
  Json by_verdict = Json::object();
  for (const auto& [verdict, count] : totals) by_verdict[std::string(VerdictName(verdict))] = count;
  return ToLine(Json{{"type", "end"}, {"results", SumOf(totals)}, {"totals", std::move(by_verdict)}});
}

Result<std::unique_ptr<ResultsWriter>> ResultsWriter::Create(const std::string& path, const RunInfo& run) {
  auto file = LockedFile::Open(path, O_WRONLY | O_CREAT | O_APPEND);
  if (!file) return file.error();
  std::unique_ptr<ResultsWriter> writer(new ResultsWriter(std::move(*file)));
  // Only what is locked may be emptied. A pipe has nothing to empty.
  if (ftruncate(writer->file_.descriptor(), 0) != 0 && errno != EINVAL) {
    return writer->Trouble("cannot be truncated", errno);
  }
  if (auto error = writer->WriteLine(RunLine(run))) return *error;
  return writer;
}

Result<LockedFile> ResultsWriter::OpenToResume(const std::string& path) {
  return LockedFile::Open(path, O_RDWR | O_APPEND);
}

Result<std::unique_ptr<ResultsWriter>> ResultsWriter::Resume(LockedFile file, const RunResults& so_far) {
  CONFORM_CHECK(!so_far.complete);
  const int descriptor = file.descriptor();
  std::unique_ptr<ResultsWriter> writer(new ResultsWriter(std::move(file)));
  const auto end = static_cast<off_t>(so_far.whole_bytes);
  if (ftruncate(descriptor, end) != 0) return writer->Trouble("cannot be truncated", errno);
  char last = '\n';
  if (end > 0 && pread(descriptor, &last, 1, end - 1) != 1) return writer->Trouble("cannot be read", errno);
  writer->bytes_ = so_far.whole_bytes;
  // The last line may be whole but for its line end.
  if (last != '\n') {
    if (auto error = writer->WriteLine("")) return *error;
  }
  writer->totals_ = TotalsOf(so_far.results);
  return writer;
}

std::optional<Error> ResultsWriter::Append(const CaseResult& result) {
  const size_t room = kMaxBytesWithTries - std::min(bytes_, kMaxBytesWithTries);
  if (auto error = WriteLine(ResultLine(result, std::min(kMaxResultLine, room)))) return error;
  ++totals_[result.verdict];
  return std::nullopt;
}

std::optional<Error> ResultsWriter::Finish() {
  if (auto error = WriteLine(EndLine(totals_))) return error;
  finished_ = true;
  return file_.Close();
}

std::optional<Error> ResultsWriter::WriteLine(std::string line) {
  CONFORM_CHECK(!finished_);
  line += '\n';
  bytes_ += line.size();
  // One write takes it all but on a full disk or a pipe; then the rest follows, or the reader forgives the half line.
  for (size_t done = 0; done < line.size();) {
    const ssize_t written = write(file_.descriptor(), line.data() + done, line.size() - done);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return Trouble("cannot be written", errno);
    done += static_cast<size_t>(written);
  }
  return std::nullopt;
}

Error ResultsWriter::Trouble(std::string_view what, int code) const {
  return Error::OfSystem(what, code, file_.path());
}

}  // namespace conform
