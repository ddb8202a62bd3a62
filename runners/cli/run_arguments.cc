#include "runners/cli/run_arguments.h"

#include <algorithm>
#include <limits>

#include "runners/cli/commands.h"

namespace conform {

void AddRunArguments(CLI::App* sub, RunArguments* arguments) {
  sub->add_option("CASE", arguments->words,
                  "ids, folders, globs or files (default: all), or scripts\n"
                  "of your own (.js, .cjs, .mjs, .ts) that call log(label)")
      ->type_name("");
  sub->add_option("--impl", arguments->implementations,
                  "implementations, with commas between (default ref):\n"
                  "node, node@24, node=./out/Release/node, bun, deno, …;\n"
                  "adapter=DIR for an adapter of your own")
      ->type_name("NAME");
  sub->add_option("--as", arguments->as,
                  "profiles to hold them to, as node@22,libuv\n"
                  "(default: what an implementation claims to be; for ref,\n"
                  "every version where the rules of a case change)")
      ->type_name("PROFILE");
  sub->add_option("--repeat", arguments->options.repeat, "run everything N times (default 1)")
      ->check(NumberBetween(1, 1'000'000))
      ->type_name("N");
  sub->add_option("--tries", arguments->options.tries, "try a run that is late up to N times (default 5)")
      ->check(NumberBetween(1, 1'000))
      ->type_name("N");
  sub->add_option("--perturb", arguments->perturb,
                  "disturb every run: busy neighbours, niceness, one CPU;\n"
                  "what is done is a function of the seed N")
      ->check(NumberBetween(0, std::numeric_limits<int64_t>::max()))
      ->type_name("N");
  sub->add_option("--seed", arguments->seed, "what ref draws its choices from (default 0: the first)")
      ->check(NumberBetween(0, std::numeric_limits<int64_t>::max()))
      ->type_name("N");
  sub->add_option("--shard", arguments->shard, "run only part I of N")->type_name("I/N");
  sub->add_option("--output", arguments->output, "write the results there, one JSON value a line")->type_name("FILE");
  sub->add_option("--resume", arguments->resume, "go on with the run that wrote FILE, and was cut short")
      ->type_name("FILE");
  sub->add_flag("--install", arguments->install, "install runtimes that are named and not installed");
  sub->add_flag("--strict", arguments->strict, "exit 1 also when a result is inconclusive\n(else it is only shown)");
  AddJobsOption(sub, &arguments->jobs);
  AddFormatOption(sub, &arguments->json);
}

Result<RunArguments> ParseRunArguments(const std::vector<std::string>& typed) {
  RunArguments arguments;
  CLI::App app;
  AddRunArguments(&app, &arguments);
  std::vector<std::string> reversed(typed.rbegin(), typed.rend());  // as CLI11 wants them
  try {
    app.parse(reversed);
  } catch (const CLI::ParseError& error) {
    return Error{error.what(), "", {}, ""};
  }
  return arguments;
}

}  // namespace conform
