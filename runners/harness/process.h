// Processes: the one place where conform starts any.
#ifndef CONFORM_RUNNERS_HARNESS_PROCESS_H_
#define CONFORM_RUNNERS_HARNESS_PROCESS_H_

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "runners/base/result.h"
#include "runners/harness/interrupt.h"
#include "runners/harness/process_look.h"

namespace conform {

struct ProcessRequest {
  std::vector<std::string> command;  // the program (looked up on the PATH of `environment`), and arguments
  std::string folder;                // where it runs; "" where conform runs
  std::map<std::string, std::string> environment;  // all of it: nothing is inherited
  int waiting_descriptors = 0;                     // it gets 3, 4, …: ends of socket pairs on which one byte waits
  size_t max_output_bytes = 32 << 20;
  size_t max_error_bytes = 8 << 10;  // of stderr the last part is kept, all of it is read
  int nice = 0;
  std::optional<int> cpu;  // it may run on this one alone
  const Interrupt* interrupt = nullptr;
};

// How a process came to its end.
struct ProcessEnd {
  enum class Kind { kExited, kSignalled, kStoppedByUs };
  Kind kind = Kind::kExited;
  int code = 0;        // of kExited; the number of the signal of kSignalled
  int64_t cpu_ms = 0;  // that it has used, with the children that it waited for
  std::string errors;  // the last of what it wrote to stderr
};

// A process that was started, in a new process group (a session). Its destructor ends the group. One thread uses
// it at a time; several processes may be used by several threads at once.
class Process {
 public:
  // A program that is not there or cannot be run is an error that names it. From here on this process ignores SIGPIPE:
  // one that ends while we write to it must not end us; and none of its descriptors but the first three is inherited by
  // anything that it starts. REQUIRES: !request.command.empty().
  static Result<std::unique_ptr<Process>> Start(const ProcessRequest& request);
  virtual ~Process() = default;

  // Queues bytes for its stdin; never blocks. What it never reads is dropped at its end.
  virtual void Write(std::string bytes) = 0;
  virtual void CloseInput() = 0;  // once all that was queued is written

  enum class Event {
    kLine,         // ReadLine: one more line
    kEndOfOutput,  // ReadLine: it closed stdout, or ended; half a line before that was given as kHalfLine
    kHalfLine,     // ReadLine: what stood before the end of the output without a line end
    kEnded,        // WaitForEnd: it ended by itself
    kDeadline,
    kTooMuch,  // it wrote more than max_output_bytes
    kInterrupted,
  };
  // Waits until `deadline_ms` on the clock of SteadyMs().
  // What it has done before the deadline counts, however late this is called. Lines that came before the excess of
  // kTooMuch are given before it.
  virtual Event ReadLine(int64_t deadline_ms, std::string* line) = 0;
  // What it still writes is read and kept within the limits, for ReadLine.
  virtual Event WaitForEnd(int64_t deadline_ms) = 0;

  // All that was read of its output and not taken yet, lines or not.
  virtual std::string TakeOutput() = 0;
  // From here on it may write max_output_bytes again: the next run of a session begins.
  virtual void CountOutputAnew() = 0;

  // Looks at it and at all that it has started. REQUIRES: its end was not seen yet.
  virtual ProcessLook Look() const = 0;

  // Ends the whole group at once, if it still runs, and says how the leader came to its end. When the leader has ended
  // by itself, the rest of its group was ended at that moment: nothing waits for what it left behind.
  virtual ProcessEnd End() = 0;
};

// Runs to the end: all input is written in advance. For tools such as npm, tar and sha512sum.
struct Finished {
  Process::Event event = Process::Event::kEnded;  // kEnded, kDeadline, kTooMuch or kInterrupted
  ProcessEnd end;
  std::string output;
};
Result<Finished> RunToEnd(const ProcessRequest& request, std::string input, int64_t timeout_ms);

// The clock of the harness.
int64_t SteadyMs();

// The environment of this process.
std::map<std::string, std::string> OwnEnvironment();

}  // namespace conform

#endif  // CONFORM_RUNNERS_HARNESS_PROCESS_H_
