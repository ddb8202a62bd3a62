#include "reports/playground/moments.h"

#include <charconv>
#include <map>
#include <set>
#include <utility>

#include "runners/base/check.h"
#include "runners/model/op_table.h"

namespace conform::playground {
namespace {

using Kind = Moment::Kind;

// A mark is a sign and the id of a step. No label of a program begins like that.
struct Sign {
  char sign;
  Kind kind;
};
constexpr Sign kSigns[] = {{'+', Kind::kSchedules}, {'>', Kind::kRuns}, {'*', Kind::kRearms}, {'_', Kind::kWaits},
                           {'~', Kind::kResumes},   {'/', Kind::kEnds}, {'!', Kind::kActs}};

Step Mark(Kind kind, const Step& of) {
  for (const Sign& row : kSigns) {
    if (row.kind != kind) continue;
    Step step;
    step.op = Op::kLog;
    step.label = row.sign + std::to_string(of.id);
    return step;
  }
  CONFORM_CHECK(false);
}

std::optional<Moment> MarkOf(const TraceEvent& event) {
  for (const Sign& row : kSigns) {
    if (event.label.empty() || event.label[0] != row.sign) continue;
    Moment moment{row.kind, -1, "", event.phase, event.iteration.value_or(0), event.clause};
    std::from_chars(event.label.data() + 1, event.label.data() + event.label.size(), moment.step);
    return moment;
  }
  return std::nullopt;
}

void CollectAwaited(const Program& program, std::set<std::string>* awaited) {
  for (const Step& step : program) {
    for (const std::string& name : {step.target, step.with}) {
      if (!name.empty()) awaited->insert(name);
    }
    CollectAwaited(step.body, awaited);
  }
}

class Marker {
 public:
  explicit Marker(const Program& program) { CollectAwaited(program, &awaited_); }

  // `around`: the callback that this is the body of, or null.
  Program Marked(const Program& body, const Step* around) {
    Program out;
    for (const Step& step : body) {
      const OpShape& shape = ShapeOf(step.op);
      Step copy = step;
      const bool is_callback = shape.callback;
      copy.body = Marked(step.body, is_callback ? &step : around);
      if (is_callback) copy.body.insert(copy.body.begin(), Mark(Kind::kRuns, step));
      if (is_callback && step.chained && !RepeatsByItself(step.op)) copy.body.push_back(Mark(Kind::kRearms, step));
      const bool has_end = (is_callback || step.op == Op::kAsync) && awaited_.contains(step.label);
      if (has_end) copy.body.push_back(Mark(Kind::kEnds, step));
      if (step.op == Op::kPause) out.push_back(Mark(Kind::kWaits, step));
      out.push_back(std::move(copy));
      if (is_callback) out.push_back(Mark(Kind::kSchedules, step));
      if (step.op == Op::kPause) out.push_back(Mark(Kind::kResumes, step));
      if (step.op == Op::kAgain && around != nullptr) out.push_back(Mark(Kind::kRearms, *around));
      if (ShapeOf(step.op).acts) out.push_back(Mark(Kind::kActs, step));
    }
    return out;
  }

 private:
  std::set<std::string> awaited_;
};

void CollectLabels(const Program& program, std::map<int, std::string>* labels) {
  for (const Step& step : program) {
    (*labels)[step.id] = step.label;
    CollectLabels(step.body, labels);
  }
}

void Number(Program* program, int* next) {
  for (Step& step : *program) {
    step.id = (*next)++;
    Number(&step.body, next);
  }
}

}  // namespace

Case WithMarks(const Case& c) {
  Case marked = c;
  marked.program = Marker(c.program).Marked(c.program, nullptr);
  int next = 0;
  Number(&marked.program, &next);
  return marked;
}

std::vector<Moment> MomentsOf(const Case& c, const Trace& marked, size_t limit) {
  std::map<int, std::string> labels;
  CollectLabels(c.program, &labels);
  std::vector<Moment> moments;
  const auto& events = marked.events;
  for (size_t i = 0; i < events.size() && moments.size() < limit; ++i) {
    if (auto mark = MarkOf(events[i])) {
      moments.push_back(std::move(*mark));
      continue;
    }
    Moment prints{Kind::kPrints,   -1, events[i].label, events[i].phase, events[i].iteration.value_or(0),
                  events[i].clause};
    // A callback prints its label before its body begins, which has the mark: it runs, and then prints.
    auto next = i + 1 < events.size() ? MarkOf(events[i + 1]) : std::nullopt;
    const bool begins = next && (next->kind == Kind::kRuns || next->kind == Kind::kResumes);
    if (begins && labels[next->step] == events[i].label.substr(0, events[i].label.find('='))) {
      prints.step = next->step;
      moments.push_back(std::move(*next));
      ++i;
    }
    moments.push_back(std::move(prints));
  }
  return moments;
}

Order OrderWithoutMarks(const Trace& marked) {
  Order order;
  for (const TraceEvent& event : marked.events) {
    if (!MarkOf(event)) order.push_back(event.label);
  }
  return order;
}

}  // namespace conform::playground
