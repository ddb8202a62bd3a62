// conform whatif
#include <nlohmann/json.hpp>

#include "reports/terminal/json_text.h"
#include "reports/terminal/progress.h"
#include "reports/terminal/whatif_report.h"
#include "runners/cli/commands.h"
#include "runners/study/all_results.h"
#include "runners/study/own_profile.h"

namespace conform {
namespace {

struct WhatIfArguments {
  std::vector<std::string> changes;
  std::string profile = "node";
  std::vector<std::string> cases;
  std::vector<std::string> runs;
  size_t limit = 20;
  int jobs = 1;
  bool json = false;
};

int AskWhatIf(const WhatIfArguments& arguments, const Context& context) {
  auto profiles = LoadProfiles(context.home);
  if (!profiles) return Fail(profiles.error());
  const auto profile = ResolveProfile(arguments.profile, &*profiles);
  if (!profile) return Fail(profile.error());
  std::vector<RuleChange> changes;
  for (const std::string& word : arguments.changes) {
    const auto change = ParseChange(*profiles, *profile, word);
    if (!change) return Fail(change.error());
    changes.push_back(*change);
  }
  const auto results = ReadAllResults(arguments.runs, context.home);
  if (!results) return Fail(results.error());
  const Selection selection = SelectCases(context.home, arguments.cases);
  if (!selection.errors.empty()) return Fail(selection.errors);

  const WhatIf what_if(*profile, std::move(changes), selection.cases, *profiles);
  if (what_if.asked().empty()) return Fail(Error{"no case is held to " + profile->Name() + " and has a model"});
  reports::Progress progress("cases", what_if.asked().size());
  const auto show = [&progress](size_t done, const std::string& case_id) { progress.Show(done, case_id); };
  const WhatIfReport report = what_if.Report(*results, arguments.jobs, show);
  progress.Clear();
  return Answer(arguments.json ? reports::JsonText(reports::WhatIfJson(report))
                               : reports::WhatIfText(report, arguments.limit, context.out));
}

}  // namespace

CommandSpec MakeWhatifCommand() {
  const auto arguments = std::make_shared<WhatIfArguments>();
  return {"whatif",
          "Predict what another value of a rule would change",
          {Argument("CHANGE", &arguments->changes,
                    "RULE=VALUE, such as immediate-drain=after-batch;\nseveral change together")
               .Required(),
           Value("--profile", "NAME", &arguments->profile,
                 "the profile that changes, such as node@22 or ./my.yaml\n(default node)"),
           Value("--case", "CASE", &arguments->cases, "ids, folders, globs or files: only these cases\n(default: all)"),
           Value("--runs", "FILE", &arguments->runs,
                 "results files that 'conform run --output' wrote:\njudge what is held to the profile again"),
           Value("--limit", "N", &arguments->limit, "how many cases, clauses and results to list\n(default 20)")
               .Between(1, 10'000),
           JobsOption(&arguments->jobs), FormatOption(&arguments->json)},
          RunWith(arguments, AskWhatIf)};
}

}  // namespace conform
