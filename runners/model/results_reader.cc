// Reading results files, which may hold a million results: one line at a time.
#include <simdjson.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

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

// Takes one line after the other, and knows which may follow which.
class Reader {
 public:
  explicit Reader(const ResultsVisitor& visitor) : visitor_(visitor) {}

  // `line` is followed by as many bytes as simdjson reads ahead. Throws BadLine. Returns what the visitor returns.
  std::optional<Error> Take(const char* line, size_t size) {
    if (size > kMaxResultLine) throw BadLine{"longer than " + std::to_string(kMaxResultLine) + " bytes"};
    element parsed;
    if (parser_.parse(line, size, false).get(parsed) != simdjson::SUCCESS) throw BadLine{"not JSON"};
    object json;
    if (parsed.get(json) != simdjson::SUCCESS) throw BadLine{"no object"};
    const std::string type = Text(json, "type");
    if (!started_) {
      if (type != "run") throw BadLine{"expected the line of type 'run' first, found '" + type + "'"};
      summary_.run = RunFrom(json);
      started_ = true;
      visitor_.run(summary_.run);
    } else if (summary_.complete) {
      throw BadLine{"a line after the last"};
    } else if (type == "result") {
      CaseResult result = ResultFrom(json);
      ++summary_.totals[result.verdict];
      return visitor_.result(std::move(result));
    } else if (type == "end") {
      CheckEnd(json);
      summary_.complete = true;
    } else {
      throw BadLine{"expected the type 'result' or 'end', found '" + type + "'"};
    }
    return std::nullopt;
  }

  bool started() const { return started_; }
  ResultsSummary& summary() { return summary_; }

 private:
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

  const ResultsVisitor& visitor_;
  simdjson::dom::parser parser_;
  bool started_ = false;
  ResultsSummary summary_;
};

// Where text comes from. Fills as much of the buffer as there is, at least one byte; 0 at the end.
using Source = std::function<Result<size_t>(char* buffer, size_t size)>;

Result<ResultsSummary> ReadLines(const Source& source, const std::string& file, const ResultsVisitor& visitor) {
  constexpr size_t kBlock = 1 << 20;
  Reader reader(visitor);
  std::string buffer;  // what was read and not taken, and room for more
  size_t begin = 0, end = 0, read_bytes = 0;
  int number = 1;
  const auto fail = [&](const BadLine& bad) {
    return Error{bad.message, file, Location{number, 0}, "spec/results-format.md describes the format"};
  };
  for (bool more = true; more || begin < end;) {
    const void* newline = begin < end ? std::memchr(buffer.data() + begin, '\n', end - begin) : nullptr;
    if (newline == nullptr && more) {
      if (end - begin > kMaxResultLine) return fail({"longer than " + std::to_string(kMaxResultLine) + " bytes"});
      buffer.erase(0, begin);
      end -= begin;
      begin = 0;
      buffer.resize(end + std::max(kBlock, end) + simdjson::SIMDJSON_PADDING);
      const auto count = source(buffer.data() + end, buffer.size() - end - simdjson::SIMDJSON_PADDING);
      if (!count) return count.error();
      more = *count > 0;
      end += *count;
      read_bytes += *count;
      if (read_bytes > kMaxResultsBytes) {
        return Error{"is larger than " + std::to_string(kMaxResultsBytes) + " bytes", file};
      }
      continue;
    }
    const bool whole = newline != nullptr;
    const size_t size =
        whole ? static_cast<size_t>(static_cast<const char*>(newline) - buffer.data()) - begin : end - begin;
    try {
      if (auto error = reader.Take(buffer.data() + begin, size)) return *error;
    } catch (const BadLine& bad) {
      // Half a line at the end is the mark of a run that was cut short, not of a file that is something else.
      if (!whole && reader.started()) break;
      return fail(bad);
    }
    begin += size + (whole ? 1 : 0);
    reader.summary().whole_bytes += size + (whole ? 1 : 0);
    ++number;
  }
  if (!reader.started()) return Error{"empty, expected a line of type 'run'", file, Location{1, 0}};
  return std::move(reader.summary());
}

// Everything at once, of a function that hands out one result after the other.
template <typename Read>
Result<RunResults> Collect(Read read) {
  RunResults all;
  const auto keep = [&](CaseResult&& result) -> std::optional<Error> {
    all.results.push_back(std::move(result));
    return std::nullopt;
  };
  auto summary = read(ResultsVisitor{[](const RunInfo&) {}, keep});
  if (!summary) return summary.error();
  all.run = std::move(summary->run);
  all.complete = summary->complete;
  all.whole_bytes = summary->whole_bytes;
  return all;
}

}  // namespace

Result<ResultsSummary> ReadEachResult(const std::string& path, const ResultsVisitor& visitor) {
  const auto file = OpenToRead(path);
  if (!file) return file.error();
  const Source source = [&](char* buffer, size_t size) -> Result<size_t> {
    const size_t count = std::fread(buffer, 1, size, file->get());
    if (std::ferror(file->get())) return Error::OfCall("cannot be read", errno, path);
    return count;
  };
  return ReadLines(source, path, visitor);
}

Result<RunResults> ReadResults(const std::string& path) {
  return Collect([&](const ResultsVisitor& visitor) { return ReadEachResult(path, visitor); });
}

Result<RunResults> ParseResults(std::string_view text, const std::string& file) {
  const Source source = [&text](char* buffer, size_t size) -> Result<size_t> {
    const size_t count = text.copy(buffer, size);
    text.remove_prefix(count);
    return count;
  };
  return Collect([&](const ResultsVisitor& visitor) { return ReadLines(source, file, visitor); });
}

}  // namespace conform
