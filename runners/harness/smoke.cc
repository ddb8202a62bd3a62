#include "runners/harness/smoke.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "runners/base/text.h"
#include "runners/harness/op_names.h"
#include "runners/harness/printable.h"
#include "runners/harness/smoke_programs.h"

namespace conform {
namespace {

using Outcome = SmokeCheck::Outcome;

constexpr char kRun[] = "run: one program";
constexpr char kTrace[] = "trace: what the run emitted";
constexpr char kReasons[] = "unsupported and error: why there is no trace";
constexpr char kLabels[] = "Labels";

// An adapter that never answers would take the deadline for each program.
constexpr int kMaxSilences = 2;

// How `flush: each` is looked at: one label, and then this long nothing. It is written at once when it comes well
// before the end of the run. A machine that is slow can hide that, so that it is tried again.
constexpr int kQuietMs = 500;
constexpr int kSurelyBeforeMs = 100;
constexpr int kFlushTries = 3;

std::string LabelsText(std::vector<std::string> labels) {
  std::sort(labels.begin(), labels.end());
  return labels.empty() ? "no label" : Printable(Join(labels, " "), 200);
}

class Smoker {
 public:
  Smoker(const AdapterCommand& command, const Profiles& profiles, const std::vector<std::string>& vocabulary,
         const SmokeOptions& options)
      : talk_(command, options), profiles_(profiles), vocabulary_(vocabulary) {}

  SmokeReport Take() {
    if (CheckHello()) {
      CheckOps();
      CheckClaim();
      CheckEndOfInput();
      CheckPrograms();
      CheckBusy();
      CheckUnsupported();
      CheckFlush();
      CheckSession();
      CheckTimes();
    }
    return std::move(report_);
  }

 private:
  SmokeCheck& Add(Outcome outcome, std::string claim, std::string note = "") {
    SmokeCheck check;
    check.outcome = outcome;
    check.claim = std::move(claim);
    check.note = std::move(note);
    report_.checks.push_back(std::move(check));
    return report_.checks.back();
  }

  void AddWrong(std::string claim, const Exchange& exchange, const SmokeFault& fault) {
    SmokeCheck& check = Add(Outcome::kWrong, std::move(claim));
    check.sent = exchange.sent;
    check.received = exchange.received;
    check.errors = exchange.errors;
    check.got = Printable(fault.got, 400);
    check.expected = fault.expected;
    check.section = fault.section;
    check.hint = fault.hint;
  }

  // Adds what is wrong with the conversation itself; true when nothing is.
  bool IsSound(const std::string& claim, const Exchange& exchange) {
    if (exchange.interrupted) report_.interrupted = true;
    if (!exchange.fault) return true;
    if (exchange.no_answer_in_time) ++silences_;
    AddWrong(claim, exchange, *exchange.fault);
    return false;
  }

  // Why nothing more is asked; nothing while it is.
  std::optional<std::string> WhyStopped() const {
    if (report_.interrupted) return "interrupted";
    if (silences_ >= kMaxSilences) return "it did not answer before";
    return std::nullopt;
  }

  // One run, unless too many had no answer.
  std::optional<Exchange> Run(const std::string& claim, const Case& c, int descriptors = 0, bool flush_each = false) {
    if (const auto why = WhyStopped()) {
      Add(Outcome::kSkipped, claim, *why);
      return std::nullopt;
    }
    RunRequest request;
    request.seq = ++seq_;
    request.entry = c.entry;
    request.program = &c.program;
    request.descriptors = descriptors;
    request.flush_each = flush_each;
    Exchange exchange = talk_.Run(request, report_.ready->isolation);
    if (!IsSound(claim, exchange)) return std::nullopt;
    NoteTimes(exchange);
    return exchange;
  }

  bool CheckHello() {
    const std::string starts = "the program starts", answers = "hello is answered with ready";
    const Exchange exchange = talk_.Hello(true);
    if (exchange.sent.empty()) return IsSound(starts, exchange);
    Add(Outcome::kRight, starts);
    if (!exchange.ready) return IsSound(answers, exchange);
    report_.ready = exchange.ready;
    Add(Outcome::kRight, answers,
        fmt::format("{} {}, isolation {}", Printable(exchange.ready->name, 60), Printable(exchange.ready->version, 60),
                    IsSession() ? "session" : "process"));
    if (IsSound("it ends after stop, with code 0", exchange)) {
      Add(Outcome::kRight, "it ends after stop, with code 0");
    } else if (exchange.no_answer_in_time || report_.interrupted) {
      return false;
    }
    if (exchange.ready->ops) {
      Add(Outcome::kRight, "ready names its ops", std::to_string(exchange.ready->ops->size()) + " of them");
      return true;
    }
    AddWrong("ready names its ops", exchange,
             {"has no ops", "ops, where no run is part of the conversation", kReadySection, ""});
    return false;
  }

