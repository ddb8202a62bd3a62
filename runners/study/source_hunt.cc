#include "runners/study/source_hunt.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <mutex>
#include <nlohmann/json.hpp>
#include <set>
#include <tuple>
#include <utility>

#include "runners/base/check.h"
#include "runners/base/locked_file.h"
#include "runners/base/output.h"
#include "runners/base/text.h"
#include "runners/harness/case_needs.h"
#include "runners/harness/parallel.h"
#include "runners/harness/process.h"
#include "runners/harness/run_plan.h"
#include "runners/study/ref_runners.h"

namespace conform {
namespace {

using Json = nlohmann::ordered_json;

constexpr size_t kMaxLogBytes = 256 << 20;
constexpr int kSuspectReruns = 2;
constexpr std::array kStates{MutantState::kKilled, MutantState::kSurvives, MutantState::kNotExecuted,
                             MutantState::kSameCode, MutantState::kNotSource};

int64_t CpuMs() {
  int64_t all = 0;
  for (const int who : {RUSAGE_SELF, RUSAGE_CHILDREN}) {
    rusage used{};
    getrusage(who, &used);
    all +=
        (used.ru_utime.tv_sec + used.ru_stime.tv_sec) * 1000 + (used.ru_utime.tv_usec + used.ru_stime.tv_usec) / 1000;
  }
  return all;
}

// The results of earlier hunts, one per line. A kill holds for as long as the case that made it is the same, and a
// survival for as long as all of them are.
class Log {
 public:
  // "" for none.
  static Result<Log> Open(const std::string& path, const std::string& source, const std::string& catalogue) {
    Log log(source, catalogue);
    if (path.empty()) return log;
    auto file = LockedFile::Open(path, O_RDWR | O_CREAT | O_APPEND);
    if (!file) return file.error();
    log.file_ = std::move(*file);
    const auto text = ReadFile(path, kMaxLogBytes);
    if (!text) return text.error();
    int line_number = 0;
    for (const std::string& line : Split(*text, '\n')) {
      ++line_number;
      const Json json = Json::parse(line, nullptr, /*allow_exceptions=*/false);
      // A last line may be half written.
      if (!json.is_object() || !json.contains("source")) continue;
      if (json["source"] != source) {
        return Error{"holds results for " + json["source"].dump() + ", not for " + source, path, {line_number, 1}};
      }
      if (json.contains("mutant")) log.results_[json["mutant"].get<std::string>()] = json;
      if (json.contains("unfit") && json["catalogue"] == catalogue) {
        log.unfit_ = json["unfit"].get<std::vector<std::string>>();
      }
    }
    if (!text->empty() && text->back() != '\n') log.Write("\n");
    return log;
  }

  const std::optional<std::vector<std::string>>& unfit() const { return unfit_; }
  void AddUnfit(const std::vector<std::string>& cases) {
    Write(Json{{"source", source_}, {"catalogue", catalogue_}, {"unfit", cases}}.dump() + "\n");
  }

  // Fills in what is known of the mutant; false where nothing is that still holds.
  bool Find(const std::map<std::string, std::string>& hashes, SourceResult* result) const {
    const auto found = results_.find(result->mutant->id);
    if (found == results_.end()) return false;
    const Json& json = found->second;
    const auto state = std::find_if(kStates.begin(), kStates.end(),
                                    [&](MutantState one) { return json["state"] == MutantStateName(one); });
    if (state == kStates.end()) return false;
    const std::string case_id = json.value("case", ""), hash = json.value("hash", "");
    const bool is_of_cases = *state == MutantState::kSurvives || *state == MutantState::kNotExecuted;
    if (is_of_cases && json.value("catalogue", "") != catalogue_) return false;
    const auto at = hashes.find(case_id);
    if (!case_id.empty() && (at == hashes.end() || at->second != hash)) return false;
    result->state = *state;
    result->case_id = case_id;
    result->case_hash = hash;
    result->verdict = json.value("verdict", "");
    result->why = json.value("why", "");
    result->suspected_by = json.value("suspected_by", "");
    result->milliseconds = json.value("ms", int64_t{0});
    return true;
  }

