// conform mutants
#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "reports/terminal/json_text.h"
#include "reports/terminal/mutants_report.h"
#include "reports/terminal/progress.h"
#include "reports/terminal/source_mutants_report.h"
#include "runners/base/write_file.h"
#include "runners/cli/commands.h"
#include "runners/harness/run_scope.h"
#include "runners/harness/selection.h"
#include "runners/runtimes/find.h"
#include "runners/study/source_hunt.h"

namespace conform {
namespace {

constexpr size_t kMaxEquivalentsBytes = 1 << 20;
constexpr int64_t kMostMutants = 1'000'000;
constexpr int64_t kMutantReadyMs = 30'000;  // one that hangs is not waited for long

struct MutantsArguments {
  std::vector<std::string> words;
  std::string family;
  std::string rule;  // "RULE" or "RULE=VALUE"
  bool list = false;
  bool needed = false;
  bool recorded = false;
  std::string record;
  std::string of;  // "libuv", "node@24"
  uint64_t seed = 1;
  int64_t count = 400;
  std::string only;
  std::string shard = "1/1";
  std::string output;
  bool json = false;
  int jobs = 1;
};

// What each case is for. In the text it stands for those that were named.
int PrintNeeded(const NeededReport& report, const MutantsArguments& arguments, const Context& context) {
  if (!arguments.record.empty()) {
    if (const auto error = WriteWholeFile(arguments.record, RecordedNeedsText(NeedsOf(report)))) return Fail(*error);
  }
  const bool each = !arguments.words.empty();
  const std::string out =
      arguments.json ? reports::JsonText(reports::NeededJson(report)) : reports::NeededText(report, each, context.out);
  return Answer(out, report.ExitCode());
}

int CheckRecordedNeeds(const MutantsArguments& arguments, const Context& context, const MutantHunt& hunt,
                       const std::vector<reference::Mutant>& mutants, const std::vector<SelectedCase>& cases,
                       const Purposes& purposes, const std::map<std::string, std::string>& kept) {
  const std::string file = context.home.Spec() + "/needed.yaml";
  const auto text = ReadFile(file, kMaxEquivalentsBytes);
  const auto recorded = text ? ParseRecordedNeeds(*text, file) : Result<RecordedNeeds>(text.error());
  if (!recorded) return Fail(recorded.error());
  NeededReport report = FollowRecordedNeeds(*recorded, hunt, mutants, cases, purposes, kept);
  if (arguments.words.empty()) {
    for (std::string& stale : StaleEntries(report, purposes, kept)) report.problems.push_back(std::move(stale));
    for (std::string& stale : StaleEntries(*recorded, cases)) report.problems.push_back(std::move(stale));
  }
  return PrintNeeded(report, arguments, context);
}

Result<std::unique_ptr<Workshop>> OpenWorkshop(const MutantsArguments& arguments, const std::string& name,
                                               const Interrupt& interrupt) {
  const Tools tools{OwnEnvironment(), &interrupt};
  const auto cache = CacheFolder(tools.environment);
  if (!cache) return cache.error();
  const WorkshopSettings settings{*cache, tools, static_cast<size_t>(arguments.jobs), PrintLine};
  if (name == "libuv") return OpenLibuvWorkshop(settings);
  const std::string version = arguments.of == name ? "" : arguments.of.substr(name.size() + 1);
  const auto found = FindRuntime(name, version, RuntimeCache(*cache), tools);
  if (!found) return found.error();
  return OpenNodeWorkshop(settings, found->binary);
}

// Mutants of real sources.
int SourceMutants(const MutantsArguments& arguments, const Context& context) {
  const std::string name = arguments.of.substr(0, arguments.of.find('@'));
  if (arguments.of != "libuv" && name != "node") {
    return Fail(Error::WithHint("--of='" + arguments.of + "' is not a source that can be mutated",
                                "write libuv, node, or node@24"));
  }
  const auto profiles = LoadProfiles(context.home);
  if (!profiles) return Fail(profiles.error());
  const auto shard = Shard::Parse(arguments.shard);
  if (!shard) return Fail(shard.error());
  const std::string file = context.home.Spec() + "/source-mutants.yaml";
  const auto text = ReadFile(file, kMaxEquivalentsBytes);
  if (!text) return Fail(text.error());
  const auto known = ParseKnownMutants(*text, file, name);
  if (!known) return Fail(known.error());
  const Selection selection = SelectCases(context.home, arguments.words);
  if (!selection.errors.empty()) return Fail(selection.errors);

  const auto scope = RunScope::Open();
  if (!scope) return Fail(scope.error(), kHarnessTrouble);
  const Interrupt& interrupt = scope.value()->interrupt();
  const auto workshop = OpenWorkshop(arguments, name, interrupt);
  if (!workshop) return Fail(workshop.error());
  const auto count = static_cast<size_t>(arguments.count);
  if (arguments.list) {
    return Answer(reports::SourceMutantListText(
        DrawMutants(workshop.value()->mutants(), *known, arguments.only, arguments.seed, count)));
  }
  RunnerOptions options{context.home, 0, {}, false, &interrupt, scope.value()->run_word()};
  options.ready_ms = kMutantReadyMs;
  // First the cases on the unchanged source, then the mutants.
  reports::StagedProgress progress;
  const auto show = [&](size_t done, size_t of, const std::string& at) { progress.Show("steps", done, of, at); };
  const auto report =
      HuntSourceMutants(*workshop.value(), name, *known, file, selection.cases, *profiles, options,
                        {arguments.seed, count, arguments.only, *shard, arguments.jobs, arguments.output},
                        {show, [&] { return interrupt.raised(); }});
  progress.Clear();
  if (!report) return Fail(report.error());
  const std::string out = arguments.json ? reports::JsonText(reports::SourceMutantsJson(*report))
                                         : reports::SourceMutantsText(*report, context.out);
  return Answer(out, report->interrupted ? interrupt.exit_code() : report->ExitCode());
}

int Mutants(const MutantsArguments& arguments, const Context& context) {
  if (!arguments.of.empty()) return SourceMutants(arguments, context);
  const auto profiles = LoadProfiles(context.home);
  if (!profiles) return Fail(profiles.error());
  const auto mutants = ChooseMutants(*profiles, arguments.family, arguments.rule);
  if (!mutants) return Fail(mutants.error());
  if (arguments.list) return Answer(reports::MutantListText(*mutants));
  const std::string file = context.home.Spec() + "/mutants.yaml";
  const auto text = ReadFile(file, kMaxEquivalentsBytes);
  if (!text) return Fail(text.error());
  const auto said = ParseMutantsFile(*text, file);
  if (!said) return Fail(said.error());
  const Selection selection = SelectCases(context.home, arguments.words);
  if (!selection.errors.empty()) return Fail(selection.errors);
  if (selection.cases.empty()) return Fail(Error{"there is no case to run", context.home.Cases()});

  const MutantHunt hunt(selection.cases, *profiles);
  const std::vector<std::string> modelled = hunt.CaseIds();
  const Purposes purposes =
      FindPurposes(context.home.Spec(), selection.cases, std::set<std::string>(modelled.begin(), modelled.end()));
  if (arguments.recorded) {
    return CheckRecordedNeeds(arguments, context, hunt, *mutants, selection.cases, purposes, said->kept);
  }
  reports::Progress progress("mutants", mutants->size());
  const auto show = [&progress](size_t done, const std::string& mutant) { progress.Show(done, mutant); };
  MutantsReport report = HuntMutants(hunt, *mutants, said->equivalent, {arguments.needed, arguments.jobs, show});
  progress.Clear();
  // Entries are judged only where every mutant is looked for.
  const bool whole = arguments.family.empty() && arguments.rule.empty();
  if (whole) report.useless_entries = UselessEntries(said->equivalent, *mutants, file);
  if (arguments.needed) {
    NeededReport needed = FindNeeded(report.results, selection.cases, purposes, said->kept);
    if (whole && arguments.words.empty()) needed.problems = StaleEntries(needed, purposes, said->kept);
    return PrintNeeded(needed, arguments, context);
  }
  const std::string out =
      arguments.json ? reports::JsonText(reports::MutantsJson(report)) : reports::MutantsText(report, context.out);
  return Answer(out, report.ExitCode());
}

}  // namespace

CommandSpec MakeMutantsCommand() {
  const auto arguments = std::make_shared<MutantsArguments>();
  return {"mutants",
          "Check that the catalogue notices a loop with one deviation",
          {Argument("CASE", &arguments->words, "ids, folders, globs or files: run only these cases\n(default: all)"),
           Value("--family", "NAME", &arguments->family, "only mutants of this family, such as libuv"),
           Value("--rule", "RULE[=VALUE]", &arguments->rule,
                 "only mutants of this rule of the profiles, or\nthose that give it this value"),
           Flag("--list", &arguments->list, "print the mutants without running any case"),
           Flag("--needed", &arguments->needed,
                "the other way round: which cases could be dropped\nwith every mutant still killed?"),
           Value("--record", "FILE", &arguments->record, "write what each case is needed for, as in\nspec/needed.yaml")
               .Needs("--needed"),
           Flag("--recorded", &arguments->recorded,
                "trust spec/needed.yaml, and only check that each\ncase notices what it lists (takes seconds)")
               .Needs("--needed")
               .Excludes("--record"),
           Value("--of", "SOURCE", &arguments->of,
                 "mutants of a real source instead, built and run:\nlibuv, or node[@VERSION]")
               .Excludes("--needed"),
           Value("--seed", "N", &arguments->seed, "seed of their selection (default 1)").Needs("--of"),
           Value("--count", "N", &arguments->count, "how many of them (default 400)")
               .Between(1, kMostMutants)
               .Needs("--of"),
           Value("--only", "GLOB", &arguments->only, "only those whose id matches, as in 'timer.c:*'").Needs("--of"),
           Value("--shard", "I/N", &arguments->shard, "only this part of them, such as 2/8").Needs("--of"),
           Value("--output", "FILE", &arguments->output,
                 "keep the results there as they come, and do not\nrepeat those that it has")
               .Needs("--of"),
           JobsOption(&arguments->jobs), FormatOption(&arguments->json)},
          RunWith(arguments, Mutants)};
}

}  // namespace conform
