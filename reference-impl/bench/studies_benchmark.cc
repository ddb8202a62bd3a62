// Studies of the whole catalogue and of a large results file, beside an older conform with its own.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iostream>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "reference-impl/bench/children.h"
#include "reference-impl/bench/rows.h"
#include "runners/base/check.h"
#include "runners/base/folders.h"

namespace conform::reference::bench {
namespace {

constexpr int kRepetitions = 3;  // they take from seconds to minutes each

int64_t CountLines(const std::vector<std::string>& command) {
  const auto output = OutputOf(command);
  CONFORM_CHECK(output);
  int64_t count = 0;
  for (size_t at = 0; at < output->size(); at = output->find('\n', at) + 1) {
    const bool begins_something = (*output)[at] != ' ' && (*output)[at] != '\n';
    if (begins_something) ++count;
  }
  return count;
}

// A results file of one version of conform, and a baseline for it, in a folder that ends with this.
class GatedResults {
 public:
  GatedResults(const std::string& conform, TemporaryFolder folder) : folder_(std::move(folder)) {
    const std::string results = folder_.File("results.jsonl");
    const std::string baseline = "--baseline=" + folder_.File("baseline.yaml");
    CONFORM_CHECK(RunChild({conform, "run", "--impl=ref", "--output=" + results}));
    gate_ = {conform, "gate", results, baseline};
    CONFORM_CHECK(RunChild({conform, "gate", results, baseline, "--update"}));
    std::ifstream lines(results);
    for (std::string line; std::getline(lines, line);) count_ += line.find("\"verdict\"") != line.npos ? 1 : 0;
    CONFORM_CHECK(count_ > 0);
  }
  const std::vector<std::string>& gate() const { return gate_; }
  int64_t count() const { return count_; }

 private:
  const TemporaryFolder folder_;
  std::vector<std::string> gate_;
  int64_t count_ = 0;
};

// CPU seconds of one of `count` that the command is about.
double SecondsOfOne(const std::vector<std::string>& command, int64_t count) {
  const auto used = RunChild(command);
  CONFORM_CHECK(used);
  return used->cpu_seconds / static_cast<double>(count);
}

void RegisterStudy(const std::string& name, std::function<double()> seconds) {
  const auto measure = [seconds = std::move(seconds)](benchmark::State& state) {
    while (state.KeepRunning()) state.SetIterationTime(seconds());
  };
  benchmark::RegisterBenchmark(name.c_str(), measure)->Iterations(1)->Repetitions(kRepetitions)->UseManualTime();
}

// One operation is one case, one mutant, one result.
void RegisterSide(const std::string& side, const std::string& conform) {
  RegisterStudy("study/lint/" + side, [conform] {
    return SecondsOfOne({conform, "lint"}, CountLines({conform, "list"}));
  });
  RegisterStudy("study/mutants/" + side, [conform] {
    return SecondsOfOne({conform, "mutants"}, CountLines({conform, "mutants", "--list"}));
  });
  RegisterStudy("study/gate/" + side, [conform, results = std::make_shared<std::unique_ptr<GatedResults>>()] {
    if (*results == nullptr) {
      auto folder = TemporaryFolder::Make("conform-bench");
      CONFORM_CHECK(folder.ok());
      *results = std::make_unique<GatedResults>(conform, std::move(*folder));
    }
    return SecondsOfOne((*results)->gate(), (*results)->count());
  });
}

}  // namespace

void RegisterStudies(const Sizes& sizes, const std::string& conform, const std::string& before) {
  if (!sizes.with_studies || !std::filesystem::exists(conform)) return;
  RegisterSide("ref", conform);
  if (!before.empty()) RegisterSide("before", before);
}

}  // namespace conform::reference::bench