  void Add(const SourceResult& result) {
    Json json{{"source", source_}, {"mutant", result.mutant->id}, {"state", MutantStateName(result.state)}};
    if (!result.case_id.empty()) json["case"] = result.case_id;
    if (!result.case_hash.empty()) json["hash"] = result.case_hash;
    if (!result.verdict.empty()) json["verdict"] = result.verdict;
    if (!result.why.empty()) json["why"] = result.why;
    if (!result.suspected_by.empty()) json["suspected_by"] = result.suspected_by;
    json["catalogue"] = catalogue_;
    json["ms"] = result.milliseconds;
    Write(json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n");
  }

  const std::optional<Error>& trouble() const { return trouble_; }

 private:
  Log(std::string source, std::string catalogue) : source_(std::move(source)), catalogue_(std::move(catalogue)) {}

  void Write(const std::string& text) {
    if (!file_ || trouble_) return;
    const ssize_t written = write(file_->descriptor(), text.data(), text.size());
    if (written != static_cast<ssize_t>(text.size())) {
      trouble_ = Error::OfSystem("cannot be written", written < 0 ? errno : ENOSPC, file_->path());
    }
  }

  std::string source_;
  std::string catalogue_;
  std::optional<LockedFile> file_;
  std::map<std::string, Json> results_;
  std::optional<std::vector<std::string>> unfit_;
  std::optional<Error> trouble_;
};

// Which cases come first: those that killed mutants of the same function, of the same file; those of the folders that
// the workshop names; those that killed any at all; then the quick.
class CaseOrder {
 public:
  explicit CaseOrder(const Plan& plan) {
    for (const SelectedCase& selected : plan.cases) asked_ms_[selected.c.id] = AskedMs(selected.c.program);
  }

  void Learn(const SourceMutant& mutant, const std::string& case_id) {
    const std::lock_guard lock(mutex_);
    ++kills_[mutant.file + ":" + mutant.function][case_id];
    ++kills_[mutant.file][case_id];
    ++kills_[""][case_id];
  }

  // The items of the plan, each by its number.
  std::vector<size_t> For(const SourceMutant& mutant, const Plan& plan, const std::vector<std::string>& folders) {
    const std::lock_guard lock(mutex_);
    std::vector<std::pair<std::array<int64_t, 5>, size_t>> keys;
    for (size_t i = 0; i < plan.items.size(); ++i) {
      const std::string& id = plan.cases[plan.items[i].case_index].c.id;
      const auto folder = std::find(folders.begin(), folders.end(), id.substr(0, id.find('/')));
      keys.push_back({{-kills_[mutant.file + ":" + mutant.function][id], -kills_[mutant.file][id],
                       folder - folders.begin(), -kills_[""][id], asked_ms_[id]},
                      i});
    }
    std::sort(keys.begin(), keys.end());
    std::vector<size_t> order;
    for (const auto& [key, index] : keys) order.push_back(index);
    return order;
  }

 private:
  std::mutex mutex_;
  std::map<std::string, std::map<std::string, int64_t>> kills_;  // by place, then by case
  std::map<std::string, int64_t> asked_ms_;
};

// Gives each thread a bench for itself.
class Benches {
 public:
  explicit Benches(size_t count) {
    for (size_t i = count; i-- > 0;) free_.push_back(i);
  }
  size_t Take() {
    const std::lock_guard lock(mutex_);
    CONFORM_CHECK(!free_.empty());
    const size_t bench = free_.back();
    free_.pop_back();
    return bench;
  }
  void GiveBack(size_t bench) {
    const std::lock_guard lock(mutex_);
    free_.push_back(bench);
  }

 private:
  std::mutex mutex_;
  std::vector<size_t> free_;
};

class Hunter {
 public:
  Hunter(Workshop& workshop, const RunnerOptions& options, Plan& plan, CaseOrder& order)
      : workshop_(workshop), options_(options), plan_(plan), order_(order) {}

