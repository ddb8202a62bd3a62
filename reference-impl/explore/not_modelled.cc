// What the reference loop cannot say.
#include <algorithm>
#include <cmath>
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

constexpr double kLongestDelayMs = 1e15;  // far beyond any wait, and exact as a double

bool HasDelay(const Step& step) { return TakesDelay(step.op) && (step.op != Op::kStart || !step.argument.empty()); }

// The first step with a delay that is not there, or nothing.
const Step* FindStrangeDelay(const std::vector<Step>& body, ModelFamily::Delays delays) {
  if (delays == ModelFamily::Delays::kAny) return nullptr;
  const double least_ms = delays == ModelFamily::Delays::kNotNegative ? 0 : -kLongestDelayMs;
  for (const Step& step : body) {
    // Written so that NaN is strange.
    if (HasDelay(step) && !(DelayOf(step) >= least_ms && DelayOf(step) <= kLongestDelayMs)) return &step;
    if (const Step* inside = FindStrangeDelay(step.body, delays)) return inside;
  }
  return nullptr;
}

}  // namespace

std::optional<Error> StrangeDelay(const Case& c, const std::string& family) {
  const Step* step = FindStrangeDelay(c.program, ModelFamilyOf(family).delays);
  if (step == nullptr) return std::nullopt;
  return Error{family + " has no delay '" + step->argument + "'", c.file, step->at,
               "a delay there is a number of milliseconds, at most 1e15"};
}

std::optional<std::string> NotModelled(const Case& c, const std::string& family) {
  const ModelFamily& model = ModelFamilyOf(family);
  const auto find = [&](const Case& one) {
    std::optional<std::string> found = Find(one.program, model.ops);
    if (found) return found;
    if (const Step* strange = FindStrangeDelay(one.program, model.delays)) found = "delay " + strange->argument;
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

std::optional<Error> WhyNotExplored(const Profiles& profiles, const Case& c, const Profile& profile,
                                    const std::string& of_lacking) {
  if (const auto missing = profiles.Find(profile.family)->Unsupported(c, profile.version)) {
    return Error{profile.Name() + " has no " + *missing, c.file, {}, of_lacking};
  }
  if (const auto strange = StrangeDelay(c, profile.family)) return *strange;
  if (const auto missing = NotModelled(c, profile.family)) {
    return Error{"the reference loop has no model of " + *missing, c.file};
  }
  return std::nullopt;
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
