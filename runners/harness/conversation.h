// Conversations with the process of an adapter: what it says, and everything that can go wrong with it.
// spec/adapter-protocol.md
#ifndef CONFORM_RUNNERS_HARNESS_CONVERSATION_H_
#define CONFORM_RUNNERS_HARNESS_CONVERSATION_H_

#include <cstdint>
#include <memory>
#include <string>

#include "runners/harness/messages.h"
#include "runners/harness/process.h"
#include "runners/harness/runner.h"

namespace conform {

// How far a run may go before it counts as one without an end.
struct TalkLimits {
  int64_t timeout_ms = 0;     // on the wall clock, which a busy machine can use up: far away
  int64_t cpu_budget_ms = 0;  // of processor time
};

// What one conversation, or one run of a session, came to.
struct Talk {
  RunOutcome outcome;
  bool has_trace = false;
  bool too_much = false;      // it wrote more than the limit
  bool before_asked = false;  // the trouble was there before the run was requested
  std::string missing;        // of kUnsupported: the capability
};

// The conversation without a run: hello and stop, and nothing after it. The error says what was run and what it did.
struct Probed {
  ReadyMessage ready;
  int64_t cpu_ms = 0;  // that the process has used
};
Result<Probed> Probe(const ProcessRequest& request, const std::string& what, int64_t timeout_ms);

// hello, `run`, stop, written in advance to a separate process.
// `prints`: a native file or the runtime prints its own lines, which are not answers: lines that are not messages are
// ignored.
Talk TalkOnce(const ProcessRequest& request, const std::string& run, int64_t seq, const TalkLimits& limits,
              bool prints);

// Does the answer to `run`, a program that ends by itself, come only when the process is told to stop? Its output is
// kept in a buffer then, and no session can be had with it. False also where no answer comes at all.
bool AnswersOnlyAtStop(const ProcessRequest& request, const std::string& run, int64_t timeout_ms);

// A process that runs many programs. One thread uses it at a time.
class Session {
 public:
  // Says hello. Its `ready` is waited for in the first Run.
  static Result<std::unique_ptr<Session>> Start(const ProcessRequest& request);

  // REQUIRES: healthy(). The answer has to come within the limits, and a first `ready` within `ready_ms` before.
  Talk Run(const std::string& run, int64_t seq, int64_t ready_ms, const TalkLimits& limits);

  bool healthy() const { return healthy_; }  // another run can follow
  int64_t runs() const { return runs_; }     // it was given so far

  void Stop();  // asks it to end, without waiting
  // Waits for the end after Stop.
  void WaitForEnd(int64_t timeout_ms);

 private:
  explicit Session(std::unique_ptr<Process> process) : process_(std::move(process)) {}

  std::unique_ptr<Process> process_;
  bool is_ready_ = false;
  bool healthy_ = true;
  int64_t runs_ = 0;
};

}  // namespace conform

#endif  // CONFORM_RUNNERS_HARNESS_CONVERSATION_H_
