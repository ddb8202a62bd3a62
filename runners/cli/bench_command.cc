// conform bench
#include <filesystem>

#include "runners/cli/commands.h"
#include "runners/harness/run_scope.h"
#include "runners/runtimes/tools.h"

namespace conform {
namespace {

namespace fs = std::filesystem;

constexpr int64_t kLongestMs = 3'600'000;

struct BenchArguments {
  std::string rows;
  std::string before;
  bool quick = false;
  bool json = false;
};

// The benchmarks are a separate program, which is built beside this one: they need libraries that it does not.
std::string Benchmarks() {
  std::error_code trouble;
  const fs::path executable = fs::read_symlink("/proc/self/exe", trouble);
  return (executable.parent_path() / "../../reference-impl/bench/conform_bench").lexically_normal().string();
}

int Bench(const BenchArguments& arguments, const Context&) {
  const std::string program = Benchmarks();
  if (!IsProgram(program)) {
    return Fail(Error{"the benchmarks are not built",
                      program,
                      {},
                      "cmake --preset release -DCONFORM_TESTS=ON && cmake --build --preset release -t conform_bench"},
                kHarnessTrouble);
  }
  if (!arguments.before.empty() && !IsProgram(arguments.before)) {
    return Fail(Error{"--before is not a program", arguments.before, {}, "expected the path of an older conform"});
  }
  const auto scope = RunScope::Open();
  if (!scope) return Fail(scope.error(), kHarnessTrouble);
  const Interrupt& interrupt = scope.value()->interrupt();
  std::vector<std::string> command{program};
  if (arguments.quick) command.emplace_back("--quick");
  if (arguments.json) command.emplace_back("--json");
  if (!arguments.before.empty()) command.push_back("--before=" + fs::absolute(arguments.before).string());
  if (!arguments.rows.empty()) command.push_back("--benchmark_filter=" + arguments.rows);
  const auto output = Tools{OwnEnvironment(), &interrupt}.Output(command, ".", kLongestMs);
  if (interrupt.raised()) return interrupt.exit_code();
  return output ? Answer(*output) : Fail(output.error(), kHarnessTrouble);
}

}  // namespace

CommandSpec MakeBenchCommand() {
  const auto arguments = std::make_shared<BenchArguments>();
  return {"bench",
          "Compare loop, exploring and harness with their peers",
          {Value("--rows", "REGEX", &arguments->rows, "only the rows whose names match, such as timer-insert"),
           Value("--before", "CONFORM", &arguments->before,
                 "an older conform, in a separate tree, to compare\nstudies of the catalogue with"),
           Flag("--quick", &arguments->quick, "a little of everything, in seconds, to see that it works"),
           FormatOption(&arguments->json)},
          RunWith(arguments, Bench)};
}

}  // namespace conform
