// conform bisect
#include <algorithm>
#include <bit>
#include <nlohmann/json.hpp>

#include "reports/distributions.h"
#include "reports/terminal/bisect_report.h"
#include "reports/terminal/json_text.h"
#include "reports/terminal/progress.h"
#include "runners/cli/commands.h"
#include "runners/harness/run_scope.h"
#include "runners/study/one_case.h"
#include "runners/study/release_runs.h"
#include "runners/study/script_explainer.h"

namespace conform {
namespace {

// Of one comparison. A search has about thirty of them, and all together claim a false change no more often than
// reports::kMaxChance.
constexpr double kLevel = reports::kMaxChance / 30;

struct BisectArguments {
  std::string word;
  LineOfReleases line;
  int64_t repeat = 30;
  int64_t probes = 2;
  bool console = false;
  bool json = false;
};

bool IsSilent(const BisectReport& report) {
  return std::all_of(report.samples.begin(), report.samples.end(), [](const ReleaseSample& sample) {
    return sample.orders.size() == 1 && sample.orders.contains(Order{});
  });
}

int Bisect(const BisectArguments& arguments, const Context& context) {
  if (arguments.word.empty()) return Fail(Error{"name a case, a file or a script, or a program with -e"});
  const auto profiles = LoadProfiles(context.home);
  if (!profiles) return Fail(profiles.error());
  auto selected = SelectOneCase(context.home, arguments.word);
  if (!selected) return Fail(selected.error());
  selected->c.console = arguments.console && selected->c.expect.empty();
  const auto scope = RunScope::Open();
  if (!scope) return Fail(scope.error(), kHarnessTrouble);
  const Interrupt& interrupt = scope.value()->interrupt();
  const LineOfReleases& wanted = arguments.line;
  const auto line = ReleasesOf(wanted, &interrupt);
  if (interrupt.raised()) return interrupt.exit_code();
  if (!line) return Fail(line.error());

  const RunnerOptions options{context.home, 0, {}, !wanted.installed, &interrupt, scope.value()->run_word()};
  const std::vector<std::string> installed = InstalledReleases(wanted.runtime);
  // One more for each time that the line is halved.
  reports::Progress progress("releases", 2 + static_cast<size_t>(arguments.probes) + std::bit_width(line->size()));
  Bisector::Steps steps;
  steps.run = [&](const std::string& version, int64_t runs) {
    return RunOnRelease(*selected, *profiles, wanted.runtime, version, runs, options);
  };
  steps.differ = [&](const ReleaseSample& a, const ReleaseSample& b) {
    return reports::Liken(SetCounts(selected->c, a, b), kLevel).likeness == reports::Likeness::kDifferent;
  };
  steps.is_installed = [&](const std::string& version) {
    return std::find(installed.begin(), installed.end(), version) != installed.end();
  };
  steps.progress = [&](const std::string& version, size_t done) { progress.Show(done, version); };
  steps.stopped = [&] { return interrupt.raised(); };
  const ProfileFamily* family = profiles->Find(wanted.runtime);
  std::set<size_t> suspected;
  if (family != nullptr) suspected = SuspectedChanges(selected->c, *profiles, *family, *line);
  const Bisector::Settings settings{arguments.repeat, static_cast<size_t>(arguments.probes), !wanted.from.empty()};
  auto report = Bisector(*line, std::move(suspected), steps, settings).Find();
  progress.Clear();
  if (interrupt.raised() && !report) return interrupt.exit_code();
  if (!report) return Fail(report.error());
  if (IsSilent(*report)) {
    return Fail(Error{"logs nothing to compare", arguments.word, {}, "call log('name') where the order matters"});
  }
  report->program = selected->reference;
  report->runtime = wanted.runtime;
  ScriptExplainer explainer(context.home, *profiles, *scope.value());
  for (BisectChange& change : report->changes) {
    const ReleaseSample &before = report->samples[change.before], &after = report->samples[change.after];
    if (selected->c.HasNoProgram()) {
      change.may_be_due = explainer.Explain(selected->c, before.claims, after.claims, family != nullptr);
    } else {
      change.rules = RulesBetween(selected->c, *profiles, before, after);
    }
  }
  const std::string text =
      arguments.json ? reports::JsonText(reports::BisectJson(*report)) : reports::BisectText(*report, context.out);
  return Answer(text, interrupt.raised() ? interrupt.exit_code() : report->ExitCode());
}

}  // namespace

CommandSpec MakeBisectCommand() {
  const auto arguments = std::make_shared<BisectArguments>();
  LineOfReleases& line = arguments->line;
  return {"bisect",
          "Find the release that changed the orders of a program",
          {Argument("CASE", &arguments->word, "an id, a case file, or a script"),
           ProgramOption([arguments](const std::string& program) { arguments->word = program; }),
           Value("--impl", "NAME", &line.runtime, "the runtime: node, bun, deno or workerd").Required(),
           Value("--from", "VERSION", &line.from,
                 "the oldest release, such as 10 or 10.24.1\n(default: the oldest that can run the program)"),
           Value("--to", "VERSION", &line.to, "the newest release (default: the newest)"),
           Value("--repeat", "N", &arguments->repeat, "runs on each release (default 30)").Between(10, 10'000),
           Value("--probes", "N", &arguments->probes,
                 "additional releases to run, in the largest gaps:\nfor a change that was reverted (default 2)")
               .Between(0, 1'000),
           Flag("--installed", &line.installed, "only releases that are installed"),
           Flag("--console", &arguments->console, "of a script: the lines of console.log are the labels"),
           FormatOption(&arguments->json)},
          RunWith(arguments, Bisect),
          {},
          "Both ends are run first. Releases that are needed are installed; one that\n"
          "cannot be installed, or cannot run the program, is skipped and named. Exits\n"
          "with 1 where no change was found."};
}

}  // namespace conform
