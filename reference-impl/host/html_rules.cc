#include "reference-impl/host/html_rules.h"

#include <cstdlib>

#include "reference-impl/loop/rule_value.h"

namespace conform::reference {

HtmlRules HtmlRules::From(const Profile& profile) {
  HtmlRules rules;
  rules.interval_start = RuleValue<IntervalStart>(profile, "interval-start",
                                                  {{"when-due", IntervalStart::kWhenDue},
                                                   {"after-callback", IntervalStart::kAfterCallback},
                                                   {"either", IntervalStart::kEither}});
  rules.error_report = RuleValue<ErrorReport>(profile, "error-report",
                                              {{"before-microtasks", ErrorReport::kBeforeMicrotasks},
                                               {"after-microtasks", ErrorReport::kAfterMicrotasks},
                                               {"either", ErrorReport::kEither}});
  rules.nesting_limit = std::atoi(RuleText(profile, "nesting-limit").c_str());
  rules.nested_delay_ms = std::atoi(RuleText(profile, "nested-delay").c_str());
  rules.fault = FaultOf(profile);
  return rules;
}

}  // namespace conform::reference
