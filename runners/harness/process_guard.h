// The guard: nothing that a run of conform started outlives it, even when conform itself is killed.
#ifndef CONFORM_RUNNERS_HARNESS_PROCESS_GUARD_H_
#define CONFORM_RUNNERS_HARNESS_PROCESS_GUARD_H_

#include <sys/types.h>

#include <memory>
#include <string>

#include "runners/base/result.h"

namespace conform {

// A small process beside this one. It waits for the end of a pipe whose other end this process alone holds; however
// this process comes to its end, the guard then ends every process that has CONFORM_RUN=<run_word> in its environment,
// and itself. What has left its group, or its session, is found all the same.
class ProcessGuard {
 public:
  // REQUIRES: this process has no other threads yet.
  static Result<std::unique_ptr<ProcessGuard>> Start();

  // Lets the guard do its work, and waits until it has. REQUIRES: every Process has ended.
  ~ProcessGuard();
  ProcessGuard(const ProcessGuard&) = delete;
  ProcessGuard& operator=(const ProcessGuard&) = delete;

  // Tells the processes of this run from all others; nobody can guess it.
  const std::string& run_word() const { return run_word_; }

 private:
  ProcessGuard(std::string run_word, int pipe, pid_t guard)
      : run_word_(std::move(run_word)), pipe_(pipe), guard_(guard) {}

  const std::string run_word_;
  const int pipe_;
  const pid_t guard_;
};

// The variable that carries the word.
inline constexpr char kRunVariable[] = "CONFORM_RUN";

}  // namespace conform

#endif  // CONFORM_RUNNERS_HARNESS_PROCESS_GUARD_H_
