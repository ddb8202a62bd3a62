#include "runners/harness/conversation.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "runners/base/text.h"
#include "runners/harness/printable.h"

namespace conform {
namespace {

using Event = Process::Event;

constexpr size_t kReasonBytes = 300;
// A process that ends closes its output a moment before. One that has said nothing by then, and still runs this much
// later, has no answer to give.
constexpr int64_t kEndAfterOutputMs = 3'000;
// Most runs have ended before anything is looked at.
constexpr int64_t kFirstLookMs = 100;
constexpr int64_t kBetweenLooksMs = 40;
// A machine that gives a process hardly any time in so long is of no use.
constexpr int64_t kMostExtraMs = 120'000;

std::string SignalName(int number) {
  const char* name = sigabbrev_np(number);
  return name == nullptr ? fmt::format("signal {}", number) : fmt::format("SIG{}", name);
}

std::string HowItEnded(const ProcessEnd& end) {
  if (end.kind == ProcessEnd::Kind::kExited) return fmt::format("ended with code {}", end.code);
  return "was killed by " + SignalName(end.code);
}

// Follows one run, or the conversation without one, from the first message to the last; the first thing that goes wrong
// is kept, and ends the process.
class Listener {
 public:
  // `seq`: of the run that is requested; 0 where none is.
  Listener(Process& process, int64_t seq, std::string too_late)
      : process_(process), seq_(seq), too_late_(std::move(too_late)) {}

  // Something else shares the output with the adapter.
  void MindPrinting() { prints_ = true; }

  // From now on the process is looked at while it says nothing.
  void WatchFor(int64_t cpu_budget_ms) {
    watch_.emplace(cpu_budget_ms);
    next_look_ms_ = SteadyMs() + kFirstLookMs;
  }

  // For a session that has been ready since an earlier run.
  void WasReady() { ready_ = ReadyMessage{}; }

  void HearReady(int64_t deadline_ms) {
    while (!failed() && !ready_) HearNext(deadline_ms);
  }

  // In a session, the one trace without `more` is the last.
  void HearAnswer(int64_t deadline_ms) {
    is_session_ = true;
    while (!failed() && !complete_) HearNext(deadline_ms);
    if (!failed()) HearNothing("after its answer");
  }

  // In a separate process, the end of its output is the end of the answer, and its end that of the run.
  void HearAll(int64_t deadline_ms) {
    while (!failed() && !ended_) HearNext(deadline_ms);
  }

  // Whatever is there already was not requested.
  void HearNothing(const std::string& when) {
    std::string line;
    const Event event = process_.ReadLine(SteadyMs() - 1, &line);
    if (event == Event::kLine || event == Event::kTooMuch) return Protocol("writes more " + when);
    if (event == Event::kHalfLine) half_line_ = line;
    ended_ = ended_ || event == Event::kEndOfOutput || event == Event::kHalfLine;
  }

  bool failed() const { return talk_.outcome.trouble != Trouble::kNone; }
  bool ended() const { return ended_; }
  const std::optional<ReadyMessage>& ready() const { return ready_; }
  const Talk& talk() const { return talk_; }

  // What an answer without a trace means, and times that start with the first label.
  Talk Conclude() {
    if (!failed() && error_) {
      const std::string says = "says: " + Printable(error_->message, kReasonBytes);
      if (error_->broken)
        Fail(Trouble::kCrash, WithErrors(says));
      else
        Protocol(says);
    }
    if (!failed() && missing_) {
      talk_.outcome.trouble = Trouble::kUnsupported;
      talk_.missing = *missing_;
    }
    std::optional<int64_t> first_ns;
    // Both are any number at all: where the difference is none, the time says nothing.
    const auto since_first = [&](int64_t ns) {
      int64_t since_ns = 0;
      return __builtin_sub_overflow(ns, *first_ns, &since_ns) ? std::nullopt : std::optional(since_ns);
    };
    for (TraceEvent& event : talk_.outcome.trace.events) {
      if (!event.t_ns) continue;
      if (!first_ns) first_ns = event.t_ns;
      event.t_ns = since_first(*event.t_ns);
    }
    std::optional<int64_t>& start_ns = talk_.outcome.trace.start_ns;
    if (start_ns) start_ns = first_ns ? since_first(*start_ns) : std::nullopt;
    return std::move(talk_);
  }

