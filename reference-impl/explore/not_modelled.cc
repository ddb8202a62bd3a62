// What the reference loop cannot say.
#include <algorithm>
#include <string>

#include "reference-impl/explore/explorer.h"
#include "reference-impl/explore/families.h"
#include "reference-impl/explore/program_to_run.h"
#include "runners/base/check.h"
#include "runners/model/op_table.h"

namespace conform::reference {

namespace {

bool EventIsModelled(const Step& step) {
  const std::vector<std::string>& process = ProcessEvents();
  if (step.target.empty()) return std::find(process.begin(), process.end(), step.event) != process.end();
  return step.event == "listening" || step.event == "spawn";
}

// Nothing here is about versions: that is the profile's.
std::optional<std::string> Find(const std::vector<Step>& body, const ModelledOps& ops) {
  for (const Step& step : body) {
    const std::string name(OpName(step.op));
    if (!ops.Has(step.op)) return name;
    if (!ops.HasKind(step.op, step.kind)) return name + " as " + step.kind;
    if (step.op == Op::kOn && !EventIsModelled(step)) return "on " + step.event;
    if (std::optional<std::string> inside = Find(step.body, ops)) return inside;
  }
  return std::nullopt;
}

}  // namespace

bool HasRecipeOfItsOwn(const std::string& family) { return !ModelFamilyOf(family).name.empty(); }

std::optional<std::string> NotModelled(const Case& c, const std::string& family) {
  const ModelFamily& model = ModelFamilyOf(family);
  const auto find = [&](const Case& one) {
    const std::optional<std::string> found = Find(one.program, model.ops);
    return found ? found : model.refuses(one);
  };
  if (c.models.empty()) return c.native.empty() ? find(c) : "a native case";
  std::optional<std::string> missing = "a case without a model for " + family;
  for (const ModelProgram& program : c.models) {
    if (!program.family.empty() && program.family != family) continue;
    missing = find(CaseOfModel(c, program));
    if (missing) break;
  }
  return missing;
}

Case CaseOfModel(const Case& c, const ModelProgram& model) {
  Case its_own = c;
  its_own.program = model.program;
  its_own.entry = c.EntryOfModel();
  its_own.native.clear();
  its_own.models.clear();
  return its_own;
}

ProgramToRun::ProgramToRun(const Case& c, const Model& model) : c_(c) {
  if (c.models.empty()) return;
  const ModelProgram* program = c.ModelFor(model.family(), model.version());
  CONFORM_CHECK(program != nullptr);
  of_model_ = CaseOfModel(c, *program);
}

}  // namespace conform::reference
