#include "reports/merge.h"

#include <algorithm>

#include "reports/escape.h"
#include "runners/base/text.h"
#include "runners/model/shard.h"

namespace conform::reports {
namespace {

using Part = ResultSet::Source;

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
      ++i;  // its value stands in the next word
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
  const RunInfo &run = part.results.run, &other = first.results.run;
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
  const RunInfo& run = part.results.run;
  if (run.shard.empty()) {
    return Refused(part, "is a whole run, not a part of one", "parts are written by conform run --shard=I/N");
  }
  if (shard.of == 1) return Refused(part, "is part " + run.shard + ", which is a whole run");
  if (run.plan.empty()) return Refused(part, "does not say which plan it is a part of", "run it again");
  const auto count = static_cast<int64_t>(part.results.results.size());
  if (!part.results.complete || count != run.planned) {
    return Refused(part, "cut short, with " + std::to_string(count) + " of " + std::to_string(run.planned) + " results",
                   "resume with: conform run --resume " + Quoted(part.path));
  }
  return std::nullopt;
}

// The parts in their order, each of them once.
Result<std::vector<Part*>> InOrder(std::vector<Part>& parts) {
  std::vector<Part*> in_order;
  for (Part& part : parts) {
    const auto shard = Shard::Parse(part.results.run.shard.empty() ? "1/1" : part.results.run.shard);
    if (!shard) return Refused(part, shard.error().message);
    if (auto error = CheckPart(part, *shard)) return *error;
    if (in_order.empty()) in_order.resize(static_cast<size_t>(shard->of));
    if (static_cast<size_t>(shard->of) != in_order.size()) {
      return Refused(part, "is one of " + std::to_string(shard->of) + " parts, and " + parts.front().path + " one of " +
                               std::to_string(in_order.size()));
    }
    Part*& place = in_order[static_cast<size_t>(shard->part - 1)];
    if (place != nullptr) return Refused(part, "is part " + part.results.run.shard + ", and so is " + place->path);
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

}  // namespace

Result<RunResults> MergeParts(std::vector<Part> parts) {
  if (parts.empty()) return Error{"there is no part to merge"};
  const auto in_order = InOrder(parts);
  if (!in_order) return in_order.error();

  RunResults whole;
  whole.run = parts.front().results.run;
  whole.run.shard.clear();
  whole.run.planned = 0;
  whole.run.arguments = SharedArguments(whole.run.arguments);
  whole.run.command = "conform run";
  for (const std::string& argument : whole.run.arguments) whole.run.command.append(" ").append(Quoted(argument));
  for (const Part& part : parts) {
    whole.run.started = std::min(whole.run.started, part.results.run.started);
    whole.run.planned += part.results.run.planned;
  }
  std::vector<size_t> taken(in_order->size());
  PlanDigest digest;
  for (size_t number = 0; number < static_cast<size_t>(whole.run.planned); ++number) {
    const size_t holder = ShardHolding(number, in_order->size());
    std::vector<CaseResult>& results = (*in_order)[holder]->results.results;
    if (taken[holder] == results.size()) return Refused(*(*in_order)[holder], "contains fewer results than it should");
    digest.Add(results[taken[holder]]);
    whole.results.push_back(std::move(results[taken[holder]++]));
  }
  if (digest.ToString() != whole.run.plan) {
    return Error::WithHint("the parts do not contain what was planned", "they were changed after they were written");
  }
  whole.complete = true;
  return whole;
}

std::string ResultsText(const RunResults& results) {
  std::string text = RunLine(results.run) + "\n";
  for (const CaseResult& result : results.results) text += ResultLine(result) + "\n";
  return text + EndLine(TotalsOf(results.results)) + "\n";
}

}  // namespace conform::reports
