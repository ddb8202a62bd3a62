// The guard: nothing that a run of conform started outlives it, even when conform itself is killed.
#ifndef CONFORM_RUNNERS_HARNESS_PROCESS_GUARD_H_
#define CONFORM_RUNNERS_HARNESS_PROCESS_GUARD_H_

#include <memory>
#include <string>

#include "runners/base/result.h"

namespace conform {

// Start splits this process in three:
//
//   conform         who was started: passes signals on, and ends as the last one did
//     conform-guard    adopts every process below it that loses its parent, and ends all of them
//       conform           the caller, from here on
//         adapters …
//
// The kernel hands what is orphaned below the guard to the guard, whatever session, group or environment it has given
// itself. When the caller has ended, or the first is killed, the guard ends all that is left. When the guard is killed,
// the caller ends at once, and the first, which adopts as well, ends what is left and says so with exit code 3.
class ProcessGuard {
 public:
  // Returns in the last of the three alone. REQUIRES: this process has no other threads yet.
  static Result<std::unique_ptr<ProcessGuard>> Start();

  ProcessGuard(const ProcessGuard&) = delete;
  ProcessGuard& operator=(const ProcessGuard&) = delete;

  // Distinguishes the processes of this run from all others.
  const std::string& run_word() const { return run_word_; }

 private:
  explicit ProcessGuard(std::string run_word) : run_word_(std::move(run_word)) {}

  const std::string run_word_;
};

// The variable that carries the word.
inline constexpr char kRunVariable[] = "CONFORM_RUN";

}  // namespace conform

#endif  // CONFORM_RUNNERS_HARNESS_PROCESS_GUARD_H_
