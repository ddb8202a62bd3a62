// The rules of the HTML host. spec/profiles/html.yaml gives them their values.
#ifndef CONFORM_REFERENCE_IMPL_HOST_HTML_RULES_H_
#define CONFORM_REFERENCE_IMPL_HOST_HTML_RULES_H_

#include <cstdint>

#include "reference-impl/loop/faults.h"
#include "runners/model/profile.h"

namespace conform::reference {

struct HtmlRules {
  // html.interval-start
  enum class IntervalStart { kWhenDue, kAfterCallback, kEither };
  // html.error-and-microtasks
  enum class ErrorReport { kBeforeMicrotasks, kAfterMicrotasks, kEither };

  IntervalStart interval_start = IntervalStart::kEither;
  ErrorReport error_report = ErrorReport::kEither;
  // html.nesting-clamp: timers that are started at a deeper level than this one wait at least so long.
  int nesting_limit = 5;
  int64_t nested_delay_ms = 4;
  Fault fault = Fault::kNone;

  bool Has(Fault one) const { return fault == one; }

  // REQUIRES: the profile has HTML's rules.
  static HtmlRules From(const Profile& profile);
};

}  // namespace conform::reference

#endif  // CONFORM_REFERENCE_IMPL_HOST_HTML_RULES_H_
