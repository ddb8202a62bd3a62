#include "runners/cli/run_arguments.h"

#include <limits>

#include "runners/cli/command_line.h"

namespace conform {

std::vector<OptionSpec> RunOptionSpecs(RunArguments* arguments) {
  constexpr int64_t kAnySeed = std::numeric_limits<int64_t>::max();
  return {
      Argument("CASE", &arguments->words,
               "ids, folders, globs or files (default: all), or scripts\n"
               "(.js, .cjs, .mjs, .ts) that call log(label), which are\n"
               "compared on several implementations"),
      ProgramOption([arguments](const std::string& program) { arguments->words.push_back(program); }),
      Value("--clause", "ID", &arguments->clause,
            "of these, the cases about a clause, such as\ntimers.deadline-order, or about a chapter, such as timers"),
      Value("--failed", "FILE", &arguments->failed, "of these, the cases that failed in this results file"),
      Value("--impl", "NAME", &arguments->implementations,
            "implementations, separated by commas (default ref):\n"
            "node, node@24, node=./out/Release/node, bun, deno, …;\n"
            "adapter=DIR for your own adapter"),
      Value("--as", "PROFILE", &arguments->as,
            "profiles to hold them to, such as node@22,libuv, or\n"
            "your own file, such as ./my.yaml\n"
            "(default: what an implementation claims to be; for ref,\n"
            "every version where the rules of a case change)"),
      Value("--repeat", "N", &arguments->options.repeat,
            "run everything N times (default 1; 30 for scripts on\nseveral implementations)")
          .Between(1, 1'000'000),
      Flag("--console", &arguments->console, "for scripts: each line of console.log is a label"),
      Value("--timeout", "S", &arguments->timeout_s, "seconds for each run (default: at least 10, by case)")
          .Between(1, 86'400),
      Value("--tries", "N", &arguments->options.tries, "make up to N tries while runs are late (default 5)")
          .Between(1, 1'000),
      Value("--perturb", "N", &arguments->perturb,
            "disturb every run: busy neighbours, niceness, one CPU;\n"
            "the seed N determines the disturbance")
          .Between(0, kAnySeed),
      Value("--seed", "N", &arguments->seed, "seed for the choices of ref (default 0: the first)").Between(0, kAnySeed),
      Value("--shard", "I/N", &arguments->shard, "run only part I of N"),
      Value("--output", "FILE", &arguments->output, "write the results there, one JSON value per line"),
      Value("--resume", "FILE", &arguments->resume, "resume the interrupted run that wrote FILE"),
      Flag("--install", &arguments->install, "install named runtimes that are missing"),
      Flag("--strict", &arguments->strict, "also exit 1 when a result is inconclusive\n(otherwise it is only shown)"),
      Flag("-x", &arguments->ends_at_first, "end at the first judgement against an implementation"),
      RunJobsOption(&arguments->jobs),
      FormatOption(&arguments->json),
  };
}

Result<RunArguments> ParseRunArguments(const std::vector<std::string>& typed) {
  RunArguments arguments;
  if (auto error = ParseOptions(RunOptionSpecs(&arguments), typed)) return *error;
  return arguments;
}

}  // namespace conform
