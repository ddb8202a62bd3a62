#include "runners/harness/run_item.h"

#include <utility>

#include "runners/judge/judge.h"

namespace conform {
namespace {

class ItemRun {
 public:
  ItemRun(const Case& c, const PlanItem& item, const RunOptions& options) : c_(c), item_(item), options_(options) {}

  void RunAll() {
    for (int64_t repeat = 0; repeat < options_.repeat && !given_up_; ++repeat) RunUntilOnTime(repeat);
  }

  Judgement TheJudgement() const {
    if (item_.expected == nullptr) return {Verdict::kUnspecified, "no range of expect covers " + item_.profile.Name()};
    Judgement judgement = Judge(tries_);
    if (timed_out_ && judgement.verdict != Verdict::kFail) return {Verdict::kTimeout, tries_.back().trouble};
    return judgement;
  }

  // The number of the run that decided: the first outside, or else the first.
  int64_t Decisive() const { return outside_.value_or(0); }
  std::vector<Try> TakeTries() { return std::move(tries_); }

 private:
  void RunUntilOnTime(int64_t number) {
    std::vector<Try> tries;
    do {
      tries.push_back(OneTry(number));
    } while (item_.expected != nullptr && !given_up_ && item_.runner->MayBeLate() &&
             WorthAnotherTry(tries, options_.tries));
    if (tries.back().trouble.empty() && tries.back().standing == Standing::kOutside && !outside_) outside_ = number;
    for (Try& one : tries) tries_.push_back(std::move(one));
  }

  Try OneTry(int64_t number) {
    RunOutcome outcome = item_.runner->Run(c_, item_.profile, number);
    if (outcome.trace.events.size() > kMaxTraceEvents) {
      outcome.trace = {};
      if (outcome.trouble.empty()) outcome.trouble = "more than " + std::to_string(kMaxTraceEvents) + " labels";
    }
    // Another try would take as long, and say as little.
    timed_out_ = outcome.timed_out;
    given_up_ = !outcome.trouble.empty();
    Try one{std::move(outcome.trace), Standing::kUnknown, std::move(outcome.trouble)};
    if (one.trouble.empty() && item_.expected != nullptr) one.standing = StandingOfTrace(one.trace);
    return one;
  }

  Standing StandingOfTrace(const Trace& trace) {
    const Order order = trace.ToOrder();
    if (item_.expected->Contains(order)) return StandingOf(/*in_pattern=*/true, LateSet::kNoModel);
    return StandingOf(/*in_pattern=*/false, item_.runner->WhetherLate(c_, item_.profile, order));
  }

  const Case& c_;
  const PlanItem& item_;
  const RunOptions& options_;
  std::vector<Try> tries_;
  std::optional<int64_t> outside_;
  bool timed_out_ = false;
  bool given_up_ = false;  // a run did not end by itself
};

std::string CommandToRepeat(const std::string& reference, const PlanItem& item, int64_t number) {
  std::string command = "conform run " + reference + " --impl=" + item.runner->name() + " --as=" + item.profile.Name();
  const std::string options = item.runner->OptionsToRepeat(number);
  return options.empty() ? command : command + " " + options;
}

}  // namespace

CaseResult RunItem(const Plan& plan, const PlanItem& item, const RunOptions& options) {
  const SelectedCase& selected = plan.cases[item.case_index];
  CaseResult result;
  result.case_id = selected.c.id;
  result.content_hash = selected.c.content_hash;
  result.implementation = item.runner->name();
  result.profile = item.profile.Name();
  if (item.expected != nullptr) result.expected = item.expected->pattern();
  int64_t decisive = 0;
  if (item.unsupported.empty()) {
    ItemRun run(selected.c, item, options);
    run.RunAll();
    const Judgement judgement = run.TheJudgement();
    result.verdict = judgement.verdict;
    result.reason = judgement.reason;
    decisive = run.Decisive();
    result.tries = run.TakeTries();
  } else {
    result.verdict = Verdict::kUnsupported;
    result.reason = item.unsupported;
  }
  result.reproduce = CommandToRepeat(selected.reference, item, decisive);
  return result;
}

}  // namespace conform
