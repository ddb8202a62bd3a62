#include "runners/model/verdict.h"

#include "runners/base/check.h"

namespace conform {
namespace {

constexpr Verdict kVerdicts[] = {
    Verdict::kPass,        Verdict::kFail,        Verdict::kInconclusive, Verdict::kSuspect, Verdict::kMissing,
    Verdict::kUnsupported, Verdict::kUnspecified, Verdict::kTimeout,      Verdict::kCrash,   Verdict::kProtocolError,
};
constexpr Basis kBases[] = {Basis::kNone, Basis::kProof, Basis::kRepetition, Basis::kTimes};
constexpr Standing kStandings[] = {Standing::kOnTime,  Standing::kLate,          Standing::kRefuted,
                                   Standing::kOutside, Standing::kContradiction, Standing::kUnknown};

}  // namespace

std::string_view VerdictName(Verdict verdict) {
  switch (verdict) {
    case Verdict::kPass:
      return "pass";
    case Verdict::kFail:
      return "fail";
    case Verdict::kInconclusive:
      return "inconclusive";
    case Verdict::kSuspect:
      return "suspect";
    case Verdict::kMissing:
      return "missing";
    case Verdict::kUnsupported:
      return "unsupported";
    case Verdict::kUnspecified:
      return "unspecified";
    case Verdict::kTimeout:
      return "timeout";
    case Verdict::kCrash:
      return "crash";
    case Verdict::kProtocolError:
      return "protocol-error";
  }
  CONFORM_CHECK(false);
}

std::optional<Verdict> VerdictFromName(std::string_view name) {
  for (Verdict verdict : kVerdicts) {
    if (VerdictName(verdict) == name) return verdict;
  }
  return std::nullopt;
}

bool IsJudgement(Verdict verdict) {
  switch (verdict) {
    case Verdict::kPass:
    case Verdict::kInconclusive:
    case Verdict::kUnsupported:
    case Verdict::kUnspecified:
      return false;
    case Verdict::kFail:
    case Verdict::kSuspect:
    case Verdict::kMissing:
    case Verdict::kTimeout:
    case Verdict::kCrash:
    case Verdict::kProtocolError:
      return true;
  }
  CONFORM_CHECK(false);
}

std::string_view BasisName(Basis basis) {
  switch (basis) {
    case Basis::kNone:
      return "";
    case Basis::kProof:
      return "proof";
    case Basis::kRepetition:
      return "repetition";
    case Basis::kTimes:
      return "times";
  }
  CONFORM_CHECK(false);
}

std::optional<Basis> BasisFromName(std::string_view name) {
  for (Basis basis : kBases) {
    if (BasisName(basis) == name) return basis;
  }
  return std::nullopt;
}

std::string_view StandingName(Standing standing) {
  switch (standing) {
    case Standing::kOnTime:
      return "on-time";
    case Standing::kLate:
      return "late";
    case Standing::kRefuted:
      return "refuted";
    case Standing::kOutside:
      return "outside";
    case Standing::kContradiction:
      return "contradiction";
    case Standing::kUnknown:
      return "unknown";
  }
  CONFORM_CHECK(false);
}

std::optional<Standing> StandingFromName(std::string_view name) {
  for (Standing standing : kStandings) {
    if (StandingName(standing) == name) return standing;
  }
  return std::nullopt;
}

std::set<Order> CaseResult::EndedOrders() const {
  std::set<Order> orders;
  for (const Try& one : tries) {
    if (one.trouble.empty()) orders.insert(one.trace.ToOrder());
  }
  return orders;
}

}  // namespace conform