  bool IsSession() const { return report_.ready->isolation == ReadyMessage::Isolation::kSession; }
  const std::vector<std::string>& Ops() const { return *report_.ready->ops; }

  void CheckOps() {
    const std::string claim = "every name in ops is known";
    const std::vector<std::string> unknown = UnknownOps(Ops(), vocabulary_);
    if (unknown.empty()) {
      Add(Outcome::kRight, claim);
    } else {
      AddWrong(claim, {}, {Join(unknown, ", "), "names of ops, kinds, events and entries", kReadySection, ""});
    }
  }

  void CheckClaim() {
    const std::string claim = "it claims a profile and a version that exist";
    const ReadyMessage& ready = *report_.ready;
    if (ready.claimed_profile.empty()) {
      Add(Outcome::kSkipped, claim, "it claims none: orders are recorded, and judged only with --as");
      return;
    }
    std::vector<std::string> names;
    for (const ProfileFamily& family : profiles_.families()) names.push_back(family.name);
    const ProfileFamily* family = profiles_.Find(ready.claimed_profile);
    if (family == nullptr) {
      AddWrong(claim, {},
               {"there is no profile '" + ready.claimed_profile + "'", "one of " + Join(names, ", "), kReadySection,
                DidYouMean(ready.claimed_profile, names)});
      return;
    }
    const std::string bounds = family->releases.front().ToString() + " to " + family->releases.back().ToString();
    const auto version = Version::Parse(ready.claimed_version);
    if (!version || !family->Knows(*version)) {
      AddWrong(claim, {},
               {"the profile '" + family->name + "' knows no version '" + ready.claimed_version + "'",
                "a version from " + bounds, kReadySection, ""});
      return;
    }
    Add(Outcome::kRight, claim, family->name + "@" + version->ToString());
  }

  void CheckEndOfInput() {
    const std::string claim = "it ends at the end of its input, without a stop";
    if (IsSound(claim, talk_.Hello(false))) Add(Outcome::kRight, claim);
  }

  void CheckPrograms() {
    if (CallbackStep(Ops(), "A").empty()) {
      Add(Outcome::kSkipped, "callbacks, bodies and chains",
          "its ops name none of soon, timeout, tick, microtask and immediate");
    }
    for (const SmokeProgram& program : SmokePrograms(Ops())) {
      const auto exchange = Run(program.claim, program.c, program.descriptors);
      if (exchange) CheckLabels(program, *exchange);
    }
  }

  // True when the run has a trace.
  bool HasTrace(const std::string& claim, const Exchange& exchange) {
    if (exchange.unsupported) {
      AddWrong(claim, exchange,
               {"is unsupported: " + *exchange.unsupported, "a trace, since its ops name all of this", kReasons,
                "remove it from ops, or implement it"});
    } else if (exchange.error) {
      AddWrong(claim, exchange, {"answered error: " + *exchange.error, "a trace", kReasons, ""});
    }
    return !exchange.unsupported && !exchange.error;
  }

  void CheckLabels(const SmokeProgram& program, const Exchange& exchange) {
    if (!HasTrace(program.claim, exchange)) return;
    std::vector<std::string> labels;
    for (const TraceEvent& event : exchange.events) labels.push_back(event.label);
    std::vector<std::string> expected = program.labels;
    std::sort(labels.begin(), labels.end());
    std::sort(expected.begin(), expected.end());
    if (labels == expected) {
      Add(Outcome::kRight, program.claim);
      return;
    }
    const bool lost = labels.empty() && !expected.empty();
    AddWrong(program.claim, exchange,
             {"emitted " + LabelsText(labels), LabelsText(expected) + ", in any order", kLabels,
              lost ? "buffered labels have to be written before the process ends" : ""});
  }

  void CheckBusy() {
    const std::string claim = "busy takes its time, and t_ns are nanoseconds: log A, busy 30, log B";
    const Case c = SmokeCase("[log A, busy 30, log B]");
    const auto exchange = Run(claim, c);
    if (!exchange || !HasTrace(claim, *exchange)) return;
    if (exchange->events.size() != 2 || !exchange->events[0].t_ns || !exchange->events[1].t_ns) {
      Add(Outcome::kSkipped, claim, "its labels carry no t_ns");
      return;
    }
    const int64_t between_ns = *exchange->events[1].t_ns - *exchange->events[0].t_ns;
    // A clock may count whole milliseconds.
    if (between_ns >= 29'000'000) {
      Add(Outcome::kRight, claim);
    } else {
      AddWrong(claim, *exchange,
               {fmt::format("took {} ns by its own clock", between_ns), "more than 30,000,000 ns", kTrace,
                "busy spins until the clock has moved by more than that"});
    }
  }

