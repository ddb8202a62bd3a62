#include "reports/result_set.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <set>
#include <tuple>
#include <unordered_map>

#include "reports/escape.h"
#include "runners/base/check.h"
#include "runners/base/output.h"
#include "runners/base/text.h"
#include "runners/model/clause_scope.h"
#include "runners/model/profile_change.h"

namespace conform::reports {
namespace {

// The first line of a file is about the run, and each of the others one result.
Location LineOf(size_t index) { return {static_cast<int>(index) + 2, 0}; }

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

void Clean(std::string& text) {
  const auto is_plain = [](char c) { return c >= ' ' && c <= '~'; };
  if (!std::all_of(text.begin(), text.end(), is_plain)) text = Cleaned(text);
}

// As \u0001, so that two ids that differ still do.
void EscapeId(std::string& id) {
  if (std::none_of(id.begin(), id.end(), [](char c) { return c < ' ' || c > '~'; })) return;
  std::string shown;
  for (const char c : TerminalText(id)) {
    if (c == '\n' || c == '\t') {
      shown += c == '\n' ? "\\u000a" : "\\u0009";
    } else {
      shown += c;
    }
  }
  id = std::move(shown);
}

// From here on no text can end a line, steer a terminal, or be refused by XML.
void CleanNames(CaseResult& result) {
  EscapeId(result.case_id);
  for (std::string* text : {&result.case_id, &result.content_hash, &result.implementation, &result.profile}) {
    Clean(*text);
  }
}

void CleanRest(CaseResult& result) {
  for (std::string* text : {&result.reason, &result.expected, &result.reproduce}) Clean(*text);
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

// Takes one file after the other, and one result after the other.
class ResultSet::Collector {
 public:
  // `keep`: what is held.
  Collector(const RenamedIds* renamed, Runs runs, Keep keep) : renamed_(renamed), runs_(runs), keep_(std::move(keep)) {}

  void Begin(const std::string& path, RunInfo run) {
    Clean(run);
    for (const RunImplementation& introduced : run.implementations) {
      ReportImplementation& one = set_.implementations_[set_.ImplementationNamed(introduced.name)];
      if (!introduced.version.empty()) one.version = introduced.version;
      one.claims = introduced.claims;
      one.details = introduced.details;
    }
    paths_.push_back(path);
    set_.files_.push_back({Cleaned(path), std::move(run), false, 0});
  }

  // `place`: where it can be read again, if it can.
  std::optional<Error> Add(CaseResult&& result, const ResultPlace* place = nullptr) {
    const Place here{static_cast<uint32_t>(paths_.size() - 1), static_cast<uint32_t>(set_.files_.back().results++)};
    if (renamed_ != nullptr) {
      if (auto note = RenameCase(*renamed_, result)) notes_.insert(Cleaned(paths_.back() + ": " + *note));
    }
    CleanNames(result);
    const auto [row, is_first] = rows_.try_emplace(result.case_id, static_cast<uint32_t>(rows_.size()));
    if (is_first) cases_.push_back({result.content_hash, here});
    const size_t column = set_.ImplementationNamed(result.implementation);
    const uint32_t profile = ProfileOf(column, result.profile);
    ++set_.implementations_[column].totals[result.verdict];
    if (result.verdict != Verdict::kInconclusive) ++set_.bases_[result.basis];
    Entry entry{row->second, static_cast<uint32_t>(column), profile, here.file, {}};
    if (auto error = NoteOrRefuse(result, here, entry)) return error;

    if (place != nullptr) {
      entry.place = *place;
      set_.entries_.push_back(entry);
    }
    if (!keep_(result)) {
      if (result.verdict != Verdict::kPass) return std::nullopt;
      if (runs_ == Runs::kSeveral) {
        for (const auto& [verdict, count] : DecidedVerdicts(result)) passes_.Of(entry).Add(count);
      }
      ++set_.passes_not_kept_;
      return std::nullopt;
    }
    CleanRest(result);
    if (renamed_ != nullptr) RenameClauses(*renamed_, result);
    held_.push_back(entry);
    held_.back().place.offset = static_cast<uint32_t>(set_.results_.size());
    set_.results_.push_back(std::move(result));
    return std::nullopt;
  }

  void End(bool complete) {
    ReportFile& file = set_.files_.back();
    file.complete = complete && file.results == file.run.planned;
  }

  ResultSet Take() {
    std::vector<size_t> row_of(rows_.size());  // sorted by id
    for (const auto& [id, arrived] : std::map<std::string, uint32_t>(rows_.begin(), rows_.end())) {
      row_of[arrived] = set_.cases_.size();
      set_.cases_.push_back({id, cases_[arrived].hash, std::nullopt});
    }
    const size_t columns = set_.implementations_.size();
    set_.counts_.resize(rows_.size() * columns);
    const auto count = [&](size_t row, size_t column) { ++set_.counts_[row_of[row] * columns + column]; };
    firsts_.ForEachSeen(count);
    passes_.ForEachSeen(count);
    if (runs_ == Runs::kSeveral) {
      for (const Entry& entry : held_) {
        const CaseResult& kept = set_.results_[entry.place.offset];
        const int64_t passes = passes_.Of(entry).count();
        if (passes > 0) set_.passes_beside_[{kept.case_id, kept.implementation, kept.profile}] = passes;
      }
    }
    Sort(held_, row_of);
    std::vector<CaseResult> sorted;
    sorted.reserve(held_.size());
    for (Entry& entry : held_) {
      set_.cells_.push_back(size_t{entry.row} * columns + entry.column);
      sorted.push_back(std::move(set_.results_[entry.place.offset]));
      entry.place.offset = static_cast<uint32_t>(sorted.size() - 1);
    }
    set_.results_ = std::move(sorted);
    if (set_.entries_.empty()) {
      set_.entries_ = std::move(held_);
    } else {
      Sort(set_.entries_, row_of);
      set_.paths_ = paths_;
      if (renamed_ != nullptr) set_.renamed_ = *renamed_;
    }
    set_.notes_.assign(notes_.begin(), notes_.end());
    return std::move(set_);
  }

 private:
  struct Place {
    uint32_t file = 0, index = 0;
  };
  struct FirstOfCase {
    std::string hash;
    Place at;
  };
  // Of a case on an implementation under a profile. There may be a million of them, so each is small.
  // With Runs::kOne: where the result is.
  struct First {
    uint32_t file = 0;  // counted from 1; 0 while there is none
    uint32_t index = 0;

    bool is_there() const { return file > 0; }
  };
  // With Runs::kSeveral: how many passes were not kept. A greater number would show no more than the greatest.
  class Passes {
   public:
    void See() { seen_and_count_ = std::max<uint16_t>(seen_and_count_, 1); }
    void Add(int64_t count) {
      constexpr int64_t kMost = std::numeric_limits<uint16_t>::max();
      seen_and_count_ = static_cast<uint16_t>(std::min(seen_and_count_ + count, kMost));
    }
    bool is_there() const { return seen_and_count_ > 0; }
    int64_t count() const { return seen_and_count_ - 1; }

   private:
    uint16_t seen_and_count_ = 0;  // the count and 1, or 0 while there is no result
  };

  // By column, profile and row.
  template <typename Seen>
  class SeenResults {
   public:
    Seen& Of(const Entry& entry) {
      if (columns_.size() <= entry.column) columns_.resize(entry.column + 1);
      std::vector<std::vector<Seen>>& profiles = columns_[entry.column];
      if (profiles.size() <= entry.profile) profiles.resize(entry.profile + 1);
      std::vector<Seen>& rows = profiles[entry.profile];
      most_rows_ = std::max<size_t>(most_rows_, entry.row + 1);
      if (rows.empty()) rows.reserve(most_rows_);  // it will mostly have as many as those before it
      if (rows.size() <= entry.row) rows.resize(entry.row + 1);
      return rows[entry.row];
    }
    // Calls take(row, column).
    template <typename Take>
    void ForEachSeen(Take take) const {
      for (size_t column = 0; column < columns_.size(); ++column) {
        for (const std::vector<Seen>& rows : columns_[column]) {
          for (size_t row = 0; row < rows.size(); ++row) {
            if (rows[row].is_there()) take(row, column);
          }
        }
      }
    }

   private:
    std::vector<std::vector<std::vector<Seen>>> columns_;
    size_t most_rows_ = 0;
  };

  // By case, then implementation, then as they came. From here on the rows are those of the set.
  static void Sort(std::deque<Entry>& entries, const std::vector<size_t>& row_of) {
    for (Entry& entry : entries) entry.row = static_cast<uint32_t>(row_of[entry.row]);
    const auto rank = [](const Entry& one) { return std::tie(one.row, one.column, one.file, one.place.offset); };
    const auto before = [&](const Entry& one, const Entry& other) { return rank(one) < rank(other); };
    if (!std::is_sorted(entries.begin(), entries.end(), before)) std::sort(entries.begin(), entries.end(), before);
  }

  std::string ToString(const Place& place) const {
    return paths_[place.file] + ":" + std::to_string(LineOf(place.index).line);
  }

  uint32_t ProfileOf(size_t column, const std::string& profile) {
    profiles_.resize(set_.implementations_.size());
    std::vector<std::string>& all = set_.implementations_[column].profiles;
    const auto [found, is_new] = profiles_[column].try_emplace(profile, static_cast<uint32_t>(all.size()));
    if (is_new) all.push_back(profile);
    return found->second;
  }

  // Notes that there is the result, or refuses it.
  std::optional<Error> NoteOrRefuse(const CaseResult& result, const Place& here, const Entry& entry) {
    if (runs_ == Runs::kSeveral) {
      passes_.Of(entry).See();
    } else if (First& seen = firsts_.Of(entry); seen.is_there()) {
      return Error{"a second result for " + result.case_id + " on " + result.implementation + " as " + result.profile +
                       "; the first is in " + ToString({seen.file - 1, seen.index}),
                   paths_.back(), LineOf(here.index), "compare two runs with conform diff"};
    } else {
      seen = {here.file + 1, here.index};
    }
    const FirstOfCase& first = cases_[rows_.at(result.case_id)];
    if (first.hash != result.content_hash) {
      return Error{"the case " + result.case_id + " is not the same as in " + ToString(first.at), paths_.back(),
                   LineOf(here.index), "run it again, or compare the files with conform diff"};
    }
    return std::nullopt;
  }

  const RenamedIds* renamed_;
  const Runs runs_;
  const Keep keep_;
  ResultSet set_;
  std::vector<std::string> paths_;
  std::set<std::string> notes_;
  std::unordered_map<std::string, uint32_t> rows_;  // in the order in which the cases came
  std::vector<FirstOfCase> cases_;
  std::vector<std::unordered_map<std::string, uint32_t>> profiles_;  // by column
  SeenResults<First> firsts_;                                        // with Runs::kOne
  SeenResults<Passes> passes_;                                       // with Runs::kSeveral
  std::deque<Entry> held_;
};

namespace {

// Whether a result is held, where of those that do not pass all are.
ResultSet::Keep OrNoPass(const ResultSet::Keep& keep) {
  if (!keep) return [](const CaseResult&) { return true; };
  return [keep](const CaseResult& result) { return result.verdict != Verdict::kPass || keep(result); };
}

}  // namespace

Result<ResultSet> ResultSet::ReadWith(Collector collector, const std::vector<std::string>& paths, bool skims) {
  for (const std::string& path : paths) {
    auto reader = ResultsReader::Open(path);
    if (!reader) return reader.error();
    collector.Begin(path, reader->summary().run);
    for (;;) {
      auto result = reader->Next();
      if (!result) return result.error();
      if (!*result) break;
      const ResultPlace place = reader->place();
      if (auto error = collector.Add(std::move(**result), skims ? &place : nullptr)) return *error;
    }
    collector.End(reader->summary().complete);
  }
  return collector.Take();
}

Result<ResultSet> ResultSet::Read(const std::vector<std::string>& paths, const RenamedIds& renamed, Runs runs,
                                  const Keep& keep) {
  return ReadWith(Collector(&renamed, runs, OrNoPass(keep)), paths, false);
}

Result<ResultSet> ResultSet::Skim(const std::vector<std::string>& paths, const RenamedIds& renamed, const Keep& keep) {
  return ReadWith(Collector(&renamed, Runs::kOne, keep), paths, true);
}

Result<ResultSet> ResultSet::Of(std::vector<Source> sources, Runs runs, const Keep& keep) {
  Collector collector(nullptr, runs, OrNoPass(keep));
  for (Source& source : sources) {
    collector.Begin(source.path, std::move(source.results.run));
    for (CaseResult& result : source.results.results) {
      if (auto error = collector.Add(std::move(result))) return *error;
    }
    collector.End(source.results.complete);
  }
  return collector.Take();
}

std::optional<Error> ResultSet::ForEach(By by, const Take& take) const {
  std::vector<uint32_t> order;  // indices into entries_
  if (by == By::kImplementation) {
    order.resize(entries_.size());
    std::iota(order.begin(), order.end(), 0);
    std::sort(order.begin(), order.end(), [this](uint32_t one, uint32_t other) {
      return std::tie(entries_[one].column, entries_[one].profile, one) <
             std::tie(entries_[other].column, entries_[other].profile, other);
    });
  }
  std::map<uint32_t, ResultLines> files;
  for (size_t i = 0; i < entries_.size(); ++i) {
    const Entry& entry = entries_[order.empty() ? i : order[i]];
    if (paths_.empty()) {
      if (auto error = take(results_[entry.place.offset])) return error;
      continue;
    }
    const auto result = ReadAgain(entry, files);
    if (!result) return result.error();
    if (auto error = take(*result)) return error;
  }
  return std::nullopt;
}

Result<CaseResult> ResultSet::ReadAgain(const Entry& entry, std::map<uint32_t, ResultLines>& files) const {
  auto result = files.try_emplace(entry.file, paths_[entry.file]).first->second.At(entry.place);
  if (!result) return result;
  RenameCase(renamed_, *result);
  CleanNames(*result);
  CleanRest(*result);
  RenameClauses(renamed_, *result);
  if (result->case_id == cases_[entry.row].id) return result;
  return Error{"was changed while it was read", paths_[entry.file]};
}

size_t ResultSet::ImplementationNamed(const std::string& name) {
  const auto [found, is_new] = names_.try_emplace(name, implementations_.size());
  if (is_new) {
    auto [kind, version] = KindAndVersion(name);
    implementations_.push_back({name, std::move(kind), std::move(version), "", {}, {}, {}});
  }
  return found->second;
}

void ResultSet::Describe(const Catalogue& catalogue, ClauseList clauses) {
  clauses_ = std::move(clauses);
  for (const Case& c : catalogue.cases) {
    const auto index = FindCase(c.id);
    if (index && cases_[*index].hash == c.content_hash) cases_[*index].known = c;
  }
}

ResultSet::Tested ResultSet::ClauseOf(const CaseResult& result) const {
  const auto index = FindCase(result.case_id);
  CONFORM_CHECK(index);
  const std::optional<Case>& known = cases_[*index].known;
  if (!known || known->clauses.empty()) return {};
  const Clause* clause = clauses_.Find(known->clauses.front());
  // A user's own profile may change what the clause says, and an old release may be older than it.
  const bool holds = clause != nullptr && !IsProfileFile(result.profile) && HoldsFor(*clause, result.profile);
  return {known->clauses.front(), holds ? FirstSentence(clause->text) : ""};
}

std::span<const CaseResult> ResultSet::Of(size_t case_index, size_t implementation_index) const {
  CONFORM_CHECK(case_index < cases_.size() && implementation_index < implementations_.size());
  const size_t cell = case_index * implementations_.size() + implementation_index;
  const auto [begin, end] = std::equal_range(cells_.begin(), cells_.end(), cell);
  return std::span(results_).subspan(begin - cells_.begin(), end - begin);
}

size_t ResultSet::CountProfiles(size_t case_index, size_t implementation_index) const {
  CONFORM_CHECK(case_index < cases_.size() && implementation_index < implementations_.size());
  return counts_[case_index * implementations_.size() + implementation_index];
}

Totals ResultSet::totals() const {
  Totals totals;
  for (const ReportImplementation& one : implementations_) {
    for (const auto& [verdict, count] : one.totals) totals[verdict] += count;
  }
  return totals;
}

int64_t ResultSet::PassesBeside(const CaseResult& kept) const {
  const auto found = passes_beside_.find({kept.case_id, kept.implementation, kept.profile});
  return found == passes_beside_.end() ? 0 : found->second;
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
