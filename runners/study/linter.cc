#include "runners/study/linter.h"

#include <algorithm>
#include <map>
#include <set>

#include "runners/base/output.h"
#include "runners/base/text.h"
#include "runners/harness/expected_orders.h"
#include "runners/harness/parallel.h"

namespace conform {
namespace {

// Only as many orders as these are looked at one by one for counts that are not as the program fixes them.
constexpr size_t kMaxCountedOneByOne = 1'000;

// Compares both ways. The counts only restrict the pattern: the model must keep them by itself.
void Compare(const reference::Exploration& exploration, const ExpectedOrders& expected, ProfileLint* lint) {
  const Inclusion model_in_pattern = Includes(exploration.orders, expected.automaton());
  lint->only_model = model_in_pattern.counter_example;
  std::string limit = exploration.limit_hit;
  if (model_in_pattern.truncated) limit = "states of the comparison";
  if (exploration.complete) {
    // What an incomplete model lacks, it may have beyond the limit.
    const Inclusion pattern_in_model = Includes(expected.automaton(), exploration.orders, expected.counts());
    lint->only_pattern = pattern_in_model.counter_example;
    if (pattern_in_model.truncated) limit = "states of the comparison";
    for (const Order& order : exploration.orders.Enumerate(kMaxCountedOneByOne)) {
      const auto wrong = WrongCount(order, expected.counts());
      if (!wrong || lint->only_model) continue;
      lint->only_model = order;
      lint->note = "it has " + *wrong + " (`A{0}` says that A never runs)";
    }
  }
  if (lint->only_model || lint->only_pattern) {
    lint->agreement = Agreement::kDisagrees;
  } else if (!limit.empty()) {
    lint->agreement = Agreement::kIncomplete;
    lint->note = limit;
  }
}

class CaseLinter {
 public:
  CaseLinter(const Case& c, const LintOptions& options) : c_(c), options_(options) {}

  ProfileLint Lint(const Profile& profile, const Expectation& expectation) {
    ProfileLint lint;
    if (const auto missing = reference::NotModelled(c_, profile.family)) {
      lint.agreement = Agreement::kNotModelled;
      lint.note = *missing;
    } else {
      lint = LintModelled(profile, expectation);
    }
    lint.profile = profile.Name();
    lint.pattern = Trim(expectation.pattern.text);
    return lint;
  }

 private:
  // Two versions with the same rules give the same answer to the same question.
  struct Question {
    const reference::ModelRules* rules;
    const Expectation* expectation;
    const ModelProgram* model;  // of a native case
    auto operator<=>(const Question&) const = default;
  };
  struct Comparison {
    const Expectation* expectation;
    reference::Exploration exploration;
    ProfileLint lint;
  };

  ProfileLint LintModelled(const Profile& profile, const Expectation& expectation) {
    const reference::Model model = options_.models->Of(profile);
    const auto [known, fresh] =
        answers_.try_emplace({&model.rules(), &expectation, c_.ModelFor(profile.family, profile.version)});
    if (!fresh) return known->second;
    if (!limit_hit_.empty()) {
      known->second.agreement = Agreement::kIncomplete;
      known->second.note = limit_hit_;
      return known->second;
    }
    ProfileLint& lint = known->second;
    lint = Compared(reference::Explore(c_, model, reference::Timing::kOnTime, options_.limits), expectation);
    if (lint.agreement == Agreement::kIncomplete) limit_hit_ = lint.note;
    if (options_.sizes) lint.late = SizeOf(reference::Explore(c_, model, reference::Timing::kLate, SmallLimits()));
    return lint;
  }

  // Most rules make no difference to most cases, and to compare a set takes longer than to find it.
  ProfileLint Compared(reference::Exploration exploration, const Expectation& expectation) {
    const auto is_same = [&](const Comparison& one) {
      return one.expectation == &expectation && one.exploration.limit_hit == exploration.limit_hit &&
             one.exploration.orders == exploration.orders;
    };
    const auto known = std::find_if(comparisons_.begin(), comparisons_.end(), is_same);
    if (known != comparisons_.end()) return known->lint;
    ProfileLint lint;
    Compare(exploration, ExpectedOrders(c_, expectation), &lint);
    lint.on_time = SizeOf(exploration);
    comparisons_.push_back({&expectation, std::move(exploration), lint});
    return lint;
  }

