// conform explore
#include <nlohmann/json.hpp>

#include "reports/terminal/explore_report.h"
#include "reports/terminal/json_text.h"
#include "reports/terminal/lift_report.h"
#include "runners/cli/commands.h"
#include "runners/cli/lift_options.h"
#include "runners/study/exploring.h"
#include "runners/study/one_case.h"

namespace conform {
namespace {

struct ExploreArguments {
  std::string word;
  ExploreOptions options;
  LiftOptions lift;
  bool json = false;
};

int ShowExplored(const SelectedCase& selected, const Profiles& profiles, const ExploreArguments& arguments,
                 const Context& context) {
  const auto report = ExploreOne(selected, profiles, arguments.options);
  if (!report) return Fail(report.error());
  const ClauseList clauses = LoadClauses(context.home.Spec());
  const int exit_code = report->Complete() ? kAllAsExpected : kHarnessTrouble;
  return Answer(arguments.json ? reports::JsonText(reports::ExploreJson(*report, clauses))
                               : reports::ExploreText(*report, clauses, context.out),
                exit_code);
}

// A script: what it schedules is its program.
int ExploreScript(const ExploreArguments& arguments, const Profiles& profiles, const Context& context) {
  int exit_code = kBadInput;
  const auto lifted = LiftScript(arguments.word, arguments.lift, context.home, &exit_code);
  if (!lifted) return Fail(lifted.error(), lifted.error().is_of_system ? kHarnessTrouble : exit_code);
  Case c = lifted->c;
  c.expect.clear();  // nothing is expected of a script
  const auto report = ExploreOne({std::move(c), arguments.word, true}, profiles, arguments.options);
  if (!report) return Fail(report.error());
  const ClauseList clauses = LoadClauses(context.home.Spec());
  const LiftedDoubts doubts = DoubtsOf(*lifted, profiles, arguments.options.limits);
  const bool is_sure = !lifted->LeavesOut() && !doubts.unexplained && doubts.unknown.empty();
  const bool whole = report->Complete() && is_sure;
  exit_code = whole ? kAllAsExpected : kHarnessTrouble;
  if (!arguments.json) {
    const std::string notes = reports::LiftNotesText(*lifted) + reports::LiftDoubtsText(doubts, context.out);
    return Answer(reports::ExploreText(*report, clauses, context.out) + (notes.empty() ? "" : "\n" + notes), exit_code);
  }
  nlohmann::ordered_json json = reports::ExploreJson(*report, clauses);
  json["lifted"] = reports::LiftedJson(*lifted);
  json["lifted"].update(reports::LiftDoubtsJson(doubts));
  return Answer(json.dump(2) + "\n", exit_code);
}

int ExploreCase(const ExploreArguments& arguments, const Context& context) {
  if (arguments.word.empty()) {
    return Fail(Error::WithHint("explore needs a case", "an id, a file, or -e 'timeout A 0; immediate B'"));
  }
  const auto profiles = LoadProfiles(context.home);
  if (!profiles) return Fail(profiles.error());
  if (IsScriptWord(arguments.word)) return ExploreScript(arguments, *profiles, context);
  if (IsAnyGiven(arguments.lift)) {
    return Fail(
        Error::WithHint("--impl, --runs and --timeout say how a script is run", "a case is not run: omit them"));
  }
  const auto selected = SelectOneCase(context.home, arguments.word);
  if (!selected) return Fail(selected.error());
  return ShowExplored(*selected, *profiles, arguments, context);
}

}  // namespace

CommandSpec MakeExploreCommand() {
  const auto arguments = std::make_shared<ExploreArguments>();
  std::vector<OptionSpec> options{
      Argument("CASE", &arguments->word, "an id, a file, or a script (.js) that is lifted first"),
      ProgramOption([arguments](const std::string& program) { arguments->word = program; }),
      Value("--profile", "PROFILE", &arguments->options.profile,
            "such as node@24 (default: the newest that the case\ncovers), or your own file")
          .Alias("--as"),
      Flag("--late", &arguments->options.late, "also the orders that occur only when something is late"),
      Value("--path", "PATH", &arguments->options.path, "only the run with these choices, such as 0,2,1"),
      Value("--limit", "N", &arguments->options.limit, "how many orders to list (default 20)").Between(1, 10'000)};
  for (OptionSpec& option : LiftOptionSpecs(&arguments->lift)) options.push_back(std::move(option));
  options.push_back(MaxTimeOption(&arguments->options.limits.max_seconds));
  options.push_back(MaxMemoryOption(&arguments->options.limits.max_megabytes));
  options.push_back(FormatOption(&arguments->json));
  return {"explore", "List every order that the model allows, and why", std::move(options),
          RunWith(arguments, ExploreCase)};
}

}  // namespace conform
