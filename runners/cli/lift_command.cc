// conform lift
#include <nlohmann/json.hpp>

#include "reports/terminal/json_text.h"
#include "reports/terminal/lift_report.h"
#include "runners/base/write_file.h"
#include "runners/cli/commands.h"
#include "runners/cli/lift_options.h"

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
  const bool whole = !lifted->LeavesOut() && orders.not_modelled.empty() && !orders.doubts.Any();
  return Answer(arguments.json ? reports::JsonText(reports::LiftJson(*lifted, orders))
                               : reports::LiftText(*lifted, orders, context.out),
                whole ? kAllAsExpected : kHarnessTrouble);
}

}  // namespace

CommandSpec MakeLiftCommand() {
  const auto arguments = std::make_shared<LiftArguments>();
  std::vector<OptionSpec> options{
      Argument("SCRIPT", &arguments->script, "a file of JavaScript (.js, .cjs, .mjs); it is run several times")
          .Required(),
      Value("--output", "FILE", &arguments->output, "write the case there, as YAML")};
  for (OptionSpec& option : LiftOptionSpecs(&arguments->options)) options.push_back(std::move(option));
  options.push_back(MaxTimeOption(&arguments->limits.max_seconds));
  options.push_back(MaxMemoryOption(&arguments->limits.max_megabytes));
  options.push_back(FormatOption(&arguments->json));
  return {"lift", "Run a script, and make a case of what it schedules", std::move(options),
          RunWith(arguments, LiftOne)};
}

}  // namespace conform
