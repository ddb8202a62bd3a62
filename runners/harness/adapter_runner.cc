#include "runners/harness/adapter_runner.h"

#include <algorithm>
#include <mutex>
#include <set>
#include <utility>

#include "runners/base/check.h"
#include "runners/harness/adapter_process.h"
#include "runners/harness/conversation.h"
#include "runners/harness/printable.h"
#include "runners/harness/process.h"

namespace conform {
namespace {

// A session that was asked to stop gets this long to do so.
constexpr int64_t kStopMs = 1'000;

class AdapterRunner final : public Runner {
 public:
  AdapterRunner(AdapterCommand command, AdapterRunnerOptions options)
      : command_(std::move(command)), options_(std::move(options)) {}

  ~AdapterRunner() override {
    for (const auto& session : idle_) session->Stop();
    for (const auto& session : idle_) session->WaitForEnd(kStopMs);
  }

  std::optional<Error> Begin() {
    Result<Probed> probed =
        Probe(Request(nullptr, Entry::kScript), "the adapter of " + command_.option, options_.ready_ms);
    if (!probed) {
      Error error = probed.error();
      if (!command_.install.empty()) error.hint = "it needs: apt install " + command_.install;
      return error;
    }
    ready_ = std::move(probed->ready);
    probe_cpu_ms_ = probed->cpu_ms;
    ops_.insert(ready_.ops->begin(), ready_.ops->end());
    claims_ = {ready_.claimed_profile, ready_.claimed_version};
    introduction_ = {name(), ready_.version, claims_.family.empty() ? "" : claims_.family + "@" + claims_.version,
                     ready_.details};
    return std::nullopt;
  }

  std::string name() const override {
    if (command_.by_path || command_.names_of_others.contains(ready_.name)) return command_.option;
    return ready_.name + "@" + ready_.version;
  }
  std::string option() const override { return command_.option; }
  std::vector<std::string> alone() const override { return command_.alone; }
  const Claims* claims() const override { return &claims_; }
  const RunImplementation* introduction() const override { return &introduction_; }
  const std::vector<std::string>* ops() const override { return &*ready_.ops; }

  std::optional<Obstacle> CannotRun(const Case& c, const Profile&) const override {
    std::vector<std::string> used = CapabilitiesUsed(c);
    if (!c.native.empty()) {
      used.insert(used.begin(), "native");
      const std::string file = Native(c);
      if (file.empty()) return Obstacle{"the case has no file for " + name()};
      if (EntryOf(c, file) == Entry::kEsm) used.emplace_back("entry esm");
    }
    if (IsForEsmAwait(c)) used.emplace_back("entry esm await");
    for (const std::string& capability : used) {
      if (!ops_.contains(capability)) return Obstacle{name() + " has no " + capability, capability};
    }
    if (DescriptorsNeeded(c.program) > kMaxDescriptors) {
      return Obstacle{"its steps `read` need more than " + std::to_string(kMaxDescriptors) + " descriptors"};
    }
    const bool is_judged_file = !c.native.empty() && !c.expect.empty();
    if (!HasLoopback() && (NeedsLoopback(c.program) || (is_judged_file && FileNeedsLoopback(Native(c))))) {
      return Obstacle{"this machine has no loopback interface, which the case needs"};
    }
    return std::nullopt;
  }

