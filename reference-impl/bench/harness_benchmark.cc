// The harness: what running cases on Node takes beyond starting Node.
#include <filesystem>
#include <iostream>
#include <optional>
#include <thread>
#include <vector>

#include "reference-impl/bench/children.h"
#include "reference-impl/bench/rows.h"
#include "runners/base/folders.h"
#include "runners/model/results.h"

namespace conform::reference::bench {
namespace {

// A run of some cases on Node, and its results in a folder that ends with this.
class NodeRun {
 public:
  NodeRun(const Sizes& sizes, const std::string& conform, const std::string& node, TemporaryFolder folder)
      : folder_(std::move(folder)),
        command_{conform, "run", sizes.cases, "--impl=node=" + node, "--repeat=" + std::to_string(sizes.repeats)} {}

  Child Start(int jobs) const {
    std::vector<std::string> command = command_;
    command.push_back("--output=" + Results());
    if (jobs > 0) command.push_back("--jobs=" + std::to_string(jobs));
    return Child(command);
  }
  Usage Run(int jobs) const {
    const auto used = Start(jobs).Wait();
    CONFORM_CHECK(used);  // Node passes these cases
    return *used;
  }
  // How often the run started Node: for each try, and for the conversation without a run.
  int64_t CountProcesses() const {
    const auto read = ReadResults(Results());
    CONFORM_CHECK(read.ok());
    int64_t count = 1;
    for (const CaseResult& result : read->results) count += static_cast<int64_t>(result.tries.size());
    return count;
  }

 private:
  std::string Results() const { return folder_.path() + "/results.jsonl"; }

  const TemporaryFolder folder_;
  const std::vector<std::string> command_;
};

// A run of cases, one process after the other, and bare starts beside it, likewise: whatever else the machine does at
// any moment changes both sides alike.
class PairedStarts {
 public:
  PairedStarts(std::shared_ptr<const NodeRun> run, std::string node) : run_(std::move(run)), node_(std::move(node)) {}

  // The CPU seconds of one process of the run, and those of a bare start that was measured beside it.
  double OfTheRun() { return Next(of_the_run_); }
  double Bare() { return Next(bare_); }

 private:
  // Whichever side is asked first is measured together with the other.
  double Next(std::vector<double>& side) {
    if (side.empty()) Measure();
    const double seconds = side.back();
    side.pop_back();
    return seconds;
  }
  void Measure() {
    double bare_seconds = 0;
    int starts = 0;
    Child run = run_->Start(1);
    do {
      const auto used = RunChild({node_, "-e", "0"});
      CONFORM_CHECK(used);
      bare_seconds += used->cpu_seconds;
      ++starts;
    } while (!run.HasEnded());
    const auto used = run.Wait();
    CONFORM_CHECK(used);
    of_the_run_.push_back(used->cpu_seconds / static_cast<double>(run_->CountProcesses()));
    bare_.push_back(bare_seconds / starts);
  }

  const std::shared_ptr<const NodeRun> run_;
  const std::string node_;
  std::vector<double> of_the_run_;
  std::vector<double> bare_;
};

// One operation is all that `seconds` measures.
template <typename Seconds>
void Register(const std::string& name, Seconds seconds) {
  const auto measure = [seconds](benchmark::State& state) {
    while (state.KeepRunning()) state.SetIterationTime(seconds());
  };
  benchmark::RegisterBenchmark(name.c_str(), measure)->Iterations(1)->UseManualTime();
}

}  // namespace

void RegisterHarness(const Sizes& sizes, const std::string& conform) {
  const std::optional<std::string> node = FindProgram("node");
  auto folder = TemporaryFolder::Make("conform-bench");
  if (!node || !folder || !std::filesystem::exists(conform)) {
    std::cerr << "conform_bench: without Node and conform there are no rows of the harness\n";
    return;
  }
  const auto run = std::make_shared<const NodeRun>(sizes, conform, *node, std::move(*folder));
  // One operation is one process of Node.
  const auto paired = std::make_shared<PairedStarts>(run, *node);
  Register("harness/cpu-of-a-process/ref", [paired] { return paired->OfTheRun(); });
  Register("harness/cpu-of-a-process/node", [paired] { return paired->Bare(); });
  // One operation is the whole run, as a clock on the wall sees it.
  Register("harness/wall-of-a-run/ref", [run] { return run->Run(0).wall_seconds; });
  Register("harness/wall-of-a-run/one-job-a-core",
           [run] { return run->Run(static_cast<int>(std::thread::hardware_concurrency())).wall_seconds; });
}

}  // namespace conform::reference::bench