  std::string WithErrors(const std::string& why) {
    const std::string line = TellingLine(process_.End().errors, kReasonBytes);
    return line.empty() ? why : why + " (stderr: " + line + ")";
  }

 private:
  // As Process::ReadLine, with looks in between: kDeadline also where one of them shows that there will be no end. What
  // a process was kept from running does not count against it.
  Event ReadLine(int64_t deadline_ms, std::string* line) {
    for (;;) {
      // One that keeps saying something is looked at too.
      std::optional<NoEnd> no_end;
      if (watch_ && SteadyMs() >= next_look_ms_) {
        const ProcessLook look = process_.Look();
        if (!kept_before_ms_) kept_before_ms_ = look.kept_waiting_ms;
        extra_ms_ = std::clamp(look.kept_waiting_ms - *kept_before_ms_, extra_ms_, kMostExtraMs);
        no_end = watch_->Take(look, SteadyMs());
        next_look_ms_ = SteadyMs() + kBetweenLooksMs;
      }
      if (no_end && no_end->kind == NoEnd::Kind::kSpins) {
        no_end_ = std::move(no_end);
        return Event::kDeadline;
      }
      // What it said before it fell asleep is read first.
      const int64_t last_ms = deadline_ms + extra_ms_;
      const int64_t until_ms = no_end ? SteadyMs() - 1 : watch_ ? std::min(last_ms, next_look_ms_) : last_ms;
      const Event event = process_.ReadLine(until_ms, line);
      if (event != Event::kDeadline) return event;
      if (no_end) no_end_ = std::move(no_end);
      if (no_end_ || until_ms == last_ms) return event;
    }
  }

  void HearNext(int64_t deadline_ms) {
    std::string line;
    switch (ReadLine(deadline_ms, &line)) {
      case Event::kLine:
        return HearLine(line);
      case Event::kHalfLine:
        if (!prints_) half_line_ = line;
        return;
      case Event::kEndOfOutput:
        return HearTheEnd(deadline_ms);
      case Event::kEnded:
        CONFORM_CHECK(false);
      case Event::kDeadline:
        if (!no_end_) return Fail(Trouble::kTimeout, too_late_);
        return Fail(no_end_->kind == NoEnd::Kind::kWaits ? Trouble::kWaits : Trouble::kSpins, no_end_->seen);
      case Event::kTooMuch:
        talk_.too_much = true;
        return Protocol("writes more than the limit");
      case Event::kInterrupted:
        return Fail(Trouble::kInterrupted, "interrupted");
    }
  }

  // Its output is closed: one moment before it ends, or for some other reason.
  void HearTheEnd(int64_t deadline_ms) {
    ended_ = true;
    if (!HasAnswer()) deadline_ms = std::min(deadline_ms, SteadyMs() + kEndAfterOutputMs);
    switch (process_.WaitForEnd(deadline_ms + extra_ms_)) {
      case Event::kEnded:
        return JudgeTheEnd(process_.End());
      case Event::kInterrupted:
        return Fail(Trouble::kInterrupted, "interrupted");
      case Event::kLine:
      case Event::kHalfLine:
      case Event::kEndOfOutput:
      case Event::kTooMuch:
      case Event::kDeadline:
        if (HasAnswer()) return Fail(Trouble::kTimeout, too_late_);
        return Protocol("closed its output without an answer");
    }
  }

  void JudgeTheEnd(const ProcessEnd& end) {
    const bool well = end.kind == ProcessEnd::Kind::kExited && end.code == 0;
    if (end.kind != ProcessEnd::Kind::kExited) return Fail(Trouble::kCrash, WithErrors(HowItEnded(end)));
    if (!half_line_.empty()) return Protocol("ended in the middle of a line, '" + Printable(half_line_, 60) + "'");
    if (!HasAnswer()) {
      return Fail(well ? Trouble::kProtocol : Trouble::kCrash, WithErrors(HowItEnded(end) + " without an answer"));
    }
    if (!well && seq_ == 0) return Fail(Trouble::kCrash, WithErrors(HowItEnded(end)));
    if (!well && talk_.has_trace) {
      talk_.outcome.trace.events.push_back({fmt::format("exit={}", end.code), {}, {}, "", ""});
      talk_.outcome.remark = WithErrors(HowItEnded(end));
    }
  }