  RunOutcome Run(const Case& c, const Profile&, const Attempt& attempt) const override {
    Disturbance disturbance;
    if (options_.perturb) {
      disturbance = DisturbanceOf(*options_.perturb, c.id, attempt.number);
    } else if (attempt.disturbed) {
      disturbance = DisturbanceOf(Perturb{1}, c.id, attempt.number);
    }
    const Neighbours neighbours(disturbance);
    const bool fresh = attempt.fresh || attempt.disturbed || options_.perturb;
    const bool each = LeftNoTrace(c);
    Talk talk = OneRun(c, disturbance, fresh, each);
    if (HasNoEnd(talk.outcome.trouble) && !talk.has_trace && !each) {
      RememberThatItLeftNoTrace(c);
      const Trouble first = talk.outcome.trouble;
      talk = OneRun(c, disturbance, fresh, /*flush_each=*/true);
      if (talk.outcome.trouble == first) talk.outcome.processes = 2;
    }
    // A program without an end that reports all it does says more than can be kept. The adapter is not at fault.
    if (talk.too_much && LeftNoTrace(c)) {
      talk.outcome.trouble = Trouble::kTimeout;
      talk.outcome.why = "no end, and more labels than can be kept";
    }
    if (talk.outcome.trouble == Trouble::kSpins || talk.outcome.trouble == Trouble::kWaits) {
      talk.outcome.seen = talk.outcome.why;
    }
    // A wait without end is what a program may request, and part of the order.
    if (talk.outcome.trouble == Trouble::kWaits && talk.has_trace) {
      talk.outcome.trace.events.push_back({kExitNever, {}, {}, "", ""});
      talk.outcome.trouble = Trouble::kNone;
      talk.outcome.why.clear();
    }
    if (talk.outcome.trouble == Trouble::kUnsupported) {
      const std::string missing = Printable(talk.missing, kMaxTraceLabel);
      talk.outcome.missing = talk.missing;
      talk.outcome.why = name() + " has no " + missing;
      if (ops_.contains(talk.missing)) {
        talk.outcome.trouble = Trouble::kProtocol;
        talk.outcome.why = "reports that it has no " + missing + ", which is among its ops";
      }
    }
    return std::move(talk.outcome);
  }

  std::string OptionsToRepeat(int64_t) const override {
    return options_.perturb ? "--perturb=" + std::to_string(options_.perturb->seed) : "";
  }

  bool MayBeLate() const override { return true; }

 private:
  // It was ended, or ended itself without its last words.
  static bool HasNoEnd(Trouble trouble) {
    return trouble == Trouble::kCrash || trouble == Trouble::kTimeout || trouble == Trouble::kSpins ||
           trouble == Trouble::kWaits;
  }

  std::string Native(const Case& c) const { return NativeFile(c, {ready_.name, ready_.claimed_profile}); }

  static Entry EntryOf(const Case& c, const std::string& native) {
    return native.ends_with(".mjs") ? Entry::kEsm : c.entry;
  }

  bool IsForEsmAwait(const Case& c) const {
    return !command_.esm_await.empty() && c.entry == Entry::kEsm && PausesAtTop(c.program);
  }

  ProcessRequest Request(const Case* c, Entry entry) const {
    ProcessRequest request = RequestFor(command_, entry, options_.run_word, options_.interrupt);
    if (c != nullptr && IsForEsmAwait(*c)) request.command = command_.esm_await;
    if (c != nullptr && c->pool_given) request.environment["UV_THREADPOOL_SIZE"] = std::to_string(c->pool);
    return request;
  }

  Talk OneRun(const Case& c, const Disturbance& disturbance, bool fresh, bool flush_each) const {
    if (options_.interrupt != nullptr && options_.interrupt->raised()) {
      Talk talk;
      talk.outcome = {{}, Trouble::kInterrupted, "interrupted"};
      return talk;
    }
    RunRequest run;
    run.native = c.native.empty() ? "" : Native(c);
    run.console = c.console;
    run.entry = EntryOf(c, run.native);
    run.program = &c.program;
    run.descriptors = static_cast<int>(DescriptorsNeeded(c.program));
    run.flush_each = flush_each;
    ProcessRequest request = Request(&c, run.entry);
    request.waiting_descriptors = run.descriptors;
    request.nice = disturbance.nice;
    request.cpu = disturbance.cpu;
    const TalkLimits limits{DeadlineMs(c, options_.least_deadline_ms), CpuBudgetMs(c, probe_cpu_ms_)};
    switch (ready_.isolation) {
      case ReadyMessage::Isolation::kProcess:
        return TalkOnce(request, RunLine(run), run.seq, limits, !run.native.empty() || command_.prints);
      case ReadyMessage::Isolation::kSession:
        // What belongs to a process as a whole needs a separate one.
        const bool shares = run.descriptors == 0 && !c.pool_given && !command_.entries.contains(run.entry) && !fresh;
        return RunInSession(request, run, limits, shares);
    }
    CONFORM_CHECK(false);
  }