  // Nothing where the user stopped it. Error: it could not be made.
  Result<std::optional<SourceResult>> Hunt(SourceResult result, size_t bench) {
    const int64_t began = SteadyMs();
    const SourceMutant& mutant = *result.mutant;
    const auto made = workshop_.Make({mutant.file, mutant.range, mutant.replacement}, bench);
    if (!made) return made.error();
    result.state = StateOf(made->kind);
    if (made->kind == MadeMutant::Kind::kRuns) {
      const auto seen = Notice(mutant, made->option);
      if (!seen) return std::optional<SourceResult>();
      result.suspected_by = seen->suspected_by;
      if (seen->noticed) {
        result.state = MutantState::kKilled;
        result.case_id = seen->case_id;
        result.case_hash = seen->case_hash;
        result.verdict = seen->verdict;
        result.why = seen->why;
      } else {
        auto reached = IsReached(mutant, bench);
        if (!reached) return reached.error();
        if (!reached->has_value()) return std::optional<SourceResult>();
        result.state = **reached ? MutantState::kSurvives : MutantState::kNotExecuted;
      }
    }
    result.milliseconds = SteadyMs() - began;
    return std::optional(std::move(result));
  }

 private:
  struct Seen {
    bool noticed = false;
    std::string case_id, case_hash, verdict, why, suspected_by;
  };

  static MutantState StateOf(MadeMutant::Kind kind) {
    switch (kind) {
      case MadeMutant::Kind::kRuns:
        return MutantState::kSurvives;
      case MadeMutant::Kind::kSameCode:
        return MutantState::kSameCode;
      case MadeMutant::Kind::kNotSource:
        return MutantState::kNotSource;
    }
    CONFORM_CHECK(false);
  }

  // The first judgement against what was made; nothing where the user stopped it.
  std::optional<Seen> Notice(const SourceMutant& mutant, const std::string& option) {
    auto runners = MakeRunners(option, options_);
    // A busy machine may have kept it from starting in time, once.
    if (!runners) runners = MakeRunners(option, options_);
    if (options_.interrupt != nullptr && options_.interrupt->raised()) return std::nullopt;
    if (!runners) return Seen{true, "", "", "no-start", runners.error().message, ""};
    std::string suspected_by;
    for (const size_t index : order_.For(mutant, plan_, workshop_.FoldersFor(mutant.file))) {
      PlanItem item = plan_.items[index];
      item.runner = runners->front().get();
      const auto result = RunItem(plan_, item, late_, {});
      if (!result) return std::nullopt;
      if (!IsJudgement(result->verdict)) continue;
      if (result->verdict == Verdict::kSuspect) {
        const auto more =
            IsMoreThanChance([&] { return VerdictOf(item); }, [&] { return VerdictOf(plan_.items[index]); });
        if (!more) return std::nullopt;
        if (!*more) {
          suspected_by = result->case_id;
          continue;
        }
      }
      return Seen{true,           result->case_id, result->content_hash, std::string(VerdictName(result->verdict)),
                  result->reason, suspected_by};
    }
    return Seen{false, "", "", "", "", suspected_by};
  }

  std::optional<Verdict> VerdictOf(const PlanItem& item) {
    const auto result = RunItem(plan_, item, late_, {});
    return result ? std::optional(result->verdict) : std::nullopt;
  }

  Result<std::optional<bool>> IsReached(const SourceMutant& mutant, size_t bench) {
    if (mutant.probe.empty()) return std::optional(false);
    const auto made = workshop_.Make({mutant.file, mutant.probe_range, mutant.probe}, bench);
    if (!made) return made.error();
    if (made->kind != MadeMutant::Kind::kRuns) return std::optional(false);
    const auto seen = Notice(mutant, made->option);
    return seen ? std::optional(seen->noticed) : std::nullopt;
  }

