// conform lift
#include <nlohmann/json.hpp>

#include "reports/terminal/lift_report.h"
#include "runners/base/write_file.h"
#include "runners/cli/commands.h"

namespace conform {
namespace {

struct LiftArguments {
  std::string script;
  std::string output;
  LiftOptions options;
  ChosenLimits limits;
  bool json = false;
};

int LiftOne(const LiftArguments& arguments, const Context& context) {
  if (!IsScriptWord(arguments.script)) {
    return Fail(
        Error{"is not a script", arguments.script, {}, "lift takes a file of JavaScript, such as my-script.js"});
  }
  if (const auto error = CheckOutput(arguments.output, {arguments.script})) return Fail(*error);
  const auto profiles = LoadProfiles(context.home);
  if (!profiles) return Fail(profiles.error());
  int exit_code = kBadInput;
  const auto lifted = LiftScript(arguments.script, arguments.options, context.home, &exit_code);
  if (!lifted) return Fail(lifted.error(), lifted.error().is_of_system ? kHarnessTrouble : exit_code);
  const LiftedOrders orders = OrdersByRelease(*lifted, *profiles, arguments.limits);
  if (!arguments.output.empty()) {
    if (const auto error = WriteWholeFile(arguments.output, CaseFileOf(*lifted, orders))) return Fail(*error);
  }
  const bool whole = !lifted->LeavesOut() && orders.not_modelled.empty() && orders.unknown.empty() &&
                     !orders.unexplained && orders.complete;
  return Answer(arguments.json ? reports::LiftJson(*lifted, orders).dump(2) + "\n"
                               : reports::LiftText(*lifted, orders, context.out),
                whole ? kAllAsExpected : kHarnessTrouble);
}

}  // namespace

CommandSpec MakeLiftCommand() {
  const auto arguments = std::make_shared<LiftArguments>();
  return {
      "lift",
      "Run a script, and make a case of what it schedules",
      {Argument("SCRIPT", &arguments->script, "a file of JavaScript (.js, .cjs); it is run several times").Required(),
       Value("--output", "FILE", &arguments->output, "write the case there, as YAML"),
       Value("--impl", "NAME", &arguments->options.node,
             "the Node.js that runs it, such as node@24 (default: the\none on PATH, or the newest that is installed)"),
       Value("--runs", "N", &arguments->options.runs, "how often to run it; every second run is disturbed\n(default 6)")
           .Between(1, 1'000),
       Value("--timeout", "S", &arguments->options.timeout_s, "seconds for each run (default 10)").Between(1, 86'400),
       MaxTimeOption(&arguments->limits.max_seconds), MaxMemoryOption(&arguments->limits.max_megabytes),
       FormatOption(&arguments->json)},
      RunWith(arguments, LiftOne)};
}

}  // namespace conform
