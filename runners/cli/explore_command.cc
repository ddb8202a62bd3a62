// conform explore
#include "reports/terminal/explore_report.h"
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

int ExploreCase(const ExploreArguments& arguments, const Context& context) {
  if (arguments.word.empty()) {
    return Fail(Error::WithHint("explore needs a case", "an id, a file, or -e 'timeout A 0; immediate B'"));
  }
  const auto profiles = LoadProfiles(context.home);
  if (!profiles) return Fail(profiles.error());
  const auto selected = SelectOneCase(context.home, arguments.word);
  if (!selected) return Fail(selected.error());
  const auto report = ExploreOne(*selected, *profiles, arguments.options);
  if (!report) return Fail(report.error());
  const ClauseList clauses = LoadClauses(context.home.Spec());
  const std::string text =
      arguments.json ? ExploreJson(*report, clauses).dump(2) + "\n" : ExploreText(*report, clauses, context.out);
  return Answer(text, report->Complete() ? kAllAsExpected : kHarnessTrouble);
}

}  // namespace

CommandSpec MakeExploreCommand() {
  const auto arguments = std::make_shared<ExploreArguments>();
  return {"explore",
          "List every order that the model allows, and why",
          {Argument("CASE", &arguments->word, "an id, or a file"),
           ProgramOption([arguments](const std::string& program) { arguments->word = program; }),
           Value("--profile", "PROFILE", &arguments->options.profile,
                 "such as node@24 (default: the newest that the case\ncovers), or a file of your own")
               .Alias("--as"),
           Flag("--late", &arguments->options.late, "also the orders that occur only when something is late"),
           Value("--path", "PATH", &arguments->options.path, "only the run with these choices, such as 0,2,1"),
           Value("--limit", "N", &arguments->options.limit, "how many orders to list (default 20)").Between(1, 10'000),
           MaxTimeOption(&arguments->options.limits.max_seconds),
           MaxMemoryOption(&arguments->options.limits.max_megabytes), FormatOption(&arguments->json)},
          RunWith(arguments, ExploreCase)};
}

}  // namespace conform