  Workshop& workshop_;
  const RunnerOptions& options_;
  const Plan& plan_;
  CaseOrder& order_;
  const ModelOracle late_;
};

// The cases that the unchanged source passes are left in the plan. The ids of the others; nothing where the user
// stopped it.
std::optional<std::vector<std::string>> FindUnfit(const Plan& plan, const SourceHuntSettings& settings,
                                                  const SourceHuntListener& listener) {
  std::vector<std::string> unfit;
  size_t done = 0;
  const ModelOracle late;
  const size_t kept = RunPlan(plan, late, {{}, settings.jobs}, [&](size_t, const CaseResult& result) {
    if (result.verdict != Verdict::kPass) unfit.push_back(result.case_id);
    listener.progress(++done, plan.items.size(), "unchanged: " + result.case_id);
    return !listener.stopped();
  });
  if (kept < plan.items.size()) return std::nullopt;
  return unfit;
}

}  // namespace

std::string_view MutantStateName(MutantState state) {
  switch (state) {
    case MutantState::kKilled:
      return "killed";
    case MutantState::kSurvives:
      return "survives";
    case MutantState::kNotExecuted:
      return "not-executed";
    case MutantState::kSameCode:
      return "same-code";
    case MutantState::kNotSource:
      return "not-source";
  }
  CONFORM_CHECK(false);
}

bool SourceReport::Counts(const SourceResult& result) const {
  switch (result.state) {
    case MutantState::kKilled:
    case MutantState::kSurvives:
      return true;
    case MutantState::kNotExecuted:
      return of != "node";
    case MutantState::kSameCode:
    case MutantState::kNotSource:
      return false;
  }
  CONFORM_CHECK(false);
}

int64_t SourceReport::Count(const std::function<bool(const SourceResult&)>& is) const {
  return std::count_if(results.begin(), results.end(), [&](const SourceResult& one) { return Counts(one) && is(one); });
}
int64_t SourceReport::counted() const {
  return Count([](const SourceResult&) { return true; });
}
int64_t SourceReport::killed() const {
  return Count([](const SourceResult& one) { return one.state == MutantState::kKilled; });
}
int64_t SourceReport::killed_by_lateness() const {
  return Count([](const SourceResult& one) {
    return one.state == MutantState::kKilled && one.verdict == VerdictName(Verdict::kSuspect);
  });
}
int64_t SourceReport::known(KnownMutants::Kind kind) const {
  return Count([&](const SourceResult& one) {
    return one.state != MutantState::kKilled && one.known != nullptr && one.known->kind == kind;
  });
}
int64_t SourceReport::survivors() const {
  return Count([](const SourceResult& one) { return one.state != MutantState::kKilled && one.known == nullptr; });
}
int64_t SourceReport::wrongly_known() const {
  return Count([](const SourceResult& one) { return one.IsWronglyKnown(); });
}
int SourceReport::ExitCode() const {
  return survivors() > 0 || wrongly_known() > 0 || !useless_entries.empty() ? kJudgement : kAllAsExpected;
}

std::optional<bool> IsMoreThanChance(const VerdictOfRun& mutant, const VerdictOfRun& unchanged) {
  for (int i = 0; i < kSuspectReruns; ++i) {
    const auto again = mutant();
    if (!again) return std::nullopt;
    if (!IsJudgement(*again)) return false;
    const auto sound = unchanged();
    if (!sound) return std::nullopt;
    if (*sound != Verdict::kPass) return false;
  }
  return true;
}

std::vector<const SourceMutant*> DrawMutants(const std::vector<SourceMutant>& mutants,
                                             const std::vector<KnownMutants>& known, const std::string& only,
                                             uint64_t seed, size_t count) {
  std::vector<std::pair<std::string, const SourceMutant*>> drawn;
  for (const SourceMutant& mutant : mutants) {
    const KnownMutants* entry = FindKnown(known, mutant.id);
    if (entry != nullptr && entry->kind == KnownMutants::Kind::kOutside) continue;
    if (!only.empty() && !MatchesGlob(only, mutant.id)) continue;
    drawn.emplace_back(ContentHash(std::to_string(seed) + " " + mutant.id), &mutant);
  }
  std::sort(drawn.begin(), drawn.end(), [](const auto& a, const auto& b) {
    return std::tie(a.first, a.second->id) < std::tie(b.first, b.second->id);
  });
  if (drawn.size() > count) drawn.resize(count);
  std::vector<const SourceMutant*> all;
  for (const auto& one : drawn) all.push_back(one.second);
  return all;
}

Result<SourceReport> HuntSourceMutants(Workshop& workshop, const std::string& of,
                                       const std::vector<KnownMutants>& known, const std::string& known_file,
                                       const std::vector<SelectedCase>& cases, const Profiles& profiles,
                                       const RunnerOptions& runner_options, const SourceHuntSettings& settings,
                                       const SourceHuntListener& listener) {
  const int64_t cpu_before = CpuMs();
  RunnerOptions options = runner_options;
  options.variables = workshop.variables();
  SourceReport report;
  report.of = of;
  report.source = workshop.source();
  report.seed = settings.seed;
  report.shard = settings.shard.ToString();
  report.possible = workshop.mutants().size();
  for (const KnownMutants& entry : known) {
    for (const std::string& glob : entry.mutants) {
      const bool covers = std::any_of(workshop.mutants().begin(), workshop.mutants().end(),
                                      [&](const SourceMutant& one) { return MatchesGlob(glob, one.id); });
      if (!covers) {
        report.useless_entries.push_back(known_file + ":" + std::to_string(entry.at.line) + ": '" + glob +
                                         "' covers no mutant");
      }
    }
  }

  const auto unchanged = MakeRunners(workshop.unchanged(), options);
  if (!unchanged) return unchanged.error();
  Plan plan = MakePlan(cases, profiles, {unchanged->front().get()}, {}, Shard{});
  std::erase_if(plan.items, [](const PlanItem& item) { return !item.unsupported.empty() || item.expected == nullptr; });
  std::map<std::string, std::string> hashes;
  for (const PlanItem& item : plan.items) {
    const Case& c = plan.cases[item.case_index].c;
    hashes[c.id] = c.content_hash;
  }
  auto log = Log::Open(settings.log, report.source, plan.catalogue);
  if (!log) return log.error();

  if (log->unfit()) {
    report.unfit = *log->unfit();
  } else {
    auto unfit = FindUnfit(plan, settings, listener);
    if (!unfit) {
      report.interrupted = true;
      return report;
    }
    report.unfit = std::move(*unfit);
    log->AddUnfit(report.unfit);
  }
  const std::set<std::string> left_out(report.unfit.begin(), report.unfit.end());
  std::erase_if(plan.items, [&](const PlanItem& item) { return left_out.contains(plan.cases[item.case_index].c.id); });
  report.cases = plan.items.size();
  if (plan.items.empty()) return Error{"there is no case to run on " + report.source};

  CaseOrder order(plan);
  std::vector<SourceResult> open;
  const auto drawn = DrawMutants(workshop.mutants(), known, settings.only, settings.seed, settings.count);
  for (size_t i = 0; i < drawn.size(); ++i) {
    if (!settings.shard.Holds(i)) continue;
    SourceResult result;
    result.mutant = drawn[i];
    result.known = FindKnown(known, drawn[i]->id);
    if (!log->Find(hashes, &result)) {
      open.push_back(std::move(result));
      continue;
    }
    if (!result.case_id.empty()) order.Learn(*result.mutant, result.case_id);
    report.results.push_back(std::move(result));
  }

  Hunter hunter(workshop, options, plan, order);
  Benches benches(static_cast<size_t>(settings.jobs));
  std::vector<std::optional<SourceResult>> hunted(open.size());
  std::mutex mutex;
  std::optional<Error> trouble;
  ForEachInOrder(
      open.size(), settings.jobs,
      [&](size_t index) {
        const size_t bench = benches.Take();
        auto result = hunter.Hunt(open[index], bench);
        benches.GiveBack(bench);
        const std::lock_guard lock(mutex);
        if (!result) {
          trouble = result.error();
        } else if (result->has_value()) {
          if (!(*result)->case_id.empty()) order.Learn(*(*result)->mutant, (*result)->case_id);
          // At once, and not in order: one that takes long keeps no other from being written down.
          log->Add(**result);
          hunted[index] = std::move(*result);
        }
      },
      [&](size_t index) {
        if (hunted[index]) {
          report.results.push_back(*std::move(hunted[index]));
          ++report.made;
        }
        listener.progress(index + 1, open.size(), open[index].mutant->id);
        const std::lock_guard lock(mutex);
        return !trouble && !log->trouble() && !listener.stopped();
      });
  if (trouble) return *trouble;
  if (log->trouble()) return *log->trouble();
  report.interrupted = listener.stopped();
  report.cpu_ms = CpuMs() - cpu_before;
  std::sort(report.results.begin(), report.results.end(), [](const SourceResult& a, const SourceResult& b) {
    return std::tie(a.mutant->file, a.mutant->range.begin, a.mutant->id) <
           std::tie(b.mutant->file, b.mutant->range.begin, b.mutant->id);
  });
  return report;
}

}  // namespace conform
