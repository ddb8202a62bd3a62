// Reading results files, which may hold a million results: one line at a time.
#include <simdjson.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <functional>

#include "runners/base/text.h"
#include "runners/model/results.h"

namespace conform {
namespace {

using simdjson::dom::element;
using simdjson::dom::object;

constexpr size_t kMaxResultsBytes = size_t{4} << 30;

// Why a line is not as the format says. Thrown and caught in this file alone: a field is read deep inside a line.
struct BadLine {
  std::string message;
};

BadLine Not(const char* key, const char* what) { return {"'" + std::string(key) + "' is not " + what}; }

std::optional<element> Find(const object& json, const char* key) {
  element value;
  if (json.at_key(key).get(value) != simdjson::SUCCESS) return std::nullopt;
  return value;
}

element Field(const object& json, const char* key) {
  const auto value = Find(json, key);
  if (!value) throw BadLine{"'" + std::string(key) + "' is missing"};
  return *value;
}

std::string TextIn(const element& value, const char* key) {
  std::string_view text;
  if (value.get(text) != simdjson::SUCCESS) throw Not(key, "a text");
  return std::string(text);
}

std::string Text(const object& json, const char* key) { return TextIn(Field(json, key), key); }

std::string TextOrEmpty(const object& json, const char* key) {
  const auto value = Find(json, key);
  return value ? TextIn(*value, key) : "";
}

int64_t NumberOf(const element& value, const char* key) {
  int64_t number = 0;
  if (!value.is<int64_t>() || value.get(number) != simdjson::SUCCESS) throw Not(key, "an integer");
  return number;
}

std::optional<int64_t> NumberIfAny(const object& json, const char* key) {
  const auto value = Find(json, key);
  if (!value) return std::nullopt;
  return NumberOf(*value, key);
}

int64_t Number(const object& json, const char* key) { return NumberOf(Field(json, key), key); }

object Object(const element& value, const char* key) {
  object map;
  if (value.get(map) != simdjson::SUCCESS) throw Not(key, "an object");
  return map;
}

simdjson::dom::array Array(const object& json, const char* key) {
  simdjson::dom::array list;
  if (Field(json, key).get(list) != simdjson::SUCCESS) throw Not(key, "a list");
  return list;
}

// Calls `take` with each object of the list.
template <typename Take>
void ForEach(const object& json, const char* key, Take take) {
  for (const element item : Array(json, key)) {
    object one;
    if (item.get(one) != simdjson::SUCCESS) {
      throw BadLine{"'" + std::string(key) + "' contains something that is not an object"};
    }
    take(one);
  }
}

bool IsTrue(const object& json, const char* key) {
  const auto value = Find(json, key);
  bool is_true = false;
  if (value && value->get(is_true) != simdjson::SUCCESS) {
    throw BadLine{"'" + std::string(key) + "' is neither true nor false"};
  }
  return is_true;
}

Verdict VerdictNamed(const std::string& name) {
  const auto verdict = VerdictFromName(name);
  if (!verdict) throw BadLine{"'" + name + "' is not a verdict"};
  return *verdict;
}

Basis BasisNamed(const std::string& name) {
  const auto basis = BasisFromName(name);
  if (!basis) throw BadLine{"'" + name + "' is not a basis"};
  return *basis;
}

Try TryFrom(const object& json) {
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
  } else if (!Find(json, "events")) {
    return one;
  }
  ForEach(json, "events", [&](const object& event) {
    one.trace.events.push_back({Text(event, "label"), NumberIfAny(event, "t_ns"), NumberIfAny(event, "iteration"),
                                TextOrEmpty(event, "phase"), TextOrEmpty(event, "clause")});
  });
  return one;
}

CaseResult ResultFrom(const object& json) {
  CaseResult result;
  result.case_id = Text(json, "case");
  result.content_hash = Text(json, "hash");
  result.implementation = Text(json, "implementation");
  result.profile = Text(json, "profile");
  result.verdict = VerdictNamed(Text(json, "verdict"));
  result.basis = BasisNamed(TextOrEmpty(json, "basis"));
  result.reason = TextOrEmpty(json, "reason");
  result.expected = TextOrEmpty(json, "expected");
  ForEach(json, "tries", [&](const object& one) { result.tries.push_back(TryFrom(one)); });
  result.reproduce = TextOrEmpty(json, "reproduce");
  return result;
}

std::vector<std::string> Texts(const object& json, const char* key) {
  std::vector<std::string> texts;
  for (const element item : Array(json, key)) {
    std::string_view text;
    if (item.get(text) != simdjson::SUCCESS) {
      throw BadLine{"'" + std::string(key) + "' contains something that is not a text"};
    }
    texts.emplace_back(text);
  }
  return texts;
}

std::map<std::string, std::string> TextsByName(const object& json, const char* key) {
  std::map<std::string, std::string> texts;
  if (!Find(json, key)) return texts;
  for (const auto& [name, value] : Object(Field(json, key), key)) {
    const std::string text_name(name);
    texts[text_name] = TextIn(value, text_name.c_str());
  }
  return texts;
}

RunInfo RunFrom(const object& json) {
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
  if (Find(json, "arguments")) run.arguments = Texts(json, "arguments");
  run.scripts = TextsByName(json, "scripts");
  if (!Find(json, "implementations")) return run;
  ForEach(json, "implementations", [&](const object& one) {
    run.implementations.push_back(
        {Text(one, "name"), Text(one, "version"), TextOrEmpty(one, "claims"), TextsByName(one, "details")});
  });
  return run;
}

// REQUIRES: behind the line there are as many bytes as simdjson reads ahead. Valid until the next line is parsed.
object ObjectIn(simdjson::dom::parser& parser, const char* line, size_t size) {
  element parsed;
  if (parser.parse(line, size, false).get(parsed) != simdjson::SUCCESS) throw BadLine{"not JSON"};
  object json;
  if (parsed.get(json) != simdjson::SUCCESS) throw BadLine{"no object"};
  return json;
}

// Where text comes from. Fills as much of the buffer as there is, at least one byte; 0 at the end.
using Source = std::function<Result<size_t>(char* buffer, size_t size)>;

}  // namespace

