#include "runners/study/shrink.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "reference-impl/explore/families.h"
#include "runners/model/case_json.h"
#include "runners/model/op_table.h"
#include "runners/study/lexicon.h"
#include "runners/study/program_generator.h"

namespace conform {
namespace {

// The step with this number in a walk in the order of the text, and the body that it is in.
struct Found {
  std::vector<Step>* body = nullptr;
  size_t at = 0;

  Step& step() const { return (*body)[at]; }
};

std::optional<Found> FindStep(std::vector<Step>& body, int& number) {
  for (size_t i = 0; i < body.size(); ++i) {
    if (number-- == 0) return Found{&body, i};
    if (std::optional<Found> inside = FindStep(body[i].body, number)) return inside;
  }
  return std::nullopt;
}

int CountSteps(const Program& program) {
  int count = 0;
  for (const Step& step : program) count += 1 + CountSteps(step.body);
  return count;
}

void CollectNames(const Program& program, std::set<std::string>& names) {
  for (const Step& step : program) {
    if (ShapeOf(step.op).makes && !step.label.empty()) names.insert(step.label);
    if (!step.via.empty()) names.insert(step.via);
    CollectNames(step.body, names);
  }
}

// Removes what refers to nothing, and what refers to that, and conditions without a body.
void RemoveDangling(Program& program) {
  for (bool again = true; again;) {
    std::set<std::string> names;
    CollectNames(program, names);
    again = false;
    const std::function<void(std::vector<Step>&)> clean = [&](std::vector<Step>& body) {
      for (Step& step : body) clean(step.body);
      const size_t before = body.size();
      std::erase_if(body, [&](const Step& step) {
        const bool dangles = (!step.target.empty() && !names.contains(step.target)) ||
                             (!step.with.empty() && !names.contains(step.with));
        return dangles || (IsBlock(step.op) && step.body.empty());
      });
      again = again || body.size() != before;
    };
    clean(program);
  }
}

// `only 2..1000000: [clear I]`, which ends the interval I around it.
bool IsGuard(const Step& step, const std::string& name) {
  return step.op == Op::kOnly && step.only_to == kMaxTimes && step.body.size() == 1 && step.body[0].op == Op::kClear &&
         step.body[0].target == name;
}

// `depth`: of callbacks.
bool IsBounded(const Program& program, int depth, bool in_only) {
  return std::all_of(program.begin(), program.end(), [&](const Step& step) {
    const OpShape& shape = ShapeOf(step.op);
    if (RunsTargetAgain(step.op) && depth > 0 && !in_only) return false;
    const bool guarded = depth == 0 && !step.body.empty() && IsGuard(step.body[0], step.label);
    if (RepeatsByItself(step.op) && !step.chained && !guarded) return false;
    if (shape.callback && shape.comes == Comes::kOnEvents &&
        !std::all_of(step.body.begin(), step.body.end(), [](const Step& s) { return s.op == Op::kOnly; })) {
      return false;
    }
    return IsBounded(step.body, depth + (shape.callback ? 1 : 0), step.op == Op::kOnly || (in_only && !shape.callback));
  });
}

bool IsConnected(Op op) { return op == Op::kListen || op == Op::kConnect || op == Op::kAccept; }

void CollectConnected(const Program& program, std::set<std::string>& names) {
  for (const Step& step : program) {
    if (IsConnected(step.op)) names.insert(step.label);
    CollectConnected(step.body, names);
  }
}

// The changes to one step that leave it where it is.
std::vector<std::function<void(Step&)>> Simplifications(const Step& step) {
  std::vector<std::function<void(Step&)>> all;
  if (step.chained && RepeatsByItself(step.op) && step.times > 1) {
    all.push_back([](Step& s) { s.times = 1; });
  } else if (step.chained && !RepeatsByItself(step.op)) {
    all.push_back([](Step& s) {
      s.chained = false;
      s.times = 1;
    });
    if (step.times > 2) all.push_back([](Step& s) { s.times = 2; });
  }
  if (!step.kind.empty()) all.push_back([](Step& s) { s.kind.clear(); });
  if (!step.with.empty()) all.push_back([](Step& s) { s.with.clear(); });
  if (!step.via.empty()) all.push_back([](Step& s) { s.via.clear(); });
  if (step.plain) all.push_back([](Step& s) { s.plain = false; });
  if (step.unsent) all.push_back([](Step& s) { s.unsent = false; });
  if (!step.target.empty() && ShapeOf(step.op).of == Presence::kOptional && step.op != Op::kOn) {
    all.push_back([](Step& s) { s.target.clear(); });
  }
  const bool is_delay = step.op == Op::kTimeout || step.op == Op::kInterval;
  static const std::vector<std::string> kSimple = {"0", "1", "5", "30"};
  if (is_delay && !step.label.empty()) {
    const auto now = std::find(kSimple.begin(), kSimple.end(), step.argument);
    for (auto it = kSimple.begin(); it != now; ++it) all.push_back([delay = *it](Step& s) { s.argument = delay; });
  }
  return all;
}

class Reducer {
 public:
  Reducer(const Case& c, const std::string& family)
      : case_(c), family_(family), ends_(EndsByItself(c.program, family)), seen_{HashOfCase(c)} {}

