// conform verify
#include <limits>
#include <optional>

#include "runners/cli/prepared_run.h"
#include "runners/cli/progress.h"
#include "runners/cli/verify_report.h"
#include "runners/harness/interrupt.h"
#include "runners/harness/parallel.h"
#include "runners/harness/process_guard.h"
#include "runners/harness/run_item.h"

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
RunArguments RoundOf(const VerifyArguments& arguments) {
  RunArguments round;
  round.words = arguments.words;
  round.implementations = arguments.implementations;
  round.as = arguments.as;
  round.options.repeat = arguments.repeat;
  round.options.tries = 1;
  return round;
}

int Verify(const VerifyArguments& arguments, const Context& context) {
  // The guard is a process of its own and has to be there before the first thread is.
  const auto guard = ProcessGuard::Start();
  if (!guard) {
    PrintError(guard.error());
    return kHarnessTrouble;
  }
  const Interrupt interrupt;
  RunnerOptions options{context.home, 0, std::nullopt, arguments.install, &interrupt, guard.value()->run_word()};
  const RunArguments round = RoundOf(arguments);
  const Prepared calm = Prepare(round, context, options);
  options.perturb = arguments.perturb;
  options.install = false;
  const Prepared disturbed = Prepare(round, context, options);
  for (const Prepared* prepared : {&calm, &disturbed}) {
    if (prepared->errors.empty()) continue;
    PrintErrors(prepared->errors);
    return kBadInput;
  }
  CONFORM_CHECK(calm.plan.items.size() == disturbed.plan.items.size());

  VerifyReport report;
  report.all.resize(calm.plan.items.size());
  bool whole = true;
  {
    Progress progress("verified", report.all.size());
    ForEachInOrder(
        report.all.size(), arguments.jobs,
        [&](size_t index) {
          Verified& one = report.all[index];
          if (auto result = RunItem(calm.plan, calm.plan.items[index], round.options)) one.calm = std::move(*result);
          if (auto result = RunItem(disturbed.plan, disturbed.plan.items[index], round.options)) {
            one.disturbed = std::move(*result);
          }
        },
        [&](size_t index) {
          progress.Show(index + 1, report.all[index].calm.case_id);
          whole = !interrupt.raised();
          return whole;
        });
  }
  if (!whole) return kEndedBySignal + interrupt.signal();
  const std::string text = arguments.json ? VerifyJson(report).dump(2) + "\n" : VerifyText(report, context.out);
  return Print(text) ? report.ExitCode(arguments.strict) : kHarnessTrouble;
}

}  // namespace

CommandSpec MakeVerifyCommand() {
  const auto arguments = std::make_shared<VerifyArguments>();
  return {"verify",
          "Is a case stable? Many runs, in peace and disturbed",
          {Argument("CASE", &arguments->words, "ids, folders, globs or files").Required(),
           Value("--impl", "NAME", &arguments->implementations,
                 "implementations, with commas between\n(default ref:real, the reference loop in real time)"),
           Value("--as", "PROFILE", &arguments->as, "profiles to hold them to, as node@22,libuv"),
           Value("--repeat", "N", &arguments->repeat, "runs of each case in each of the two rounds (default 20)")
               .Between(1, 1'000'000),
           Value("--perturb", "N", &arguments->perturb,
                 "the seed of what disturbs the second round: busy\nneighbours, niceness, one CPU (default 1)")
               .Between(0, std::numeric_limits<int64_t>::max()),
           Flag("--install", &arguments->install, "install runtimes that are named and not installed"),
           Flag("--strict", &arguments->strict, "exit 1 also when a run was late"), JobsOption(&arguments->jobs),
           FormatOption(&arguments->json)},
          RunWith(arguments, Verify)};
}

}  // namespace conform
