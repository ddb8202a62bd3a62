// The rules of the HTML host. spec/profiles/html.yaml gives them their values, and has a sentence for those that the
// standard does not have.
#ifndef CONFORM_REFERENCE_IMPL_HOST_HTML_RULES_H_
#define CONFORM_REFERENCE_IMPL_HOST_HTML_RULES_H_

#include <cstdint>

#include "reference-impl/host/promise_rules.h"
#include "reference-impl/loop/rules.h"

namespace conform::reference {

struct HtmlRules {
  PromiseRules promises;

  // html.interval-start
  enum class IntervalStart : uint8_t { kWhenDue, kAfterCallback, kEither };
  // html.error-and-microtasks
  enum class ErrorReport : uint8_t { kBeforeMicrotasks, kAfterMicrotasks, kEither };
  // html.checkpoint, html.main-script: where microtasks run, and how many.
  enum class Checkpoint : uint8_t { kAfterScriptAndCallbacks, kAfterScript, kAfterCallbacks, kOneMicrotask };
  // html.timer-order: which of two timers that are due runs first.
  enum class TimerOrder : uint8_t { kByStartAndDelay, kAny };
  // html.clear
  enum class ClearTimer : uint8_t { kTakesEffect, kIgnored };
  // html.error-event
  enum class ErrorEvent : uint8_t { kFired, kNotFired };
  // html.rejection-handled-in-time, html.rejection-handled-later: what is reported of a rejection that gets a handler.
  enum class HandledRejection : uint8_t { kReportedIfLate, kReportedAsUnhandled, kNeverReported };

  IntervalStart interval_start = IntervalStart::kEither;
  ErrorReport error_report = ErrorReport::kEither;
  // html.nesting-clamp: timers that are started at a deeper level than this one wait at least so long.
  int nesting_limit = 5;
  int nested_delay_ms = 4;
  Checkpoint checkpoint = Checkpoint::kAfterScriptAndCallbacks;
  TimerOrder timer_order = TimerOrder::kByStartAndDelay;
  ClearTimer clear_timer = ClearTimer::kTakesEffect;
  QueueOrder message_order = QueueOrder::kOldestFirst;  // html.messages-in-order
  ErrorEvent error_event = ErrorEvent::kFired;
  HandledRejection handled_rejection = HandledRejection::kReportedIfLate;
};

}  // namespace conform::reference

#endif  // CONFORM_REFERENCE_IMPL_HOST_HTML_RULES_H_