  void CheckUnsupported() {
    for (const UnsupportedProgram& program : UnsupportedPrograms(Ops())) {
      const std::string claim = "what its ops do not name is unsupported: " + program.missing;
      const auto exchange = Run(claim, program.c);
      if (!exchange) continue;
      if (!exchange->unsupported) {
        AddWrong(
            claim, *exchange,
            {exchange->error ? "answered error: " + *exchange->error : "answered with a trace",
             "unsupported, before the first step runs", kReasons, "look through the whole program before it runs"});
      } else if (*exchange->unsupported != program.missing) {
        AddWrong(claim, *exchange,
                 {"names '" + *exchange->unsupported + "'", "op: '" + program.missing + "'", kReasons,
                  "the name that it would have in ops"});
      } else {
        Add(Outcome::kRight, claim);
      }
    }
  }

  void CheckFlush() {
    const std::string claim = "flush: each writes a label immediately";
    // Some loops can write between two callbacks alone.
    const bool has_timeout = std::find(Ops().begin(), Ops().end(), "timeout") != Ops().end();
    const Case c = SmokeCase(fmt::format("[log A, {} {}]", has_timeout ? "timeout" : "busy", kQuietMs));
    for (int tries = 1;; ++tries) {
      const auto exchange = Run(claim, c, 0, true);
      if (!exchange || !HasTrace(claim, *exchange)) return;
      if (exchange->after_first_label_ms >= kSurelyBeforeMs) {
        Add(Outcome::kRight, claim);
        return;
      }
      if (tries < kFlushTries) continue;
      AddWrong(claim, *exchange,
               {"wrote its labels at the end of the run", "a trace with `more` when a label is emitted", kRun,
                "a run that has to be ended leaves nothing but what was written"});
      return;
    }
  }

  void CheckSession() {
    if (!IsSession()) return;
    CheckNothingReachesOver();
    const std::string claim = "a session ends after stop while its input is open";
    if (const auto exchange = talk_.StopSession()) {
      if (IsSound(claim, *exchange)) Add(Outcome::kRight, claim);
    }
  }

  // What a program leaves behind at its exit must not come in the next.
  void CheckNothingReachesOver() {
    const std::string claim = "nothing from one run affects the next: timeout A 30, exit";
    const Case first = SmokeCase("[timeout A 30, exit]"), second = SmokeCase("[timeout B 60]");
    for (const std::string& name : CapabilitiesUsed(first)) {
      if (std::find(Ops().begin(), Ops().end(), name) == Ops().end()) return;
    }
    if (!Run(claim, first)) return;
    const auto exchange = Run(claim, second);
    if (!exchange) return;
    CheckLabels({claim, second, {"B"}, 0}, *exchange);
    if (report_.checks.back().outcome == Outcome::kWrong) report_.checks.back().section = kIsolationSection;
  }

  void NoteTimes(const Exchange& exchange) {
    std::optional<int64_t> last;
    for (const TraceEvent& event : exchange.events) {
      if (event.t_ns && last && *event.t_ns < *last && !back_) back_ = exchange;
      if (event.t_ns) last = event.t_ns;
      has_times_ = has_times_ || event.t_ns;
    }
  }

  void CheckTimes() {
    const std::string claim = "t_ns never goes back";
    if (back_) {
      AddWrong(claim, *back_, {"gave a label an earlier time than the one before it", "a steady clock", kTrace, ""});
    } else if (has_times_) {
      Add(Outcome::kRight, claim);
    }
  }

  SmokeTalk talk_;
  const Profiles& profiles_;
  const std::vector<std::string>& vocabulary_;
  SmokeReport report_;
  int64_t seq_ = 0;
  int silences_ = 0;
  bool has_times_ = false;
  std::optional<Exchange> back_;
};

}  // namespace

int64_t SmokeReport::Count(SmokeCheck::Outcome outcome) const {
  return std::count_if(checks.begin(), checks.end(), [&](const SmokeCheck& check) { return check.outcome == outcome; });
}

SmokeReport Smoke(const AdapterCommand& command, const Profiles& profiles, const std::vector<std::string>& vocabulary,
                  const SmokeOptions& options) {
  return Smoker(command, profiles, vocabulary, options).Take();
}

}  // namespace conform