// Takes one line after the other, and knows which may follow which.
class ResultsReader::State {
 public:
  State(Source source, std::string file) : source_(std::move(source)), file_(std::move(file)) {}

  // The first line.
  std::optional<Error> Begin() {
    const auto line = NextLine();
    if (!line) return line.error();
    if (!*line) return Error{"empty, expected a line of type 'run'", file_, Location{1, 0}};
    try {
      const object json = Parse(**line);
      const std::string type = Text(json, "type");
      if (type != "run") throw BadLine{"expected the line of type 'run' first, found '" + type + "'"};
      summary_.run = RunFrom(json);
    } catch (const BadLine& bad) {
      return Refused(bad);
    }
    Take(**line);
    return std::nullopt;
  }

  Result<std::optional<CaseResult>> Next() {
    for (;;) {
      const auto line = NextLine();
      if (!line) return line.error();
      if (!*line) return std::optional<CaseResult>();
      try {
        std::optional<CaseResult> result = ResultOrEnd(Parse(**line));
        place_ = {static_cast<uint32_t>(summary_.whole_bytes), static_cast<uint32_t>((*line)->size)};
        Take(**line);
        if (result) return result;
      } catch (const BadLine& bad) {
        // Half a line at the end is the mark of a run that was cut short, not of a file that is something else.
        if (!(*line)->whole) return std::optional<CaseResult>();
        return Refused(bad);
      }
    }
  }

  ResultsSummary& summary() { return summary_; }
  const ResultPlace& place() const { return place_; }

 private:
  static constexpr size_t kBlock = 1 << 20;

  struct Line {
    size_t size;
    bool whole;  // it ends with a newline
  };

