#include "reports/gate.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <tuple>

#include "reports/distributions.h"
#include "reports/escape.h"
#include "reports/first_difference.h"
#include "runners/base/check.h"
#include "runners/base/text.h"
#include "runners/model/clause_scope.h"

namespace conform::reports {
namespace {

GateKind KindOf(Verdict verdict, const KnownDeviation* known) {
  const bool as_known = known != nullptr && known->verdicts.Holds(verdict);
  if (verdict == Verdict::kInconclusive) return as_known ? GateKind::kAsKnown : GateKind::kUndecided;
  if (known == nullptr) return verdict == Verdict::kPass ? GateKind::kPasses : GateKind::kWorse;
  if (as_known) return GateKind::kAsKnown;
  // Whether it is late on every try depends on the machine: a pass is not news.
  if (known->verdicts.Holds(Verdict::kInconclusive)) {
    return verdict == Verdict::kPass ? GateKind::kAsKnown : GateKind::kWorse;
  }
  // What lies between the verdicts of a case that varies was never seen, and is bad news too.
  const auto is_better = [&](const auto& one) { return Badness(verdict) < Badness(one.first); };
  const Totals& seen = known->verdicts.seen;
  return std::all_of(seen.begin(), seen.end(), is_better) ? GateKind::kImproved : GateKind::kWorse;
}

// Whether `implementation`, held to the profiles that it was held to, should have run `c`.
bool ShouldRun(const Case& c, const ReportImplementation& implementation) {
  return std::any_of(implementation.profiles.begin(), implementation.profiles.end(),
                     [&](const std::string& profile) { return c.SpeaksOf(KindAndVersion(profile).first); });
}

class Gatekeeper {
 public:
  Gatekeeper(const ResultSet& set, const Baseline& baseline) : set_(set), baseline_(baseline) {}

  std::optional<Error> AddResults() {
    if (set_.passes_not_kept() > 0) report_.totals[GateKind::kPasses] += set_.passes_not_kept();
    for (const CaseResult& result : set_.results()) {
      const ReportImplementation& implementation = *ImplementationOf(result.implementation);
      const auto known = baseline_.Find(result.case_id, implementation, result.profile);
      if (!known) return known.error();
      Add({KindOf(result.verdict, *known), result.case_id, result.implementation, result.profile, &result, *known});
    }
    return std::nullopt;
  }

  void AddMissing(const std::vector<const Case*>& cases) {
    for (const ReportImplementation& implementation : set_.implementations()) {
      std::set<std::string> told;
      for (const Case* c : cases) {
        const auto row = set_.FindCase(c->id);
        const bool ran = row && set_.Ran(*row, *set_.FindImplementation(implementation.name));
        if (ran && set_.cases()[*row].hash != c->content_hash) {
          Add({GateKind::kOutdated, c->id, implementation.name, ""});
        } else if (!ran && ShouldRun(*c, implementation)) {
          Add({GateKind::kNotRun, c->id, implementation.name, ""});
          told.insert(c->id);
        }
      }
      AddMissingEntries(implementation, told);
    }
  }

  // One run shows what a case can do, and not that it has changed. Where there are several, a change is claimed if
  // chance would not show it in as many runs of a case that has not changed.
  void FindWhatVaries() {
    const auto key = [](const GateFinding& one) { return std::tie(one.case_id, one.implementation, one.profile); };
    std::map<std::tuple<std::string, std::string, std::string>, CountPair> counts;  // as known, otherwise
    for (const GateFinding& finding : report_.findings) {
      if (finding.result == nullptr) continue;
      for (const auto& [verdict, count] : DecidedVerdicts(*finding.result)) {
        const GateKind kind = KindOf(verdict, finding.known);
        const bool as_known = kind == GateKind::kPasses || kind == GateKind::kAsKnown;
        (as_known ? counts[key(finding)].first : counts[key(finding)].second) += count;
      }
    }
    for (GateFinding& finding : report_.findings) {
      if (finding.kind != GateKind::kWorse && finding.kind != GateKind::kImproved) continue;
      auto [as_known, otherwise] = counts[key(finding)];
      as_known += set_.PassesBeside(*finding.result);
      finding.passes_beside = set_.PassesBeside(*finding.result) > 0;
      if (as_known == 0) continue;
      if (ChanceOfDifference({{as_known, as_known + otherwise}, {otherwise, 0}}) <= kMaxChance) continue;
      --report_.totals[finding.kind];
      if (report_.totals[finding.kind] == 0) report_.totals.erase(finding.kind);
      finding.kind = GateKind::kVaries;
      ++report_.totals[finding.kind];
    }
  }

  // Entries under ids that were changed since. They count for the new ones.
  void AddRenamed() {
    for (const BaselineSection& section : baseline_.sections) {
      for (const KnownDeviation& known : section.known) {
        if (known.renamed_from.empty()) continue;
        const Error note{RenamedNote(known.renamed_from, known.case_id), baseline_.file, known.at,
                         "--update renames the entry"};
        report_.hints.push_back(Cleaned(note.ToString()));
      }
    }
  }

