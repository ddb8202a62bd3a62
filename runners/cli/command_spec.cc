#include "runners/cli/command_spec.h"

#include "runners/harness/parallel.h"
#include "runners/harness/run_plan.h"
#include "runners/model/inline_program.h"

namespace conform {

OptionSpec OptionSpec::Required() && {
  required = true;
  return std::move(*this);
}

OptionSpec OptionSpec::OneOf(std::vector<std::string> values) && {
  choices = std::move(values);
  return std::move(*this);
}

OptionSpec OptionSpec::Between(int64_t least, int64_t most) && {
  bounds = {least, most};
  return std::move(*this);
}

OptionSpec OptionSpec::Needs(std::string option) && {
  needs = std::move(option);
  return std::move(*this);
}

OptionSpec OptionSpec::Excludes(std::string option) && {
  excludes = std::move(option);
  return std::move(*this);
}
OptionSpec OptionSpec::Alias(std::string old_name) && {
  alias = std::move(old_name);
  return std::move(*this);
}

OptionSpec Argument(std::string name, OptionSpec::Target target, std::string help) {
  return {OptionSpec::Kind::kArgument, std::move(name), "", std::move(help), std::move(target)};
}

OptionSpec Value(std::string name, std::string value, OptionSpec::Target target, std::string help) {
  return {OptionSpec::Kind::kValue, std::move(name), std::move(value), std::move(help), std::move(target)};
}

OptionSpec Flag(std::string name, OptionSpec::Target target, std::string help) {
  return {OptionSpec::Kind::kFlag, std::move(name), "", std::move(help), std::move(target)};
}

OptionSpec FormatOption(bool* json) {
  const auto set = [json](const std::string& format) { *json = format == "json"; };
  return Value("--format", "FORMAT", set, "text or json (default text)").OneOf({"text", "json"});
}

OptionSpec ProgramOption(std::function<void(const std::string&)> take) {
  const auto as_word = [take = std::move(take)](const std::string& program) {
    take(IsInlineProgram(program) ? program : program + ";");
  };
  return Value("-e", "PROGRAM", as_word, "this program, such as 'timeout A 0; immediate B'");
}

OptionSpec JobsOption(int* jobs) {
  *jobs = DefaultJobs();
  return Value("--jobs", "N", jobs, "number of parallel jobs (default: one per core)").Between(1, 1024);
}

OptionSpec RunJobsOption(int* jobs) {
  *jobs = 0;
  return Value("--jobs", "N", jobs,
               "number of parallel jobs (default: one per core; " + std::to_string(kRunsPerCore) +
                   " for\ncases on a real clock, which mostly wait)")
      .Between(1, 1024);
}

OptionSpec MaxTimeOption(int64_t* seconds) {
  return Value("--max-time", "S", seconds,
               "seconds of CPU time for one set of orders\n(default " + std::to_string(*seconds) +
                   "); exit 3 if that is not enough")
      .Between(1, 1'000'000);
}

OptionSpec MaxMemoryOption(int64_t* megabytes) {
  return Value(
             "--max-memory", "MB", megabytes,
             "memory for one set of orders (default " + std::to_string(*megabytes) + ");\nexit 3 if that is not enough")
      .Between(1, 1'000'000);
}

}  // namespace conform
