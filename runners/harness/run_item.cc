#include "runners/harness/run_item.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "runners/base/check.h"
#include "runners/base/text.h"
#include "runners/harness/case_needs.h"
#include "runners/judge/judge.h"

namespace conform {
namespace {

// A run that took no longer than its program requests, and this much more, was not slow.
constexpr int64_t kCalmNs = 5'000'000;

std::optional<Verdict> VerdictOf(Trouble trouble) {
  switch (trouble) {
    case Trouble::kNone:
    case Trouble::kLimit:
    case Trouble::kInterrupted:
      return std::nullopt;
    case Trouble::kTimeout:
    case Trouble::kSpins:
    case Trouble::kWaits:
      return Verdict::kTimeout;
    case Trouble::kCrash:
      return Verdict::kCrash;
    case Trouble::kProtocol:
      return Verdict::kProtocolError;
    case Trouble::kUnsupported:
      return Verdict::kUnsupported;
  }
  CONFORM_CHECK(false);
}

// What a failure would rest on.
Basis BasisOf(const Case& c, const PlanItem& item, const LateOracle& late) {
  if (item.expected == nullptr) return Basis::kNone;
  if (!item.runner->MayBeLate() || late.HasModel(c, *item.profile)) return Basis::kProof;
  return c.timeless ? Basis::kRepetition : Basis::kNone;
}

class ItemRun {
 public:
  ItemRun(const Case& c, const PlanItem& item, const LateOracle& late, const RunOptions& options)
      : c_(c), item_(item), late_(late), options_(options), basis_(BasisOf(c, item, late)) {}

  // Does nothing once a run had trouble.
  void RunOnce(int64_t number) {
    if (!given_up_) RunUntilOnTime(number);
  }

  // A run that had trouble was the last, and its trouble is the verdict, unless another order is a proof.
  Judgement TheJudgement() const {
    const std::optional<Verdict> troubled = VerdictOf(trouble_);
    if (item_.expected == nullptr) {
      // A program without an end is one more thing that is recorded and not judged.
      if (troubled && *troubled != Verdict::kTimeout) return {*troubled, basis_, tries_.back().trouble};
      return {Verdict::kUnspecified, basis_, WhyUnspecified()};
    }
    Judgement judgement = Judge(tries_, basis_);
    if (!troubled || judgement.verdict == Verdict::kFail) return judgement;
    if (*troubled == Verdict::kUnsupported && item_.Promises(missing_)) return {Verdict::kMissing, basis_, Missing()};
    return {*troubled, basis_, tries_.back().trouble};
  }

  bool interrupted() const { return trouble_ == Trouble::kInterrupted; }

  // The number of the run that decided: the first outside, or else the first.
  int64_t Decisive() const { return outside_.value_or(0); }
  std::vector<Try> TakeTries() { return std::move(tries_); }

 private:
  std::string Missing() const { return tries_.back().trouble + ", which " + item_.profile->Name() + " has"; }

  std::string WhyUnspecified() const {
    if (!tries_.back().trouble.empty()) return tries_.back().trouble;
    if (c_.expect.empty()) return remark_.empty() ? "nothing is expected" : remark_;
    if (item_.profile->rules.empty() && !item_.note.empty()) return item_.note;
    return "no range of expect covers " + item_.profile->Name();
  }

  void RunUntilOnTime(int64_t number) {
    std::vector<Try> tries;
    do {
      tries.push_back(OneTry({number, IsDisturbed(tries.size(), basis_), /*fresh=*/!tries.empty()}));
    } while (item_.expected != nullptr && !given_up_ && item_.runner->MayBeLate() &&
             WorthAnotherTry(tries, basis_, options_.tries));
    if (tries.back().trouble.empty() && tries.back().standing == Standing::kOutside && !outside_) outside_ = number;
    for (Try& one : tries) tries_.push_back(std::move(one));
  }

  Try OneTry(const Attempt& attempt) {
    RunOutcome outcome = item_.runner->Run(c_, *item_.profile, attempt);
    if (outcome.trace.events.size() > kMaxTraceEvents) {
      outcome.trace = {};
      if (outcome.trouble == Trouble::kNone) {
        outcome.trouble = Trouble::kLimit;
        outcome.why = "more than " + std::to_string(kMaxTraceEvents) + " labels";
      }
    }
    if (outcome.trouble == Trouble::kTimeout) AcceptBlockingForEver(outcome);
    remark_ = std::move(outcome.remark);
    missing_ = std::move(outcome.missing);
    trouble_ = outcome.trouble;
    Try one{std::move(outcome.trace), Standing::kUnknown, std::move(outcome.why),
            std::move(outcome.seen),  outcome.processes,  attempt.disturbed};
    one.calm = IsCalm(one.trace);
    if (trouble_ == Trouble::kNone && item_.expected != nullptr) one.standing = StandingOfTrace(one.trace);
    // Another try would take as long, and say as little; but what was only seen from outside is looked for again.
    if (!one.seen.empty()) seen_in_ += one.processes;
    given_up_ = trouble_ != Trouble::kNone && (one.seen.empty() || seen_in_ >= kConfirmations);
    return one;
  }

