// conform causes
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "reports/terminal/causes_report.h"
#include "reports/terminal/json_text.h"
#include "reports/terminal/progress.h"
#include "runners/base/write_file.h"
#include "runners/cli/commands.h"
#include "runners/export/export.h"
#include "runners/harness/run_plan.h"
#include "runners/harness/run_scope.h"
#include "runners/study/all_results.h"
#include "runners/study/cause_truth.h"
#include "runners/study/explain_results.h"
#include "runners/study/own_profile.h"
#include "runners/study/prepared_run.h"
#include "runners/study/run_alone.h"

namespace conform {
namespace {

struct CausesArguments {
  std::vector<std::string> files;
  std::string implementation;
  std::string as;
  std::string truth;
  size_t limit = 10;
  size_t most = 200;
  int jobs = 1;
  bool install = false;
  bool confirm = false;
  bool no_programs = false;
  std::optional<uint64_t> half;
  std::string format = "text";
  std::string output;
};

// `runner`: the implementation itself, to confirm what is found; null where only results are known.
int Explain(const CausesArguments& arguments, const Context& context, std::vector<CaseResult> results,
            const Interrupt* interrupt, const Runner* runner) {
  auto profiles = LoadProfiles(context.home);
  if (!profiles) return Fail(profiles.error());
  // Of results that were just made there is only one implementation, named after its version.
  const auto side =
      ChooseResults(std::move(results), arguments.files.empty() ? "" : arguments.implementation, arguments.as);
  if (!side) return Fail(side.error());
  const auto profile = ResolveProfile(arguments.as.empty() ? side->profile : arguments.as, &*profiles);
  if (!profile) return Fail(Error::WithHint(profile.error().message, "name a profile with --as"));
  std::optional<Profile> follows;
  if (!arguments.truth.empty()) {
    const auto named = ResolveProfile(arguments.truth, &*profiles);
    if (!named) return Fail(named.error());
    if (named->family != profile->family) return Fail(Error{"--truth names another family than " + profile->Name()});
    follows = *named;
  }
  const Selection selection = SelectCases(context.home, {});
  if (!selection.errors.empty()) return Fail(selection.errors);

  CausesSettings settings;
  settings.most_causes = arguments.most;
  settings.jobs = arguments.jobs;
  reports::StagedProgress progress;
  settings.progress = [&](const std::string& what, size_t done, size_t all) { progress.Show(what, done, all, ""); };
  settings.stopped = [&] { return interrupt != nullptr && interrupt->raised(); };
  if (runner != nullptr) {
    settings.observe = [&](const Case& c, int64_t number) {
      if (runner->CannotRun(c, *profile)) return RunOutcome{.trace = {}, .trouble = Trouble::kUnsupported};
      return runner->Run(c, *profile, {number, /*disturbed=*/false, /*fresh=*/true});
    };
    if (!runner->alone().empty()) {
      settings.observe_alone = [&](const Case& c, const std::string& script) {
        return RunAlone(runner->alone(), script, (*ExportLanguageOf(profile->family)).file_name(c), interrupt);
      };
    }
  }
  auto [evidence, withheld, hypotheses, report] =
      ExplainResults(side->results, selection.cases, *profiles, *profile, settings, arguments.half);
  if (evidence.observations.empty()) {
    return Fail(
        Error::WithHint("none of the results can be asked about: they are of other versions of the cases, or "
                        "without a model in " +
                            profile->Name(),
                        "run the cases again"));
  }
  if (settings.observe) TellCausesApart(&report, *profiles, *profile, settings);
  if (!arguments.no_programs) FindPrograms(&report, evidence, settings);
  if (settings.observe) ConfirmCauses(&report, *profile, settings);
  const auto reports = LoadKnownReports(context.home.KnownReports());
  if (!reports) return Fail(reports.error());
  NoteKnownReports(&report, *reports);
  std::optional<CauseTruth> truth;
  if (follows) truth = CompareWithTruth(report, evidence, hypotheses, *follows, arguments.jobs);
  std::optional<CausePrediction> prediction;
  if (arguments.half) prediction = PredictWithheld(report, withheld, *arguments.half);
  progress.Clear();
  std::string text;
  if (arguments.format == "json") {
    auto json = reports::CausesJson(report);
    if (truth) json["truth"] = reports::CauseTruthJson(*truth);
    if (prediction) json["withheld"] = reports::CausePredictionJson(*prediction);
    text = reports::JsonText(json);
  } else if (arguments.format == "markdown") {
    text = reports::CausesMarkdown(report);
  } else {
    text =
        reports::CausesText(report, arguments.limit, arguments.output.empty() ? context.out : Style(/*colour=*/false));
    if (truth) text += "\n" + reports::CauseTruthText(*truth, arguments.limit);
    if (prediction) text += "\n" + reports::CausePredictionText(*prediction);
  }
  if (!arguments.output.empty()) {
    if (const auto error = WriteWholeFile(arguments.output, text)) return Fail(*error, kHarnessTrouble);
    text.clear();
  }
  return Answer(text, report.interrupted ? interrupt->exit_code() : report.ExitCode());
}

int RunAndExplain(const CausesArguments& arguments, const Context& context) {
  const auto scope = RunScope::Open();
  if (!scope) return Fail(scope.error(), kHarnessTrouble);
  const Interrupt& interrupt = scope.value()->interrupt();
  WhatToRun what;
  what.implementations = arguments.implementation;
  what.as = arguments.as;
  const RunnerOptions options{context.home, 0, {}, arguments.install, &interrupt, scope.value()->run_word()};
  const Prepared prepared = Prepare(what, options);
  if (interrupt.raised()) return interrupt.exit_code();
  if (!prepared.errors.empty()) return Fail(prepared.errors);
  if (!prepared.left_out.empty()) return Fail(prepared.left_out);
  std::vector<CaseResult> results;
  reports::Progress progress("runs", prepared.plan.items.size());
  const auto keep = [&](size_t index, CaseResult result) {
    progress.Show(index + 1, result.case_id);
    results.push_back(std::move(result));
    return !interrupt.raised();
  };
  RunPlan(prepared.plan, prepared.late, {what.options, arguments.jobs}, keep);
  progress.Clear();
  if (interrupt.raised()) return interrupt.exit_code();
  return Explain(arguments, context, std::move(results), &interrupt, prepared.runners.front().get());
}

int Causes(const CausesArguments& arguments, const Context& context) {
  if (arguments.files.empty() && arguments.implementation.empty()) {
    return Fail(Error{"name results files, or an implementation to run with --impl"});
  }
  if (arguments.files.empty()) return RunAndExplain(arguments, context);
  auto results = ReadAllResults(arguments.files, context.home);
  if (!results) return Fail(results.error());
  if (!arguments.confirm) return Explain(arguments, context, std::move(*results), nullptr, nullptr);
  if (arguments.implementation.empty()) return Fail(Error{"--confirm needs an implementation to run: add --impl"});
  const auto opened = OpenImplementation(arguments.implementation, context.home, arguments.install);
  if (!opened) return Fail(opened.error());
  return Explain(arguments, context, std::move(*results), &opened->interrupt(), opened->runner.get());
}

}  // namespace

CommandSpec MakeCausesCommand() {
  const auto arguments = std::make_shared<CausesArguments>();
  return {
      "causes",
      "Find out what an implementation does differently",
      {Argument("RESULTS", &arguments->files, "results files, as run --output writes them"),
       Value("--impl", "NAME", &arguments->implementation,
             "run this implementation; with RESULTS, explain only the\nresults of this one"),
       Value("--as", "PROFILE", &arguments->as, "the profile to hold it to: node@22, ./my.yaml"),
       Value("--truth", "PROFILE", &arguments->truth,
             "the profile that it is known to follow: report which\ncauses are right, and what is missed"),
       Value("--half", "SEED", &arguments->half,
             "withhold half of the cases, drawn by the seed, and say\nhow many of them the causes explain"),
       Value("--limit", "N", &arguments->limit, "how many cases to list in each place (default 10)").Between(1, 10'000),
       Value("--causes", "N", &arguments->most, "maximum number of causes (default 200)").Between(1, 1'000),
       Flag("--confirm", &arguments->confirm,
            "with RESULTS and --impl: run the program of each cause\nin 20 fresh processes (always, without RESULTS)"),
       Flag("--no-programs", &arguments->no_programs, "do not look for the smallest program of each cause"),
       Flag("--install", &arguments->install, "install the named runtime if it is missing"),
       JobsOption(&arguments->jobs),
       Value("--format", "FORMAT", &arguments->format, "text, json or markdown (default text)")
           .OneOf({"text", "json", "markdown"}),
       Value("--output", "FILE", &arguments->output, "write the report there (default: stdout)")},
      RunWith(arguments, Causes)};
}

}  // namespace conform
