// What the reference loop runs of a case: its model where it has one, or else its program.
#ifndef CONFORM_REFERENCE_IMPL_EXPLORE_PROGRAM_TO_RUN_H_
#define CONFORM_REFERENCE_IMPL_EXPLORE_PROGRAM_TO_RUN_H_

#include <optional>

#include "reference-impl/explore/model.h"
#include "runners/model/case.h"

namespace conform::reference {

// The case that has the program of `model` instead of its own and of its native files.
Case CaseOfModel(const Case& c, const ModelProgram& model);

// REQUIRES: !NotModelled(c, model.family()). The case outlives it.
class ProgramToRun {
 public:
  ProgramToRun(const Case& c, const Model& model);
  const Case& operator*() const { return of_model_ ? *of_model_ : c_; }

 private:
  const Case& c_;
  std::optional<Case> of_model_;
};

}  // namespace conform::reference

#endif  // CONFORM_REFERENCE_IMPL_EXPLORE_PROGRAM_TO_RUN_H_
