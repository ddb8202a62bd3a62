// conform infer
#include <memory>
#include <nlohmann/json.hpp>

#include "reports/terminal/infer_report.h"
#include "reports/terminal/json_text.h"
#include "reports/terminal/progress.h"
#include "runners/base/write_file.h"
#include "runners/cli/commands.h"
#include "runners/harness/run_plan.h"
#include "runners/study/infer.h"
#include "runners/study/prepared_run.h"

namespace conform {
namespace {

constexpr int64_t kRunsOfACase = 3;

struct InferArguments {
  std::string implementation;
  std::string as;
  std::string output;
  std::vector<std::string> cases;
  int64_t programs = 200;
  uint64_t seed = 1;
  int jobs = 1;
  bool install = false;
  bool json = false;
};

// The newest release of the family that the implementation is of: something to start from.
Result<Profile> StartOf(const InferArguments& arguments, const Runner& runner, const Profiles& profiles) {
  std::string family = arguments.as.substr(0, arguments.as.find('@'));
  if (family.empty() && runner.claims() != nullptr) family = runner.claims()->family;
  if (family.empty()) return Error::WithHint(runner.name() + " has no profile of its own", "choose one with --as");
  auto start = profiles.Resolve(family);
  if (!start) return start;
  if (profiles.Find(family)->is_documented) return Error{family + " has promises, and no rules that could be inferred"};
  return start;
}

int Infer(const InferArguments& arguments, const Context& context) {
  const auto profiles = LoadProfiles(context.home);
  if (!profiles) return Fail(profiles.error());
  const auto opened = OpenImplementation(arguments.implementation, context.home, arguments.install);
  if (!opened) return Fail(opened.error());
  const Interrupt& interrupt = opened->interrupt();
  const Runner& runner = *opened->runner;
  const auto start = StartOf(arguments, runner, *profiles);
  if (!start) return Fail(start.error());
  // The reference loop follows a profile, and nothing here looks at it; a real loop follows its own rules.
  const auto follows = runner.claims() == nullptr ? profiles->Resolve(arguments.as) : start;
  if (!follows) return Fail(follows.error());

  const Selection selection = SelectCases(context.home, arguments.cases);
  if (!selection.errors.empty()) return Fail(selection.errors);
  const Plan plan = MakePlan(selection.cases, *profiles, {&runner}, {*follows}, Shard{});
  std::vector<CaseResult> results;
  reports::StagedProgress progress;
  RunPlan(plan, ModelOracle(), {{kRunsOfACase, 1}, arguments.jobs}, [&](size_t index, CaseResult result) {
    progress.Show("runs", index + 1, plan.items.size(), result.case_id);
    results.push_back(std::move(result));
    return !interrupt.raised();
  });
  progress.Clear();
  if (interrupt.raised()) return interrupt.exit_code();
  const CauseEvidence evidence = GatherEvidence(results, selection.cases, *profiles, *start, arguments.jobs);
  if (evidence.observations.empty()) return Fail(Error{"no case that was run has a model in " + start->family});

  InferSettings settings;
  settings.jobs = arguments.jobs;
  settings.random_programs = arguments.programs;
  settings.seed = arguments.seed;
  settings.progress = [&](const std::string& what, size_t done, size_t all) { progress.Show(what, done, all, ""); };
  settings.stopped = [&] { return interrupt.raised(); };
  const InferReport report = Inferrer(evidence, *profiles, selection.cases, runner, *follows, settings).Infer();
  progress.Clear();
  if (!arguments.output.empty() && !report.interrupted) {
    if (const auto error = WriteWholeFile(arguments.output, InferredProfileText(report))) {
      return Fail(*error, kHarnessTrouble);
    }
  }
  const std::string text =
      arguments.json ? reports::JsonText(reports::InferJson(report)) : reports::InferText(report, context.out);
  return Answer(text, report.interrupted ? interrupt.exit_code() : report.ExitCode());
}

}  // namespace

CommandSpec MakeInferCommand() {
  const auto arguments = std::make_shared<InferArguments>();
  return {"infer",
          "Find out which rules an implementation follows",
          {Value("--impl", "NAME", &arguments->implementation, "the implementation to run").Required(),
           Value("--as", "PROFILE", &arguments->as,
                 "the family whose rules to infer (default: the one that it\n"
                 "claims); for ref, the profile to follow, unseen by infer"),
           Value("--output", "FILE", &arguments->output, "write the profile to this file, for --as=./FILE"),
           Value("--case", "CASE", &arguments->cases, "ids, folders, globs or files: only these cases\n(default: all)"),
           Value("--programs", "N", &arguments->programs,
                 "how many random programs to try for one that decides a\nrule (default 200)")
               .Between(0, 100'000),
           Value("--seed", "N", &arguments->seed, "seed of the random programs (default 1)").Between(0, 1'000'000'000),
           Flag("--install", &arguments->install, "install the named runtime if it is missing"),
           JobsOption(&arguments->jobs), FormatOption(&arguments->json)},
          RunWith(arguments, Infer)};
}

}  // namespace conform