  // From its start to its last label it took no longer than its program has to.
  bool IsCalm(const Trace& trace) const {
    if (!trace.start_ns || trace.events.empty()) return false;
    const auto last = std::find_if(trace.events.rbegin(), trace.events.rend(),
                                   [](const TraceEvent& event) { return event.t_ns.has_value(); });
    if (last == trace.events.rend()) return false;
    return *last->t_ns - *trace.start_ns <= LeastMs(c_.program) * 1'000'000 + kCalmNs;
  }

  // A run that still waits at its deadline does what is expected of it where waiting forever is. Anywhere else it is
  // not known to wait forever.
  void AcceptBlockingForEver(RunOutcome& outcome) const {
    if (item_.expected == nullptr) return;
    Order order = outcome.trace.ToOrder();
    order.emplace_back(kExitNever);
    if (!item_.expected->Contains(order)) return;
    outcome.trace.events.push_back({kExitNever, {}, {}, "", ""});
    outcome.trouble = Trouble::kNone;
    outcome.why.clear();
    outcome.seen.clear();
  }

  Standing StandingOfTrace(const Trace& trace) {
    const Order order = trace.ToOrder();
    if (item_.expected->Contains(order)) return StandingOf(/*in_pattern=*/true, LateSet::kNoModel);
    // In virtual time nothing is late: an order that is not expected has no excuse.
    if (!item_.runner->MayBeLate()) return StandingOf(/*in_pattern=*/false, LateSet::kOut);
    return StandingOf(/*in_pattern=*/false, late_.WhetherLate(c_, *item_.profile, trace));
  }

  const Case& c_;
  const PlanItem& item_;
  const LateOracle& late_;
  const RunOptions& options_;
  const Basis basis_;
  std::vector<Try> tries_;
  std::optional<int64_t> outside_;
  Trouble trouble_ = Trouble::kNone;  // of the last run
  bool given_up_ = false;             // it had some
  int seen_in_ = 0;                   // processes that would not have ended
  std::string missing_;               // of the last run, where that was the trouble
  std::string remark_;                // on how the last run ended
};

std::string CommandToRepeat(const Case& c, const std::string& reference, const PlanItem& item, int64_t number) {
  std::string command = "conform run " + Quoted(reference) + " --impl=" + Quoted(item.runner->option());
  if (!item.as_claimed) command += " --as=" + item.profile->Name();
  if (c.console) command += " --console";
  const std::string options = item.runner->OptionsToRepeat(number);
  return options.empty() ? command : command + " " + options;
}

// `run` is null where the item cannot run.
CaseResult ResultOf(const Plan& plan, const PlanItem& item, ItemRun* run, const LateOracle& late) {
  const SelectedCase& selected = plan.cases[item.case_index];
  CaseResult result;
  result.case_id = selected.c.id;
  result.content_hash = selected.c.content_hash;
  result.implementation = item.runner->name();
  result.profile = item.profile->Name();
  if (item.expected != nullptr) result.expected = item.expected->pattern();
  int64_t decisive = 0;
  if (run != nullptr) {
    const Judgement judgement = run->TheJudgement();
    result.verdict = judgement.verdict;
    result.basis = judgement.basis;
    result.reason = judgement.reason;
    decisive = run->Decisive();
    result.tries = run->TakeTries();
  } else {
    result.verdict = item.is_missing ? Verdict::kMissing : Verdict::kUnsupported;
    result.basis = BasisOf(selected.c, item, late);
    result.reason = item.unsupported;
  }
  result.reproduce = CommandToRepeat(selected.c, selected.reference, item, decisive);
  return result;
}

}  // namespace

std::vector<std::optional<CaseResult>> RunInTurns(const Plan& plan, const std::vector<const PlanItem*>& items,
                                                  const LateOracle& late, const RunOptions& options) {
  const size_t count = items.size();
  std::vector<std::unique_ptr<ItemRun>> runs(count);
  for (size_t i = 0; i < count; ++i) {
    if (!items[i]->unsupported.empty()) continue;
    runs[i] = std::make_unique<ItemRun>(plan.cases[items[i]->case_index].c, *items[i], late, options);
  }
  for (int64_t number = 0; number < std::max<int64_t>(1, options.repeat); ++number) {
    for (size_t turn = 0; turn < count; ++turn) {
      // There and back again, so that none of them always comes first.
      const auto& run = runs[number % 2 == 0 ? turn : count - 1 - turn];
      if (run == nullptr) continue;
      run->RunOnce(number);
      if (run->interrupted()) return std::vector<std::optional<CaseResult>>(count);
    }
  }
  std::vector<std::optional<CaseResult>> results;
  for (size_t i = 0; i < count; ++i) results.push_back(ResultOf(plan, *items[i], runs[i].get(), late));
  return results;
}

std::optional<CaseResult> RunItem(const Plan& plan, const PlanItem& item, const LateOracle& late,
                                  const RunOptions& options) {
  return RunInTurns(plan, {&item}, late, options).front();
}

}  // namespace conform