  std::vector<Case> All() {
    const int count = CountSteps(case_.program);
    for (int i = 0; i < count; ++i) {
      Change(i, [](const Found& found) {
        found.body->erase(found.body->begin() + static_cast<std::ptrdiff_t>(found.at));
      });
    }
    // Large changes first.
    std::stable_sort(smaller_.begin(), smaller_.end(),
                     [](const Case& a, const Case& b) { return CountSteps(a.program) < CountSteps(b.program); });
    for (int i = 0; i < count; ++i) {
      if (At(case_, i).body.empty()) continue;
      Change(i, Flatten);
      Change(i, FlattenConditionsToo);
    }
    if (case_.entry != Entry::kScript || case_.pool_given) {
      Case other = case_;
      other.entry = Entry::kScript;
      other.pool_given = false;
      other.pool = 4;
      Keep(std::move(other));
    }
    for (int i = 0; i < count; ++i) {
      for (const auto& simplify : Simplifications(At(case_, i))) {
        Change(i, [&](const Found& found) { simplify(found.step()); });
      }
    }
    return std::move(smaller_);
  }

 private:
  static Step At(Case c, int number) { return FindStep(c.program, number)->step(); }

  static void Flatten(const Found& found) {
    std::vector<Step> inner = std::move(found.step().body);
    const auto place = found.body->begin() + static_cast<std::ptrdiff_t>(found.at);
    const auto after = found.body->erase(place);
    found.body->insert(after, std::make_move_iterator(inner.begin()), std::make_move_iterator(inner.end()));
  }

  // In the main body, a condition on how often a callback has run has no meaning.
  static void FlattenConditionsToo(const Found& found) {
    std::vector<Step>& body = found.step().body;
    for (size_t i = 0; i < body.size();) {
      if (body[i].op == Op::kOnly) {
        Flatten({&body, i});
      } else {
        ++i;
      }
    }
    Flatten(found);
  }

  void Change(int number, const std::function<void(const Found&)>& change) {
    Case other = case_;
    int left = number;
    change(*FindStep(other.program, left));
    Keep(std::move(other));
  }

  void Keep(Case other) {
    RemoveDangling(other.program);
    if (other.program.empty()) return;
    if (ends_ && !EndsByItself(other.program, family_)) return;
    Result<Case> valid = CaseOf(other, other.program);
    if (valid && seen_.insert(valid->content_hash).second) smaller_.push_back(std::move(*valid));
  }

  const Case& case_;
  const std::string& family_;
  const bool ends_;
  std::set<std::string> seen_;
  std::vector<Case> smaller_;
};

// Names in the order of the text.
Case Renamed(const Case& c) {
  std::map<std::string, std::string> names;
  const auto fresh = [&](const std::string& old) {
    if (old.empty()) return old;
    const auto number = names.size();
    const std::string letter(1, static_cast<char>('A' + number % 26));
    return names.try_emplace(old, number < 26 ? letter : letter + std::to_string(number / 26)).first->second;
  };
  Case renamed = c;
  const std::function<void(std::vector<Step>&)> rename = [&](std::vector<Step>& body) {
    for (Step& step : body) {
      for (std::string* name : {&step.label, &step.target, &step.with, &step.via}) *name = fresh(*name);
      rename(step.body);
    }
  };
  rename(renamed.program);
  return *CaseOf(renamed, renamed.program);
}

}  // namespace

bool EndsByItself(const Program& program, const std::string& family) {
  if (!IsBounded(program, 0, false)) return false;
  if (reference::ModelFamilyOf(family).notices_endless_waits) return true;
  std::set<std::string> connected;
  CollectConnected(program, connected);
  for (const Step& step : program) {
    if (step.op != Op::kTimeout || !step.label.empty()) continue;
    for (const Step& inner : step.body) {
      if (inner.op == Op::kClose) connected.erase(inner.target);
    }
  }
  return connected.empty();
}

std::vector<Case> SmallerPrograms(const Case& c, const std::string& family) { return Reducer(c, family).All(); }

Case Shrink(Case c, const std::string& family, const FirstThatShows& first_that_shows) {
  for (;;) {
    std::vector<Case> smaller = SmallerPrograms(c, family);
    const std::optional<size_t> found = smaller.empty() ? std::nullopt : first_that_shows(smaller);
    if (!found) break;
    c = std::move(smaller[*found]);
  }
  const std::vector<Case> renamed = {Renamed(c)};
  return first_that_shows(renamed) ? renamed[0] : c;
}

}  // namespace conform
