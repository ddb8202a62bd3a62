#include "runners/model/verdict.h"

#include "runners/base/check.h"

namespace conform {
namespace {

constexpr Verdict kVerdicts[] = {
    Verdict::kPass,        Verdict::kFail,    Verdict::kInconclusive, Verdict::kSuspect,       Verdict::kUnsupported,
    Verdict::kUnspecified, Verdict::kTimeout, Verdict::kCrash,        Verdict::kProtocolError,
};
constexpr Standing kStandings[] = {Standing::kOnTime, Standing::kLate, Standing::kOutside, Standing::kUnknown};

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

std::string_view StandingName(Standing standing) {
  switch (standing) {
    case Standing::kOnTime:
      return "on-time";
    case Standing::kLate:
      return "late";
    case Standing::kOutside:
      return "outside";
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

}  // namespace conform