  const Case& c_;
  const LintOptions& options_;
  std::map<Question, ProfileLint> answers_;
  std::vector<Comparison> comparisons_;
  std::string limit_hit_;  // under a profile before
};

void CheckClauses(const Case& c, const ClauseList& clauses, const RenamedIds& renamed, CaseLint* lint) {
  std::vector<std::string> ids;
  for (const Clause& clause : clauses.clauses) ids.push_back(clause.id);
  for (size_t i = 0; i < c.clauses.size(); ++i) {
    if (clauses.Find(c.clauses[i]) != nullptr) continue;
    const Location at = i < c.clause_locations.size() ? c.clause_locations[i] : Location{};
    const std::string* now = renamed.ClauseNow(c.clauses[i]);
    lint->problems.push_back({"there is no clause '" + c.clauses[i] + "'", c.file, at,
                              now != nullptr ? "renamed to '" + *now + "'" : DidYouMean(c.clauses[i], ids)});
  }
}

}  // namespace

std::vector<Error> UnknownFamilies(const Case& c, const Profiles& profiles) {
  std::vector<std::string> names;
  for (const ProfileFamily& family : profiles.families()) names.push_back(family.name);
  std::vector<Error> unknown;
  for (const Expectation& expectation : c.expect) {
    if (expectation.family.empty() || profiles.Find(expectation.family) != nullptr) continue;
    unknown.push_back({"there is no profile '" + expectation.family + "'", c.file, expectation.at,
                       DidYouMean(expectation.family, names)});
  }
  return unknown;
}

bool CaseLint::Clean() const {
  return problems.empty() && std::all_of(profiles.begin(), profiles.end(), [](const ProfileLint& lint) {
           return lint.agreement == Agreement::kAgrees || lint.agreement == Agreement::kNotModelled;
         });
}

Agreement CaseLint::Worst() const {
  Agreement worst = native ? Agreement::kNotModelled : Agreement::kAgrees;
  for (const ProfileLint& one : profiles) worst = std::max(worst, one.agreement);
  return worst;
}

int64_t LintReport::Count(Agreement agreement) const {
  return std::count_if(cases.begin(), cases.end(), [&](const CaseLint& lint) { return lint.Worst() == agreement; });
}

bool LintReport::Clean() const {
  return must_without_case.empty() &&
         std::all_of(cases.begin(), cases.end(), [](const CaseLint& lint) { return lint.Clean(); });
}

int LintReport::ExitCode() const {
  if (!unreadable.empty()) return kBadInput;
  if (Clean()) return kAllAsExpected;
  // Where a limit was hit and nothing else is wrong, nothing is said against a case.
  const bool only_limits =
      must_without_case.empty() && std::all_of(cases.begin(), cases.end(), [](const CaseLint& lint) {
        return lint.problems.empty() && lint.Worst() != Agreement::kDisagrees;
      });
  return only_limits ? kHarnessTrouble : kJudgement;
}

CaseLint LintCase(const SelectedCase& selected, const Profiles& profiles, const ClauseList& clauses,
                  const LintOptions& options) {
  const Case& c = selected.c;
  CaseLint lint{c.id, selected.reference, c.file, c.HasNoProgram(), {}, {}, {}};
  CheckClauses(c, clauses, options.renamed, &lint);
  const std::vector<Error> unknown = UnknownFamilies(c, profiles);
  lint.problems.insert(lint.problems.end(), unknown.begin(), unknown.end());
  CaseLinter linter(c, options);
  std::set<const Expectation*> checked;
  std::set<std::string> families;
  for (const Profile& profile : profiles.CheckpointsFor(c)) {
    if (families.insert(profile.family).second) {
      if (const auto strange = reference::StrangeDelay(c, profile.family)) lint.problems.push_back(*strange);
    }
    const Expectation* expectation = c.ExpectationFor(profile.family, profile.version);
    CONFORM_CHECK(expectation != nullptr);
    checked.insert(expectation);
    lint.profiles.push_back(linter.Lint(profile, *expectation));
  }
  const auto without_model = std::find_if(lint.profiles.begin(), lint.profiles.end(), [](const ProfileLint& one) {
    return one.agreement == Agreement::kNotModelled;
  });
  // Another problem may be the reason, and then it is enough.
  if (without_model != lint.profiles.end() && !c.timeless && lint.problems.empty()) {
    lint.problems.push_back({"a case that cannot fail: there is no model of " + without_model->note +
                                 ", and it does not state that nothing in it depends on time",
                             c.file,
                             {},
                             "write 'timeless: true' if that is so"});
  }
  for (const Expectation& expectation : c.expect) {
    if (checked.contains(&expectation) || profiles.Find(expectation.family) == nullptr) continue;
    lint.notes.push_back({"no known version of " + expectation.family + " that can run the case is in this range",
                          c.file, expectation.at, ""});
  }
  // Agreement with nothing does not count: a kind with a mistake in it makes every version unable to run the case.
  if (lint.profiles.empty() && unknown.empty()) {
    lint.problems.push_back({"no known version of any profile can run the case", c.file, {}, ""});
  }
  return lint;
}

std::vector<CaseLint> LintCases(const std::vector<SelectedCase>& cases, const Profiles& profiles,
                                const ClauseList& clauses, const LintOptions& options, int jobs,
                                const std::function<void(size_t done, const std::string& case_id)>& progress) {
  std::vector<CaseLint> lints(cases.size());
  ForEachInOrder(
      cases.size(), jobs, [&](size_t index) { lints[index] = LintCase(cases[index], profiles, clauses, options); },
      [&](size_t index) {
        progress(index + 1, cases[index].c.id);
        return true;
      });
  return lints;
}

void LintMustClauses(const ClauseList& clauses, const std::vector<Case>& cases, LintReport* report) {
  report->must_clauses = std::count_if(clauses.clauses.begin(), clauses.clauses.end(),
                                       [](const Clause& clause) { return clause.level == ClauseLevel::kMust; });
  for (const Clause* clause : ClausesWithoutCase(clauses, cases, ClauseLevel::kMust)) {
    report->must_without_case.push_back(clause->id);
  }
}

std::vector<const Clause*> ClausesWithoutCase(const ClauseList& clauses, const std::vector<Case>& cases,
                                              ClauseLevel level) {
  std::set<std::string> named;
  for (const Case& c : cases) named.insert(c.clauses.begin(), c.clauses.end());
  std::vector<const Clause*> missing;
  for (const Clause& clause : clauses.clauses) {
    if (clause.level == level && !named.contains(clause.id)) missing.push_back(&clause);
  }
  return missing;
}

}  // namespace conform
