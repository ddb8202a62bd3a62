#include "runners/study/script_causes.h"

#include <algorithm>
#include <optional>
#include <set>

#include "reference-impl/explore/explorer.h"
#include "runners/model/op_table.h"
#include "runners/study/history.h"
#include "runners/study/lifted_orders.h"
#include "runners/study/search.h"

namespace conform {
namespace {

constexpr size_t kMaxCauses = 3;
// A case may do one thing that the script does not.
constexpr size_t kMaxMissing = 1;

void AddSteps(const Program& program, std::set<Op>* ops) {
  for (const Step& step : program) {
    if (!IsUniversal(step.op)) ops->insert(step.op);
    AddSteps(step.body, ops);
  }
}

// By the last part of an API name, or by the name of the step: `throw`.
bool Mentions(const std::string& source, Op op) {
  const auto& names = ShapeOf(op).apis;
  if (names.empty()) return source.find(OpName(op)) != source.npos;
  return std::any_of(names.begin(), names.end(), [&](const std::string& name) {
    return source.find(name.substr(name.find_last_of('.') + 1)) != source.npos;
  });
}

// The program without what the script does not mention.
Program Mentioned(const std::string& source, const Program& program) {
  Program kept;
  for (const Step& step : program) {
    if (!IsUniversal(step.op) && !Mentions(source, step.op)) continue;
    kept.push_back(step);
    kept.back().body = Mentioned(source, step.body);
  }
  return kept;
}

// What of `c` the script does too, where that is nearly all; or nothing.
std::optional<Case> InCommon(const std::string& source, const Case& c) {
  std::set<Op> ops;
  AddSteps(c.program, &ops);
  const auto mentioned =
      static_cast<size_t>(std::count_if(ops.begin(), ops.end(), [&](Op op) { return Mentions(source, op); }));
  if (mentioned < 2 || ops.size() - mentioned > kMaxMissing) return std::nullopt;
  Case common = c;
  common.program = Mentioned(source, c.program);
  if (CheckProgram(common.program, common.entry, common.file)) return std::nullopt;
  return common;
}

bool Changes(const Case& c, const Profile& older, const Profile& newer) {
  const Expectation* first = c.ExpectationFor(older.family, older.version);
  const Expectation* second = c.ExpectationFor(newer.family, newer.version);
  return first != nullptr && second != nullptr && first->pattern.text != second->pattern.text;
}

// Where the value of `rule` that `newer` has begins, behind `older`.
Version Since(const RuleDefinition& rule, const Version& older, const Version& newer) {
  for (const RuleDefinition::Span& span : rule.spans) {
    if (!span.range.Contains(newer)) continue;
    for (const auto& interval : span.range.intervals()) {
      if (interval.from && *interval.from > older && *interval.from <= newer) return *interval.from;
    }
  }
  return newer;
}

// Two releases of one family, the older first.
std::optional<std::pair<Profile, Profile>> InOrder(const Profiles& profiles, const std::string& a,
                                                   const std::string& b) {
  auto older = profiles.Resolve(a), newer = profiles.Resolve(b);
  if (!older || !newer || older->family != newer->family || older->version == newer->version) return std::nullopt;
  if (newer->version < older->version) std::swap(older, newer);
  return std::pair(*older, *newer);
}

bool PrintsTheSame(const Lifted& lifted, const Profile& a, const Profile& b) {
  const auto printed = [&](const Profile& profile) {
    return WithoutMadeUp(reference::Explore(lifted.c, profile, reference::Timing::kOnTime).orders, lifted);
  };
  const Automaton of_a = printed(a), of_b = printed(b);
  return !Includes(of_a, of_b).counter_example && !Includes(of_b, of_a).counter_example;
}

const RuleDefinition* FindRule(const ProfileFamily& family, const std::string& name) {
  const auto found = std::find_if(family.rules.begin(), family.rules.end(),
                                  [&](const RuleDefinition& one) { return one.name == name; });
  return found == family.rules.end() ? nullptr : &*found;
}

}  // namespace

std::vector<ScriptCause> CausesOfLifted(const Profiles& profiles, const Lifted& lifted, const std::string& a,
                                        const std::string& b) {
  const auto releases = InOrder(profiles, a, b);
  if (!releases) return {};
  const auto& [older, newer] = *releases;
  const ProfileFamily* family = profiles.Find(older.family);
  const bool is_run = !reference::NotModelled(lifted.c, family->name) &&
                      !family->Unsupported(lifted.c, older.version) && !family->Unsupported(lifted.c, newer.version);
  if (!is_run || PrintsTheSame(lifted, older, newer)) return {};
  std::vector<ScriptCause> causes;
  for (const std::string& name : RulesBehind(lifted.c, older, newer)) {
    const RuleDefinition* rule = FindRule(*family, name);
    if (rule == nullptr) continue;
    const std::string since = Since(*rule, older.version, newer.version).ToString();
    causes.push_back({name, family->name, since, rule->clause, lifted.c.id, /*is_shown=*/true});
  }
  return causes;
}

std::vector<ScriptCause> FindScriptCauses(const Profiles& profiles, const std::vector<Case>& catalogue,
                                          const std::string& source, const std::string& a, const std::string& b) {
  const auto releases = InOrder(profiles, a, b);
  if (!releases) return {};
  const auto& [older, newer] = *releases;
  const ProfileFamily* family = profiles.Find(older.family);
  std::vector<ScriptCause> causes;
  for (const Case& c : catalogue) {
    if (causes.size() == kMaxCauses) break;
    if (!c.native.empty() || c.entry != Entry::kScript || !Changes(c, older, newer)) continue;
    const auto common = InCommon(source, c);
    if (!common || reference::NotModelled(*common, family->name)) continue;
    for (const std::string& name : RulesBehind(*common, older, newer)) {
      const RuleDefinition* rule = FindRule(*family, name);
      const auto same = [&](const ScriptCause& one) { return one.rule == name; };
      if (rule == nullptr || std::any_of(causes.begin(), causes.end(), same)) continue;
      const std::string since = Since(*rule, older.version, newer.version).ToString();
      causes.push_back({name, family->name, since, rule->clause, c.id});
    }
  }
  return causes;
}

}  // namespace conform
