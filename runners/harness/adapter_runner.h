// An implementation behind an adapter: every run is a conversation with its process.
#ifndef CONFORM_RUNNERS_HARNESS_ADAPTER_RUNNER_H_
#define CONFORM_RUNNERS_HARNESS_ADAPTER_RUNNER_H_

#include <functional>
#include <memory>
#include <string>

#include "runners/harness/adapter.h"
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
};

class AdapterRunner : public Runner {
 public:
  // Has the conversation without a run. The error says what is wrong with the adapter or its binary.
  static Result<std::unique_ptr<AdapterRunner>> Start(AdapterCommand command, AdapterRunnerOptions options);

  virtual const ReadyMessage& ready() const = 0;
};

// How long a run of `c` may take before it counts as one without an end: far more than all that it asks for.
int64_t DeadlineMs(const Case& c);

}  // namespace conform

#endif  // CONFORM_RUNNERS_HARNESS_ADAPTER_RUNNER_H_
