#include "runners/cli/lift_arguments.h"

#include <algorithm>
#include <string_view>

#include "runners/harness/process_guard.h"
#include "runners/harness/run_scope.h"

namespace conform {

bool IsScriptWord(const std::string& word) {
  static constexpr std::string_view kEndings[] = {".js", ".cjs", ".mjs", ".ts", ".mts", ".cts"};
  return std::any_of(std::begin(kEndings), std::end(kEndings), [&](std::string_view e) { return word.ends_with(e); });
}

Result<Lifted> LiftScript(const std::string& script, LiftOptions options, const Context& context, int* exit_code) {
  *exit_code = kBadInput;
  const auto scope = RunScope::Open();
  if (!scope) {
    *exit_code = kHarnessTrouble;
    return scope.error();
  }
  Tools tools{OwnEnvironment(), &scope.value()->interrupt()};
  tools.environment[kRunVariable] = scope.value()->run_word();
  options.adapters = context.home.Adapters();
  PrintLine("conform: runs " + script + " " + Counted(options.runs, "time") + " to see what it schedules");
  auto lifted = Lift(script, options, tools);
  if (!lifted && scope.value()->interrupt().raised()) *exit_code = kEndedBySignal + scope.value()->interrupt().signal();
  return lifted;
}

}  // namespace conform
