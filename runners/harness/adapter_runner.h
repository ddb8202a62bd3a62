// An implementation behind an adapter: every run is a conversation with its process.
#ifndef CONFORM_RUNNERS_HARNESS_ADAPTER_RUNNER_H_
#define CONFORM_RUNNERS_HARNESS_ADAPTER_RUNNER_H_

#include <memory>
#include <optional>
#include <string>

#include "runners/harness/adapter.h"
#include "runners/harness/case_needs.h"
#include "runners/harness/interrupt.h"
#include "runners/harness/messages.h"
#include "runners/harness/perturb.h"
#include "runners/harness/runner.h"

namespace conform {

struct AdapterRunnerOptions {
  const Interrupt* interrupt = nullptr;
  std::optional<Perturb> perturb;
  std::string run_word;  // CONFORM_RUN
  int64_t least_deadline_ms = kLeastDeadlineMs;
  int64_t ready_ms = 20'000;  // how long the conversation without a run may take
};

// Has the conversation without a run. The error says what is wrong with the adapter or its binary.
Result<std::unique_ptr<Runner>> StartAdapterRunner(AdapterCommand command, AdapterRunnerOptions options);

}  // namespace conform

#endif  // CONFORM_RUNNERS_HARNESS_ADAPTER_RUNNER_H_