  bool HasAnswer() const {
    if (seq_ == 0) return ready_.has_value();
    return complete_ || (talk_.has_trace && !is_session_);
  }

  void HearLine(const std::string& line) {
    Result<AdapterMessage> message = ParseAdapterMessage(line);
    if (!message && prints_) return;  // what the file or the runtime prints itself
    if (!message) return Protocol(message.error().message);
    if (auto* ready = std::get_if<ReadyMessage>(&*message)) {
      if (ready_) return Protocol("sends ready twice");
      ready_ = std::move(*ready);
      return;
    }
    const int64_t seq = std::visit(
        [](const auto& one) {
          if constexpr (std::is_same_v<std::decay_t<decltype(one)>, ReadyMessage>) {
            return int64_t{0};
          } else {
            return one.seq;
          }
        },
        *message);
    if (seq_ == 0) return Protocol("answers without being asked");
    if (!ready_) return Protocol("answers before it sends ready");
    if (seq != seq_) return Protocol(fmt::format("answers seq {}, not {}", seq, seq_));
    if (auto* trace = std::get_if<TraceMessage>(&*message)) return HearTrace(*trace);
    if (talk_.has_trace || complete_) return Protocol("answers twice");
    complete_ = true;
    if (auto* unsupported = std::get_if<UnsupportedMessage>(&*message)) {
      missing_ = unsupported->op;
    } else {
      error_ = std::get<ErrorMessage>(*message);
    }
  }

  void HearTrace(TraceMessage& trace) {
    if (missing_ || error_ || complete_) return Protocol("answers twice");
    talk_.has_trace = true;
    complete_ = !trace.more;
    if (trace.start_ns) talk_.outcome.trace.start_ns = trace.start_ns;
    std::vector<TraceEvent>& events = talk_.outcome.trace.events;
    for (TraceEvent& event : trace.events) {
      // One more than is judged: the rest changes nothing.
      if (events.size() <= kMaxMessageEvents) events.push_back(std::move(event));
    }
  }

  void Protocol(const std::string& why) { Fail(Trouble::kProtocol, WithErrors(why)); }
  void Fail(Trouble trouble, std::string why) {
    talk_.outcome.trouble = trouble;
    talk_.outcome.why = std::move(why);
    process_.End();
  }

