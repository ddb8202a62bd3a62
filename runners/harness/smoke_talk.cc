#include "runners/harness/smoke_talk.h"

#include <fmt/format.h>

#include <utility>

#include "runners/base/check.h"
#include "runners/base/text.h"
#include "runners/harness/adapter_process.h"
#include "runners/harness/printable.h"

namespace conform {
namespace {

constexpr size_t kKeptLines = 5;
constexpr size_t kKeptBytes = 240;
constexpr size_t kKeptErrors = 400;

constexpr char kConversation[] = "A conversation";
constexpr char kFolder[] = "The folder of an adapter";
constexpr char kWrong[] = "What goes wrong";
constexpr char kStop[] = "stop: the end";
constexpr char kLimits[] = "Limits";

// Reads the answers of one conversation, line by line, into `to`.
class SmokeListener {
 public:
  // `alone`: the process runs one program, and its end is the end of the answer.
  SmokeListener(Exchange& to, std::optional<int64_t> seq, bool alone) : to_(to), seq_(seq), alone_(alone) {}

  // True when there is nothing more to wait for: in a session an answer, or a fault.
  bool Take(const std::string& line, int64_t now_ms) {
    const Result<AdapterMessage> message = ParseAdapterMessage(line);
    // The first `ready` of a run says nothing that the user has not seen.
    if (!seq_ || to_.ready || !message || !std::holds_alternative<ReadyMessage>(*message)) Keep(line);
    if (!message && SaysReady(line)) {
      return Fault("sent an invalid ready: " + message.error().ToString(),
                   "protocol, implementation with name and version, ops, and isolation", kReadySection,
                   R"(for example {"type":"ready","protocol":1,"implementation":{"name":"x","version":"1.0"},)"
                   R"("ops":["timeout"],"isolation":"process"})");
    }
    if (!message) {
      return Fault("wrote a line that is not a message: " + message.error().ToString(),
                   "nothing but messages on standard output, one per line", kWrong,
                   "other output belongs on standard error");
    }
    if (const auto* ready = std::get_if<ReadyMessage>(&*message)) return TakeReady(*ready);
    if (!to_.ready) return Fault("answered before it was ready", "ready as the first message", kConversation);
    if (!seq_) return Fault("answered a run that was not requested", "ready alone", kConversation);
    return std::visit([&](const auto& answer) { return TakeAnswer(answer, now_ms); }, *message);
  }

  bool Fault(std::string got, std::string expected, std::string section, std::string hint = "") {
    if (!to_.fault) to_.fault = {std::move(got), std::move(expected), std::move(section), std::move(hint)};
    return true;
  }

  // Reads until there is nothing more to wait for. False when the process can answer no more.
  bool ReadFrom(Process& process, int64_t deadline_ms) {
    for (;;) {
      std::string line;
      switch (process.ReadLine(deadline_ms, &line)) {
        case Process::Event::kLine:
          if (Take(line, SteadyMs())) return true;
          break;
        case Process::Event::kHalfLine:
          Keep(line);
          return !Fault("ended in the middle of a line", "a newline after each message", kWrong,
                        "buffered output may be lost when a process is killed");
        case Process::Event::kTooMuch:
          return !Fault("wrote more than the limit for one run", "at most 32 MiB", kLimits);
        case Process::Event::kDeadline:
          to_.no_answer_in_time = true;
          return !Fault("did not answer in time", "an answer within the deadline", kWrong,
                        "write a newline after each message, flush it, and wait for nothing else");
        case Process::Event::kInterrupted:
          to_.interrupted = true;
          return !Fault("was interrupted", "an answer", kWrong);
        case Process::Event::kEnded:
        case Process::Event::kEndOfOutput:
          NoteTime(SteadyMs());
          return false;
      }
    }
  }

