// conform lint
#include <nlohmann/json.hpp>
#include <set>

#include "reports/terminal/json_text.h"
#include "reports/terminal/lint_report.h"
#include "reports/terminal/progress.h"
#include "runners/cli/commands.h"
#include "runners/harness/selection.h"
#include "runners/study/linter.h"

namespace conform {
namespace {

struct LintArguments {
  std::vector<std::string> words;
  bool sizes = false;
  bool json = false;
  int jobs = 1;
  ChosenLimits limits;
};

template <typename T>
std::set<std::string> IdsOf(const std::vector<T>& all) {
  std::set<std::string> ids;
  for (const T& one : all) ids.insert(one.id);
  return ids;
}

int Lint(const LintArguments& arguments, const Context& context) {
  const auto profiles = LoadProfiles(context.home);
  if (!profiles) return Fail(profiles.error());
  const auto renamed = LoadRenamed(context.home.Renamed());
  if (!renamed) return Fail(renamed.error());
  const ClauseList clauses = LoadClauses(context.home.Spec());
  const Catalogue catalogue = LoadCatalogue(context.home.Cases());
  Selection selection = SelectCases(context.home, catalogue, arguments.words);

  LintReport report;
  report.unreadable = selection.errors;
  report.unreadable.insert(report.unreadable.end(), clauses.errors.begin(), clauses.errors.end());
  std::erase_if(selection.cases, [&report](const SelectedCase& selected) {
    if (!selected.c.expect.empty()) return false;
    report.unreadable.push_back({"'expect' is missing", selected.c.file, {}, "conform explore lists what it may say"});
    return true;
  });
  if (arguments.words.empty()) {
    const std::vector<Error> wrong =
        CheckRenamed(*renamed, IdsOf(catalogue.cases), IdsOf(clauses.clauses), profiles->RuleNames());
    report.unreadable.insert(report.unreadable.end(), wrong.begin(), wrong.end());
  }
  PrintErrors(report.unreadable);
  if (selection.cases.empty()) {
    if (report.unreadable.empty()) PrintError({"there is no case to lint", context.home.Cases(), {}, ""});
    return kBadInput;
  }
  LintOptions options{arguments.sizes, {}, *renamed};
  arguments.limits.ApplyTo(&options.limits);
  reports::Progress progress("linted", selection.cases.size());
  report.cases = LintCases(selection.cases, *profiles, clauses, options, arguments.jobs,
                           [&progress](size_t done, const std::string& case_id) { progress.Show(done, case_id); });
  progress.Clear();
  if (arguments.words.empty()) LintMustClauses(clauses, catalogue.cases, &report);
  const std::string text = arguments.json ? reports::JsonText(reports::LintJson(report))
                                          : reports::LintText(report, arguments.sizes, context.out);
  return Answer(text, report.ExitCode());
}

}  // namespace

CommandSpec MakeLintCommand() {
  const auto arguments = std::make_shared<LintArguments>();
  return {"lint",
          "Check that patterns match the model and clauses are tested",
          {Argument("CASE", &arguments->words, "ids, folders, globs or files\n(default: all, and the clauses too)"),
           Flag("--sizes", &arguments->sizes, "also print how many orders each case has"), JobsOption(&arguments->jobs),
           MaxTimeOption(&arguments->limits.max_seconds), MaxMemoryOption(&arguments->limits.max_megabytes),
           FormatOption(&arguments->json)},
          RunWith(arguments, Lint)};
}

}  // namespace conform
