#include "runners/model/survey.h"

#include <algorithm>
#include <map>
#include <set>

#include "runners/base/check.h"

namespace conform {
namespace {

constexpr int64_t kNanosecondsOfMs = 1'000'000;

// The time of the first event with that label, where it is known.
std::optional<int64_t> TimeOf(const Trace& trace, const std::string& label) {
  for (const TraceEvent& event : trace.events) {
    if (event.label == label) return event.t_ns;
  }
  return std::nullopt;
}

bool IsInTime(const SurveyQuestion& question, const Trace& trace) {
  if (!question.in_time) return true;
  const auto from = TimeOf(trace, question.in_time->from), to = TimeOf(trace, question.in_time->to);
  return from && to && *to - *from < question.in_time->ms * kNanosecondsOfMs;
}

// Without the labels of `log` that are there for their times alone.
std::string Unnamed(const SurveyQuestion& question, Order order) {
  std::erase_if(order, [&](const std::string& label) {
    return question.in_time && (label == question.in_time->from || label == question.in_time->to);
  });
  return OrderToString(order);
}

const SurveyQuestion::Answer* Find(const SurveyQuestion& question, const Order& order) {
  for (const SurveyQuestion::Answer& answer : question.answers) {
    if (answer.orders.Accepts(order)) return &answer;
  }
  return nullptr;
}

}  // namespace

Program WithSoonAs(Op op, const Program& program) {
  Program changed = program;
  for (Step& step : changed) {
    step.body = WithSoonAs(op, step.body);
    if (step.op != Op::kSoon) continue;
    step.op = op;
    if (op == Op::kIdle) step.chained = true;  // x1, or as often as it says
    if (op == Op::kMessage) step.via = "channel";
  }
  return changed;
}

LoopAnswer AnswerOf(const SurveyQuestion& question, const std::vector<Trace>& runs) {
  CONFORM_CHECK(!runs.empty());
  LoopAnswer result;
  std::map<std::string, int64_t> orders;
  std::set<std::string> given;
  const SurveyQuestion::Answer* proved = nullptr;
  for (const Trace& run : runs) {
    const Order order = run.ToOrder();
    ++orders[OrderToString(order)];
    if (!IsInTime(question, run)) continue;
    const SurveyQuestion::Answer* answer = Find(question, order);
    if (answer != nullptr && answer->proves) proved = answer;
    given.insert(answer != nullptr ? answer->words : Unnamed(question, order));
  }
  result.orders.assign(orders.begin(), orders.end());
  std::stable_sort(result.orders.begin(), result.orders.end(),
                   [](const auto& a, const auto& b) { return a.second > b.second; });
  if (proved != nullptr) {
    result.words = proved->words;
  } else if (given.empty()) {
    result.state = LoopAnswer::State::kUndecided;
    result.words = "not decided";
  } else if (given.size() == 1) {
    result.words = *given.begin();
  } else {
    result.state = LoopAnswer::State::kVaries;
    result.words = "varies";
    result.varied.assign(given.begin(), given.end());
  }
  return result;
}

}  // namespace conform