  // The line that begins at `begin_`; nothing at the end of the text.
  Result<std::optional<Line>> NextLine() {
    for (;;) {
      const void* newline = begin_ < end_ ? std::memchr(buffer_.data() + begin_, '\n', end_ - begin_) : nullptr;
      if (newline != nullptr) {
        const size_t at = static_cast<size_t>(static_cast<const char*>(newline) - buffer_.data());
        return std::optional(Line{at - begin_, true});
      }
      if (!more_) return begin_ < end_ ? std::optional(Line{end_ - begin_, false}) : std::nullopt;
      if (end_ - begin_ > kMaxResultLine) return Refused(TooLong());
      if (auto error = ReadMore()) return *error;
    }
  }

  std::optional<Error> ReadMore() {
    buffer_.erase(0, begin_);
    end_ -= begin_;
    begin_ = 0;
    buffer_.resize(end_ + std::max(kBlock, end_) + simdjson::SIMDJSON_PADDING);
    const auto count = source_(buffer_.data() + end_, buffer_.size() - end_ - simdjson::SIMDJSON_PADDING);
    if (!count) return count.error();
    more_ = *count > 0;
    end_ += *count;
    read_bytes_ += *count;
    if (read_bytes_ <= kMaxResultsBytes) return std::nullopt;
    return Error{"is larger than " + std::to_string(kMaxResultsBytes) + " bytes", file_};
  }

  void Take(const Line& line) {
    const size_t bytes = line.size + (line.whole ? 1 : 0);
    begin_ += bytes;
    summary_.whole_bytes += bytes;
    ++number_;
  }

  // Valid until the next line is parsed. Throws BadLine.
  object Parse(const Line& line) {
    if (line.size > kMaxResultLine) throw TooLong();
    return ObjectIn(parser_, buffer_.data() + begin_, line.size);
  }

  // Throws BadLine.
  std::optional<CaseResult> ResultOrEnd(const object& json) {
    const std::string type = Text(json, "type");
    if (summary_.complete) throw BadLine{"a line after the last"};
    if (type == "result") {
      CaseResult result = ResultFrom(json);
      ++summary_.totals[result.verdict];
      return result;
    }
    if (type != "end") throw BadLine{"expected the type 'result' or 'end', found '" + type + "'"};
    CheckEnd(json);
    summary_.complete = true;
    return std::nullopt;
  }

  void CheckEnd(const object& json) const {
    Totals told;
    for (const auto& [name, value] : Object(Field(json, "totals"), "totals")) {
      const std::string verdict(name);
      told[VerdictNamed(verdict)] = NumberOf(value, verdict.c_str());
    }
    if (Number(json, "results") != SumOf(summary_.totals) || told != summary_.totals) {
      throw BadLine{"the totals do not agree with the results above"};
    }
  }

  static BadLine TooLong() { return {"longer than " + std::to_string(kMaxResultLine) + " bytes"}; }
  Error Refused(const BadLine& bad) const {
    return Error{bad.message, file_, Location{number_, 0}, "spec/results-format.md describes the format"};
  }

  const Source source_;
  const std::string file_;
  std::string buffer_;  // what was read and not taken, and room for more
  size_t begin_ = 0, end_ = 0, read_bytes_ = 0;
  bool more_ = true;
  int number_ = 1;  // of the line
  simdjson::dom::parser parser_;
  ResultsSummary summary_;
  ResultPlace place_;  // of the last result
};

namespace {

// A file is open only while a block of it is read: a run may have more parts than a process may have files.
Result<size_t> ReadBlock(const std::string& path, size_t offset, char* buffer, size_t size) {
  const auto file = OpenToRead(path);
  if (!file) return file.error();
  if (fseeko(file->get(), static_cast<off_t>(offset), SEEK_SET) != 0) {
    return Error::OfCall("cannot be read", errno, path);
  }
  const size_t count = std::fread(buffer, 1, size, file->get());
  if (std::ferror(file->get())) return Error::OfCall("cannot be read", errno, path);
  return count;
}

Source BlocksOf(const std::string& path) {
  return [path, offset = size_t{0}](char* buffer, size_t size) mutable -> Result<size_t> {
    auto count = ReadBlock(path, offset, buffer, size);
    if (count) offset += *count;
    return count;
  };
}

}  // namespace

