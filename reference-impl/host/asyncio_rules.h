// The rules of the asyncio host. spec/profiles/asyncio.yaml gives them their values, and has a sentence for those that
// no release has.
#ifndef CONFORM_REFERENCE_IMPL_HOST_ASYNCIO_RULES_H_
#define CONFORM_REFERENCE_IMPL_HOST_ASYNCIO_RULES_H_

#include <cstdint>

#include "reference-impl/loop/rules.h"

namespace conform::reference {

struct AsyncioRules {
  // later.equal-deadlines: which of two timers with one deadline is first.
  enum class EqualDeadlines : uint8_t { kAny, kStartOrder };
  // ready.any-order: which of two descriptors that are ready together is first.
  enum class ReadyDescriptors : uint8_t { kAny, kAsReady };
  // pass.stop: whether `stop` lets the pass end, or is queued and ends it there.
  enum class Stop : uint8_t { kQueued, kEndOfPass, kIgnored };
  // pass.snapshot: how much of the queue a pass runs.
  enum class Pass : uint8_t { kSnapshot, kUntilEmpty, kOne };
  // pass.order: what a pass queues first.
  enum class PassOrder : uint8_t { kDescriptorsFirst, kTimersFirst };
  // later.deadline-order: in which order timers are queued that are due together.
  enum class DueOrder : uint8_t { kEarliestFirst, kLatestFirst };
  // pass.cancel: whether a queued callback can be cancelled.
  enum class CancelQueued : uint8_t { kTakesEffect, kIgnored };
  // futures.never-at-once: when those run that wait for a future.
  enum class FutureCallbacks : uint8_t { kQueued, kAtOnce };
  // futures.work: when the callback of a work item runs.
  enum class WorkResult : uint8_t { kQueued, kAtOnce };
  // pass.errors: whether the handler of errors is called.
  enum class ErrorHandler : uint8_t { kCalled, kNotCalled };

  EqualDeadlines equal_deadlines = EqualDeadlines::kAny;
  ReadyDescriptors ready_descriptors = ReadyDescriptors::kAny;
  Stop stop = Stop::kEndOfPass;
  Pass pass = Pass::kSnapshot;
  QueueOrder queue_order = QueueOrder::kOldestFirst;  // pass.in-order
  PassOrder pass_order = PassOrder::kDescriptorsFirst;
  DueOrder due_order = DueOrder::kEarliestFirst;
  CancelQueued cancel_queued = CancelQueued::kTakesEffect;
  FutureCallbacks future_callbacks = FutureCallbacks::kQueued;
  QueueOrder waiter_order = QueueOrder::kOldestFirst;  // futures.in-order
  WorkResult work_result = WorkResult::kQueued;
  ErrorHandler error_handler = ErrorHandler::kCalled;
};

}  // namespace conform::reference

#endif  // CONFORM_REFERENCE_IMPL_HOST_ASYNCIO_RULES_H_
