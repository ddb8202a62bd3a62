// conform explore
#include <nlohmann/json.hpp>

#include "reports/terminal/explore_report.h"
#include "reports/terminal/lift_report.h"
#include "runners/cli/commands.h"
#include "runners/study/exploring.h"
#include "runners/study/one_case.h"

namespace conform {
namespace {

struct ExploreArguments {
  std::string word;
  ExploreOptions options;
  bool json = false;
};

int ShowExplored(const SelectedCase& selected, const Profiles& profiles, const ExploreArguments& arguments,
                 const Context& context, const Lifted* lifted) {
  const auto report = ExploreOne(selected, profiles, arguments.options);
  if (!report) return Fail(report.error());
  const ClauseList clauses = LoadClauses(context.home.Spec());
  const bool whole = report->Complete() && (lifted == nullptr || !lifted->LeavesOut());
  const int exit_code = whole ? kAllAsExpected : kHarnessTrouble;
  if (!arguments.json) {
    const std::string notes = lifted == nullptr ? "" : reports::LiftNotesText(*lifted);
    return Answer(reports::ExploreText(*report, clauses, context.out) + (notes.empty() ? "" : "\n" + notes), exit_code);
  }
  nlohmann::ordered_json json = reports::ExploreJson(*report, clauses);
  if (lifted != nullptr) json["lifted"] = reports::LiftedJson(*lifted);
  return Answer(json.dump(2) + "\n", exit_code);
}

// A script: what it schedules is its program.
int ExploreScript(const ExploreArguments& arguments, const Profiles& profiles, const Context& context) {
  int exit_code = kBadInput;
  const auto lifted = LiftScript(arguments.word, {}, context.home, &exit_code);
  if (!lifted) return Fail(lifted.error(), lifted.error().is_of_system ? kHarnessTrouble : exit_code);
  Case c = lifted->c;
  c.expect.clear();  // nothing is expected of a script
  return ShowExplored({std::move(c), arguments.word, true}, profiles, arguments, context, &lifted.value());
}

int ExploreCase(const ExploreArguments& arguments, const Context& context) {
  if (arguments.word.empty()) {
    return Fail(Error::WithHint("explore needs a case", "an id, a file, or -e 'timeout A 0; immediate B'"));
  }
  const auto profiles = LoadProfiles(context.home);
  if (!profiles) return Fail(profiles.error());
  if (IsScriptWord(arguments.word)) return ExploreScript(arguments, *profiles, context);
  const auto selected = SelectOneCase(context.home, arguments.word);
  if (!selected) return Fail(selected.error());
  return ShowExplored(*selected, *profiles, arguments, context, nullptr);
}

}  // namespace

CommandSpec MakeExploreCommand() {
  const auto arguments = std::make_shared<ExploreArguments>();
  return {"explore",
          "List every order that the model allows, and why",
          {Argument("CASE", &arguments->word, "an id, a file, or a script (.js) that is lifted first"),
           ProgramOption([arguments](const std::string& program) { arguments->word = program; }),
           Value("--profile", "PROFILE", &arguments->options.profile,
                 "such as node@24 (default: the newest that the case\ncovers), or your own file")
               .Alias("--as"),
           Flag("--late", &arguments->options.late, "also the orders that occur only when something is late"),
           Value("--path", "PATH", &arguments->options.path, "only the run with these choices, such as 0,2,1"),
           Value("--limit", "N", &arguments->options.limit, "how many orders to list (default 20)").Between(1, 10'000),
           MaxTimeOption(&arguments->options.limits.max_seconds),
           MaxMemoryOption(&arguments->options.limits.max_megabytes), FormatOption(&arguments->json)},
          RunWith(arguments, ExploreCase)};
}

}  // namespace conform
