// conform verify
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>

#include "reports/terminal/progress.h"
#include "reports/terminal/verify_report.h"
#include "runners/cli/commands.h"
#include "runners/harness/run_plan.h"
#include "runners/harness/run_scope.h"
#include "runners/study/prepared_run.h"

namespace conform {
namespace {

struct VerifyArguments {
  std::vector<std::string> words;
  std::string implementations = "ref:real";
  std::string as;
  int64_t repeat = 20;
  uint64_t perturb = 1;
  int jobs = 1;
  bool install = false;
  bool strict = false;
  bool json = false;
};

// A late run counts as one: nothing is tried again.
WhatToRun RoundOf(const VerifyArguments& arguments) {
  WhatToRun round;
  round.words = arguments.words;
  round.implementations = arguments.implementations;
  round.as = arguments.as;
  round.options.repeat = arguments.repeat;
  round.options.tries = 1;
  return round;
}

int Verify(const VerifyArguments& arguments, const Context& context) {
  const auto scope = RunScope::Open();
  if (!scope) return Fail(scope.error(), kHarnessTrouble);
  const Interrupt& interrupt = scope.value()->interrupt();
  RunnerOptions options{context.home, 0, std::nullopt, arguments.install, &interrupt, scope.value()->run_word()};
  const WhatToRun round = RoundOf(arguments);
  const Prepared calm = Prepare(round, options);
  options.perturb = arguments.perturb;
  options.install = false;
  const Prepared disturbed = Prepare(round, options);
  if (interrupt.raised()) return kEndedBySignal + interrupt.signal();
  for (const Prepared* prepared : {&calm, &disturbed}) {
    if (!prepared->errors.empty()) return Fail(prepared->errors);
  }
  PrintLeftOut(disturbed.left_out);
  // Files and adapters are read twice, and each implementation is started twice.
  if (calm.plan.digest != disturbed.plan.digest) {
    return Fail(Error{"the two rounds would not be of the same cases and implementations: something has just changed"},
                kHarnessTrouble);
  }

  VerifyReport report;
  report.all.resize(calm.plan.items.size());
  reports::Progress progress("verified", 2 * report.all.size());
  size_t done = 0;
  const auto run = [&](const Prepared& prepared, CaseResult Verified::*round_of_it) {
    const auto keep = [&](size_t index, CaseResult result) {
      progress.Show(++done, result.case_id);
      report.all[index].*round_of_it = std::move(result);
      return !interrupt.raised();
    };
    return RunPlan(prepared.plan, prepared.late, {round.options, arguments.jobs}, keep) == report.all.size();
  };
  const bool whole = run(calm, &Verified::calm) && run(disturbed, &Verified::disturbed);
  progress.Clear();
  if (!whole) return kEndedBySignal + interrupt.signal();
  const std::string text =
      arguments.json ? reports::VerifyJson(report).dump(2) + "\n" : reports::VerifyText(report, context.out);
  const int code = report.ExitCode(arguments.strict);
  return Answer(text, code == kAllAsExpected && !calm.left_out.empty() ? kHarnessTrouble : code);
}

}  // namespace

CommandSpec MakeVerifyCommand() {
  const auto arguments = std::make_shared<VerifyArguments>();
  return {"verify",
          "Check that a case is stable, with and without load",
          {Argument("CASE", &arguments->words, "ids, folders, globs or files").Required(),
           Value("--impl", "NAME", &arguments->implementations,
                 "implementations, separated by commas\n(default ref:real, the reference loop in real time)"),
           Value("--as", "PROFILE", &arguments->as, "profiles to hold them to, such as node@22,libuv"),
           Value("--repeat", "N", &arguments->repeat, "runs of each case in each of the two rounds (default 20)")
               .Between(1, 1'000'000),
           Value("--perturb", "N", &arguments->perturb,
                 "seed for the disturbance in the second round: busy\nneighbours, niceness, one CPU (default 1)")
               .Between(0, std::numeric_limits<int64_t>::max()),
           Flag("--install", &arguments->install, "install named runtimes that are missing"),
           Flag("--strict", &arguments->strict, "also exit 1 when a run was late"), JobsOption(&arguments->jobs),
           FormatOption(&arguments->json)},
          RunWith(arguments, Verify)};
}

}  // namespace conform
