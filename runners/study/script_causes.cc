#include "runners/study/script_causes.h"

#include <algorithm>
#include <optional>
#include <set>

#include "runners/study/search.h"

namespace conform {
namespace {

constexpr size_t kMaxCauses = 5;
// A case may do one thing that the script does not.
constexpr size_t kMaxMissing = 1;

void AddOpsWithApis(const Program& program, std::set<Op>* ops) {
  for (const Step& step : program) {
    if (!ApiNamesOf(step.op).empty()) ops->insert(step.op);
    AddOpsWithApis(step.body, ops);
  }
}

// How many steps of the case have an API that the script does not mention, of two at least that it does; or nothing.
std::optional<size_t> MissingIn(const std::string& source, const Case& c) {
  std::set<Op> ops;
  AddOpsWithApis(c.program, &ops);
  const auto is_mentioned = [&](Op op) {
    const auto& names = ApiNamesOf(op);
    return std::any_of(names.begin(), names.end(), [&](const std::string& name) {
      return source.find(name.substr(name.find_last_of('.') + 1)) != source.npos;
    });
  };
  const auto mentioned = static_cast<size_t>(std::count_if(ops.begin(), ops.end(), is_mentioned));
  if (mentioned < 2 || ops.size() - mentioned > kMaxMissing) return std::nullopt;
  return ops.size() - mentioned;
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

}  // namespace

std::vector<ScriptCause> FindScriptCauses(const Profiles& profiles, const std::vector<Case>& catalogue,
                                          const std::string& source, const std::string& a, const std::string& b) {
  auto older = profiles.Resolve(a), newer = profiles.Resolve(b);
  if (!older || !newer || older->family != newer->family || older->version == newer->version) return {};
  if (newer->version < older->version) std::swap(older, newer);
  const ProfileFamily* family = profiles.Find(older->family);
  std::vector<ScriptCause> causes;
  for (const RuleDefinition& rule : family->rules) {
    const auto before = older->rules.find(rule.name), after = newer->rules.find(rule.name);
    if (before == older->rules.end() || after == newer->rules.end() || before->second == after->second) continue;
    const Case* shows_it = nullptr;
    size_t fewest = kMaxMissing + 1;
    for (const Case& c : catalogue) {
      if (std::find(c.clauses.begin(), c.clauses.end(), rule.clause) == c.clauses.end()) continue;
      const Expectation* first = c.ExpectationFor(family->name, older->version);
      const Expectation* second = c.ExpectationFor(family->name, newer->version);
      const bool changed = first != nullptr && second != nullptr && first->pattern.text != second->pattern.text;
      const auto missing = changed ? MissingIn(source, c) : std::nullopt;
      if (!missing || *missing >= fewest) continue;
      shows_it = &c;
      fewest = *missing;
    }
    if (shows_it == nullptr || causes.size() == kMaxCauses) continue;
    const Version since = Since(rule, older->version, newer->version);
    causes.push_back({rule.name, family->name, since.ToString(), rule.clause, shows_it->id});
  }
  return causes;
}

}  // namespace conform
