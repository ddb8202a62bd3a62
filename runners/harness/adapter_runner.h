// An implementation behind an adapter: every run is a conversation with its process.
#ifndef CONFORM_RUNNERS_HARNESS_ADAPTER_RUNNER_H_
#define CONFORM_RUNNERS_HARNESS_ADAPTER_RUNNER_H_

#include <functional>
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

// What the model says of an order that is not expected.
using LateQuestion = std::function<LateSet(const Case&, const Profile&, const Order&)>;

struct AdapterRunnerOptions {
  LateQuestion whether_late;
  const Interrupt* interrupt = nullptr;
  std::optional<Perturb> perturb;
  std::string run_word;  // CONFORM_RUN
  int64_t least_deadline_ms = kLeastDeadlineMs;
  int64_t ready_ms = 20'000;  // how long the conversation without a run may take
};

class AdapterRunner : public Runner {
 public:
  // Has the conversation without a run. The error says what is wrong with the adapter or its binary.
  static Result<std::unique_ptr<AdapterRunner>> Start(AdapterCommand command, AdapterRunnerOptions options);

  virtual const ReadyMessage& ready() const = 0;
};

}  // namespace conform

#endif  // CONFORM_RUNNERS_HARNESS_ADAPTER_RUNNER_H_