  Process& process_;
  const int64_t seq_;
  const std::string too_late_;
  std::optional<EndlessWatch> watch_;
  int64_t next_look_ms_ = 0;
  std::optional<int64_t> kept_before_ms_;  // waiting for a processor, before this
  int64_t extra_ms_ = 0;                   // and since
  std::optional<NoEnd> no_end_;
  std::optional<ReadyMessage> ready_;
  bool is_session_ = false;
  bool prints_ = false;
  bool complete_ = false;  // the last of an answer has come
  bool ended_ = false;     // its output has
  std::string half_line_;
  Talk talk_;
  std::optional<std::string> missing_;  // it answered unsupported
  std::optional<ErrorMessage> error_;   // it answered error
};

std::string NoEndWithin(int64_t timeout_ms) { return fmt::format("no end within {} ms", timeout_ms); }
std::string NoAnswerWithin(int64_t timeout_ms) { return fmt::format("no answer within {} ms", timeout_ms); }

Talk CouldNotStart(const Error& error) {
  Talk talk;
  // That does not count against the implementation: the machine may have no more processes or descriptors to give.
  talk.outcome = {{}, Trouble::kLimit, error.ToString()};
  return talk;
}

}  // namespace

Result<Probed> Probe(const ProcessRequest& request, const std::string& what, int64_t timeout_ms) {
  const auto trouble = [&](const std::string& why) {
    return Error{what + ": " + why + "; it was run as: " + Join(request.command, " ")};
  };
  const int64_t deadline_ms = SteadyMs() + timeout_ms;
  Result<std::unique_ptr<Process>> process = Process::Start(request);
  if (!process) return process.error().After(what + ": ");
  (*process)->Write(HelloLine() + StopLine());
  (*process)->CloseInput();
  Listener listener(**process, /*seq=*/0, "");
  listener.HearAll(deadline_ms);
  const RunOutcome& outcome = listener.talk().outcome;
  if (outcome.trouble == Trouble::kTimeout) {
    return trouble(listener.WithErrors(fmt::format(
        "{} within {} ms", listener.ready() ? "did not end after stop" : "did not send ready", timeout_ms)));
  }
  if (listener.failed()) return trouble(outcome.why);
  if (!listener.ready()->ops) return trouble("does not list its ops in ready");
  return Probed{*listener.ready(), (*process)->End().cpu_ms};
}

Talk TalkOnce(const ProcessRequest& request, const std::string& run, int64_t seq, const TalkLimits& limits,
              bool prints) {
  const int64_t deadline_ms = SteadyMs() + limits.timeout_ms;
  Result<std::unique_ptr<Process>> process = Process::Start(request);
  if (!process) return CouldNotStart(process.error());
  (*process)->Write(HelloLine() + run + StopLine());
  (*process)->CloseInput();
  Listener listener(**process, seq, NoEndWithin(limits.timeout_ms));
  if (prints) listener.MindPrinting();
  listener.WatchFor(limits.cpu_budget_ms);
  listener.HearAll(deadline_ms);
  return listener.Conclude();
}

bool AnswersOnlyAtStop(const ProcessRequest& request, const std::string& run, int64_t timeout_ms) {
  Result<std::unique_ptr<Process>> process = Process::Start(request);
  if (!process) return false;
  const auto answers_within = [&](int64_t ms) {
    const int64_t deadline_ms = SteadyMs() + ms;
    for (std::string line; (*process)->ReadLine(deadline_ms, &line) == Event::kLine;) {
      const Result<AdapterMessage> message = ParseAdapterMessage(line);
      if (message && !std::holds_alternative<ReadyMessage>(*message)) return true;
    }
    return false;
  };
  (*process)->Write(HelloLine() + run);
  if (answers_within(timeout_ms)) return false;
  (*process)->Write(StopLine());
  (*process)->CloseInput();
  return answers_within(kEndAfterOutputMs);
}

Result<std::unique_ptr<Session>> Session::Start(const ProcessRequest& request) {
  Result<std::unique_ptr<Process>> process = Process::Start(request);
  if (!process) return process.error();
  (*process)->Write(HelloLine());
  return std::unique_ptr<Session>(new Session(std::move(*process)));
}

Talk Session::Run(const std::string& run, int64_t seq, int64_t ready_ms, const TalkLimits& limits) {
  CONFORM_CHECK(healthy_);
  if (!is_ready_) {
    Listener listener(*process_, seq, "did not send ready within " + std::to_string(ready_ms) + " ms");
    listener.HearReady(SteadyMs() + ready_ms);
    is_ready_ = !listener.failed();
    healthy_ = is_ready_;
    if (!healthy_) return listener.Conclude();
  }
  process_->CountOutputAnew();
  Listener listener(*process_, seq, NoAnswerWithin(limits.timeout_ms));
  listener.WasReady();
  listener.HearNothing("before it is asked");
  const bool was_asked = !listener.failed();
  if (was_asked) {
    process_->Write(run);
    listener.WatchFor(limits.cpu_budget_ms);
    listener.HearAnswer(SteadyMs() + limits.timeout_ms);
  }
  ++runs_;
  healthy_ = !listener.failed() && !listener.ended();
  Talk talk = listener.Conclude();
  talk.before_asked = !was_asked;
  return talk;
}

void Session::Stop() {
  process_->Write(StopLine());
  process_->CloseInput();
}

void Session::WaitForEnd(int64_t timeout_ms) { process_->WaitForEnd(SteadyMs() + timeout_ms); }

}  // namespace conform
