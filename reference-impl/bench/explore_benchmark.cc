// Exploring: every order of programs with six callbacks, beside spin with the second model.
#include <array>
#include <iostream>
#include <memory>
#include <utility>

#include "reference-impl/bench/rows.h"
#include "reference-impl/bench/verifier.h"
#include "reference-impl/explore/explorer.h"

namespace conform::reference::bench {
namespace {

constexpr int kCallbacks = 6;
constexpr std::array<const char*, 4> kKinds{"microtask %", "timeout % 1", "file %", "immediate %"};
constexpr int64_t kPrograms = 4096;  // every way to give a kind to each callback
constexpr int64_t kStride = 1237;    // has no divisor in common with them, so a part of them is a sample of all kinds

// The program of a number: its digits to the base 4 are the kinds of A to F.
Case MakeProgram(int64_t number) {
  std::string text = "title: Six callbacks\nclauses: [drain.after-each-callback]\nwhy: To be measured.\nprogram:\n";
  for (int i = 0; i < kCallbacks; ++i, number /= 4) {
    std::string step = kKinds[static_cast<size_t>(number % 4)];
    step.replace(step.find('%'), 1, 1, static_cast<char>('A' + i));
    text += "  - " + step + "\n";
  }
  text += "expect: '...'\n";
  Result<Case> parsed = ParseCase(text, "six-callbacks", "bench/six-callbacks");
  CONFORM_CHECK(parsed.ok());
  return std::move(parsed).value();
}

// One operation is one program.
void ExploreAll(benchmark::State& state, const std::vector<Case>& programs, const Model& model, Timing timing) {
  int64_t orders = 0;
  int64_t runs = 0;
  while (state.KeepRunningBatch(static_cast<int64_t>(programs.size()))) {
    for (const Case& program : programs) {
      const Exploration exploration = Explore(program, model, timing);
      CONFORM_CHECK(exploration.complete);
      runs += exploration.runs;
      state.PauseTiming();
      orders += static_cast<int64_t>(exploration.orders.CountOrders(1'000'000));
      state.ResumeTiming();
    }
  }
  using benchmark::Counter;
  state.counters["programs/s"] = Counter(static_cast<double>(state.iterations()), Counter::kIsRate);
  state.counters["orders/s"] = Counter(static_cast<double>(orders), Counter::kIsRate);
  state.counters["runs/s"] = Counter(static_cast<double>(runs), Counter::kIsRate);
  state.counters["orders"] = static_cast<double>(orders);
}

// One operation is one program; spin verifies all of them at once.
void RegisterSpin(const std::string& root, bool late, const std::string& name) {
  Result<std::unique_ptr<Verifier>> built = Verifier::Build(root, late);
  if (!built.ok()) {
    std::cerr << "conform_bench: " << built.error().ToString() << "\n";
    return;
  }
  const auto verify = [verifier = std::shared_ptr<Verifier>(std::move(built).value())](benchmark::State& state) {
    while (state.KeepRunningBatch(kPrograms)) state.SetIterationTime(verifier->Run());
  };
  benchmark::RegisterBenchmark((name + "/" + kSpin).c_str(), verify)->Iterations(kPrograms)->UseManualTime();
}

}  // namespace

void RegisterExploring(const Sizes& sizes, const std::string& root) {
  const Result<Profiles> profiles = Profiles::Load(root + "/spec/profiles");
  CONFORM_CHECK(profiles.ok());
  const Result<Profile> profile = profiles->Resolve("node");
  CONFORM_CHECK(profile.ok());
  const auto programs = std::make_shared<std::vector<Case>>();
  for (int64_t i = 0; i < sizes.programs; ++i) programs->push_back(MakeProgram(i * kStride % kPrograms));
  // Late: any step may take any time, so a timer may be due and a request of the pool may have ended at any poll.
  for (const auto& [timing, name] : {std::pair{Timing::kOnTime, "on-time"}, std::pair{Timing::kLate, "late"}}) {
    const auto explore = [programs, model = Model(*profile), timing = timing](benchmark::State& state) {
      ExploreAll(state, *programs, model, timing);
    };
    const std::string row = std::string("explore/six-callbacks/") + name;
    benchmark::RegisterBenchmark((row + "/ref").c_str(), explore)->Iterations(sizes.programs);
    if (sizes.programs == kPrograms) RegisterSpin(root, timing == Timing::kLate, row);
  }
}

}  // namespace conform::reference::bench