  // The process has ended or closed its output.
  void TakeEnd(const ProcessEnd& end) {
    to_.errors = Printable(Trim(end.errors), kKeptErrors);
    if (to_.fault) return;
    const std::string code = std::to_string(end.code);
    const bool answered = seq_ ? to_.has_answer : to_.ready.has_value();
    switch (end.kind) {
      case ProcessEnd::Kind::kSignalled:
        Fault("was killed by signal " + code, "a normal exit", kWrong);
        return;
      case ProcessEnd::Kind::kStoppedByUs:
        Fault("closed its output and continued", "an end after its answer", kWrong);
        return;
      case ProcessEnd::Kind::kExited:
        break;
    }
    if (!answered) {
      Fault(fmt::format("ended with code {} without {}", code, to_.ready ? "an answer" : "having sent ready"),
            seq_ ? "ready, and a trace or a reason why there is none" : "ready",
            to_.ready ? "trace: what the run emitted" : kReadySection,
            "labels that are buffered until the end have to be written before it, even if the program calls exit");
    } else if (!seq_ && end.code != 0) {
      Fault("sent ready and ended with code " + code, "code 0 after a stop", kStop);
    } else if (end.code != 0 && alone_) {
      to_.events.push_back({"exit=" + code, std::nullopt, std::nullopt, "", ""});
    }
  }

 private:
  static bool SaysReady(const std::string& line) {
    std::string start = line.substr(0, kKeptBytes);
    std::erase(start, ' ');
    return start.find(R"("type":"ready")") != std::string::npos;
  }

  void Keep(const std::string& line) {
    if (to_.received.size() < kKeptLines) to_.received.push_back(Printable(line, kKeptBytes));
    if (to_.received.size() == kKeptLines && ++lines_after_ > 1) to_.received.back() = "…";
  }

  void NoteTime(int64_t now_ms) {
    if (!to_.events.empty()) to_.after_first_label_ms = now_ms - first_label_ms_;
  }

  bool TakeReady(const ReadyMessage& ready) {
    if (to_.ready) return Fault("sent ready twice", "ready once", kConversation);
    to_.ready = ready;
    return !alone_;
  }

  // Nothing when `seq` is that of the run, and another answer may come.
  template <typename Message>
  bool IsExpected(const Message& message) {
    if (message.seq != *seq_) {
      Fault(fmt::format("answered run {}", message.seq), fmt::format("an answer to run {}", *seq_), "run: one program");
    } else if (is_complete_) {
      Fault("answered twice", "one answer to each run", kWrong);
    }
    return !to_.fault;
  }

  bool TakeAnswer(const TraceMessage& trace, int64_t now_ms) {
    if (!IsExpected(trace)) return true;
    to_.has_answer = true;
    if (to_.events.empty() && !trace.events.empty()) first_label_ms_ = now_ms;
    to_.events.insert(to_.events.end(), trace.events.begin(), trace.events.end());
    NoteTime(now_ms);
    is_complete_ = !trace.more && !alone_;
    return is_complete_;
  }
  bool TakeAnswer(const UnsupportedMessage& message, int64_t) {
    return TakeReason(message, to_.unsupported, message.op);
  }
  bool TakeAnswer(const ErrorMessage& message, int64_t) { return TakeReason(message, to_.error, message.message); }
  bool TakeAnswer(const ReadyMessage&, int64_t) { CONFORM_CHECK(false); }

  template <typename Message>
  bool TakeReason(const Message& message, std::optional<std::string>& place, const std::string& text) {
    if (!IsExpected(message)) return true;
    if (to_.has_answer) return Fault("gave a trace and a reason why there is none", "one of the two", kWrong);
    to_.has_answer = is_complete_ = true;
    place = text;
    return !alone_;
  }