  // A name of the baseline that no result has, and that is near to one.
  void AddHints() {
    std::vector<std::string> kinds;
    for (const ReportImplementation& one : set_.implementations()) kinds.push_back(one.kind);
    for (const BaselineSection& section : baseline_.sections) {
      if (std::find(kinds.begin(), kinds.end(), section.kind) != kinds.end()) continue;
      const std::string hint = DidYouMean(section.kind, kinds);
      if (hint.empty()) continue;
      report_.hints.push_back(
          Cleaned(Error{"there is no result for '" + section.kind + "'", baseline_.file, section.at, hint}.ToString()));
    }
  }

  GateReport Take() {
    report_.incomplete = set_.Incompleteness();
    return std::move(report_);
  }

 private:
  const ReportImplementation* ImplementationOf(const std::string& name) const {
    return &set_.implementations()[*set_.FindImplementation(name)];
  }

  void AddMissingEntries(const ReportImplementation& implementation, std::set<std::string>& told) {
    for (const BaselineSection& section : baseline_.sections) {
      const auto covers = [&](const std::string& profile) { return section.Covers(implementation, profile); };
      if (std::none_of(implementation.profiles.begin(), implementation.profiles.end(), covers)) continue;
      for (const KnownDeviation& known : section.known) {
        const auto row = set_.FindCase(known.case_id);
        if (row && set_.Ran(*row, *set_.FindImplementation(implementation.name))) continue;
        if (!told.insert(known.case_id).second) continue;
        Add({GateKind::kNotRun, known.case_id, implementation.name, "", nullptr, &known});
      }
    }
  }

  void Add(GateFinding finding) {
    ++report_.totals[finding.kind];
    report_.findings.push_back(std::move(finding));
  }

