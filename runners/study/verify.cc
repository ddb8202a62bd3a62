#include "runners/study/verify.h"

#include <algorithm>
#include <set>

#include "runners/base/check.h"
#include "runners/base/output.h"

namespace conform {
namespace {

Stability StabilityOf(const CaseResult& result) {
  if (result.tries.empty() || result.verdict == Verdict::kUnspecified) return Stability::kNotRun;
  bool late = false;
  std::set<Order> orders;
  for (const Try& one : result.tries) {
    const bool is_wrong = one.standing == Standing::kOutside || one.standing == Standing::kRefuted ||
                          (one.standing == Standing::kUnknown && result.basis == Basis::kRepetition);
    if (!one.trouble.empty() || is_wrong) return Stability::kWrong;
    late = late || one.standing != Standing::kOnTime;
    orders.insert(one.trace.ToOrder());
  }
  if (late) return Stability::kLate;
  return orders.size() > 1 ? Stability::kVaries : Stability::kStable;
}

}  // namespace

std::string_view StabilityName(Stability stability) {
  switch (stability) {
    case Stability::kStable:
      return "stable";
    case Stability::kVaries:
      return "varies";
    case Stability::kLate:
      return "late";
    case Stability::kRefuted:
      return "refuted";
    case Stability::kWrong:
      return "wrong";
    case Stability::kNotRun:
      return "not run";
  }
  CONFORM_CHECK(false);
}

Stability Verified::stability() const {
  if (calm.basis == Basis::kRepetition && Orders().size() > 1) return Stability::kRefuted;
  const Stability worse = std::max(StabilityOf(calm), StabilityOf(disturbed));
  if (worse != Stability::kStable || calm.tries.empty() || disturbed.tries.empty()) return worse;
  // One order in each of the two rounds, but is it the same one?
  const bool same = calm.tries.front().trace.ToOrder() == disturbed.tries.front().trace.ToOrder();
  return same ? Stability::kStable : Stability::kVaries;
}

std::set<Order> Verified::Orders() const {
  std::set<Order> orders;
  for (const CaseResult* round : {&calm, &disturbed}) {
    for (const Try& one : round->tries) orders.insert(one.trace.ToOrder());
  }
  return orders;
}

int64_t VerifyReport::Count(Stability stability) const {
  return std::count_if(all.begin(), all.end(), [&](const Verified& one) { return one.stability() == stability; });
}

int VerifyReport::ExitCode(bool strict) const {
  const bool bad =
      Count(Stability::kWrong) > 0 || Count(Stability::kRefuted) > 0 || (strict && Count(Stability::kLate) > 0);
  return bad ? kJudgement : kAllAsExpected;
}

}  // namespace conform
