// How often a program emits each label, where nothing can change that. spec/case-language.md, "Counts".
//
// A wrong number would make the judge refuse an order that is right, while a missing one only makes a pattern weaker.
// So every doubt here leaves a label out.
#include <algorithm>
#include <set>

#include "runners/model/case.h"
#include "runners/model/op_table.h"

namespace conform {
namespace {

// Larger products say nothing that a trace could show.
constexpr int64_t kMaxFixedCount = 1'000'000'000;

// How often one arming of a step runs it (for a step at once: how often reaching it runs it); nothing where that is not
// fixed.
std::optional<int64_t> Runs(const Step& step) {
  const OpShape& shape = ShapeOf(step.op);
  if (!shape.counted || step.unsent) return std::nullopt;
  // Of a named promise: it may stay pending, and may not exist yet.
  if (!step.target.empty()) return std::nullopt;
  if (shape.comes == Comes::kRepeats && !step.chained) return std::nullopt;
  return step.times;
}

std::optional<int64_t> Product(std::optional<int64_t> a, std::optional<int64_t> b) {
  if (!a || !b) return std::nullopt;
  if (*a != 0 && *b > kMaxFixedCount / *a) return std::nullopt;
  return *a * *b;
}

// When a body runs: in the runs `from` to `to` of the callback around it, which is armed `chains` times; nothing where
// that is not fixed. The main body is the one run of one chain.
struct Reach {
  std::optional<int64_t> chains = 1;
  int64_t from = 1;
  int64_t to = 1;

  std::optional<int64_t> Total() const { return Product(chains, std::max<int64_t>(0, to - from + 1)); }
};

class Counter {
 public:
  // False when the whole program gives no certainty.
  bool Survey(const Program& program) {
    for (const Step& step : program) {
      if (ShapeOf(step.op).cuts_short) return false;
      if (ShapeOf(step.op).disturbs) disturbed_.insert(step.target);
      if (!Survey(step.body)) return false;
    }
    return true;
  }

  // Returns whether what follows the body in the same function is still reached as often.
  bool Count(const Program& body, const Reach& reach) {
    bool goes_on = true;
    for (const Step& step : body) {
      Reach here = reach;
      if (!goes_on) here.chains.reset();
      const std::optional<int64_t> runs = RunsHere(step);
      if (ShapeOf(step.op).emits && !step.label.empty()) Note(step.label, Product(here.Total(), runs));
      const bool passed = Count(step.body, Inside(step, here, runs));
      // Waiting for a promise that may stay pending holds up all that follows in the function.
      if (step.op == Op::kPause && !step.target.empty()) goes_on = false;
      if (IsBlock(step.op) && !passed) goes_on = false;
    }
    return goes_on;
  }

  std::map<std::string, int64_t> Take() {
    for (const std::string& label : uncertain_) counts_.erase(label);
    return std::move(counts_);
  }

 private:
  std::optional<int64_t> RunsHere(const Step& step) const {
    if (disturbed_.contains(step.label) && !step.label.empty()) return std::nullopt;
    if (disturbed_.contains(step.via) && !step.via.empty()) return std::nullopt;
    return Runs(step);
  }

  // How the body of `step` is reached, when the step itself is reached as `here` says.
  static Reach Inside(const Step& step, const Reach& here, std::optional<int64_t> runs) {
    if (step.op == Op::kOnly)
      return {here.chains, std::max(here.from, step.only_from), std::min(here.to, step.only_to)};
    if (!runs) return {std::nullopt, 1, 1};
    return ShapeOf(step.op).callback ? Reach{here.Total(), 1, *runs} : here;
  }

  void Note(const std::string& label, std::optional<int64_t> runs) {
    int64_t& count = counts_[label];
    if (runs) count += *runs;
    if (!runs || count > kMaxFixedCount) uncertain_.insert(label);
    count = std::min(count, kMaxFixedCount);
  }

  std::set<std::string> disturbed_;
  std::set<std::string> uncertain_;
  std::map<std::string, int64_t> counts_;
};

}  // namespace

std::map<std::string, int64_t> FixedCounts(const Case& c) {
  Counter counter;
  if (!c.native.empty() || !counter.Survey(c.program)) return {};
  counter.Count(c.program, Reach{});
  return counter.Take();
}

}  // namespace conform