ResultsReader::ResultsReader(std::unique_ptr<State> state) : state_(std::move(state)) {}
ResultsReader::~ResultsReader() = default;
ResultsReader::ResultsReader(ResultsReader&&) noexcept = default;

Result<ResultsReader> ResultsReader::Open(const std::string& path) {
  auto state = std::make_unique<State>(BlocksOf(path), path);
  if (auto error = state->Begin()) return *error;
  return ResultsReader(std::move(state));
}

Result<ResultsReader> ResultsReader::Of(std::string_view text, const std::string& file) {
  const Source source = [text](char* buffer, size_t size) mutable -> Result<size_t> {
    const size_t count = text.copy(buffer, size);
    text.remove_prefix(count);
    return count;
  };
  auto state = std::make_unique<State>(source, file);
  if (auto error = state->Begin()) return *error;
  return ResultsReader(std::move(state));
}

Result<std::optional<CaseResult>> ResultsReader::Next() { return state_->Next(); }
const ResultsSummary& ResultsReader::summary() const { return state_->summary(); }
ResultPlace ResultsReader::place() const { return state_->place(); }

// Holds a block of the file.
class ResultLines::State {
 public:
  explicit State(std::string path) : path_(std::move(path)) {}

  Result<CaseResult> At(const ResultPlace& place) {
    const size_t end = size_t{place.offset} + place.bytes;
    if (place.offset < begin_ || end > begin_ + size_) {
      if (auto error = ReadAround(place)) return *error;
    }
    if (end > begin_ + size_) return Changed();
    try {
      const object json = ObjectIn(parser_, buffer_.data() + (place.offset - begin_), place.bytes);
      return Text(json, "type") == "result" ? Result<CaseResult>(ResultFrom(json)) : Changed();
    } catch (const BadLine&) {
      return Changed();
    }
  }

 private:
  // For each of many files one is held; they are read side by side.
  static constexpr size_t kBlock = 1 << 16;

  // More than was requested, where the last block was read to its end.
  std::optional<Error> ReadAround(const ResultPlace& place) {
    const bool goes_on = place.offset >= begin_ && place.offset <= begin_ + size_ + 1;  // behind a newline
    const size_t size = goes_on ? std::max<size_t>(kBlock, place.bytes) : place.bytes;
    buffer_.resize(size + simdjson::SIMDJSON_PADDING);
    const auto count = ReadBlock(path_, place.offset, buffer_.data(), size);
    if (!count) return count.error();
    begin_ = place.offset;
    size_ = *count;
    return std::nullopt;
  }

  Error Changed() const { return Error{"was changed while it was read", path_}; }

  const std::string path_;
  std::string buffer_;
  size_t begin_ = 0, size_ = 0;  // of the buffer, in the file
  simdjson::dom::parser parser_;
};

ResultLines::ResultLines(std::string path) : state_(std::make_unique<State>(std::move(path))) {}
ResultLines::~ResultLines() = default;
ResultLines::ResultLines(ResultLines&&) noexcept = default;

Result<CaseResult> ResultLines::At(const ResultPlace& place) { return state_->At(place); }

namespace {

Result<RunResults> ReadAll(Result<ResultsReader> reader) {
  if (!reader) return reader.error();
  RunResults all;
  for (;;) {
    auto result = reader->Next();
    if (!result) return result.error();
    if (!*result) break;
    all.results.push_back(std::move(**result));
  }
  all.run = reader->summary().run;
  all.complete = reader->summary().complete;
  all.whole_bytes = reader->summary().whole_bytes;
  return all;
}

}  // namespace

Result<RunResults> ReadResults(const std::string& path) { return ReadAll(ResultsReader::Open(path)); }

Result<RunResults> ParseResults(std::string_view text, const std::string& file) {
  return ReadAll(ResultsReader::Of(text, file));
}

}  // namespace conform
