#include "reference-impl/bench/verifier.h"

#include <cstdlib>
#include <filesystem>

#include "reference-impl/bench/children.h"
#include "runners/base/check.h"

namespace conform::reference::bench {
namespace {

// All of six callbacks, in order of their numbers in event_loop.pml: microtask, immediate, file and timeout 1.
constexpr const char* kProgramFlags = "-DN=6 -DEXACTLY=1 -DNESTING=0 -DKINDS=30";

}  // namespace

Result<std::unique_ptr<Verifier>> Verifier::Build(const std::string& root, Of of, bool late) {
  auto made = TemporaryFolder::Make("conform-bench");
  if (!made) return made.error();
  std::unique_ptr<Verifier> verifier(new Verifier(std::move(*made)));
  const std::string& folder = verifier->folder_.path();
  std::filesystem::copy(root + "/reference-impl/second-model/event_loop.pml", folder);
  const std::string command = "cd '" + folder + "' && spin " + kProgramFlags + (late ? " -DLATE=1" : "") +
                              (of == Of::kOne ? " -DGIVEN=1" : "") +
                              " -a event_loop.pml >log 2>&1 && gcc -O2 -w -DSAFETY -DNOFAIR -o pan pan.c >>log 2>&1";
  if (std::system(command.c_str()) != 0) return Error{"spin has no verifier here: apt install spin gcc"};
  return verifier;
}

// The tables are as large as the states need: larger ones take longer to be cleared.
double Verifier::RunAll() const {
  const auto used = RunChild({folder_.path() + "/pan", "-n", "-m100000", "-w24"});
  CONFORM_CHECK(used);
  return used->cpu_seconds;
}

double Verifier::RunOne(const std::string& kinds) const {
  const auto used = RunChild({folder_.path() + "/pan", "-n", "-m1000", "-w14"}, {"KINDS_GIVEN=" + kinds});
  CONFORM_CHECK(used);
  return used->cpu_seconds;
}

}  // namespace conform::reference::bench
