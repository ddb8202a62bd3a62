#include "reports/merge.h"

#include <algorithm>

#include "reports/escape.h"
#include "runners/base/text.h"
#include "runners/model/shard.h"

namespace conform::reports {
namespace {

// What a file says of itself.
struct Part {
  std::string path;
  ResultsSummary summary;
};

Error Refused(const Part& part, std::string message, std::string hint = "") {
  return Error{std::move(message), part.path, {}, std::move(hint)};
}

constexpr size_t kMaxMissingShown = 200;  // bytes

// Options that may differ between parts: what they say does not change any result.
constexpr std::string_view kOwnOptions[] = {"--shard", "--output", "--jobs", "--format"};

std::vector<std::string> SharedArguments(const std::vector<std::string>& arguments) {
  std::vector<std::string> shared;
  for (size_t i = 0; i < arguments.size(); ++i) {
    const std::string& argument = arguments[i];
    const auto names = [&](std::string_view option) { return argument == option; };
    const auto gives = [&](std::string_view option) { return argument.starts_with(std::string(option) + "="); };
    if (argument == "--install" || std::any_of(std::begin(kOwnOptions), std::end(kOwnOptions), gives)) continue;
    if (std::any_of(std::begin(kOwnOptions), std::end(kOwnOptions), names)) {
      ++i;  // its value is in the next word
      continue;
    }
    shared.push_back(argument);
  }
  return shared;
}

std::string Introduced(const std::vector<RunImplementation>& implementations) {
  std::vector<std::string> all;
  for (const RunImplementation& one : implementations) {
    std::string text = one.name + " " + one.version + " as " + one.claims;
    for (const auto& [name, value] : one.details) text += " " + name + "=" + value;
    all.push_back(text);
  }
  return all.empty() ? "none" : Join(all, ", ");
}

// What all parts of one run have in common.
std::optional<Error> CheckSame(const Part& part, const Part& first) {
  const RunInfo &run = part.summary.run, &other = first.summary.run;
  const auto differs = [&](const std::string& what, const std::string& one, const std::string& two) {
    return Refused(part, what + ": " + one + ", and " + two + " in " + first.path);
  };
  if (run.conform != other.conform) return differs("written by another version of conform", run.conform, other.conform);
  const auto options = SharedArguments(run.arguments), others = SharedArguments(other.arguments);
  if (options != others) return differs("run with other options", Join(options, " "), Join(others, " "));
  const std::string mine = Introduced(run.implementations), theirs = Introduced(other.implementations);
  if (mine != theirs) return differs("run on other implementations", mine, theirs);
  if (run.catalogue != other.catalogue) {
    return differs("run on another catalogue, with other cases or rules", run.catalogue, other.catalogue);
  }
  if (run.plan != other.plan) return differs("a part of another plan", run.plan, other.plan);
  return std::nullopt;
}

std::optional<Error> CheckPart(const Part& part, const Shard& shard) {
  const RunInfo& run = part.summary.run;
  if (run.shard.empty()) {
    return Refused(part, "is a whole run, not a part of one", "parts are written by conform run --shard=I/N");
  }
  if (shard.of == 1) return Refused(part, "is part " + run.shard + ", which is a whole run");
  if (run.plan.empty()) return Refused(part, "does not say which plan it is a part of", "run it again");
  const int64_t count = SumOf(part.summary.totals);
  if (!part.summary.complete || count != run.planned) {
    return Refused(part, "cut short, with " + std::to_string(count) + " of " + std::to_string(run.planned) + " results",
                   "resume with: conform run --resume " + Quoted(part.path));
  }
  return std::nullopt;
}

// The parts in their order, each of them once.
Result<std::vector<const Part*>> InOrder(const std::vector<Part>& parts) {
  std::vector<const Part*> in_order;
  for (const Part& part : parts) {
    const auto shard = Shard::Parse(part.summary.run.shard.empty() ? "1/1" : part.summary.run.shard);
    if (!shard) return Refused(part, shard.error().message);
    if (auto error = CheckPart(part, *shard)) return *error;
    if (in_order.empty()) in_order.resize(static_cast<size_t>(shard->of));
    if (static_cast<size_t>(shard->of) != in_order.size()) {
      return Refused(part, "is one of " + std::to_string(shard->of) + " parts, and " + parts.front().path + " one of " +
                               std::to_string(in_order.size()));
    }
    const Part*& place = in_order[static_cast<size_t>(shard->part - 1)];
    if (place != nullptr) return Refused(part, "is part " + part.summary.run.shard + ", and so is " + place->path);
    place = &part;
    if (auto error = CheckSame(part, parts.front())) return *error;
  }
  std::vector<std::string> missing;
  for (size_t i = 0; i < in_order.size(); ++i) {
    if (in_order[i] == nullptr) missing.push_back(std::to_string(i + 1) + "/" + std::to_string(in_order.size()));
  }
  if (missing.empty()) return in_order;
  const std::string shown = Shortened(Join(missing, ", "), kMaxMissingShown);
  return Error{"the part" + std::string(missing.size() == 1 ? " " : "s ") + shown +
               (missing.size() == 1 ? " is" : " are") + " missing"};
}

Result<Part> ReadPart(const std::string& path) {
  auto reader = ResultsReader::Open(path);
  if (!reader) return reader.error();
  for (;;) {
    const auto result = reader->Next();
    if (!result) return result.error();
    if (!*result) return Part{path, reader->summary()};
  }
}

RunInfo RunOfWhole(const std::vector<Part>& parts) {
  RunInfo run = parts.front().summary.run;
  run.shard.clear();
  run.planned = 0;
  run.arguments = SharedArguments(run.arguments);
  run.command = "conform run";
  for (const std::string& argument : run.arguments) run.command.append(" ").append(Quoted(argument));
  for (const Part& part : parts) {
    run.started = std::min(run.started, part.summary.run.started);
    run.planned += part.summary.run.planned;
  }
  return run;
}

}  // namespace

Result<MergedParts> MergedParts::Of(const std::vector<std::string>& paths) {
  if (paths.empty()) return Error{"there is no part to merge"};
  std::vector<Part> parts;
  for (const std::string& path : paths) {
    auto part = ReadPart(path);
    if (!part) return part.error();
    parts.push_back(std::move(*part));
  }
  const auto in_order = InOrder(parts);
  if (!in_order) return in_order.error();
  MergedParts whole;
  whole.run_ = RunOfWhole(parts);
  for (const Part* part : *in_order) whole.paths_.push_back(part->path);
  PlanDigest digest;
  const auto check = [&](const CaseResult& result) -> std::optional<Error> {
    digest.Add(result);
    ++whole.totals_[result.verdict];
    return std::nullopt;
  };
  if (auto error = whole.ForEach(check)) return *error;
  if (digest.ToString() != whole.run_.plan) {
    return Error::WithHint("the parts do not contain what was planned", "they were changed after they were written");
  }
  return whole;
}

std::optional<Error> MergedParts::WriteTo(const TextSink& write) const {
  if (auto error = write(RunLine(run_) + "\n")) return error;
  const auto write_result = [&](const CaseResult& result) { return write(ResultLine(result) + "\n"); };
  if (auto error = ForEach(write_result)) return error;
  return write(EndLine(totals_) + "\n");
}

std::optional<Error> MergedParts::ForEach(const Take& take) const {
  std::vector<ResultsReader> readers;
  for (const std::string& path : paths_) {
    auto reader = ResultsReader::Open(path);
    if (!reader) return reader.error();
    readers.push_back(std::move(*reader));
  }
  for (size_t number = 0; number < static_cast<size_t>(run_.planned); ++number) {
    const size_t holder = ShardHolding(number, readers.size());
    const auto result = readers[holder].Next();
    if (!result) return result.error();
    if (!*result) return Error{"contains fewer results than it should", paths_[holder]};
    if (auto error = take(**result)) return error;
  }
  return std::nullopt;
}

}  // namespace conform::reports
