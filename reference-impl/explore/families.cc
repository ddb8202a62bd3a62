#include "reference-impl/explore/families.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <type_traits>
#include <vector>

#include "reference-impl/explore/explorer.h"
#include "reference-impl/host/asyncio_host.h"
#include "reference-impl/host/documented_host.h"
#include "reference-impl/host/html_host.h"
#include "reference-impl/host/libuv_host.h"
#include "reference-impl/host/node_host.h"
#include "runners/model/op_table.h"

namespace conform::reference {

namespace {

template <typename Rules>
ModelRules ReadAll(RuleReader* reader) {
  Rules host;
  PlatformRules platform;
  ReadRules(reader, &host);
  // The other hosts have no rules for what is below them.
  if constexpr (std::is_same_v<Rules, LoopRules> || std::is_same_v<Rules, NodeRules>) ReadRules(reader, &platform);
  reader->RefuseOthers();
  return {host, platform, reader->numbered()};
}

int CountOf(Op op, const std::vector<Step>& body) {
  int count = 0;
  for (const Step& step : body) count += (step.op == op ? 1 : 0) + CountOf(op, step.body);
  return count;
}

bool Makes(Op op, const std::string& name, const std::vector<Step>& body) {
  return std::any_of(body.begin(), body.end(), [&](const Step& step) {
    return (step.op == op && step.label == name) || Makes(op, name, step.body);
  });
}

// What the op has and asyncio has not, or what its model leaves out.
std::optional<std::string> FindInAsyncio(const std::vector<Step>& body, const Case& c) {
  for (const Step& step : body) {
    if (step.op == Op::kRun && step.argument == "once") return "run once";
    if (step.op == Op::kResolve && !step.with.empty()) return "resolve with";
    if (step.op == Op::kReject && step.target.empty()) return "reject without a promise";
    if (step.plain) return "await plain";
    if (step.op == Op::kTimeout && DelayOf(step) != std::trunc(DelayOf(step))) return "parts of a millisecond";
    for (const Op op : {Op::kSignal, Op::kThen}) {
      if (step.op == Op::kClear && Makes(op, step.target, c.program))
        return std::string("clear of a ").append(OpName(op));
    }
    if (std::optional<std::string> inside = FindInAsyncio(step.body, c)) return inside;
  }
  return std::nullopt;
}

// Kinds are the profile's: which priorities and functions there are differs from loop to loop.
std::optional<std::string> FindInDocumented(const std::vector<Step>& body, const Case& c) {
  for (const Step& step : body) {
    const std::string name(OpName(step.op));
    if (RepeatsByItself(step.op) && !(step.chained && step.times == 1)) return name + " without x1";
    if (step.op == Op::kRun && (step.argument != "default" || !step.label.empty())) return "run " + step.argument;
    if (step.op == Op::kStop && &body == &c.program) return "stop outside of a callback";
    if (step.op == Op::kTimeout && DelayOf(step) != std::trunc(DelayOf(step))) return "parts of a millisecond";
    if (step.kind == "cancel" && !Makes(Op::kTimeout, step.target, c.program)) return name + " as cancel of no timer";
    if (std::optional<std::string> inside = FindInDocumented(step.body, c)) return inside;
  }
  return std::nullopt;
}

// Some step of that op refers to a child.
bool RefersToChild(Op op, const std::vector<Step>& body, const Case& c) {
  return std::any_of(body.begin(), body.end(), [&](const Step& step) {
    return (step.op == op && Makes(Op::kChild, step.target, c.program)) || RefersToChild(op, step.body, c);
  });
}

std::optional<std::string> RefusedByNothing(const Case&) { return std::nullopt; }

// How many jobs the loader of modules takes to learn of an error differs from release to release, and nothing promises
// it.
std::optional<std::string> RefusedByNode(const Case& c) {
  for (const Op op : {Op::kRef, Op::kUnref}) {
    if (RefersToChild(op, c.program, c)) return std::string(OpName(op)) + " of a child";
  }
  if (c.entry != Entry::kEsm) return std::nullopt;
  const bool errors = CountOf(Op::kThrow, c.program) + CountOf(Op::kReject, c.program) > 0;
  for (const Step& step : c.program) {
    if (step.op == Op::kThrow) return "throw in the main body of a module";
    if (step.op == Op::kPause && !step.target.empty() && errors) return "pause of what may fail in a module";
  }
  return std::nullopt;
}

std::optional<std::string> RefusedByAsyncio(const Case& c) {
  if (CountOf(Op::kSignal, c.program) > 1) return "more than one signal";
  // A thread that hands over a result wakes the loop up a moment later, and a signal may be noticed in that moment.
  if (CountOf(Op::kSignal, c.program) > 0 && CountOf(Op::kWork, c.program) > 0) return "work beside a signal";
  return FindInAsyncio(c.program, c);
}

std::optional<std::string> RefusedByDocumentation(const Case& c) { return FindInDocumented(c.program, c); }

// The documented ones come last.
const std::vector<ModelFamily>& Families() {
  using Delays = ModelFamily::Delays;
  using Api = ModelFamily::Api;
  static const std::vector<ModelFamily> kFamilies = {
      {"node", NodeHost::Ops(), ReadAll<NodeRules>, Delays::kAny, Api::kJavaScript, false, RefusedByNode},
      {"libuv", LibuvHost::Ops(), ReadAll<LoopRules>, Delays::kNotNegative, Api::kLibuv, true, RefusedByNothing},
      {"asyncio", AsyncioHost::Ops(), ReadAll<AsyncioRules>, Delays::kFinite, Api::kAsyncio, false, RefusedByAsyncio},
      {"html", HtmlHost::Ops(), ReadAll<HtmlRules>, Delays::kAny, Api::kJavaScript, false, RefusedByNothing},
      {"", DocumentedHost::Ops(), ReadAll<DocumentedRules>, Delays::kFinite, Api::kDocumented, false,
       RefusedByDocumentation},
  };
  return kFamilies;
}

}  // namespace

const ModelFamily& ModelFamilyOf(const std::string& family) {
  const std::vector<ModelFamily>& all = Families();
  const auto found = std::find_if(all.begin(), all.end(), [&](const ModelFamily& one) { return one.name == family; });
  return found == all.end() ? all.back() : *found;
}

bool HasRecipeOfItsOwn(const std::string& family) { return !ModelFamilyOf(family).name.empty(); }

const std::vector<std::string>& FamiliesWithRecipe() {
  static const std::vector<std::string> kNames = [] {
    std::vector<std::string> names;
    for (const ModelFamily& family : Families()) names.push_back(family.name);
    names.pop_back();
    return names;
  }();
  return kNames;
}

std::vector<StatedRule> RulesOf(const Profiles& profiles, const ProfileFamily& family) {
  std::vector<StatedRule> rules;
  std::set<std::string> own;
  for (const RuleDefinition& rule : family.rules) {
    own.insert(rule.name);
    rules.push_back({&family, &rule});
  }
  const ProfileFamily* base = profiles.Find(family.base);
  if (base == nullptr) return rules;
  const ModelledOps& ops = ModelFamilyOf(family.name).ops;
  for (const RuleDefinition& rule : base->rules) {
    const bool can_be_seen = !rule.step || ops.Has(*rule.step);
    if (can_be_seen && !own.contains(rule.name)) rules.push_back({base, &rule});
  }
  return rules;
}

}  // namespace conform::reference
