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

constexpr size_t kMaxResultsBytes = size_t{4} << 30;
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

// Why a line is not as the format says. Thrown and caught in this file alone: a field is read deep inside a line.
struct BadLine {
  std::string message;
};

const Json& Field(const Json& object, const char* key) {
  const auto it = object.find(key);
  if (it == object.end()) throw BadLine{"'" + std::string(key) + "' is missing"};
  return *it;
}

std::string Text(const Json& object, const char* key) {
  const Json& value = Field(object, key);
  if (!value.is_string()) throw BadLine{"'" + std::string(key) + "' is not a text"};
  return value.get<std::string>();
}

std::string TextOrEmpty(const Json& object, const char* key) { return object.contains(key) ? Text(object, key) : ""; }

std::optional<int64_t> NumberIfAny(const Json& object, const char* key) {
  const auto it = object.find(key);
  if (it == object.end()) return std::nullopt;
  const bool fits = it->is_number_integer() && !(it->is_number_unsigned() && it->get<uint64_t>() > INT64_MAX);
  if (!fits) throw BadLine{"'" + std::string(key) + "' is not an integer"};
  return it->get<int64_t>();
}

int64_t Number(const Json& object, const char* key) {
  Field(object, key);
  return *NumberIfAny(object, key);
}

const Json& List(const Json& object, const char* key) {
  const Json& value = Field(object, key);
  if (!value.is_array()) throw BadLine{"'" + std::string(key) + "' is not a list"};
  for (const Json& item : value) {
    if (!item.is_object()) throw BadLine{"'" + std::string(key) + "' contains something that is not an object"};
  }
  return value;
}

Verdict VerdictNamed(const std::string& name) {
  const auto verdict = VerdictFromName(name);
  if (!verdict) throw BadLine{"'" + name + "' is not a verdict"};
  return *verdict;
}

bool IsTrue(const Json& object, const char* key) {
  const auto it = object.find(key);
  if (it != object.end() && !it->is_boolean()) throw BadLine{"'" + std::string(key) + "' is neither true nor false"};
  return it != object.end() && it->get<bool>();
}

Basis BasisNamed(const std::string& name) {
  const auto basis = BasisFromName(name);
  if (!basis) throw BadLine{"'" + name + "' is not a basis"};
  return *basis;
}

Try TryFrom(const Json& json) {
  Try one;
  one.trouble = TextOrEmpty(json, "trouble");
  one.seen = TextOrEmpty(json, "seen");
  one.processes = static_cast<int>(NumberIfAny(json, "processes").value_or(1));
  one.disturbed = IsTrue(json, "disturbed");
  one.calm = IsTrue(json, "calm");
  one.trace.start_ns = NumberIfAny(json, "start_ns");
  if (one.trouble.empty()) {
    const std::string standing = Text(json, "standing");
    if (!StandingFromName(standing)) throw BadLine{"'" + standing + "' is not a standing"};
    one.standing = *StandingFromName(standing);
  } else if (!json.contains("events")) {
    return one;
  }
  for (const Json& event : List(json, "events")) {
    one.trace.events.push_back({Text(event, "label"), NumberIfAny(event, "t_ns"), NumberIfAny(event, "iteration"),
                                TextOrEmpty(event, "phase"), TextOrEmpty(event, "clause")});
  }
  return one;
}

CaseResult ResultFrom(const Json& json) {
  CaseResult result;
  result.case_id = Text(json, "case");
  result.content_hash = Text(json, "hash");
  result.implementation = Text(json, "implementation");
  result.profile = Text(json, "profile");
  result.verdict = VerdictNamed(Text(json, "verdict"));
  result.basis = BasisNamed(TextOrEmpty(json, "basis"));
  result.reason = TextOrEmpty(json, "reason");
  result.expected = TextOrEmpty(json, "expected");
  for (const Json& one : List(json, "tries")) result.tries.push_back(TryFrom(one));
  result.reproduce = TextOrEmpty(json, "reproduce");
  return result;
}

std::vector<std::string> Texts(const Json& object, const char* key) {
  const Json& value = Field(object, key);
  std::vector<std::string> texts;
  if (!value.is_array()) throw BadLine{"'" + std::string(key) + "' is not a list"};
  for (const Json& item : value) {
    if (!item.is_string()) throw BadLine{"'" + std::string(key) + "' contains something that is not a text"};
    texts.push_back(item.get<std::string>());
  }
  return texts;
}

Json ToJson(const RunImplementation& one) {
  Json json{{"name", one.name}, {"version", one.version}};
  if (!one.claims.empty()) json["claims"] = one.claims;
  if (!one.details.empty()) json["details"] = one.details;
  return json;
}

RunImplementation ImplementationFrom(const Json& json) {
  RunImplementation one{Text(json, "name"), Text(json, "version"), TextOrEmpty(json, "claims"), {}};
  if (!json.contains("details")) return one;
  const Json& details = Field(json, "details");
  if (!details.is_object()) throw BadLine{"'details' is not an object"};
  for (const auto& [name, value] : details.items()) one.details[name] = Text(details, name.c_str());
  return one;
}

