#include "reports/knowledge.h"

#include <set>

#include "reports/escape.h"
#include "runners/base/check.h"

namespace conform::reports {

Outcome OutcomeOf(Verdict verdict) {
  switch (verdict) {
    case Verdict::kPass:
      return Outcome::kGood;
    case Verdict::kFail:
    case Verdict::kSuspect:
    case Verdict::kMissing:
      return Outcome::kBad;
    case Verdict::kTimeout:
    case Verdict::kCrash:
    case Verdict::kProtocolError:
      return Outcome::kBroken;
    case Verdict::kInconclusive:
    case Verdict::kUnsupported:
    case Verdict::kUnspecified:
      return Outcome::kSkipped;
  }
  CONFORM_CHECK(false);
}

Result<Knowledge> Knowledge::Of(const ResultSet& set, const Baseline& baseline) {
  std::vector<std::string> ids;
  for (const BaselineSection& section : baseline.sections) {
    for (const KnownDeviation& known : section.known) ids.push_back(known.case_id);
  }
  const auto report = Gate(set, baseline, {}, ids, {.only_what_ran = true});
  if (!report) return report.error();
  Knowledge knowledge;
  knowledge.has_baseline_ = true;
  for (const GateFinding& finding : report->findings) {
    if (finding.kind != GateKind::kPasses) {
      knowledge.all_[{finding.case_id, finding.implementation, finding.profile}] = {finding.kind, finding.known};
    }
    ++knowledge.counts_[knowledge.OutcomeOf(*finding.result)];
    knowledge.improved_ += finding.kind == GateKind::kImproved;
  }
  return knowledge;
}

ResultSet::Keep Knowledge::Matters(const Baseline& baseline) {
  std::set<std::string> ids;
  for (const BaselineSection& section : baseline.sections) {
    for (const KnownDeviation& known : section.known) ids.insert(known.case_id);
  }
  return [ids = std::move(ids)](const CaseResult& result) {
    return result.verdict != Verdict::kPass || ids.contains(result.case_id);
  };
}

const Knowledge::One* Knowledge::Find(const CaseResult& result) const {
  if (all_.empty()) return nullptr;
  const auto found = all_.find({result.case_id, result.implementation, result.profile});
  return found == all_.end() ? nullptr : &found->second;
}

Outcome Knowledge::OutcomeOf(const CaseResult& result) const {
  const Outcome plain = reports::OutcomeOf(result.verdict);
  const One* found = Find(result);
  if (found == nullptr) return plain;
  switch (found->kind) {
    case GateKind::kPasses:
    case GateKind::kUndecided:
      return plain;
    case GateKind::kAsKnown:
    case GateKind::kImproved:
      return plain == Outcome::kGood ? plain : Outcome::kKnown;
    case GateKind::kVaries:
      return plain;
    case GateKind::kWorse:
      return plain == Outcome::kSkipped ? Outcome::kBad : plain;
    case GateKind::kNotRun:
    case GateKind::kOutdated:
      break;  // of these there is no result
  }
  CONFORM_CHECK(false);
}

const KnownDeviation* Knowledge::EntryFor(const CaseResult& result) const {
  const One* found = Find(result);
  return found == nullptr ? nullptr : found->known;
}

std::string Knowledge::TextFor(const CaseResult& result) const {
  const KnownDeviation* known = EntryFor(result);
  if (known == nullptr) return "";
  std::string text = "known deviation";
  if (known->verdicts.varies()) text = "varies: " + known->verdicts.ToString();
  if (!known->reason.empty()) text += (known->verdicts.varies() ? "; " : ": ") + known->reason;
  if (!known->link.empty()) text += " " + known->link;
  return Cleaned(text);
}

int64_t Knowledge::Count(Outcome outcome) const {
  const auto found = counts_.find(outcome);
  return found == counts_.end() ? 0 : found->second;
}

}  // namespace conform::reports
