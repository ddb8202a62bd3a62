// conform history
#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "reports/terminal/history_report.h"
#include "reports/terminal/progress.h"
#include "runners/cli/commands.h"
#include "runners/export/export.h"
#include "runners/harness/parallel.h"
#include "runners/harness/selection.h"
#include "runners/study/all_results.h"

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

// Of every case that was run, by family and version; with `implementation`, the releases of that.
std::vector<std::string> ReleasesRun(const std::vector<CaseResult>& results, const std::string& implementation) {
  std::map<std::string, std::set<Version>> versions;
  for (const CaseResult& result : results) {
    const std::string& name = implementation.empty() ? result.profile : result.implementation;
    const size_t at = name.find('@');
    if (at == std::string::npos || (!implementation.empty() && name.substr(0, at) != implementation)) continue;
    const auto version = Version::Parse(name.substr(at + 1));
    if (version && !result.tries.empty()) versions[name.substr(0, at)].insert(*version);
  }
  std::vector<std::string> names;
  for (const auto& [family, known] : versions) {
    for (const Version& version : known) names.push_back(family + " " + version.ToString());
  }
  return names;
}

// An order says little to whoever has not seen the program. Of many cases, the programs would hide the histories.
void AddProgram(const Case& c, CaseHistory* history) {
  const ExportLanguage* language = ExportLanguageOf(history->family);
  if (language == nullptr) return;
  if (auto text = language->write_steps(c)) history->program = std::move(*text);
}

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
  const Catalogue catalogue = LoadCatalogue(context.home.Cases());
  const Selection selection = SelectCases(context.home, catalogue, arguments.words);
  if (!selection.errors.empty()) return Fail(selection.errors);

  std::vector<std::pair<const Case*, const ProfileFamily*>> asked;
  for (const SelectedCase& selected : selection.cases) {
    if (!is_family) asked.emplace_back(&selected.c, nullptr);
    for (const ProfileFamily& family : profiles->families()) {
      const bool wanted = arguments.family.empty() || family.name == arguments.family;
      if (wanted && selected.c.SpeaksOf(family.name)) asked.emplace_back(&selected.c, &family);
    }
  }
  std::vector<CaseHistory> histories(asked.size());
  {
    reports::Progress progress("histories", asked.size());
    ForEachInOrder(
        asked.size(), arguments.jobs,
        [&](size_t index) {
          const auto& [c, family] = asked[index];
          histories[index] = family == nullptr ? HistoryOfReleases(*c, arguments.family, *results)
                                               : HistoryOf(*c, *profiles, *family, RunsOf(*results, *c, family->name));
        },
        [&](size_t index) {
          progress.Show(index + 1, asked[index].first->id);
          return true;
        });
  }
  std::erase_if(histories, [](const CaseHistory& one) { return one.by_model.empty() && one.by_runs.empty(); });
  if (selection.cases.size() == 1) {
    for (CaseHistory& history : histories) AddProgram(selection.cases[0].c, &history);
  }
  const std::string text =
      arguments.json ? reports::HistoryJson(histories).dump(2) + "\n"
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
