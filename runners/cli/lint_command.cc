// conform lint
#include "runners/cli/commands.h"
#include "runners/cli/lint_report.h"
#include "runners/cli/linter.h"
#include "runners/cli/progress.h"
#include "runners/harness/parallel.h"
#include "runners/harness/selection.h"

namespace conform {
namespace {

struct LintArguments {
  std::vector<std::string> words;
  bool sizes = false;
  bool json = false;
  int jobs = 1;
};

std::vector<CaseLint> LintAll(const std::vector<SelectedCase>& cases, const Profiles& profiles,
                              const ClauseList& clauses, const LintArguments& arguments) {
  const LintOptions options{arguments.sizes, {}};
  std::vector<CaseLint> lints(cases.size());
  Progress progress("linted", cases.size());
  ForEachInOrder(
      cases.size(), arguments.jobs,
      [&](size_t index) { lints[index] = LintCase(cases[index], profiles, clauses, options); },
      [&](size_t index) {
        progress.Show(index + 1, cases[index].c.id);
        return true;
      });
  return lints;
}

int Lint(const LintArguments& arguments, const Context& context) {
  const auto profiles = LoadProfiles(context.home);
  if (!profiles) {
    PrintError(profiles.error());
    return kBadInput;
  }
  const ClauseList clauses = LoadClauses(context.home.Spec());
  const Catalogue catalogue = LoadCatalogue(context.home.Cases());
  const Selection selection = SelectCases(catalogue, context.home.Cases(), arguments.words);

  LintReport report;
  report.unreadable = selection.errors;
  report.unreadable.insert(report.unreadable.end(), clauses.errors.begin(), clauses.errors.end());
  PrintErrors(report.unreadable);
  if (selection.cases.empty()) {
    if (report.unreadable.empty()) PrintError({"there is no case to lint", context.home.Cases(), {}, ""});
    return kBadInput;
  }
  report.cases = LintAll(selection.cases, *profiles, clauses, arguments);
  if (arguments.words.empty()) {
    for (const Clause& clause : clauses.clauses) report.must_clauses += clause.level == ClauseLevel::kMust ? 1 : 0;
    for (const Clause* clause : ClausesWithoutCase(clauses, catalogue.cases, ClauseLevel::kMust)) {
      report.must_without_case.push_back(clause->id);
    }
  }
  const std::string text =
      arguments.json ? LintJson(report).dump(2) + "\n" : LintText(report, arguments.sizes, context.out);
  return Print(text) ? report.ExitCode() : kHarnessTrouble;
}

}  // namespace

CommandSpec MakeLintCommand() {
  const auto arguments = std::make_shared<LintArguments>();
  return {"lint",
          "Is every pattern what the model allows, every clause tested?",
          {Argument("CASE", &arguments->words, "ids, folders, globs or files\n(default: all, and the clauses too)"),
           Flag("--sizes", &arguments->sizes, "also print how many orders each case has"), JobsOption(&arguments->jobs),
           FormatOption(&arguments->json)},
          RunWith(arguments, Lint)};
}

}  // namespace conform
