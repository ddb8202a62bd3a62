#include "reports/first_difference.h"

#include <algorithm>
#include <set>

#include "runners/base/text.h"
#include "runners/model/automaton.h"

namespace conform::reports {
namespace {

// All states of an automaton that an order may have led to.
class Walk {
 public:
  explicit Walk(const Automaton& automaton) : automaton_(automaton), seen_(automaton.size()) { Enter(0); }

  // Follows one label; false, and nothing changes, where no state has it.
  bool Step(const std::string& label) {
    std::vector<int> before = std::move(states_);
    states_.clear();
    ++round_;
    for (const int state : before) {
      for (const Automaton::Edge& edge : automaton_.edges(state)) {
        ++work_;
        if (edge.kind == Automaton::EdgeKind::kAnyLabel ||
            (edge.kind == Automaton::EdgeKind::kLabel && automaton_.labels()[edge.label] == label)) {
          Enter(edge.to);
        }
      }
    }
    if (!states_.empty()) return true;
    states_ = std::move(before);
    return false;
  }

  bool Accepts() const {
    return std::any_of(states_.begin(), states_.end(), [&](int state) { return automaton_.accepting(state); });
  }

  std::vector<std::string> Next() const {
    std::set<std::string> labels;
    for (const int state : states_) {
      for (const Automaton::Edge& edge : automaton_.edges(state)) {
        if (edge.kind == Automaton::EdgeKind::kAnyLabel) labels.insert("_");
        if (edge.kind == Automaton::EdgeKind::kLabel) labels.insert(automaton_.labels()[edge.label]);
      }
    }
    return {labels.begin(), labels.end()};
  }

  size_t work() const { return work_; }

 private:
  // With everything that is reached without a label.
  void Enter(int state) {
    std::vector<int> open{state};
    while (!open.empty()) {
      const int next = open.back();
      open.pop_back();
      if (seen_[next] == round_) continue;
      seen_[next] = round_;
      states_.push_back(next);
      for (const Automaton::Edge& edge : automaton_.edges(next)) {
        ++work_;
        if (edge.kind == Automaton::EdgeKind::kEpsilon) open.push_back(edge.to);
      }
    }
  }

  const Automaton& automaton_;
  std::vector<int> states_;
  std::vector<size_t> seen_;  // in which round each state was entered last
  size_t round_ = 1;
  size_t work_ = 0;
};

}  // namespace

std::optional<FirstDifference> FindFirstDifference(const std::string& pattern, const Order& observed) {
  const auto parsed = Pattern::Parse(pattern);
  if (!parsed) return std::nullopt;
  const Automaton automaton = Automaton::FromPattern(*parsed);
  Walk walk(automaton);
  size_t at = 0;
  while (at < observed.size() && walk.Step(observed[at])) {
    ++at;
    if (walk.work() > kMaxDifferenceWork) return std::nullopt;
  }
  if (at == observed.size() && walk.Accepts()) return std::nullopt;
  return FirstDifference{at, walk.Next(), walk.Accepts()};
}

const Try* DecisiveTry(const CaseResult& result) {
  if (result.tries.empty()) return nullptr;
  const auto outside = std::find_if(result.tries.begin(), result.tries.end(), [](const Try& one) {
    return one.trouble.empty() && one.standing == Standing::kOutside;
  });
  return outside == result.tries.end() ? &result.tries.back() : &*outside;
}

std::string FirstDifferenceText(const CaseResult& result) {
  const Try* one = DecisiveTry(result);
  if (one == nullptr || result.expected.empty()) return "";
  const Order order = one->trace.ToOrder();
  const auto difference = FindFirstDifference(result.expected, order);
  if (!difference) return "";
  std::vector<std::string> expected = difference->expected;
  if (difference->may_end) expected.emplace_back("the end");
  const std::string observed = difference->at < order.size() ? order[difference->at] : "the end";
  return "first difference at " + std::to_string(difference->at + 1) + ": observed " + observed + ", expected " +
         Join(expected, " or ");
}

}  // namespace conform::reports
