#include "reports/result_set.h"

#include <algorithm>
#include <tuple>

#include "reports/escape.h"
#include "runners/base/check.h"
#include "runners/base/text.h"

namespace conform::reports {
namespace {

// The first line of a file is about the run, and each of the others one result.
Location LineOf(size_t index) { return {static_cast<int>(index) + 2, 0}; }

struct Place {
  std::string hash;
  std::string file;
  size_t index;
  std::string ToString() const { return file + ":" + std::to_string(LineOf(index).line); }
};

}  // namespace

Totals DecidedVerdicts(const CaseResult& result) {
  if (result.verdict == Verdict::kInconclusive) return {};
  const bool by_order = result.verdict == Verdict::kPass || result.verdict == Verdict::kFail;
  const bool by_trouble = !result.tries.empty() && !result.tries.back().trouble.empty();
  if (!by_order && !by_trouble) return {{result.verdict, 1}};
  Totals totals;
  for (const Try& one : result.tries) {
    if (!one.trouble.empty()) continue;
    if (one.standing == Standing::kOnTime) ++totals[Verdict::kPass];
    if (one.standing == Standing::kOutside) ++totals[Verdict::kFail];
  }
  // What was decided by trouble, which ends a result, or over several tries.
  totals.try_emplace(result.verdict, 1);
  return totals;
}

std::pair<std::string, std::string> KindAndVersion(std::string_view implementation) {
  const size_t path = implementation.find('=');
  if (path != implementation.npos) return {std::string(implementation.substr(0, path)), ""};
  const size_t at = implementation.find('@');
  if (at == implementation.npos) return {std::string(implementation), ""};
  return {std::string(implementation.substr(0, at)), std::string(implementation.substr(at + 1))};
}

namespace {

void Clean(std::string& text) { text = Cleaned(text); }

// From here on no text can end a line, steer a terminal, or be refused by XML.
void Clean(CaseResult& result) {
  for (std::string* text : {&result.case_id, &result.content_hash, &result.implementation, &result.profile,
                            &result.reason, &result.expected, &result.reproduce}) {
    Clean(*text);
  }
  for (Try& one : result.tries) {
    Clean(one.trouble);
    for (TraceEvent& event : one.trace.events) {
      for (std::string* text : {&event.label, &event.phase, &event.clause}) Clean(*text);
    }
  }
}

void Clean(RunInfo& run) {
  for (std::string* text : {&run.conform, &run.started, &run.command, &run.shard, &run.catalogue, &run.plan}) {
    Clean(*text);
  }
  for (std::string& argument : run.arguments) Clean(argument);
  std::map<std::string, std::string> scripts;
  for (const auto& [id, text] : run.scripts) {
    std::vector<std::string> lines = Split(text, '\n');
    for (std::string& line : lines) Clean(line);
    scripts[Cleaned(id)] = Join(lines, "\n");
  }
  run.scripts = std::move(scripts);
  for (RunImplementation& one : run.implementations) {
    for (std::string* text : {&one.name, &one.version, &one.claims}) Clean(*text);
    std::map<std::string, std::string> details;
    for (const auto& [name, value] : one.details) details[Cleaned(name)] = Cleaned(value);
    one.details = std::move(details);
  }
}

}  // namespace

Result<ResultSet> ResultSet::Read(const std::vector<std::string>& paths, const RenamedIds& renamed, Runs runs) {
  std::vector<Source> sources;
  std::vector<std::string> notes;
  for (const std::string& path : paths) {
    auto results = ReadResults(path);
    if (!results) return results.error();
    for (const std::string& note : RenameResults(renamed, results->results))
      notes.push_back(Cleaned(path + ": " + note));
    sources.push_back({path, std::move(*results)});
  }
  auto set = Of(std::move(sources), runs);
  if (set) set->notes_ = std::move(notes);
  return set;
}

Result<ResultSet> ResultSet::Of(std::vector<Source> sources, Runs runs) {
  ResultSet set;
  for (Source& source : sources) {
    Clean(source.results.run);
    for (CaseResult& result : source.results.results) Clean(result);
  }
  for (const Source& source : sources) {
    const auto count = static_cast<int64_t>(source.results.results.size());
    const bool complete = source.results.complete && count == source.results.run.planned;
    set.files_.push_back({Cleaned(source.path), source.results.run, complete, count});
    set.AddImplementations(source.results);
  }
  if (auto error = set.AddResults(sources, runs)) return *error;
  set.Index();
  return set;
}

ReportImplementation& ResultSet::ImplementationNamed(const std::string& name) {
  const auto index = FindImplementation(name);
  if (index) return implementations_[*index];
  auto [kind, version] = KindAndVersion(name);
  names_[name] = implementations_.size();
  implementations_.push_back({name, std::move(kind), std::move(version), "", {}, {}, {}});
  return implementations_.back();
}

void ResultSet::AddImplementations(const RunResults& run) {
  for (const RunImplementation& introduced : run.run.implementations) {
    ReportImplementation& one = ImplementationNamed(introduced.name);
    if (!introduced.version.empty()) one.version = introduced.version;
    one.claims = introduced.claims;
    one.details = introduced.details;
  }
  for (const CaseResult& result : run.results) {
    ReportImplementation& one = ImplementationNamed(result.implementation);
    ++one.totals[result.verdict];
    if (std::find(one.profiles.begin(), one.profiles.end(), result.profile) == one.profiles.end()) {
      one.profiles.push_back(result.profile);
    }
  }
}

std::optional<Error> ResultSet::AddResults(std::vector<Source>& sources, Runs runs) {
  using Key = std::tuple<std::string, std::string, std::string>;
  std::map<Key, Place> results;
  std::map<std::string, Place> cases;
  for (Source& source : sources) {
    for (size_t i = 0; i < source.results.results.size(); ++i) {
      CaseResult& result = source.results.results[i];
      const Place here{result.content_hash, source.path, i};
      const auto [twin, is_new] = results.try_emplace(Key{result.case_id, result.implementation, result.profile}, here);
      if (!is_new && runs == Runs::kOne) {
        return Error{"a second result for " + result.case_id + " on " + result.implementation + " as " +
                         result.profile + "; the first is in " + twin->second.ToString(),
                     source.path, LineOf(i), "compare two runs with conform diff"};
      }
      const auto [first, is_first] = cases.try_emplace(result.case_id, here);
      if (first->second.hash != result.content_hash) {
        return Error{"the case " + result.case_id + " is not the same as in " + first->second.ToString(), source.path,
                     LineOf(i), "run it again, or compare the files with conform diff"};
      }
      results_.push_back(std::move(result));
    }
  }
  for (const auto& [id, place] : cases) cases_.push_back({id, place.hash, std::nullopt});
  return std::nullopt;
}

void ResultSet::Index() {
  const size_t columns = implementations_.size();
  std::vector<std::pair<size_t, size_t>> order;  // cell, and where the result is now
  for (size_t i = 0; i < results_.size(); ++i) {
    order.emplace_back(*FindCase(results_[i].case_id) * columns + *FindImplementation(results_[i].implementation), i);
  }
  std::sort(order.begin(), order.end());
  std::vector<CaseResult> sorted;
  sorted.reserve(results_.size());
  for (const auto& [cell, index] : order) {
    cells_.push_back(cell);
    sorted.push_back(std::move(results_[index]));
  }
  results_ = std::move(sorted);
}

void ResultSet::Describe(const Catalogue& catalogue) {
  for (const Case& c : catalogue.cases) {
    const auto index = FindCase(c.id);
    if (index && cases_[*index].hash == c.content_hash) cases_[*index].known = c;
  }
}

std::span<const CaseResult> ResultSet::Of(size_t case_index, size_t implementation_index) const {
  CONFORM_CHECK(case_index < cases_.size() && implementation_index < implementations_.size());
  const size_t cell = case_index * implementations_.size() + implementation_index;
  const auto [begin, end] = std::equal_range(cells_.begin(), cells_.end(), cell);
  return std::span(results_).subspan(begin - cells_.begin(), end - begin);
}

std::optional<size_t> ResultSet::FindCase(std::string_view id) const {
  const auto found = std::lower_bound(cases_.begin(), cases_.end(), id,
                                      [](const ReportCase& one, std::string_view wanted) { return one.id < wanted; });
  if (found == cases_.end() || found->id != id) return std::nullopt;
  return found - cases_.begin();
}

std::optional<size_t> ResultSet::FindImplementation(std::string_view name) const {
  const auto found = names_.find(name);
  if (found == names_.end()) return std::nullopt;
  return found->second;
}

const CaseResult* ResultSet::Find(std::string_view case_id, std::string_view implementation,
                                  std::string_view profile) const {
  const auto row = FindCase(case_id);
  const auto column = FindImplementation(implementation);
  if (!row || !column) return nullptr;
  const auto results = Of(*row, *column);
  const auto found =
      std::find_if(results.begin(), results.end(), [&](const CaseResult& one) { return one.profile == profile; });
  return found == results.end() ? nullptr : &*found;
}

std::vector<std::string> ResultSet::Incompleteness() const {
  std::vector<std::string> all;
  for (const ReportFile& file : files_) {
    if (!file.complete) {
      all.push_back(file.path + ": cut short, with " + std::to_string(file.results) + " of " +
                    std::to_string(file.run.planned) + " results");
    } else if (!file.run.shard.empty()) {
      all.push_back(file.path + ": part " + file.run.shard + " of a run; conform merge joins the parts");
    }
  }
  return all;
}

}  // namespace conform::reports
