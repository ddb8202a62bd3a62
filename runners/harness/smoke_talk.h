// Conversations with an adapter that is tried out: all that was said is kept, and what is not as the protocol says is
// distinguished from what the loop did.
#ifndef CONFORM_RUNNERS_HARNESS_SMOKE_TALK_H_
#define CONFORM_RUNNERS_HARNESS_SMOKE_TALK_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "runners/harness/adapter.h"
#include "runners/harness/interrupt.h"
#include "runners/harness/messages.h"
#include "runners/harness/process.h"

namespace conform {

struct SmokeOptions {
  int64_t answer_ms = 10'000;  // how long an answer, or the end after a stop, may take
  const Interrupt* interrupt = nullptr;
  std::string run_word = "";  // of the guard
};

// Headings in spec/adapter-protocol.md.
inline constexpr char kReadySection[] = "ready: the answer to hello";
inline constexpr char kIsolationSection[] = "Isolation";

// Something that is not as the protocol says. All of it can be printed as it is.
struct SmokeFault {
  std::string got;       // what the adapter did, as a clause
  std::string expected;  // what it has to do
  std::string section;   // the heading in spec/adapter-protocol.md
  std::string hint;      // what is often the reason; may be empty
};

// What one conversation, or one run of a session, came to.
struct Exchange {
  std::string sent;                   // the messages, in lines
  std::vector<std::string> received;  // the first lines, in a form that is short and safe to print
  std::string errors;                 // the last of what it wrote to stderr, likewise
  std::optional<SmokeFault> fault;
  bool no_answer_in_time = false;
  bool interrupted = false;

  std::optional<ReadyMessage> ready;
  bool has_answer = false;  // one of the next three
  std::vector<TraceEvent> events;
  std::optional<std::string> unsupported;  // the capability
  std::optional<std::string> error;        // the message
  int64_t after_first_label_ms = 0;        // from the first label to the end of the answer
};

class SmokeTalk {
 public:
  SmokeTalk(AdapterCommand command, SmokeOptions options);

  // The conversation without a run: hello, then stop, or nothing but the end of the input.
  Exchange Hello(bool with_stop) const;

  // One run in the isolation that `ready` requested: in a separate process, or in a session that continues until
  // something is wrong with it.
  Exchange Run(const RunRequest& request, ReadyMessage::Isolation isolation);

  // Stops the session, if there is one. Its input stays open: `stop` alone has to end it.
  std::optional<Exchange> StopSession();

 private:
  Result<std::unique_ptr<Process>> Start(Entry entry, int descriptors) const;
  // All is written in advance, and the process is waited for. `seq` of the run; nothing where there is none.
  Exchange Converse(std::string lines, std::optional<int64_t> seq, Entry entry, int descriptors) const;
  Exchange RunInSession(const RunRequest& request);

  const AdapterCommand command_;
  const SmokeOptions options_;
  std::unique_ptr<Process> session_;
};

}  // namespace conform

#endif  // CONFORM_RUNNERS_HARNESS_SMOKE_TALK_H_