RunInfo RunFrom(const Json& json) {
  const int64_t format = Number(json, "format");
  if (format != kResultsFormat) {
    throw BadLine{"format " + std::to_string(format) + " is not known, only " + std::to_string(kResultsFormat)};
  }
  RunInfo run;
  run.conform = Text(json, "conform");
  run.started = TextOrEmpty(json, "started");
  run.command = TextOrEmpty(json, "command");
  run.shard = TextOrEmpty(json, "shard");
  run.planned = Number(json, "planned");
  run.catalogue = TextOrEmpty(json, "catalogue");
  run.plan = TextOrEmpty(json, "plan");
  if (json.contains("arguments")) run.arguments = Texts(json, "arguments");
  if (json.contains("scripts")) {
    const Json& scripts = json["scripts"];
    if (!scripts.is_object()) throw BadLine{"'scripts' is not an object"};
    for (const auto& [id, text] : scripts.items()) run.scripts[id] = Text(scripts, id.c_str());
  }
  if (json.contains("implementations")) {
    for (const Json& one : List(json, "implementations")) run.implementations.push_back(ImplementationFrom(one));
  }
  return run;
}

void CheckEnd(const Json& json, const std::vector<CaseResult>& results) {
  const Json& totals = Field(json, "totals");
  if (!totals.is_object()) throw BadLine{"'totals' is not an object"};
  Totals told;
  for (const auto& [name, value] : totals.items()) told[VerdictNamed(name)] = Number(totals, name.c_str());
  if (Number(json, "results") != static_cast<int64_t>(results.size()) || told != TotalsOf(results)) {
    throw BadLine{"the totals do not agree with the results above"};
  }
}

// Takes one line after the other, and knows which may follow which.
class Reader {
 public:
  void Take(std::string_view line) {
    if (line.size() > kMaxResultLine) throw BadLine{"longer than " + std::to_string(kMaxResultLine) + " bytes"};
    const Json json = Json::parse(line, nullptr, false);
    if (json.is_discarded()) throw BadLine{"not JSON"};
    if (!json.is_object()) throw BadLine{"no object"};
    const std::string type = Text(json, "type");
    if (!started_) {
      if (type != "run") throw BadLine{"expected the line of type 'run' first, found '" + type + "'"};
      results_.run = RunFrom(json);
      started_ = true;
    } else if (results_.complete) {
      throw BadLine{"a line after the last"};
    } else if (type == "result") {
      results_.results.push_back(ResultFrom(json));
    } else if (type == "end") {
      CheckEnd(json, results_.results);
      results_.complete = true;
    } else {
      throw BadLine{"expected the type 'result' or 'end', found '" + type + "'"};
    }
  }

  bool started() const { return started_; }
  void SetWholeBytes(size_t bytes) { results_.whole_bytes = bytes; }
  RunResults&& results() { return std::move(results_); }

 private:
  bool started_ = false;
  RunResults results_;
};

}  // namespace

Totals TotalsOf(const std::vector<CaseResult>& results) {
  Totals totals;
  for (const CaseResult& result : results) ++totals[result.verdict];
  return totals;
}

std::string RunLine(const RunInfo& run) {
  Json json{{"type", "run"}, {"format", kResultsFormat}, {"conform", run.conform}};
  if (!run.started.empty()) json["started"] = run.started;
  if (!run.command.empty()) json["command"] = run.command;
  if (!run.shard.empty()) json["shard"] = run.shard;
  json["planned"] = run.planned;
  if (!run.catalogue.empty()) json["catalogue"] = run.catalogue;
  if (!run.plan.empty()) json["plan"] = run.plan;
  if (!run.arguments.empty()) json["arguments"] = run.arguments;
  for (const auto& [id, text] : run.scripts) json["scripts"][id] = text;
  for (const RunImplementation& one : run.implementations) json["implementations"].push_back(ToJson(one));
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
  int64_t sum = 0;
  Json by_verdict = Json::object();
  for (const auto& [verdict, count] : totals) {
    by_verdict[std::string(VerdictName(verdict))] = count;
    sum += count;
  }
  return ToLine(Json{{"type", "end"}, {"results", sum}, {"totals", std::move(by_verdict)}});
}

Result<RunResults> ParseResults(std::string_view text, const std::string& file) {
  Reader reader;
  int number = 1;
  for (size_t start = 0; start < text.size(); ++number) {
    const size_t newline = text.find('\n', start);
    const bool whole = newline != text.npos;
    try {
      reader.Take(text.substr(start, whole ? newline - start : text.npos));
    } catch (const BadLine& bad) {
      // Half a line at the end is the mark of a run that was cut short, not of a file that is something else.
      if (!whole && reader.started()) break;
      return Error{bad.message, file, Location{number, 0}, "spec/results-format.md describes the format"};
    }
    start = whole ? newline + 1 : text.size();
    reader.SetWholeBytes(start);
  }
  if (!reader.started()) return Error{"empty, expected a line of type 'run'", file, Location{1, 0}};
  return reader.results();
}

Result<RunResults> ReadResults(const std::string& path) {
  const auto text = ReadFile(path, kMaxResultsBytes);
  if (!text) return text.error();
  return ParseResults(*text, path);
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
