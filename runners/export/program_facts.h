// What an exporter has to know about a program as a whole before it writes the first line of it.
#ifndef CONFORM_RUNNERS_EXPORT_PROGRAM_FACTS_H_
#define CONFORM_RUNNERS_EXPORT_PROGRAM_FACTS_H_

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "runners/model/step.h"

namespace conform {

// Facts of one program. REQUIRES: the program outlives this.
class ProgramFacts {
 public:
  explicit ProgramFacts(const Program& program);

  bool Uses(Op op) const { return uses_.count(op) != 0; }
  const std::vector<const Step*>& steps() const { return steps_; }  // in pre-order

  // The steps with this label that make something, in pre-order; `log`, `run`, `alive` and `pause` make nothing.
  const std::vector<const Step*>& Makers(const std::string& label) const;
  // Does some step name it, as `of X`, `to X`, `with X` or as the object of `clear`, `ref` and the like?
  bool IsReferredTo(const std::string& label) const { return referred_to_.count(label) != 0; }
  // The steps of this op with this target.
  std::vector<const Step*> Referring(Op op, const std::string& target) const;

  // The step whose body holds this one; nothing for the main body.
  const Step* Parent(const Step& step) const { return places_.at(&step).parent; }
  // The callback in whose body the step stands; nothing for the main body.
  const Step* EnclosingCallback(const Step& step) const;
  // How the next run of a chain is armed: at the end of its body; by an `again` that is in the body itself,
  // whatever happens; or by one inside of an `only` or `async`, so that the end has to know whether it was reached.
  enum class Rearming { kAtEnd, kByAgain, kPerhapsByAgain };
  Rearming RearmingOf(const Step& chain) const;

  // Is a thing of this name surely there when `step` runs? True for what an earlier step of the same body or of one
  // around it makes at once, and for the callbacks in whose body the step is.
  bool SurelyExists(const std::string& label, const Step& step) const;

  // How often the step runs at most, as far as the text says: listeners and intervals count as one run. Capped.
  int64_t RunsAtMost(const Step& step, int64_t cap) const;
  // Can the step run more than once?
  bool MayRepeat(const Step& step) const;

 private:
  struct Place {
    const Step* parent;
    const std::vector<Step>* siblings;
    size_t index;
  };
  void Visit(const std::vector<Step>& body, const Step* parent);
  bool MakesAtOnce(const Step& step, const std::string& label) const;

  std::vector<const Step*> steps_;
  std::set<Op> uses_;
  std::map<const Step*, Place> places_;
  std::map<std::string, std::vector<const Step*>> makers_;
  std::set<std::string> referred_to_;
};

}  // namespace conform

#endif  // CONFORM_RUNNERS_EXPORT_PROGRAM_FACTS_H_
