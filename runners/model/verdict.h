// Verdicts and results: what the judge says, and what is kept of a run.
#ifndef CONFORM_RUNNERS_MODEL_VERDICT_H_
#define CONFORM_RUNNERS_MODEL_VERDICT_H_

#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "runners/model/trace.h"

namespace conform {

enum class Verdict {
  kPass,
  kFail,          // no delay of any length explains the order, or nothing depends on time and it repeats
  kInconclusive,  // late on every try, or exploring hit a limit
  kSuspect,       // late, but the run's own times contradict that, or it is late on every try and nothing was slow
  kMissing,       // the implementation lacks what the version that it claims to be has
  kUnsupported,   // something the implementation has not
  kUnspecified,   // no range of `expect` covers the version: recorded, not judged
  kTimeout,
  kCrash,
  kProtocolError,
};

std::string_view VerdictName(Verdict verdict);  // "pass", "fail", …, "protocol-error"
std::optional<Verdict> VerdictFromName(std::string_view name);
// Whether it speaks against the implementation.
bool IsJudgement(Verdict verdict);

// What a verdict rests on.
enum class Basis {
  kNone,        // nothing is judged, or nothing could be
  kProof,       // the model: an order outside the late set fails
  kRepetition,  // many runs: the case states that nothing in it depends on time, or every run was late and none was
                // slow
  kTimes,       // the times that the run itself recorded
};
std::string_view BasisName(Basis basis);  // "", "proof", "repetition", "times"
std::optional<Basis> BasisFromName(std::string_view name);

// How one observed order is classed.
enum class Standing {
  kOnTime,
  kLate,
  kRefuted,  // late, but the times that the run recorded rule the delay out
  kOutside,
  kContradiction,  // not expected, and the model gives it on time: the pattern and the model contradict each other
  kUnknown,
};
std::string_view StandingName(
    Standing standing);  // "on-time", "late", "refuted", "outside", "contradiction", "unknown"
std::optional<Standing> StandingFromName(std::string_view name);

// One try. Exactly one of `trace` (a run that ended) and `trouble` (one that did not) says what happened.
struct Try {
  Trace trace;
  Standing standing = Standing::kUnknown;
  std::string trouble = "";  // "no answer within 5000 ms", …
  // Of a process that was ended because it would not have ended: what was seen of it. A wait has `exit=never` as its
  // last label; a spin is a trouble.
  std::string seen = "";
  int processes = 1;       // fresh ones, in which the same was seen
  bool disturbed = false;  // deliberately
  bool calm = false;       // it took hardly longer than its program requests
};

// One case on one implementation under one profile.
struct CaseResult {
  std::string case_id;
  std::string content_hash;
  std::string implementation;  // "ref", "ref:real", "node@24.21.0"
  std::string profile;         // "node@24.21.0"
  Verdict verdict = Verdict::kUnspecified;
  Basis basis = Basis::kNone;
  std::string reason;    // for users: the op that is missing, the limit that was hit, …
  std::string expected;  // the pattern as written
  std::vector<Try> tries;
  std::string reproduce;  // the command that shows it again

  std::set<Order> EndedOrders() const;  // of the tries that ended
};

}  // namespace conform

#endif  // CONFORM_RUNNERS_MODEL_VERDICT_H_
