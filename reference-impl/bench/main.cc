// conform_bench: the reference loop beside the system's libuv and libev, exploring beside spin, the harness beside bare
// starts of Node, and studies of the catalogue beside an older conform, in one binary and one run.
//
//   conform_bench [--quick] [--json] [--before=CONFORM] [--benchmark_…]
//
// --json prints the table alone, as spec/schemas/bench.schema.json says.
// --quick measures little of everything, in seconds: to see that all of it works, not to learn how fast it is.
// --before is an older conform, in a separate tree: what studies of the catalogue are compared with.
#include <benchmark/benchmark.h>
#include <uv.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "reference-impl/bench/ratio_reporter.h"
#include "reference-impl/bench/rows.h"

namespace {

// conform itself, which is built in the same tree.
std::string ProgramBeside() {
  std::error_code trouble;
  const auto own = std::filesystem::read_symlink("/proc/self/exe", trouble);
  return (own.parent_path() / "../../runners/cli/conform").lexically_normal().string();
}

bool StartsWith(std::string_view text, std::string_view start) { return text.substr(0, start.size()) == start; }

}  // namespace

int main(int argc, char** argv) {
  bool quick = false;
  bool machine_readable = false;
  bool json = false;
  std::string before;
  constexpr std::string_view kBefore = "--before=";
  // Repetitions of all rows are shuffled, so that a disturbance of the machine meets both sides alike. What the user
  // gives comes after, and wins.
  std::vector<std::string> arguments{argv[0], "--benchmark_enable_random_interleaving=true",
                                     "--benchmark_repetitions=9"};
  for (int i = 1; i < argc; ++i) {
    const std::string_view argument = argv[i];
    if (argument == "--quick") {
      quick = true;
      arguments[2] = "--benchmark_repetitions=1";
      continue;
    }
    if (StartsWith(argument, kBefore)) {
      before = argument.substr(kBefore.size());
      continue;
    }
    if (argument == "--json") {
      json = true;
      continue;
    }
    if (StartsWith(argument, "--benchmark_format=")) machine_readable = argument != "--benchmark_format=console";
    arguments.emplace_back(argument);
  }
  std::vector<char*> pointers;
  pointers.reserve(arguments.size() + 1);
  for (std::string& argument : arguments) pointers.push_back(argument.data());
  int count = static_cast<int>(pointers.size());
  pointers.push_back(nullptr);
  benchmark::Initialize(&count, pointers.data());
  if (benchmark::ReportUnrecognizedArguments(count, pointers.data())) return 2;

  using namespace conform::reference::bench;
  benchmark::AddCustomContext("libuv", uv_version_string());
  const Sizes sizes = quick ? Sizes::Quick() : Sizes{};
  RegisterTimers(sizes);
  RegisterIterations(sizes);
  RegisterWakeups(sizes);
  RegisterExploring(sizes, CONFORM_SOURCE_DIR, ProgramBeside());
  RegisterHarness(sizes, ProgramBeside());
  RegisterStudies(sizes, ProgramBeside(), before);
#ifndef CONFORM_HAS_LIBEV
  std::cerr << "conform_bench: built without libev, which has no rows then (apt install libev-dev)\n";
#endif
  // What is said on the way belongs to whoever watches.
  std::ofstream nowhere;
  RatioReporter reporter(std::unique_ptr<benchmark::BenchmarkReporter>(benchmark::CreateDefaultDisplayReporter()),
                         json || machine_readable ? std::cerr : std::cout);
  if (json) {
    reporter.SetOutputStream(&nowhere);
    reporter.SetErrorStream(&nowhere);
  }
  const size_t ran = benchmark::RunSpecifiedBenchmarks(&reporter);
  benchmark::Shutdown();
  if (json) std::cout << reporter.Json() << std::flush;
  return ran == 0 ? 2 : 0;
}