  const ResultSet& set_;
  const Baseline& baseline_;
  GateReport report_;
};

}  // namespace

std::string_view GateKindName(GateKind kind) {
  switch (kind) {
    case GateKind::kPasses:
      return "passes";
    case GateKind::kAsKnown:
      return "as-known";
    case GateKind::kWorse:
      return "worse";
    case GateKind::kImproved:
      return "improved";
    case GateKind::kVaries:
      return "varies";
    case GateKind::kUndecided:
      return "undecided";
    case GateKind::kNotRun:
      return "not-run";
    case GateKind::kOutdated:
      return "outdated";
  }
  CONFORM_CHECK(false);
}

int Badness(Verdict verdict) {
  switch (verdict) {
    case Verdict::kPass:
      return 0;
    case Verdict::kUnspecified:
      return 1;
    case Verdict::kUnsupported:
      return 2;
    case Verdict::kSuspect:
      return 3;
    case Verdict::kMissing:
      return 4;
    case Verdict::kFail:
      return 5;
    case Verdict::kTimeout:
      return 6;
    case Verdict::kCrash:
      return 7;
    case Verdict::kProtocolError:
      return 8;
    case Verdict::kInconclusive:
      break;
  }
  CONFORM_CHECK(false);
}

bool GateReport::Counts(GateKind kind, const GateOptions& options) {
  switch (kind) {
    case GateKind::kPasses:
    case GateKind::kAsKnown:
      return false;
    case GateKind::kWorse:
    case GateKind::kNotRun:
    case GateKind::kOutdated:
      return true;
    case GateKind::kImproved:
      return !options.allow_improvements;
    case GateKind::kVaries:
    case GateKind::kUndecided:
      return options.strict;
  }
  CONFORM_CHECK(false);
}

bool GateReport::Passes(const GateOptions& options) const {
  const auto counts = [&](const auto& total) { return Counts(total.first, options); };
  return incomplete.empty() && std::none_of(totals.begin(), totals.end(), counts);
}

Result<GateReport> Gate(const ResultSet& set, const Baseline& baseline, const std::vector<const Case*>& cases,
                        const std::vector<std::string>& ids, const GateOptions& options) {
  std::vector<std::string> known_ids = ids;
  for (const ReportCase& c : set.cases()) known_ids.push_back(c.id);
  if (auto error = FindUnknownCase(baseline, known_ids)) return *error;
  Gatekeeper gatekeeper(set, baseline);
  if (auto error = gatekeeper.AddResults()) return *error;
  gatekeeper.FindWhatVaries();
  if (!options.only_what_ran) gatekeeper.AddMissing(cases);
  gatekeeper.AddRenamed();
  gatekeeper.AddHints();
  return gatekeeper.Take();
}

void NameClauses(GateReport& report, const std::vector<Case>& catalogue, const ClauseList& clauses) {
  std::map<std::string, const Case*> by_id;
  for (const Case& c : catalogue) by_id[c.id] = &c;
  for (GateFinding& finding : report.findings) {
    const auto found = by_id.find(finding.case_id);
    if (found == by_id.end() || found->second->clauses.empty()) continue;
    finding.clause = found->second->clauses.front();
    const Clause* clause = clauses.Find(finding.clause);
    if (clause != nullptr && HoldsFor(*clause, finding.profile)) finding.sentence = FirstSentence(clause->text);
  }
}

namespace {

// Cases of the catalogue that the results should or could hold, and whether they do.
using Ran = std::vector<std::pair<std::string, bool>>;  // by id

// `begin` to `end` share their first `length` characters, which end with a slash, or are none.
void AddWords(Ran::const_iterator begin, Ran::const_iterator end, size_t length, std::vector<std::string>& words) {
  const auto ran = [](const auto& one) { return one.second; };
  if (std::none_of(begin, end, ran)) return;
  if (length > 0 && std::all_of(begin, end, ran)) {
    words.push_back(begin->first.substr(0, length));
    return;
  }
  while (begin != end) {
    const size_t slash = begin->first.find('/', length);
    if (slash == std::string::npos) {
      if (begin->second) words.push_back(begin->first);
      ++begin;
      continue;
    }
    const std::string folder = begin->first.substr(0, slash + 1);
    const auto behind = std::find_if(begin, end, [&](const auto& one) { return !one.first.starts_with(folder); });
    AddWords(begin, behind, slash + 1, words);
    begin = behind;
  }
}

}  // namespace

std::vector<std::string> WordsForWhatRan(const ResultSet& set, const std::vector<Case>& catalogue) {
  Ran ran;
  bool all = true;
  for (const Case& c : catalogue) {
    const bool did = set.FindCase(c.id).has_value();
    const auto should = [&](const ReportImplementation& one) { return ShouldRun(c, one); };
    if (!did && std::none_of(set.implementations().begin(), set.implementations().end(), should)) continue;
    ran.emplace_back(c.id, did);
    all = all && did;
  }
  std::vector<std::string> words;
  if (all) return words;
  std::sort(ran.begin(), ran.end());
  AddWords(ran.begin(), ran.end(), 0, words);
  const auto in_catalogue = [&](const std::string& id) {
    return std::any_of(catalogue.begin(), catalogue.end(), [&](const Case& c) { return c.id == id; });
  };
  for (const ReportCase& one : set.cases()) {
    if (!in_catalogue(one.id)) words.push_back(one.id);
  }
  return words;
}

nlohmann::ordered_json KnownVerdictsJson(const KnownVerdicts& verdicts) {
  if (!verdicts.varies()) return {{"verdict", VerdictName(verdicts.seen.begin()->first)}};
  nlohmann::ordered_json names = nlohmann::ordered_json::array(), seen = nlohmann::ordered_json::object();
  for (const auto& [verdict, count] : verdicts.seen) {
    names.push_back(VerdictName(verdict));
    seen[std::string(VerdictName(verdict))] = count;
  }
  return {{"verdict", std::move(names)}, {"seen", std::move(seen)}};
}

nlohmann::ordered_json GateJson(const GateReport& report, const Baseline& baseline, const GateOptions& options) {
  nlohmann::ordered_json totals = nlohmann::ordered_json::object();
  for (const auto& [kind, count] : report.totals) totals[std::string(GateKindName(kind))] = count;
  nlohmann::ordered_json findings = nlohmann::ordered_json::array();
  for (const GateFinding& finding : report.findings) {
    nlohmann::ordered_json one{{"kind", GateKindName(finding.kind)},
                               {"counts", GateReport::Counts(finding.kind, options)},
                               {"case", finding.case_id},
                               {"implementation", finding.implementation}};
    if (!finding.profile.empty()) one["profile"] = finding.profile;
    if (!finding.clause.empty()) {
      one["clause"] = finding.clause;
      one["sentence"] = finding.sentence;
    }
    if (finding.result != nullptr) {
      one["verdict"] = VerdictName(finding.result->verdict);
      one["message"] = finding.result->reason;
      if (finding.kind != GateKind::kPasses) {
        if (const std::string text = FirstDifferenceText(*finding.result); !text.empty()) one["difference"] = text;
      }
      one["reproduce"] = finding.result->reproduce;
    }
    if (finding.known != nullptr) {
      one["known"] = KnownVerdictsJson(finding.known->verdicts);
      one["known"]["reason"] = finding.known->reason;
      one["known"]["link"] = finding.known->link;
      one["known"]["line"] = finding.known->at.line;
      if (!finding.known->renamed_from.empty()) one["known"]["renamed_from"] = finding.known->renamed_from;
    }
    findings.push_back(std::move(one));
  }
  return {{"baseline", Cleaned(baseline.file)},
          {"passes", report.Passes(options)},
          {"totals", std::move(totals)},
          {"incomplete", report.incomplete},
          {"hints", report.hints},
          {"findings", std::move(findings)}};
}

}  // namespace conform::reports
