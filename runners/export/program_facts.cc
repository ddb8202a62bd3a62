#include "runners/export/program_facts.h"

#include <algorithm>

#include "runners/model/op_table.h"

namespace conform {

ProgramFacts::ProgramFacts(const Program& program) { Visit(program, nullptr); }

void ProgramFacts::Visit(const std::vector<Step>& body, const Step* parent) {
  for (size_t i = 0; i < body.size(); ++i) {
    const Step& step = body[i];
    steps_.push_back(&step);
    uses_.insert(step.op);
    places_[&step] = {parent, &body, i};
    if (ShapeOf(step.op).makes && !step.label.empty()) makers_[step.label].push_back(&step);
    if (!step.target.empty()) referred_to_.insert(step.target);
    if (!step.with.empty()) referred_to_.insert(step.with);
    Visit(step.body, &step);
  }
}

const std::vector<const Step*>& ProgramFacts::Makers(const std::string& label) const {
  static const std::vector<const Step*> kNone;
  const auto found = makers_.find(label);
  return found == makers_.end() ? kNone : found->second;
}

std::vector<const Step*> ProgramFacts::Referring(Op op, const std::string& target) const {
  std::vector<const Step*> found;
  std::copy_if(steps_.begin(), steps_.end(), std::back_inserter(found),
               [&](const Step* step) { return step->op == op && step->target == target; });
  return found;
}

const Step* ProgramFacts::EnclosingCallback(const Step& step) const {
  const Step* around = Parent(step);
  while (around != nullptr && !ShapeOf(around->op).callback) around = Parent(*around);
  return around;
}

ProgramFacts::Rearming ProgramFacts::RearmingOf(const Step& chain) const {
  Rearming rearming = Rearming::kAtEnd;
  for (const Step* step : steps_) {
    if (step->op != Op::kAgain || EnclosingCallback(*step) != &chain) continue;
    if (Parent(*step) == &chain) return Rearming::kByAgain;
    rearming = Rearming::kPerhapsByAgain;
  }
  return rearming;
}

bool ProgramFacts::MakesAtOnce(const Step& step, const std::string& label) const {
  if (step.label != label) return false;
  // The server's side of a connection comes into being with the connection.
  if (step.op == Op::kAccept || !ShapeOf(step.op).makes) return false;
  // A step that needs something which is not there yet does nothing at all.
  return step.target.empty() || SurelyExists(step.target, step);
}

bool ProgramFacts::SurelyExists(const std::string& label, const Step& step) const {
  for (const Step* at = &step; at != nullptr; at = Parent(*at)) {
    const Place& place = places_.at(at);
    for (size_t i = 0; i < place.index; ++i) {
      if (MakesAtOnce((*place.siblings)[i], label)) return true;
    }
    if (at != &step && ShapeOf(at->op).callback && at->label == label) return true;
  }
  return false;
}

int64_t ProgramFacts::RunsAtMost(const Step& step, int64_t cap) const {
  int64_t runs = std::min(step.chained ? step.times : 1, cap);
  for (const Step* around = Parent(step); around != nullptr; around = Parent(*around)) {
    if (!around->chained) continue;
    if (runs >= cap / std::max<int64_t>(around->times, 1)) return cap;
    runs *= around->times;
  }
  return runs;
}

bool ProgramFacts::MayRepeat(const Step& step) const {
  for (const Step* around = &step; around != nullptr; around = Parent(*around)) {
    if (around->chained || (around != &step && ShapeOf(around->op).comes != Comes::kOnce)) return true;
  }
  return false;
}

}  // namespace conform
