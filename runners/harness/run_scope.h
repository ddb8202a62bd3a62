// What a command that starts processes holds while it runs them.
#ifndef CONFORM_RUNNERS_HARNESS_RUN_SCOPE_H_
#define CONFORM_RUNNERS_HARNESS_RUN_SCOPE_H_

#include <memory>
#include <string>
#include <utility>

#include "runners/harness/interrupt.h"
#include "runners/harness/process_guard.h"

namespace conform {

// The guard, which ends what is left of the run however this process ends, and Ctrl-C. At most one lives at a time.
class RunScope {
 public:
  // REQUIRES: this process has no other threads yet, because the guard is a separate process.
  static Result<std::unique_ptr<RunScope>> Open() {
    auto guard = ProcessGuard::Start();
    if (!guard) return guard.error();
    return std::unique_ptr<RunScope>(new RunScope(std::move(*guard)));
  }

  const Interrupt& interrupt() const { return interrupt_; }
  const std::string& run_word() const { return guard_->run_word(); }

 private:
  explicit RunScope(std::unique_ptr<ProcessGuard> guard) : guard_(std::move(guard)) {}

  const std::unique_ptr<ProcessGuard> guard_;
  const Interrupt interrupt_;
};

}  // namespace conform

#endif  // CONFORM_RUNNERS_HARNESS_RUN_SCOPE_H_
