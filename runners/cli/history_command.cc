// conform history
#include <algorithm>
#include <nlohmann/json.hpp>

#include "reports/terminal/history_report.h"
#include "reports/terminal/json_text.h"
#include "reports/terminal/progress.h"
#include "runners/cli/commands.h"
#include "runners/harness/selection.h"
#include "runners/study/all_results.h"
#include "runners/study/history.h"

namespace conform {
namespace {

struct HistoryArguments {
  std::vector<std::string> words;
  std::string family;
  std::vector<std::string> runs;
  bool all = false;
  bool markdown = false;
  bool json = false;
  int jobs = 1;
};

int History(const HistoryArguments& arguments, const Context& context) {
  if (arguments.words.empty() != arguments.all) {
    return Fail(Error{"name cases, or --all for the whole catalogue"});
  }
  if (arguments.markdown && arguments.runs.empty()) {
    return Fail(Error::WithHint("the page is built from runs", "name results files with --runs"));
  }
  const auto profiles = LoadProfiles(context.home);
  if (!profiles) return Fail(profiles.error());
  const auto results = ReadAllResults(arguments.runs, context.home);
  if (!results) return Fail(results.error());
  const bool is_family = arguments.family.empty() || profiles->Find(arguments.family) != nullptr;
  const bool was_run = std::any_of(results->begin(), results->end(), [&](const CaseResult& result) {
    return result.implementation.starts_with(arguments.family + "@");
  });
  if (!is_family && !was_run) {
    std::vector<std::string> names;
    for (const ProfileFamily& family : profiles->families()) names.push_back(family.name);
    return Fail(Error::WithHint("there is no profile '" + arguments.family + "'", DidYouMean(arguments.family, names)));
  }
  const Selection selection = SelectCases(context.home, arguments.words);
  if (!selection.errors.empty()) return Fail(selection.errors);

  reports::StagedProgress progress;
  const auto show = [&](size_t done, size_t of, const std::string& at) { progress.Show("histories", done, of, at); };
  const std::vector<CaseHistory> histories =
      AllHistories(selection.cases, *profiles, *results, {arguments.family, arguments.jobs, show});
  progress.Clear();
  const std::string text =
      arguments.json ? reports::JsonText(reports::HistoryJson(histories))
      : arguments.markdown
          ? reports::HistoryMarkdown(histories, ReleasesRun(*results, is_family ? "" : arguments.family))
          : reports::HistoryText(histories, context.out);
  return Answer(text);
}

}  // namespace

CommandSpec MakeHistoryCommand() {
  const auto arguments = std::make_shared<HistoryArguments>();
  return {
      "history",
      "Show the orders of a case by release, and what changed them",
      {Argument("CASE", &arguments->words, "ids, folders, globs or files"),
       Flag("--all", &arguments->all, "every case of the catalogue"),
       Value("--impl", "NAME", &arguments->family,
             "only this family, such as node or libuv; or an\nimplementation that --runs has, such as bun"),
       Value("--runs", "FILE", &arguments->runs, "results files that 'conform run --output' wrote:\nwhat releases did"),
       Flag("--markdown", &arguments->markdown, "a page of all changes shown by the runs"),
       JobsOption(&arguments->jobs), FormatOption(&arguments->json)},
      RunWith(arguments, History)};
}

}  // namespace conform
