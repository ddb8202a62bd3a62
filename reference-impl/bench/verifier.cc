#include "reference-impl/bench/verifier.h"

#include <sys/resource.h>

#include <cstdlib>
#include <filesystem>

#include "runners/base/check.h"

namespace conform::reference::bench {
namespace {

// All of six callbacks, in order of their numbers in event_loop.pml: microtask, immediate, file and timeout 1.
constexpr const char* kProgramFlags = "-DN=6 -DEXACTLY=1 -DNESTING=0 -DKINDS=30";

double ChildrenCpuSeconds() {
  rusage used{};
  CONFORM_CHECK(getrusage(RUSAGE_CHILDREN, &used) == 0);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
  };
  return seconds(used.ru_utime) + seconds(used.ru_stime);
}

}  // namespace

Result<std::unique_ptr<Verifier>> Verifier::Build(const std::string& root, bool late) {
  auto made = TemporaryFolder::Make("conform-bench");
  if (!made) return made.error();
  std::unique_ptr<Verifier> verifier(new Verifier(std::move(*made)));
  const std::string& folder = verifier->folder_.path();
  std::filesystem::copy(root + "/reference-impl/second-model/event_loop.pml", folder);
  const std::string command = "cd '" + folder + "' && spin " + kProgramFlags + (late ? " -DLATE=1" : "") +
                              " -a event_loop.pml >log 2>&1 && gcc -O2 -w -DSAFETY -DNOFAIR -o pan pan.c >>log 2>&1";
  if (std::system(command.c_str()) != 0) return Error{"spin has no verifier here: apt install spin gcc"};
  return verifier;
}

double Verifier::Run() const {
  const double before = ChildrenCpuSeconds();
  CONFORM_CHECK(std::system(("cd '" + folder_.path() + "' && ./pan -m100000 -w24 >log").c_str()) == 0);
  return ChildrenCpuSeconds() - before;
}

}  // namespace conform::reference::bench
