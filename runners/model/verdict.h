// Verdicts and results: what the judge says, and what is kept of a run.
#ifndef CONFORM_RUNNERS_MODEL_VERDICT_H_
#define CONFORM_RUNNERS_MODEL_VERDICT_H_

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "runners/model/trace.h"

namespace conform {

enum class Verdict {
  kPass,
  kFail,          // no delay of any length explains the order
  kInconclusive,  // late on every try, or exploring hit a limit
  kSuspect,       // late, but contradicted by the times that the run itself recorded
  kUnsupported,   // something the implementation has not
  kUnspecified,   // no range of `expect` covers the version: recorded, not judged
  kTimeout,
  kCrash,
  kProtocolError,
};

std::string_view VerdictName(Verdict verdict);  // "pass", "fail", …, "protocol-error"
std::optional<Verdict> VerdictFromName(std::string_view name);

// Where one observed order stands.
enum class Standing { kOnTime, kLate, kOutside, kUnknown };
std::string_view StandingName(Standing standing);  // "on-time", "late", "outside", "unknown"
std::optional<Standing> StandingFromName(std::string_view name);

// One try. Exactly one of `trace` (a run that ended) and `trouble` (one that did not) says what happened.
struct Try {
  Trace trace;
  Standing standing = Standing::kUnknown;
  std::string trouble;  // "no answer within 5000 ms", …
};

// One case on one implementation under one profile.
struct CaseResult {
  std::string case_id;
  std::string content_hash;
  std::string implementation;  // "ref", "ref:real", "node@24.21.0"
  std::string profile;         // "node@24.21.0"
  Verdict verdict = Verdict::kUnspecified;
  std::string reason;    // for a person: the op that is missing, the limit that was hit, …
  std::string expected;  // the pattern as written
  std::vector<Try> tries;
  std::string reproduce;  // the command that shows it again
};

}  // namespace conform

#endif  // CONFORM_RUNNERS_MODEL_VERDICT_H_