  Exchange& to_;
  const std::optional<int64_t> seq_;
  const bool alone_;
  bool is_complete_ = false;
  int64_t first_label_ms_ = 0;
  size_t lines_after_ = 0;
};

Exchange NotStarted(const Error& error) {
  Exchange exchange;
  exchange.fault = {error.message, "a program that can be started", kFolder, error.hint};
  return exchange;
}

}  // namespace

SmokeTalk::SmokeTalk(AdapterCommand command, SmokeOptions options)
    : command_(std::move(command)), options_(std::move(options)) {}

Result<std::unique_ptr<Process>> SmokeTalk::Start(Entry entry, int descriptors) const {
  ProcessRequest request = RequestFor(command_, entry, options_.run_word, options_.interrupt);
  request.waiting_descriptors = descriptors;
  return Process::Start(request);
}

Exchange SmokeTalk::Converse(std::string lines, std::optional<int64_t> seq, Entry entry, int descriptors) const {
  Result<std::unique_ptr<Process>> started = Start(entry, descriptors);
  if (!started) return NotStarted(started.error());
  Process& process = **started;
  const int64_t start_ms = SteadyMs();
  Exchange exchange;
  exchange.sent = lines;
  process.Write(std::move(lines));
  process.CloseInput();
  SmokeListener listener(exchange, seq, true);
  if (!listener.ReadFrom(process, start_ms + options_.answer_ms) && !exchange.fault) {
    process.WaitForEnd(start_ms + options_.answer_ms);
  }
  listener.TakeEnd(process.End());
  return exchange;
}

Exchange SmokeTalk::Hello(bool with_stop) const {
  return Converse(HelloLine() + (with_stop ? StopLine() : ""), std::nullopt, Entry::kScript, 0);
}

Exchange SmokeTalk::Run(const RunRequest& request, ReadyMessage::Isolation isolation) {
  switch (isolation) {
    case ReadyMessage::Isolation::kProcess:
      return Converse(HelloLine() + RunLine(request) + StopLine(), request.seq, request.entry, request.descriptors);
    case ReadyMessage::Isolation::kSession:
      return RunInSession(request);
  }
  CONFORM_CHECK(false);
}

Exchange SmokeTalk::RunInSession(const RunRequest& request) {
  // Descriptors are handed over at the start, and another entry may be another program.
  const bool is_apart = request.descriptors > 0 || request.entry != Entry::kScript;
  std::unique_ptr<Process> process = is_apart ? nullptr : std::move(session_);
  Exchange exchange;
  SmokeListener listener(exchange, request.seq, false);
  const int64_t deadline_ms = SteadyMs() + options_.answer_ms;
  bool goes_on = true;
  if (process == nullptr) {
    Result<std::unique_ptr<Process>> started = Start(request.entry, request.descriptors);
    if (!started) return NotStarted(started.error());
    process = std::move(*started);
    process->Write(exchange.sent = HelloLine());
    goes_on = listener.ReadFrom(*process, deadline_ms) && !exchange.fault;
  } else {
    exchange.ready.emplace();  // it has said so before
  }
  if (goes_on) {
    process->Write(RunLine(request));
    exchange.sent += RunLine(request);
    goes_on = listener.ReadFrom(*process, deadline_ms) && !exchange.fault;
  }
  if (!goes_on) {
    if (!exchange.fault) process->WaitForEnd(deadline_ms);
    listener.TakeEnd(process->End());
    listener.Fault("ended, or closed its output, in the middle of a session", "an answer to each run",
                   kIsolationSection);
  } else if (!is_apart) {
    session_ = std::move(process);
  }
  return exchange;
}

std::optional<Exchange> SmokeTalk::StopSession() {
  if (session_ == nullptr) return std::nullopt;
  Exchange exchange;
  exchange.ready.emplace();
  exchange.sent = StopLine();
  session_->Write(StopLine());
  const int64_t deadline_ms = SteadyMs() + options_.answer_ms;
  SmokeListener listener(exchange, std::nullopt, false);
  if (!listener.ReadFrom(*session_, deadline_ms) && !exchange.fault) session_->WaitForEnd(deadline_ms);
  if (exchange.no_answer_in_time) exchange.fault = {"did not end after stop", "an end, with code 0", kStop, ""};
  listener.TakeEnd(session_->End());
  session_.reset();
  return exchange;
}

}  // namespace conform
