// A look at a process from outside: how much it has worked, and whether anything can still wake it.
#ifndef CONFORM_RUNNERS_HARNESS_PROCESS_LOOK_H_
#define CONFORM_RUNNERS_HARNESS_PROCESS_LOOK_H_

#include <sys/types.h>

#include <cstdint>
#include <map>
#include <optional>
#include <string>

namespace conform {

// A process and all that it has started, at one moment.
struct ProcessLook {
  int64_t cpu_ms = 0;  // that it has used, with its children
  // Every thread sleeps in a system call that waits without a time limit, and no timer of the kernel is armed. So
  // nothing inside can wake it; what is outside is conform, which sends nothing more. Where the kernel does not say, it
  // is false. A thread that could run and is not given a processor does not sleep.
  bool sleeps = false;
  std::map<pid_t, int64_t> switches;  // of every thread: how often it has stopped running
  int64_t kept_waiting_ms = 0;        // that its most unlucky thread could have run, and was not given a processor
};

ProcessLook LookAt(pid_t process);

// How long a thread could have run and did not. `line`: what /proc/PID/task/TID/schedstat says of it.
int64_t KeptWaitingMs(const std::string& line);

// Is the wait of a sleeping thread without a time limit? `line`: what /proc/PID/task/TID/syscall says of it.
bool WaitsWithoutLimit(const std::string& line);

// What will not end by itself.
struct NoEnd {
  enum class Kind { kWaits, kSpins };
  Kind kind;
  std::string seen;  // for human readers
};

// Says from looks at a process, one after the other, that it will not end. Nothing that it says depends on how fast the
// machine is: a process that is kept from running neither sleeps nor uses processor time.
class EndlessWatch {
 public:
  // More than `cpu_budget_ms` of processor time is a spin.
  explicit EndlessWatch(int64_t cpu_budget_ms) : cpu_budget_ms_(cpu_budget_ms) {}

  // It was looked at, at `now_ms` on any steady clock.
  std::optional<NoEnd> Take(const ProcessLook& look, int64_t now_ms);

 private:
  const int64_t cpu_budget_ms_;
  std::optional<int64_t> cpu_before_ms_;  // the run: a session has worked before it
  std::optional<ProcessLook> asleep_;     // since asleep_since_ms_, and not one of its threads has run since
  int64_t asleep_since_ms_ = 0;
};

// How long nothing may have run.
inline constexpr int64_t kSettledMs = 100;

}  // namespace conform

#endif  // CONFORM_RUNNERS_HARNESS_PROCESS_LOOK_H_
