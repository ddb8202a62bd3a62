#include "runners/study/mutant_results.h"

#include <algorithm>
#include <set>

#include "runners/base/output.h"
#include "runners/base/text.h"
#include "runners/harness/parallel.h"

namespace conform {
namespace {

template <typename Condition>
int64_t CountOf(const std::vector<MutantResult>& results, Condition condition) {
  return std::count_if(results.begin(), results.end(), condition);
}

// `renamed` is the hint where the name was another one before, or "".
std::optional<Error> NoSuch(const std::string& what, const std::string& name, const std::set<std::string>& names,
                            const std::string& renamed = "") {
  if (name.empty() || names.contains(name)) return std::nullopt;
  return Error::WithHint("there is no " + what + " '" + name + "'",
                         renamed.empty() ? DidYouMean(name, {names.begin(), names.end()}) : renamed);
}

}  // namespace

int64_t MutantsReport::killed() const {
  return CountOf(results, [](const MutantResult& one) { return one.Killed() && one.equivalent == nullptr; });
}
int64_t MutantsReport::proofs() const {
  return CountOf(results, [](const MutantResult& one) {
    const bool proof = std::any_of(one.kills.begin(), one.kills.end(), [](const Kill& kill) { return kill.proof; });
    return proof && one.equivalent == nullptr;
  });
}
int64_t MutantsReport::equivalent() const {
  return CountOf(results, [](const MutantResult& one) { return !one.Killed() && one.equivalent != nullptr; });
}
int64_t MutantsReport::survivors() const {
  return CountOf(results, [](const MutantResult& one) { return one.Survives(); });
}
int64_t MutantsReport::wrongly_equivalent() const {
  return CountOf(results, [](const MutantResult& one) { return one.Killed() && one.equivalent != nullptr; });
}

int MutantsReport::ExitCode() const {
  const bool fine = survivors() == 0 && wrongly_equivalent() == 0 && useless_entries.empty();
  return fine ? kAllAsExpected : kJudgement;
}

Result<std::vector<reference::Mutant>> ChooseMutants(const Profiles& profiles, const std::string& family,
                                                     const std::string& rule_word) {
  std::vector<reference::Mutant> mutants = reference::AllMutants(profiles);
  const std::string rule = rule_word.substr(0, rule_word.find('='));
  const std::string value = rule == rule_word ? "" : rule_word.substr(rule.size() + 1);
  std::set<std::string> families, rules, values;
  for (const reference::Mutant& mutant : mutants) {
    families.insert(mutant.family);
    rules.insert(mutant.rule);
    if (mutant.rule == rule) values.insert(mutant.value);
  }
  for (const auto& error :
       {NoSuch("family", family, families), NoSuch("rule", rule, rules, profiles.RenamedHint(rule)),
        NoSuch("mutant of '" + rule + "' with the value", value, values, profiles.RenamedHint(rule_word))}) {
    if (error) return *error;
  }
  std::erase_if(mutants, [&](const reference::Mutant& mutant) {
    const auto wanted = [](const std::string& name, const std::string& of) { return name.empty() || name == of; };
    return !wanted(rule, mutant.rule) || !wanted(value, mutant.value) || !wanted(family, mutant.family);
  });
  return mutants;
}

MutantsReport HuntMutants(const MutantHunt& hunt, const std::vector<reference::Mutant>& mutants,
                          const std::vector<Equivalent>& equivalent, const MutantsSettings& settings) {
  MutantsReport report;
  report.cases = static_cast<int64_t>(hunt.CaseIds().size());
  report.results.resize(mutants.size());
  ForEachInOrder(
      mutants.size(), settings.jobs,
      [&](size_t index) {
        MutantResult& result = report.results[index];
        result.mutant = mutants[index];
        result.equivalent = FindEquivalent(equivalent, mutants[index]);
        if (settings.every_case) {
          if (result.equivalent == nullptr) result.kills = hunt.FindAll(mutants[index]);
        } else if (auto kill = hunt.Find(mutants[index])) {
          result.kills.push_back(std::move(*kill));
        }
      },
      [&](size_t index) {
        settings.progress(index + 1, mutants[index].id);
        return true;
      });
  return report;
}

std::vector<std::string> UselessEntries(const std::vector<Equivalent>& entries,
                                        const std::vector<reference::Mutant>& mutants, const std::string& file) {
  std::vector<std::string> useless;
  for (const Equivalent& entry : entries) {
    const bool used = std::any_of(mutants.begin(), mutants.end(),
                                  [&](const reference::Mutant& mutant) { return entry.Covers(mutant); });
    if (!used) useless.push_back(file + ":" + std::to_string(entry.at.line));
  }
  return useless;
}

}  // namespace conform
