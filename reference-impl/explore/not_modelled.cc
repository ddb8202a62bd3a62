// What the reference loop cannot say.
#include <algorithm>
#include <string>

#include "reference-impl/explore/explorer.h"
#include "reference-impl/explore/families.h"
#include "runners/model/op_table.h"

namespace conform::reference {

namespace {

bool EventIsModelled(const Step& step) {
  const std::vector<std::string>& process = ProcessEvents();
  if (step.target.empty()) return std::find(process.begin(), process.end(), step.event) != process.end();
  return step.event == "listening";
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
  if (!c.native.empty()) return "a native case";
  const ModelFamily& model = ModelFamilyOf(family);
  if (std::optional<std::string> found = Find(c.program, model.ops)) return found;
  return model.refuses(c);
}

}  // namespace conform::reference
