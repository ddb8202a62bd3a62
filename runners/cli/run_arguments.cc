#include "runners/cli/run_arguments.h"

#include <limits>

#include "runners/cli/command_line.h"

namespace conform {

std::vector<OptionSpec> RunOptionSpecs(RunArguments* arguments) {
  constexpr int64_t kAnySeed = std::numeric_limits<int64_t>::max();
  return {
      Argument("CASE", &arguments->words,
               "ids, folders, globs or files (default: all), or scripts\n"
               "of your own (.js, .cjs, .mjs, .ts) that call log(label)"),
      Value("--impl", "NAME", &arguments->implementations,
            "implementations, with commas between (default ref):\n"
            "node, node@24, node=./out/Release/node, bun, deno, …;\n"
            "adapter=DIR for an adapter of your own"),
      Value("--as", "PROFILE", &arguments->as,
            "profiles to hold them to, as node@22,libuv\n"
            "(default: what an implementation claims to be; for ref,\n"
            "every version where the rules of a case change)"),
      Value("--repeat", "N", &arguments->options.repeat, "run everything N times (default 1)").Between(1, 1'000'000),
      Value("--tries", "N", &arguments->options.tries, "try a run that is late up to N times (default 5)")
          .Between(1, 1'000),
      Value("--perturb", "N", &arguments->perturb,
            "disturb every run: busy neighbours, niceness, one CPU;\n"
            "what is done is a function of the seed N")
          .Between(0, kAnySeed),
      Value("--seed", "N", &arguments->seed, "what ref draws its choices from (default 0: the first)")
          .Between(0, kAnySeed),
      Value("--shard", "I/N", &arguments->shard, "run only part I of N"),
      Value("--output", "FILE", &arguments->output, "write the results there, one JSON value a line"),
      Value("--resume", "FILE", &arguments->resume, "go on with the run that wrote FILE, and was cut short"),
      Flag("--install", &arguments->install, "install runtimes that are named and not installed"),
      Flag("--strict", &arguments->strict, "exit 1 also when a result is inconclusive\n(else it is only shown)"),
      JobsOption(&arguments->jobs),
      FormatOption(&arguments->json),
  };
}

Result<RunArguments> ParseRunArguments(const std::vector<std::string>& typed) {
  RunArguments arguments;
  if (auto error = ParseOptions(RunOptionSpecs(&arguments), typed)) return *error;
  return arguments;
}

}  // namespace conform
