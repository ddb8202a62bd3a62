#include "runners/study/fuzz_log.h"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <nlohmann/json.hpp>
#include <utility>

#include "runners/base/text.h"
#include "runners/model/case.h"

namespace conform {
namespace {

using Json = nlohmann::ordered_json;

constexpr size_t kMaxFuzzLogBytes = 256 << 20;
constexpr std::array kReasons{Undecided::kLimit, Undecided::kTimeout, Undecided::kCrash, Undecided::kUnsupported};

std::string LineOf(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n"; }

Json HeaderOf(const FuzzReport& report, const ProgramGenerator& generator) {
  return {{"implementation", report.implementation},
          {"profile", report.profile},
          {"seed", report.seed},
          {"ops", report.ops},
          {"generator", kGeneratorVersion},
          {"weights", generator.Weights()}};
}

}  // namespace

std::optional<uint64_t> FuzzLog::SeedOf(const std::string& path) {
  const auto text = ReadFile(path, kMaxFuzzLogBytes);
  if (!text) return std::nullopt;
  const Json header = Json::parse(text->substr(0, text->find('\n')), nullptr, /*allow_exceptions=*/false);
  if (!header.is_object() || !header.contains("seed") || !header["seed"].is_number_unsigned()) return std::nullopt;
  return header["seed"].get<uint64_t>();
}

Result<FuzzLog> FuzzLog::Open(const std::string& path, const FuzzReport& report, const ProgramGenerator& generator) {
  auto file = LockedFile::Open(path, O_RDWR | O_CREAT | O_APPEND);
  if (!file) return file.error();
  FuzzLog log(std::move(*file));
  const auto text = ReadFile(path, kMaxFuzzLogBytes);
  if (!text) return text.error();
  const Json header = HeaderOf(report, generator);
  if (text->empty()) {
    log.Write(LineOf(header));
    return log;
  }
  const std::vector<std::string> lines = Split(*text, '\n');
  const Json known = Json::parse(lines[0], nullptr, /*allow_exceptions=*/false);
  if (known != header) {
    return Error{"is the log of other programs: " + lines[0] + ", not " + header.dump(),
                 path,
                 {1, 1},
                 "name another file, or remove it"};
  }
  for (size_t i = 1; i < lines.size(); ++i) {
    // The last line of a run that was killed may be half written.
    if (!Json::accept(lines[i])) continue;
    if (auto error = log.ReadLine(lines[i], generator)) {
      return Error{error->message, path, {static_cast<int>(i + 1), 1}};
    }
  }
  if (text->back() != '\n') log.Write("\n");
  return log;
}

std::optional<Error> FuzzLog::ReadLine(const std::string& line, const ProgramGenerator& generator) {
  try {
    const Json json = Json::parse(line);
    FuzzNote note{json.at("number").get<int64_t>()};
    FuzzFinding finding;
    if (json.contains("undecided")) {
      for (const Undecided one : kReasons) {
        if (json["undecided"] == UndecidedName(one)) note.undecided = one;
      }
      if (!note.undecided) return Error{"has an unknown reason"};
      note.reason = json.at("reason").get<std::string>();
    } else if (json.contains("outside")) {
      finding.number = note.number;
      finding.drawn = generator.Make(note.number);
      auto shrunk = ParseCase(json.at("program").get<std::string>(), finding.drawn.id, finding.drawn.id);
      if (!shrunk) return shrunk.error();
      shrunk->expect.clear();
      finding.shrunk = std::move(*shrunk);
      finding.is_shrunk = json.at("shrunk").get<bool>();
      finding.outside = json.at("outside").get<int>();
      finding.runs = json.at("runs").get<int>();
      finding.observed = json.at("observed").get<Order>();
      note.finding = &finding;
    } else {
      note.observed = json.at("observed").get<Order>();
    }
    if (known_.insert(note.number).second) AddNote(note, &earlier_);
    return std::nullopt;
  } catch (const Json::exception&) {
    return Error{"is not a line of such a log"};
  }
}

void FuzzLog::Add(const FuzzNote& note) {
  Json json{{"number", note.number}};
  if (note.undecided) {
    json["undecided"] = UndecidedName(*note.undecided);
    json["reason"] = note.reason;
  } else if (note.finding == nullptr) {
    json["observed"] = note.observed;
  } else {
    json["observed"] = note.finding->observed;
    json["outside"] = note.finding->outside;
    json["runs"] = note.finding->runs;
    json["shrunk"] = note.finding->is_shrunk;
    json["program"] = CaseFileText(note.finding->shrunk, " ...\n");
  }
  Write(LineOf(json));
}

void FuzzLog::Write(const std::string& text) {
  if (trouble_) return;
  const ssize_t written = write(file_.descriptor(), text.data(), text.size());
  if (written != static_cast<ssize_t>(text.size())) {
    trouble_ = Error::OfSystem("cannot be written", written < 0 ? errno : ENOSPC, file_.path());
  }
}

}  // namespace conform
