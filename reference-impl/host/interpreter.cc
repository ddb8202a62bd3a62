#include "reference-impl/host/interpreter.h"

#include <cstdlib>
#include <utility>

#include "runners/model/op_table.h"

namespace conform::reference {

Interpreter::Interpreter(const Case& c, Clock& clock, Recorder& recorder)
    : case_(c), clock_(clock), recorder_(recorder) {
  CollectReferences(c.program);
}

void Interpreter::RunCase() {
  try {
    RunFromStart();
  } catch (const ProcessEnd&) {
    // The end was reported before.
  }
}

void Interpreter::ContinueCase() {
  try {
    RunFromRest();
  } catch (const ProcessEnd&) {
    // The end was reported before.
  }
}

void Interpreter::CollectReferences(const std::vector<Step>& body) {
  for (const Step& step : body) {
    for (const std::string* name : {&step.target, &step.with, &step.via}) {
      if (!name->empty()) referenced_.insert(*name);
    }
    CollectReferences(step.body);
  }
}

ThingPtr Interpreter::Find(const std::string& name) const {
  const auto it = names_.find(name);
  return it == names_.end() ? nullptr : it->second;
}

void Interpreter::Name(const std::string& name, ThingPtr thing) {
  if (!name.empty() && referenced_.contains(name)) names_[name] = std::move(thing);
}

void Interpreter::AddNames(Fingerprint* fingerprint) const {
  for (const auto& [name, thing] : names_) {
    fingerprint->Add(name);
    AddThing(fingerprint, thing.get());
  }
}

void Interpreter::Emit(const std::string& label, Where where, const std::string& outcome) {
  if (label.empty()) return;
  if (outcome.empty()) return recorder_.Emit(label, where.phase, iteration(), where.clause);
  recorder_.Emit(label + "=" + outcome, where.phase, iteration(), where.clause);
}

void Interpreter::Begin(const TaskPtr& task, Where where, const std::string& outcome) {
  recorder_.CountStep();
  ++task->runs;
  task->rearmed = false;
  Emit(task->step->label, where, outcome);
  if (RepeatsByItself(task->step->op) && task->step->chained && task->runs == task->step->times) EndRepetition(task);
}

void Interpreter::RearmIfMore(const TaskPtr& task, int64_t run) {
  const Step& step = *task->step;
  if (!step.chained || RepeatsByItself(step.op) || task->rearmed || task->runs >= step.times) return;
  if (run < task->runs) return;  // which it has scheduled
  task->rearmed = true;
  ++steps_done_;
  Rearm(task);
}

Outcome Interpreter::RunTask(const TaskPtr& task, Where where, const std::string& outcome) {
  const Where before = std::exchange(where_, where);
  Begin(task, where, outcome);
  const int64_t run = task->runs;
  Outcome result;
  if (!task->step->body.empty()) {
    std::vector<Frame> stack{{&task->step->body}};
    result = Continue(&stack, task, run, where);
  }
  if (!result.thrown()) RearmIfMore(task, run);
  where_ = before;
  return result;
}

Outcome Interpreter::Continue(std::vector<Frame>* stack, const TaskPtr& task, int64_t run, Where where) {
  while (!stack->empty()) {
    Frame& frame = stack->back();
    if (frame.next == frame.body->size()) {
      stack->pop_back();
      continue;
    }
    const Step& step = (*frame.body)[frame.next++];
    recorder_.CountStep();
    ++steps_done_;
    switch (step.op) {
      case Op::kLog:
        Emit(step.label, where);
        continue;
      case Op::kBusy:
        clock_.Busy(std::strtoll(step.argument.c_str(), nullptr, 10));
        continue;
      case Op::kOnly:
        if (run >= step.only_from && run <= step.only_to) stack->push_back({&step.body});
        continue;
      case Op::kAgain:
        RearmIfMore(task, run);
        continue;
      case Op::kTry:
        stack->push_back({&step.body, 0, &step});
        continue;
      case Op::kThrow:
        if (Catch(stack, where, step.argument)) continue;
        return Outcome::Thrown(step.argument);
      case Op::kReturn:
        return {Outcome::Kind::kReturned, "", Find(step.target), nullptr};
      case Op::kPause:
        return {Outcome::Kind::kPaused, "", step.target.empty() ? nullptr : Find(step.target), &step};
      default:
        break;
    }
    Outcome result = Do(step, task);
    if (result.thrown() && !Catch(stack, where, result.error)) return result;
  }
  return Outcome::Done();
}

bool Interpreter::Catch(std::vector<Frame>* stack, Where where, const std::string& error) {
  while (!stack->empty()) {
    const Step* const catches = stack->back().catches;
    stack->pop_back();
    if (catches == nullptr) continue;
    Emit(catches->label, where, error);
    return true;
  }
  return false;
}

}  // namespace conform::reference