  Talk RunInSession(const ProcessRequest& request, RunRequest& run, const TalkLimits& limits, bool shares) const {
    if (IsKnownToBeBuffered()) return Buffered();
    std::unique_ptr<Session> session = shares ? TakeIdle() : nullptr;
    for (;;) {
      const bool is_new = session == nullptr;
      if (is_new) {
        Result<std::unique_ptr<Session>> started = Session::Start(request);
        if (!started) {
          Talk talk;
          talk.outcome = {{}, Trouble::kLimit, started.error().ToString()};
          return talk;
        }
        session = std::move(*started);
      }
      run.seq = session->runs() + 1;
      Talk talk = session->Run(RunLine(run), run.seq, options_.ready_ms, limits);
      if (session->healthy() && shares) GiveBack(std::move(session));
      const bool waits = talk.outcome.trouble == Trouble::kTimeout || talk.outcome.trouble == Trouble::kWaits;
      if (waits && !talk.has_trace && IsBuffered(request)) return Buffered();
      // An earlier run may be to blame for what was wrong before this one was requested, and for an end in the midst of
      // it. What goes wrong in a new session is the fault of this one, and so is a wrong answer.
      if (is_new || (talk.outcome.trouble != Trouble::kCrash && !talk.before_asked)) return talk;
      session = nullptr;
    }
  }

  // One that writes no answer before it is stopped would take the whole deadline for each case. It is looked at once,
  // when a run has no answer, with a program that ends at once.
  bool IsBuffered(const ProcessRequest& request) const {
    {
      const std::lock_guard lock(mutex_);
      if (buffered_) return *buffered_;
    }
    Program program(1);
    program[0].op = Op::kLog;
    program[0].label = std::string("X");
    RunRequest run;
    run.program = &program;
    const bool is_buffered = AnswersOnlyAtStop(request, RunLine(run), options_.ready_ms);
    const std::lock_guard lock(mutex_);
    buffered_ = is_buffered;
    return is_buffered;
  }
  bool IsKnownToBeBuffered() const {
    const std::lock_guard lock(mutex_);
    return buffered_.value_or(false);
  }
  static Talk Buffered() {
    Talk talk;
    talk.outcome = {{}, Trouble::kProtocol, "writes its answers only when it is stopped: each has to be flushed"};
    return talk;
  }

  std::unique_ptr<Session> TakeIdle() const {
    const std::lock_guard lock(mutex_);
    if (idle_.empty()) return nullptr;
    std::unique_ptr<Session> session = std::move(idle_.back());
    idle_.pop_back();
    return session;
  }

  void GiveBack(std::unique_ptr<Session> session) const {
    const std::lock_guard lock(mutex_);
    idle_.push_back(std::move(session));
  }

  // A case that once had to be ended without a trace will be again: its labels are requested as they come.
  bool LeftNoTrace(const Case& c) const {
    const std::lock_guard lock(mutex_);
    return left_no_trace_.contains(c.id);
  }
  void RememberThatItLeftNoTrace(const Case& c) const {
    const std::lock_guard lock(mutex_);
    left_no_trace_.insert(c.id);
  }

  // Constant after Begin.
  const AdapterCommand command_;
  const AdapterRunnerOptions options_;
  ReadyMessage ready_;
  int64_t probe_cpu_ms_ = 0;
  std::set<std::string> ops_;
  Claims claims_;
  RunImplementation introduction_;

  // Protected by mutex_.
  mutable std::mutex mutex_;
  mutable std::vector<std::unique_ptr<Session>> idle_;
  mutable std::set<std::string> left_no_trace_;
  mutable std::optional<bool> buffered_;  // nothing: not looked at
};

}  // namespace

Result<std::unique_ptr<Runner>> StartAdapterRunner(AdapterCommand command, AdapterRunnerOptions options) {
  auto runner = std::make_unique<AdapterRunner>(std::move(command), std::move(options));
  if (std::optional<Error> error = runner->Begin()) return *std::move(error);
  return std::unique_ptr<Runner>(std::move(runner));
}

}  // namespace conform
